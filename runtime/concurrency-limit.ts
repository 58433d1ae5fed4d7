// Bounds how many things run at a time; their slots are shared fairly (runtime/fair-queue.ts). Whoever finds no slot waits
// in memory, before it holds anything that others need, for a bounded time and behind a bounded number of others.
import { fairQueue, type Shares } from './fair-queue.ts'

/** `full`: too many wait already. `late`: no slot came free in time. `aborted`: by the caller's signal. */
export type Refusal = 'full' | 'late' | 'aborted'
export type Acquired = { readonly kind: 'acquired'; release(): void } | Refused
/** `level`: whose share was used up, 0 for that of all together, n for that of the n-th holder. */
export type Refused = { readonly kind: 'refused'; readonly why: Refusal; readonly level: number }

export type ConcurrencyLimit = {
  /** Waits for a slot. Holders are named from the widest to the narrowest. Stops waiting on abort. Never rejects. */
  acquire(holders: readonly string[], signal?: AbortSignal): Promise<Acquired>
  /** Returns what releases the slot, or null where the call would have to wait. */
  acquireNow(holders: readonly string[]): (() => void) | null
  inUse(): number
  waiting(): number
  /** For how many ms somebody has waited without any slot coming free: 0 when one is free or nobody waits. */
  stuckForMs(): number
}
type Waiting = { readonly holders: readonly string[]; readonly resolve: (acquired: Acquired) => void }

export function openConcurrencyLimit(
  shares: Shares,
  waitMs: number,
  now: () => number = () => performance.now(),
): ConcurrencyLimit {
  const queue = fairQueue<Waiting>(shares)
  const allInUse = () => queue.running() >= shares.all.running
  let movedAt = now()

  function slotOf(holders: readonly string[]): () => void {
    let released = false
    movedAt = now()
    return () => {
      if (released) return
      released = true
      queue.release(holders)
      for (let next = queue.next(); next !== undefined; next = queue.next()) next.resolve(acquired(next.holders))
    }
  }
  const acquired = (holders: readonly string[]): Acquired => ({ kind: 'acquired', release: slotOf(holders) })

  async function acquire(holders: readonly string[], signal?: AbortSignal): Promise<Acquired> {
    if (signal?.aborted === true) return refused('aborted', 0)
    const { promise, resolve } = Promise.withResolvers<Acquired>()
    const waiting: Waiting = { holders, resolve }
    const isFirst = queue.waiting() === 0
    const entry = queue.enter(holders, waiting)
    if (entry === 'runs') return acquired(holders)
    if (entry === 'full') return refused('full', queue.usedUp('waiting', holders))
    if (isFirst) movedAt = now()
    const refuse = (why: Refusal): void =>
      void (queue.remove(holders, waiting) && resolve(refused(why, queue.usedUp('running', holders))))
    const onAbort = (): void => refuse('aborted')
    const timer = setTimeout(() => refuse('late'), waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  return {
    acquire,
    acquireNow: (holders) => (queue.runs(holders) ? slotOf(holders) : null),
    inUse: queue.running,
    waiting: queue.waiting,
    stuckForMs: () => (allInUse() && queue.waiting() > 0 ? now() - movedAt : 0),
  }
}

const refused = (why: Refusal, level: number): Acquired => ({ kind: 'refused', why, level })
