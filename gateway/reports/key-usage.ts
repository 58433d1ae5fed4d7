// How much each key was used, for the service to show.
import type { KeyUsage } from '#contract/internal/gateway-reports.ts'
import type { IncomingCall } from '../request/incoming-call.ts'
import { addressText } from '#runtime/ip-address.ts'
import { bufferedReporter, type Report } from './buffered-reporter.ts'

type Use = {
  readonly keyId: string
  readonly calls: number
  readonly address: string
  readonly userAgent: string | null
}
export type UsageCounter = { count(use: Use): void; flush(): Promise<void>; close(): Promise<void> }

const flushEveryMs = 10_000
const keysMax = 100_000
const maxPerReport = 1_000
const userAgentMax = 200

export function usageCounter(
  report: (report: Report<KeyUsage>) => Promise<void>,
  onError: (error: unknown) => void,
): UsageCounter {
  const { add, flush, close } = bufferedReporter<KeyUsage>({
    ...{ keyOf: ({ keyId }) => keyId, combine, report, onError },
    ...{ maxHeld: keysMax, maxPerReport, intervalMs: flushEveryMs },
  })
  return { count: (use) => add(usageOf(use)), flush, close }
}

/** So many calls of the key, as one call brought them. */
export const useOf = (keyId: string, calls: number, { address, headers }: IncomingCall): Use => ({
  ...{ keyId, calls, address: address === null ? '' : addressText(address), userAgent: headers['user-agent'] ?? null },
})

const combine = (earlier: KeyUsage, later: KeyUsage): KeyUsage => ({
  ...later,
  requests: earlier.requests + later.requests,
})

const usageOf = ({ keyId, calls, address, userAgent }: Use): KeyUsage => ({
  keyId,
  requests: calls,
  lastUsedAt: new Date().toISOString(),
  lastUsedIp: address.slice(0, 64),
  lastUsedUserAgent: userAgent?.slice(0, userAgentMax) ?? null,
})
