// How many gateways are alive, as Redis last said. Fewer are believed only once it was said for a while: when Redis comes
// back empty, the first to announce itself finds nobody else, and others may still be about to reconnect.

export type GatewayCount = { heard(alive: number, nowMs: number): void; count(): number }

const believedAfterMs = 4_000

export function gatewayCount(): GatewayCount {
  let count = 1
  let fewer: { readonly sinceMs: number; readonly most: number } | null = null

  function heard(alive: number, nowMs: number): void {
    if (alive < count) fewer = { sinceMs: fewer?.sinceMs ?? nowMs, most: Math.max(alive, fewer?.most ?? 1) }
    if (alive < count && nowMs - (fewer?.sinceMs ?? nowMs) < believedAfterMs) return
    count = Math.max(alive, fewer?.most ?? 1)
    fewer = null
  }
  return { heard, count: () => count }
}
