// AMQP 0-9-1 on RabbitMQ: one topic exchange, one quorum queue. What is published is only a notice of something that a
// database already holds, so a lost publish costs time and nothing else: failures are reported, not retried here.
import { randomUUID } from 'node:crypto'
import type { Channel, ConfirmChannel, ConsumeMessage } from 'amqplib'
import { declare, openLine, type Names, type OnState } from './broker-connection.ts'

export type Publisher = {
  isConnected(): boolean
  /** Resolves once the broker has routed and confirmed it; rejects where that did not happen. */
  publish(body: string): Promise<void>
  close(): Promise<void>
}
export type Received = {
  readonly body: string
  ack(): void
  /** Moves it to the dead queue, where somebody may look at it. */
  reject(): void
}
export type Consumer = { isConnected(): boolean; close(): Promise<void> }

const unconfirmedMax = 500
const confirmTimeoutMs = 2_000

/** Does not wait for the broker: while there is no connection, or the broker takes nothing, `publish` rejects at once. */
export async function openPublisher(
  url: string,
  names: Names,
  onState: OnState,
  confirmWithinMs = confirmTimeoutMs,
): Promise<Publisher> {
  const waiting = new Map<string, (error?: Error | null) => void>()
  let channel: ConfirmChannel | null = null
  let away = new Error('RabbitMQ is not connected')
  let blocked = false
  const line = await openLine(url, {
    state: onState,
    open: async (model) => {
      const opened = await model.createConfirmChannel()
      opened.on('return', ({ properties }) =>
        waiting.get(String(properties.messageId))?.(new Error('No queue takes the message')),
      )
      await declare(opened, names)
      channel = opened
      blocked = false
      return opened
    },
    lost: (why) => {
      channel = null
      fail(why)
    },
    blocked: (why) => {
      blocked = true
      onState('disconnected', why)
      fail(why)
    },
    free: () => {
      blocked = false
      onState('connected')
    },
  })

  function fail(why: Error): void {
    away = why
    for (const settle of [...waiting.values()]) settle(why)
  }

  async function publish(body: string): Promise<void> {
    if (channel === null || blocked) throw away
    if (waiting.size >= unconfirmedMax) throw new Error('Too many publishes wait for the broker')
    await send(channel, body)
  }

  function send(current: ConfirmChannel, body: string): Promise<void> {
    const messageId = randomUUID()
    return new Promise((resolve, reject) => {
      // An unroutable message is returned first and confirmed then; a settled promise ignores the second.
      const settle = (error?: Error | null) => {
        clearTimeout(timer)
        waiting.delete(messageId)
        if (error) reject(error)
        else resolve()
      }
      // What does not come for one will not come for those behind it either.
      const timer = setTimeout(() => line.drop(new Error('RabbitMQ did not confirm in time')), confirmWithinMs)
      waiting.set(messageId, settle)
      const options = { persistent: true, mandatory: true, messageId, contentType: 'application/json' }
      current.publish(names.exchange, names.routingKey, Buffer.from(body), options, settle)
    })
  }
  return { isConnected: () => channel !== null && !blocked, publish, close: () => line.close() }
}

/** Takes at most `prefetch` messages at a time. What is not acked comes again, to this consumer or another. */
export async function openConsumer(
  url: string,
  names: Names,
  prefetch: number,
  onMessage: (message: Received) => void,
  onState: OnState,
): Promise<Consumer> {
  const consumerTag = randomUUID()
  let consumed: Channel | null = null
  const line = await openLine(url, {
    state: onState,
    lost: () => (consumed = null),
    open: async (model) => {
      const channel = await model.createChannel()
      await declare(channel, names)
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
  // Acks wait in the channel's buffer, which closing the connection would drop: what is answered after them is behind them.
  const close = async () => {
    const channel = consumed
    consumed = null
    await line.close(channel?.cancel(consumerTag))
  }
  return { isConnected: () => consumed !== null, close }
}

const received = (channel: Channel, message: ConsumeMessage): Received => ({
  body: message.content.toString('utf8'),
  ack: () => ifOpen(() => channel.ack(message)),
  reject: () => ifOpen(() => channel.reject(message, false)),
})

// On a channel that is gone there is nothing to answer: the broker hands the message out again.
function ifOpen(answer: () => void): void {
  try {
    answer()
  } catch {}
}
