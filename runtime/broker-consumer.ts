// Consumes from RabbitMQ. Messages that are not acked are delivered again after every reconnect.
import { randomUUID } from 'node:crypto'
import type { Channel, ConsumeMessage } from 'amqplib'
import { declareQueue, openConnection, type BrokerNames, type OnState } from './broker-connection.ts'
import { keepDeadLetters } from './broker-dead-letters.ts'
import { waitAtMost } from './timeout.ts'

export type ReceivedMessage = {
  readonly body: string
  ack(): void
  /** Moves the message to the dead-letter queue, where somebody may look at it. */
  reject(): void
}

/** How long a consumer that has just connected waits for the queue of what it may reject. It does without then. */
const deadLettersWithinMs = 2_000

export type Consumer = { isConnected(): boolean; close(): Promise<void> }

/** Takes at most `prefetch` messages at a time. One that is not acked comes again, to this consumer or another. */
export async function openConsumer(
  url: string,
  names: BrokerNames,
  prefetch: number,
  onMessage: (message: ReceivedMessage) => void,
  onState: OnState,
): Promise<Consumer> {
  const consumerTag = randomUUID()
  let consumed: Channel | null = null
  const deadLetters = keepDeadLetters(url, names, onState)
  const connection = await openConnection(url, {
    state: onState,
    lost: () => (consumed = null),
    open: async (model) => {
      await declareQueue(model, names)
      await waitAtMost(deadLettersWithinMs, deadLetters.declare())
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
    await Promise.all([connection.close(channel?.cancel(consumerTag)), deadLetters.close()])
  }
  return { isConnected: () => consumed !== null, close }
}

const received = (channel: Channel, message: ConsumeMessage): ReceivedMessage => ({
  body: message.content.toString('utf8'),
  ack: () => ifOpen(() => channel.ack(message)),
  reject: () => ifOpen(() => channel.reject(message, false)),
})

// A channel that is closed takes no ack: the broker delivers the message again.
function ifOpen(answer: () => void): void {
  try {
    answer()
  } catch {}
}
