// What the exchanges and queues of an installation are called.

/** A quorum queue lies on several nodes and outlives the loss of one; not every broker has them. */
export const queueTypes = ['quorum', 'classic'] as const
export type QueueType = (typeof queueTypes)[number]

export type BrokerNames = {
  readonly type: QueueType
  readonly exchange: string
  readonly queue: string
  readonly routingKey: string
  /** The exchange that takes what was rejected. A queue that exists keeps the name that it was declared with. */
  readonly deadExchange: string
  readonly deadQueue: string
  /** Queues of the other type, and of earlier versions. What they hold is moved to `queue` and `deadQueue`. */
  readonly formerQueues: readonly string[]
  readonly formerDeadQueues: readonly string[]
  /** An exclusive queue: one process at a time moves messages. */
  readonly movingMarker: string
}

export function namesFor(brand: string, type: QueueType = 'quorum'): BrokerNames {
  const name = `${brand}.webhooks.events`
  const ending = { quorum: '', classic: '.classic' } as const
  const others = queueTypes.filter((other) => other !== type)
  return {
    type,
    exchange: `${brand}.events`,
    queue: name + ending[type],
    routingKey: 'event',
    deadExchange: `${name}.dead`,
    deadQueue: `${name}.dead-letters${ending[type]}`,
    formerQueues: others.map((other) => name + ending[other]),
    formerDeadQueues: [`${name}.dead`, ...others.map((other) => `${name}.dead-letters${ending[other]}`)],
    movingMarker: `${name}.dead.moving`,
  }
}
