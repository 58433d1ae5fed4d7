// Publishes to RabbitMQ. A message only tells of something that a database already holds, so a lost one costs time and
// nothing else: failures are reported, not retried here.
import { randomUUID } from 'node:crypto'
import type { ConfirmChannel } from 'amqplib'
import { openConnection, type Broker } from './broker-connection.ts'
import type { OnState } from './broker-log.ts'
import type { BrokerNames } from './broker-names.ts'
import { declareQueue } from './broker-queues.ts'

type Headers = Readonly<Record<string, unknown>>
export type Publisher = {
  isConnected(): boolean
  /** Resolves once the broker has routed and confirmed the message; rejects when it has not. */
  publish(body: string, headers?: Headers): Promise<void>
  close(): Promise<void>
}

const unconfirmedMax = 500
const confirmTimeoutMs = 2_000

/** Does not wait for the broker: without a connection, or while the broker takes nothing, `publish` rejects at once. */
export async function openPublisher(
  broker: Broker,
  names: BrokerNames,
  onState: OnState,
  confirmWithinMs = confirmTimeoutMs,
): Promise<Publisher> {
  // What does not come for one message will not come for those behind it either.
  const unconfirmed = unconfirmedMessages(names, confirmWithinMs, () =>
    connection.drop(new Error('RabbitMQ did not confirm in time')),
  )
  let channel: ConfirmChannel | null = null
  let unavailable = new Error('RabbitMQ is not connected')
  let blocked = false

  function fail(reason: Error): void {
    unavailable = reason
    unconfirmed.failAll(reason)
  }

  const connection = await openConnection(broker, {
    state: onState,
    open: async (model) => {
      await declareQueue(model, names)
      const opened = await model.createConfirmChannel()
      opened.on('return', ({ properties }) => unconfirmed.returned(String(properties.messageId)))
      channel = opened
      blocked = false
      return opened
    },
    lost: (reason) => {
      channel = null
      fail(reason)
    },
    blocked: (reason) => {
      blocked = true
      onState('disconnected', reason)
      fail(reason)
    },
    unblocked: () => {
      blocked = false
      onState('connected')
    },
  })

  async function publish(body: string, headers: Headers = {}): Promise<void> {
    if (channel === null || blocked) throw unavailable
    await unconfirmed.send(channel, body, headers)
  }
  return { isConnected: () => channel !== null && !blocked, publish, close: () => connection.close() }
}

/**
 * Messages that were sent and that the broker has not confirmed yet. `onLate` is called when one waits for too long.
 */
function unconfirmedMessages({ exchange, routingKey }: BrokerNames, confirmWithinMs: number, onLate: () => void) {
  const waiting = new Map<string, (error?: Error | null) => void>()

  async function send(channel: ConfirmChannel, body: string, headers: Headers): Promise<void> {
    if (waiting.size >= unconfirmedMax) throw new Error('Too many publishes wait for the broker')
    const messageId = randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(onLate, confirmWithinMs)
    // An unroutable message is returned first and confirmed then; the promise ignores the second call.
    const onConfirm = (error?: Error | null): void => {
      clearTimeout(timer)
      waiting.delete(messageId)
      if (error) reject(error)
      else resolve()
    }
    waiting.set(messageId, onConfirm)
    const options = { persistent: true, mandatory: true, messageId, contentType: 'application/json', headers }
    try {
      channel.publish(exchange, routingKey, Buffer.from(body), options, onConfirm)
    } catch (error) {
      // A channel that has just closed throws. Nothing may be left that waits for its confirmation.
      onConfirm(error as Error)
    }
    return promise
  }

  return {
    send,
    returned: (messageId: string): void => waiting.get(messageId)?.(new Error('No queue takes the message')),
    failAll: (reason: Error): void => [...waiting.values()].forEach((onConfirm) => onConfirm(reason)),
  }
}
