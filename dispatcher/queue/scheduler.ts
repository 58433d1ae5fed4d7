// What is in hand: queued by webhook, started in turn, known by id until its result is written. Nothing here is durable:
// what does not fit is refused, and stays in the database for later.
import { fairQueue } from './fair-queue.ts'
import type { Leased } from './leases.ts'
import type { Capacity } from './claim-statement.ts'

export type Lanes = {
  /**
   * Gives those that there is no place for. One that is here already is neither queued again nor given. There is more of
   * the webhooks that are cut off.
   */
  offer(items: readonly Leased[], cutOff?: readonly string[]): Leased[]
  /** Answers for the moment: would one more of this webhook find a place, beside those asked about before? */
  places(): (webhookId: string) => boolean
  capacity(): Capacity
  /** Looks again whether something may start. */
  pump(): void
  /** Starts nothing more; gives what has not started. */
  stop(): Leased[]
  /** Resolves when nothing is running. */
  idle(): Promise<void>
}

export type Limits = {
  readonly inFlight: number
  readonly perWebhook: number
  readonly queued: number
  readonly queuedPerWebhook: number
}
const limits: Limits = { inFlight: 1_000, perWebhook: 10, queued: 1_000, queuedPerWebhook: 100 }

export type Work = {
  /** Resolves when all is done and never rejects; `freePlace` may be called before, when the receiver is done with. */
  readonly run: (item: Leased, freePlace: () => void) => Promise<void>
  readonly mayStart: () => boolean
  /** Something of this webhook was refused before, and half of its places are free again. */
  readonly onRoom: (webhookId: string) => void
}

export function openLanes(
  { run, mayStart, onRoom }: Work,
  { inFlight: inFlightMax, perWebhook, queued, queuedPerWebhook }: Limits = limits,
): Lanes {
  const queue = fairQueue<Leased>({ waiting: queued, waitingPerKey: queuedPerWebhook, outPerKey: perWebhook })
  const known = new Set<string>()
  const running = new Set<Promise<void>>()
  // Webhooks that had to leave something in the database.
  const refused = new Set<string>()
  let inFlight = 0
  let stopped = false

  function takes(item: Leased): boolean {
    if (known.has(item.id)) return true
    if (stopped || queue.room(item.webhookId) <= 0) return false
    known.add(item.id)
    queue.push(item.webhookId, item)
    return true
  }

  function pump(): void {
    while (!stopped && inFlight < inFlightMax && mayStart()) {
      const item = queue.take()
      if (item === undefined) return
      start(item)
    }
  }

  function start(item: Leased): void {
    inFlight++
    const freePlace = once(() => {
      inFlight--
      queue.back(item.webhookId)
      pump()
    })
    const done = run(item, freePlace).finally(() => {
      known.delete(item.id)
      running.delete(done)
      freePlace()
    })
    running.add(done)
    tellRoom(item.webhookId)
  }

  function tellRoom(webhookId: string): void {
    if (queue.room(webhookId) < queuedPerWebhook / 2 || !refused.delete(webhookId)) return
    onRoom(webhookId)
  }

  function offer(items: readonly Leased[], cutOff: readonly string[] = []): Leased[] {
    for (const webhookId of cutOff) refused.add(webhookId)
    const left = items.filter((item) => !takes(item))
    for (const { webhookId } of left) refused.add(webhookId)
    pump()
    return left
  }

  function places(): (webhookId: string) => boolean {
    const planned = new Map<string, number>()
    let all = 0
    return (webhookId) => {
      const own = planned.get(webhookId) ?? 0
      if (stopped || queue.room(webhookId) <= own || queue.free() <= all) {
        refused.add(webhookId)
        return false
      }
      planned.set(webhookId, own + 1)
      all++
      return true
    }
  }

  function capacity(): Capacity {
    const fewer = queue.rooms()
    for (const [webhookId, room] of fewer) if (room <= 0) refused.add(webhookId)
    return { free: stopped ? 0 : queue.free(), perWebhook: queuedPerWebhook, fewer }
  }

  function stop(): Leased[] {
    stopped = true
    return queue.clear()
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running)
  }

  return { offer, places, capacity, pump, stop, idle }
}

function once(act: () => void): () => void {
  let acted = false
  return () => {
    if (acted) return
    acted = true
    act()
  }
}
