// How much each key was used, counted here and handed to the service now and then, so that no call waits for a write.
// What could not be handed over is kept for the next time.
import type { KeyUsage } from '#contract/principal.ts'

type Use = {
  readonly keyId: string
  readonly calls: number
  readonly address: string
  readonly userAgent: string | null
}
export type UsageCounter = { count(use: Use): void; flush(): Promise<void>; close(): Promise<void> }

const flushEveryMs = 10_000
const keysMax = 100_000
const perReport = 1_000
const userAgentMax = 200

export function usageCounter(
  report: (usage: readonly KeyUsage[]) => Promise<void>,
  onError: (error: unknown) => void,
): UsageCounter {
  const counted = new Map<string, KeyUsage>()
  let flushing: Promise<void> = Promise.resolve()

  function add(use: KeyUsage): void {
    const before = counted.get(use.keyId)
    if (before === undefined && counted.size >= keysMax) return
    const latest = before !== undefined && before.lastUsedAt > use.lastUsedAt ? before : use
    counted.set(use.keyId, { ...latest, requests: use.requests + (before?.requests ?? 0) })
  }

  async function reportAll(): Promise<void> {
    const usage = [...counted.values()]
    counted.clear()
    while (usage.length > 0) {
      const part = usage.splice(0, perReport)
      await report(part).catch((error: unknown) => {
        for (const use of [...part, ...usage.splice(0)]) add(use)
        onError(error)
      })
    }
  }
  const flush = (): Promise<void> => (flushing = flushing.then(reportAll))
  const timer = setInterval(() => void flush(), flushEveryMs).unref()
  const close = (): Promise<void> => {
    clearInterval(timer)
    return flush()
  }
  return { count: (use) => add(usageOf(use)), flush, close }
}

const usageOf = ({ keyId, calls, address, userAgent }: Use): KeyUsage => ({
  keyId,
  requests: calls,
  lastUsedAt: new Date().toISOString(),
  lastUsedIp: address.slice(0, 64),
  lastUsedUserAgent: userAgent?.slice(0, userAgentMax) ?? null,
})
