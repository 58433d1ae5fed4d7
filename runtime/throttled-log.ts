// Keeps what happens a thousand times from being said a thousand times. Causes are few and known beforehand.

export type Rarely = (cause: string, count: number, say: (count: number) => void) => void

/** Of each cause the first is said at once, then at most one in `everyMs`, with the count of those since. */
export function rarely(everyMs: number, now: () => number = () => performance.now()): Rarely {
  const said = new Map<string, { readonly at: number; unsaid: number }>()
  return (cause, count, say) => {
    const last = said.get(cause)
    if (last !== undefined && now() - last.at < everyMs) {
      last.unsaid += count
      return
    }
    said.set(cause, { at: now(), unsaid: 0 })
    say(count + (last?.unsaid ?? 0))
  }
}
