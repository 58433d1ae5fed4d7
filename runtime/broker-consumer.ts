// Consumes from RabbitMQ, keeps the queue of rejected messages, and moves what former queues hold. Messages that are
// not acked are delivered again after every reconnect.
import { randomUUID } from 'node:crypto'
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib'
import { closeTimeoutMs, connectToAny, noAnswer, openConnection, type Broker } from './broker-connection.ts'
import type { OnState } from './broker-log.ts'
import type { BrokerNames } from './broker-names.ts'
import { declareDeadQueue, declareQueue, formerQueues, retireQueue } from './broker-queues.ts'
import { waitAtMost, withTimeout } from './timeouts.ts'
import { backoffMs } from './retry.ts'

export type ReceivedMessage = {
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
  ack(): void
  /** Moves the message to the dead-letter queue, where people may look at it. */
  reject(): void
}

/** How long a consumer that has just connected waits for the queue of what it may reject. It does without then. */
const upkeepWithinMs = 2_000

export type Consumer = { isConnected(): boolean; close(): Promise<void> }

/** Takes at most `prefetch` messages at a time. One that is not acked comes again, to this consumer or another. */
export async function openConsumer(
  broker: Broker,
  names: BrokerNames,
  prefetch: number,
  onMessage: (message: ReceivedMessage) => void,
  onState: OnState,
): Promise<Consumer> {
  const consumerTag = randomUUID()
  let consumed: Channel | null = null
  const upkeep = keepQueues(broker, names, onState)
  const connection = await openConnection(broker, {
    state: onState,
    lost: () => (consumed = null),
    open: async (model) => {
      await declareQueue(model, names)
      await waitAtMost(upkeepWithinMs, upkeep.look())
      const channel = await model.createChannel()
      await channel.prefetch(prefetch)
      const onDelivery = (message: ConsumeMessage | null) => {
        if (message !== null) return onMessage(received(channel, message))
        // The broker took the queue away (deleted, or moved to another node): begin anew, which declares it again.
        void channel.close().catch(() => {})
      }
      await channel.consume(names.queue, onDelivery, { consumerTag })
      consumed = channel
      return channel
    },
  })
  // Acks wait in the channel's buffer, which closing the connection would drop. The broker answers `cancel` after them.
  const close = async () => {
    const channel = consumed
    consumed = null
    await Promise.all([connection.close(channel?.cancel(consumerTag)), upkeep.close()])
  }
  return { isConnected: () => consumed !== null, close }
}

const received = (channel: Channel, message: ConsumeMessage): ReceivedMessage => ({
  body: message.content.toString('utf8'),
  headers: message.properties.headers ?? {},
  ack: () => ifOpen(() => channel.ack(message)),
  reject: () => ifOpen(() => channel.reject(message, false)),
})

// A channel that is closed takes no ack: the broker delivers the message again.
function ifOpen(answer: () => void): void {
  try {
    answer()
  } catch {}
}

/**
 * Keeps the queue of dead letters: messages that a consumer has rejected, for people to look at. It is declared over a
 * connection of its own and tried again by itself, so that a broker that has lost it, or refuses it, costs no
 * notification. Over the same connection former queues are moved.
 *
 * Processes of an earlier version or of another setting declare a former queue again when they reconnect, hence the
 * look from time to time; a message that is rejected meanwhile may lie in the new queue twice.
 */
type Upkeep = {
  /** Resolves after an attempt, whatever has come of it. One that is not the last is repeated. */
  look(): Promise<void>
  close(): Promise<void>
}

const lookEveryMs = 600_000
const lookWithinMs = 10_000
const backoff = { minMs: 1_000, maxMs: 60_000 }

function keepQueues(broker: Broker, names: BrokerNames, onState: OnState): Upkeep {
  let closed = false
  let unfinished = 0
  let attempt: Promise<void> | null = null
  let next: NodeJS.Timeout | undefined

  async function lookOnce(): Promise<void> {
    const isFinished = await setUp(broker, names, onState)
    unfinished = isFinished ? 0 : unfinished + 1
    attempt = null
    if (closed) return
    const again = () => {
      void look()
    }
    next = setTimeout(again, isFinished ? lookEveryMs : backoffMs(unfinished, backoff))
  }
  function look(): Promise<void> {
    clearTimeout(next)
    attempt ??= lookOnce()
    return attempt
  }
  async function close(): Promise<void> {
    closed = true
    clearTimeout(next)
    await waitAtMost(closeTimeoutMs, attempt ?? Promise.resolve())
  }
  return { look, close }
}

/** Returns whether nothing is left to be done. Each step tells of itself. */
async function setUp(broker: Broker, names: BrokerNames, onState: OnState): Promise<boolean> {
  let kept = false
  try {
    return await withConnection(broker, async (model) => {
      await declareDeadQueue(model, names)
      kept = true
      const isFinished = await retireAll(model, names, onState)
      onState('dead letters kept')
      return isFinished
    })
  } catch (error) {
    onState(kept ? 'former queue not moved' : 'dead letters not kept', error as Error)
    return false
  }
}

/** Dead letters wait until the processes that take from a former queue are gone: they keep those as well. */
async function retireAll(model: ChannelModel, names: BrokerNames, onState: OnState): Promise<boolean> {
  for (const former of formerQueues(names)) {
    const retired = await retireQueue(model, former, names.movingMarker)
    if (retired === 'in use') onState('former queue in use', undefined, former.queue)
    if (retired === 'moved') onState('former queue moved', undefined, former.queue)
    if (retired === 'in use' || retired === 'unfinished') return false
  }
  return true
}

async function withConnection<T>(broker: Broker, work: (model: ChannelModel) => Promise<T>): Promise<T> {
  const connecting = connectToAny(broker)
  try {
    return await withTimeout(lookWithinMs, connecting.then(work), noAnswer)
  } finally {
    const closing = connecting.then((model) => model.close()).catch(() => {})
    await waitAtMost(closeTimeoutMs, closing)
  }
}
