// AMQP 0-9-1 on RabbitMQ: one topic exchange, one quorum queue. What is published is only a notice of something that a
// database already holds, so a lost publish costs time and nothing else: failures are reported, not retried here.
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { Channel, ConfirmChannel, ConsumeMessage } from 'amqplib'
import { declare, openLine, type Names, type OnState } from './broker-line.ts'

export type Publisher = {
  isConnected(): boolean
  /** Resolves once the broker has routed and confirmed it; rejects where that did not happen. */
  publish(body: string): Promise<void>
  close(): Promise<void>
}
export type Received = { readonly body: string; ack(): void }
export type Consumer = { isConnected(): boolean; close(): Promise<void> }

const unconfirmedMax = 500
const confirmTimeoutMs = 10_000
/** Longer than the longest wait between two tries to connect. */
const lineWaitMs = 10_000

/** Does not wait for the broker. While the line is down, `publish` waits a little for it, then rejects. */
export async function openPublisher(url: string, names: Names, onState: OnState): Promise<Publisher> {
  const waiting = new Map<string, (error?: Error | null) => void>()
  const line = new EventEmitter<{ up: [ConfirmChannel] }>().setMaxListeners(unconfirmedMax)
  const closing = new AbortController()
  let channel: ConfirmChannel | null = null
  const connection = await openLine(
    url,
    onState,
    () => (channel = null),
    async (model) => {
      const opened = await model.createConfirmChannel()
      opened.on('return', ({ properties }) =>
        waiting.get(String(properties.messageId))?.(new Error('No queue takes the message')),
      )
      await declare(opened, names)
      channel = opened
      line.emit('up', opened)
      return opened
    },
  )

  async function publish(body: string): Promise<void> {
    if (waiting.size + line.listenerCount('up') >= unconfirmedMax)
      throw new Error('Too many publishes wait for the broker')
    await send(channel ?? (await lineUp()), body)
  }

  async function lineUp(): Promise<ConfirmChannel> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(lineWaitMs)])
    const [opened] = (await once(line, 'up', { signal })) as [ConfirmChannel]
    return opened
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
      const timer = setTimeout(() => settle(new Error('The broker did not confirm in time')), confirmTimeoutMs)
      waiting.set(messageId, settle)
      const options = { persistent: true, mandatory: true, messageId, contentType: 'application/json' }
      current.publish(names.exchange, names.routingKey, Buffer.from(body), options, settle)
    })
  }
  const close = async () => {
    closing.abort()
    await connection.close()
  }
  return { isConnected: () => channel !== null, publish, close }
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
  const connection = await openLine(
    url,
    onState,
    () => (consumed = null),
    async (model) => {
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
  )
  // Acks wait in the channel's buffer, which closing the connection would drop: what is answered after them is behind them.
  const close = async () => {
    const channel = consumed
    consumed = null
    await channel?.cancel(consumerTag).catch(() => {})
    await connection.close()
  }
  return { isConnected: () => consumed !== null, close }
}

const received = (channel: Channel, message: ConsumeMessage): Received => ({
  body: message.content.toString('utf8'),
  // On a channel that is gone there is nothing to ack: the broker hands the message out again.
  ack: () => {
    try {
      channel.ack(message)
    } catch {}
  },
})
