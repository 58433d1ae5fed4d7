// The usage of each key, for the service to show. A key's use is added up here and told at most once a minute, with
// that of all other keys; the first use of a key is told within seconds, for an owner who waits to see it.
import { previousSecretsPerReportMax, type KeyUsage, type PreviousSecretUse } from '#contract/internal/reports.ts'
import type { Address } from '#runtime/ip-address.ts'
import { lazyLru } from '#runtime/lazy-lru.ts'
import type { IncomingCall } from '../request/request-context.ts'
import { bufferedReporter, type Report } from './buffered-reporter.ts'

type Use = {
  readonly keyId: string
  readonly calls: number
  readonly address: Address | null
  readonly userAgent: string | null
}
/** Since the key's use was last told. */
type Held = { calls: number; at: number; address: Address | null; userAgent: string | null }
export type UsageCounter = {
  count(use: Use): void
  /** Tells what is held of every key. */
  flush(): Promise<void>
  close(): Promise<void>
}

const tellEveryMs = 10_000
const keyEveryMs = 60_000
const keysMax = 100_000
const maxPerReport = 1_000
const userAgentMax = 200

export function usageCounter(
  report: (report: Report<KeyUsage>) => Promise<void>,
  onError: (error: unknown) => void,
  { everyMs = tellEveryMs, now = () => Date.now() } = {},
): UsageCounter {
  const held = new Map<string, Held>()
  const toldAt = lazyLru<number>(keysMax)
  const reporter = bufferedReporter<KeyUsage>({
    keyOf: ({ keyId }) => keyId,
    combine,
    report,
    onError,
    maxHeld: keysMax,
    maxPerReport,
    intervalMs: everyMs,
    beforeFlush: () => tell((keyId) => (toldAt.get(keyId) ?? -Infinity) <= now() - keyEveryMs),
  })

  function tell(isDue: (keyId: string) => boolean): void {
    for (const [keyId, use] of held) {
      if (!isDue(keyId)) continue
      held.delete(keyId)
      toldAt.set(keyId, now())
      reporter.add(usageOf(keyId, use))
    }
  }
  const tellAll = (): void => tell(() => true)

  /** On the way of every call: a known key's use costs a look-up and four numbers. */
  function count({ keyId, calls, address, userAgent }: Use): void {
    const use = held.get(keyId)
    if (use !== undefined) {
      use.calls += calls
      use.at = now()
      use.address = address
      use.userAgent = userAgent
      return
    }
    if (held.size >= keysMax) tellAll()
    held.set(keyId, { calls, at: now(), address, userAgent })
  }

  function flush(): Promise<void> {
    tellAll()
    return reporter.flush()
  }
  function close(): Promise<void> {
    tellAll()
    return reporter.close()
  }
  return { count, flush, close }
}

/** So many calls of the key, as one call brought them. */
export const useOf = (keyId: string, calls: number, { address, headers }: IncomingCall): Use => ({
  keyId,
  calls,
  address,
  userAgent: headers['user-agent'] ?? null,
})

const combine = (earlier: KeyUsage, later: KeyUsage): KeyUsage => ({
  ...later,
  requests: earlier.requests + later.requests,
})

const usageOf = (keyId: string, { calls, at, address, userAgent }: Held): KeyUsage => ({
  keyId,
  requests: calls,
  lastUsedAt: new Date(at).toISOString(),
  lastUsedIp: address?.toString() ?? '',
  lastUsedUserAgent: userAgent?.slice(0, userAgentMax) ?? null,
})

// The use of secrets that a rotation has replaced. It is told within seconds, for an owner who waits until the last
// program has the new secret; there are few such calls, so each is added as it comes.

export type PreviousSecretReporter = {
  count(use: Use): void
  flush(): Promise<void>
  close(): Promise<void>
}

const replacedKeysMax = 10_000

export function previousSecretUse(
  report: (report: Report<PreviousSecretUse>) => Promise<void>,
  onError: (error: unknown) => void,
  { everyMs = tellEveryMs, now = () => Date.now() } = {},
): PreviousSecretReporter {
  const { add, flush, close } = bufferedReporter<PreviousSecretUse>({
    keyOf: ({ keyId }) => keyId,
    combine: (earlier, later) => ({ ...later, requests: earlier.requests + later.requests }),
    report,
    onError,
    maxHeld: replacedKeysMax,
    maxPerReport: previousSecretsPerReportMax,
    intervalMs: everyMs,
  })
  const count = ({ keyId, calls, address }: Use): void =>
    add({
      keyId,
      requests: calls,
      lastUsedAt: new Date(now()).toISOString(),
      lastUsedIp: address?.toString() ?? '',
    })
  return { count, flush, close }
}
