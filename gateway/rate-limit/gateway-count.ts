// How many gateways are alive, as Redis last said. Fewer are believed only once it was said for a while: when Redis comes
// back empty, the first to announce itself finds nobody else.

export type GatewayCount = { heard(alive: number): void; count(): number }

const believedAfter = 4

export function gatewayCount(): GatewayCount {
  let last: readonly number[] = []
  return {
    heard: (alive) => void (last = [...last.slice(1 - believedAfter), alive]),
    count: () => Math.max(1, ...last),
  }
}
