// A bounded number of things under way at a time, shared fairly (runtime/fair-queue.ts). Who finds no slot waits in
// memory, before it holds anything that others need, for a bounded time and behind a bounded number of others.
import { fairQueue, type Shares } from './fair-queue.ts'

/** `full`: too many wait already. `late`: none came free in time. `left`: who asked has gone. */
export type Refusal = 'full' | 'late' | 'left'
export type Acquired =
  | { readonly kind: 'acquired'; release(): void }
  | { readonly kind: 'refused'; readonly why: Refusal }

export type Slots = {
  /** Holders from the widest to the narrowest. Leaves the queue when the signal is aborted. Never rejects. */
  acquire(holders: readonly string[], signal?: AbortSignal): Promise<Acquired>
  inUse(): number
  waiting(): number
  /** For how long somebody has waited without any slot coming free: 0 where one is free or nobody waits. */
  stuckForMs(): number
}
type Waiting = { readonly holders: readonly string[]; readonly settle: (acquired: Acquired) => void }

export function openSlots(shares: Shares, waitMs: number, now: () => number = () => performance.now()): Slots {
  const queue = fairQueue<Waiting>(shares)
  const allInUse = () => queue.running() >= shares.all.running
  let movedAt = now()

  function acquired(holders: readonly string[]): Acquired {
    let released = false
    movedAt = now()
    const release = () => {
      if (released) return
      released = true
      queue.release(holders)
      for (let next = queue.next(); next !== undefined; next = queue.next()) next.settle(acquired(next.holders))
    }
    return { kind: 'acquired', release }
  }

  async function acquire(holders: readonly string[], signal?: AbortSignal): Promise<Acquired> {
    if (signal?.aborted === true) return refused('left')
    const { promise, resolve: settle } = Promise.withResolvers<Acquired>()
    const waiting: Waiting = { holders, settle }
    const isFirst = queue.waiting() === 0
    const entry = queue.enter(holders, waiting)
    if (entry === 'runs') return acquired(holders)
    if (entry === 'full') return refused('full')
    if (isFirst) movedAt = now()
    const refuse = (why: Refusal): void => void (queue.remove(holders, waiting) && settle(refused(why)))
    const onLeft = (): void => refuse('left')
    const timer = setTimeout(() => refuse('late'), waitMs)
    signal?.addEventListener('abort', onLeft, { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onLeft)
    })
  }

  return {
    acquire,
    inUse: queue.running,
    waiting: queue.waiting,
    stuckForMs: () => (allInUse() && queue.waiting() > 0 ? now() - movedAt : 0),
  }
}

const refused = (why: Refusal): Acquired => ({ kind: 'refused', why })
