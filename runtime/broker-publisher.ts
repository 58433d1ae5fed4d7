// Publishes to RabbitMQ. A message only tells of something that a database already holds, so a lost one costs time and
// nothing else: failures are reported, not retried here.
import { randomUUID } from 'node:crypto'
import type { ConfirmChannel } from 'amqplib'
import { openConnection, type Broker } from './broker-connection.ts'
import { refusesMessages, type OnState } from './broker-log.ts'
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
/**
 * A broker whose queue is full refuses messages. A channel of RabbitMQ that was opened while the leader of a quorum
 * queue was lost may refuse all of them for as long as it is open, though the queue takes those of other channels.
 */
const refusingTimeouts = 5

/** Does not wait for the broker: without a connection, or while the broker takes nothing, `publish` rejects at once. */
export async function openPublisher(
  broker: Broker,
  names: BrokerNames,
  onState: OnState,
  confirmWithinMs = confirmTimeoutMs,
): Promise<Publisher> {
  // What does not come for one message will not come for those behind it either.
  const unconfirmed = unconfirmedMessages(names, confirmWithinMs, (reason) => connection.drop(new Error(reason)))
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
      unconfirmed.begin()
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
 * Messages that were sent and that the broker has not confirmed yet. `onStuck` is called when one waits for too long,
 * or when all are refused for too long.
 */
function unconfirmedMessages(
  { exchange, routingKey }: BrokerNames,
  confirmWithinMs: number,
  onStuck: (reason: string) => void,
) {
  const waiting = new Map<string, (error?: Error | null) => void>()
  let refusingSince: number | null = null

  function judge(refusal: Error | null): void {
    if (refusal === null) {
      refusingSince = null
      return
    }
    refusingSince ??= performance.now()
    if (performance.now() - refusingSince < refusingTimeouts * confirmWithinMs) return
    refusingSince = null
    onStuck(refusesMessages)
  }

  async function send(channel: ConfirmChannel, body: string, headers: Headers): Promise<void> {
    if (waiting.size >= unconfirmedMax) throw new Error('Too many publishes wait for the broker')
    const messageId = randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(onStuck, confirmWithinMs, 'RabbitMQ did not confirm in time')
    // An unroutable message is returned first and confirmed then; the promise ignores the second call.
    const onConfirm = (error?: Error | null): void => {
      clearTimeout(timer)
      waiting.delete(messageId)
      if (error) reject(error)
      else resolve()
    }
    waiting.set(messageId, onConfirm)
    const onAnswer = (refusal: Error | null = null): void => {
      // The callback is called for every message of a channel that closes, too, after `failAll`.
      if (waiting.has(messageId)) judge(refusal)
      onConfirm(refusal)
    }
    const options = { persistent: true, mandatory: true, messageId, contentType: 'application/json', headers }
    try {
      channel.publish(exchange, routingKey, Buffer.from(body), options, onAnswer)
    } catch (error) {
      // A channel that has just closed throws. Nothing may be left that waits for its confirmation.
      onConfirm(error as Error)
    }
    return promise
  }

  return {
    send,
    /** Over another channel: what the one before it refused does not count. */
    begin: (): void => void (refusingSince = null),
    returned: (messageId: string): void => waiting.get(messageId)?.(new Error('No queue takes the message')),
    failAll: (reason: Error): void => [...waiting.values()].forEach((onConfirm) => onConfirm(reason)),
  }
}
