// The service's addresses, taken in turn. One that refuses connections is left out for a moment; where all do, they are
// tried all the same, so that the caller's answer tells what is so now.
export type Upstreams = {
  /** Origin of the next address: `http://host:port`. */
  next(): string
  leaveOut(origin: string): void
  readonly count: number
}

const leftOutMs = 2_000

export function inTurn(urls: readonly string[], now: () => number = Date.now): Upstreams {
  const origins = urls.map((url) => new URL(url).origin)
  const outUntil = new Map<string, number>()
  let turn = 0
  const take = (): string => origins[turn++ % origins.length] ?? ''

  function next(): string {
    for (let tries = 0; tries < origins.length; tries++) {
      const origin = take()
      if ((outUntil.get(origin) ?? 0) <= now()) return origin
    }
    return take()
  }
  return { next, leaveOut: (origin) => void outUntil.set(origin, now() + leftOutMs), count: origins.length }
}
