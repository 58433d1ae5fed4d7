// A connection to RabbitMQ (AMQP 0-9-1), which amqplib's own recovery keeps up. Publisher and consumer declare the same
// topic exchange and quorum queue, so that whoever starts first finds everything in place.
import { connect, type Channel, type ChannelModel } from 'amqplib'
import { withTimeout } from './timeout.ts'

export type BrokerNames = { readonly exchange: string; readonly queue: string; readonly routingKey: string }
export type OnState = (state: 'connected' | 'disconnected', error?: Error) => void

/** A broker that is frozen or cut off is noticed after two to three of these. */
const heartbeatSeconds = 3
const connectTimeoutMs = 2_000
const setupTimeoutMs = 10_000
const closeTimeoutMs = 2_000
const deliveryLimit = 100
const queueLengthMax = 1_000_000
const deadLengthMax = 10_000
const noAnswer = 'RabbitMQ does not answer'
const reconnect = { initialDelay: 100, maxDelay: 2_000, factor: 2, jitter: 0.2, waitForConnect: false }

export const namesFor = (brand: string): BrokerNames => ({
  exchange: `${brand}.events`,
  queue: `${brand}.webhooks.events`,
  routingKey: 'event',
})

export type Connection = {
  /** Ends the current connection before amqplib does; another one is made. */
  drop(reason: Error): void
  /** Closes after `last`, which is a call that the broker still has to answer. */
  close(last?: Promise<unknown>): Promise<void>
}
export type ConnectionEvents = {
  readonly state: OnState
  /** Called after every connect. */
  readonly open: (model: Pick<ChannelModel, 'createChannel' | 'createConfirmChannel'>) => Promise<Channel>
  /** Called after every loss, perhaps more than once. */
  readonly lost: (reason: Error) => void
  /** The broker is short of memory or disk and takes nothing, until `unblocked`. */
  readonly blocked?: (reason: Error) => void
  readonly unblocked?: () => void
}

/** Does not wait for the first connect. */
export async function openConnection(url: string, on: ConnectionEvents): Promise<Connection> {
  let current: ChannelModel | null = null
  const setup = async (model: ChannelModel) => {
    // amqplib listens to a connection's errors only once it is set up; one that nobody listens to ends the process.
    model.on('error', () => {})
    const channel = await withTimeout(setupTimeoutMs, on.open(model), noAnswer)
    channel.on('error', () => {})
    // A channel that dies takes its connection along, so that there is one way to recover.
    channel.on('close', () => end(model))
    current = model
  }
  const lost = (reason: Error) => {
    current = null
    on.lost(reason)
    on.state('disconnected', reason)
  }
  const recovering = await connect(withHeartbeat(url), {
    timeout: connectTimeoutMs,
    recovery: { ...reconnect, setup },
  })
  recovering.on('error', () => {})
  recovering.on('connect', () => on.state('connected'))
  recovering.on('connect-failed', lost)
  recovering.on('disconnect', lost)
  recovering.on('blocked', (reason) => on.blocked?.(new Error(`RabbitMQ takes no messages: ${reason}`)))
  recovering.on('unblocked', () => on.unblocked?.())

  function drop(reason: Error): void {
    const dropped = current
    if (dropped === null) return
    lost(reason)
    end(dropped)
  }
  async function close(last: Promise<unknown> = Promise.resolve()): Promise<void> {
    for (const step of [() => last, () => recovering.close()])
      await withTimeout(closeTimeoutMs, step(), noAnswer).catch(() => {})
  }
  return { drop, close }
}

// A broker that does not answer is ended by its missing heartbeats.
const end = (model: ChannelModel): void => void model.close().catch(() => {})

// amqplib reads the heartbeat from the URL only. Without it, a broker that is cut off is noticed after two minutes.
function withHeartbeat(url: string): string {
  const address = new URL(url)
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(heartbeatSeconds))
  return address.href
}

export async function declareQueues(channel: Channel, names: BrokerNames): Promise<void> {
  const dead = `${names.queue}.dead`
  await channel.assertExchange(names.exchange, 'topic', { durable: true })
  await channel.assertExchange(dead, 'fanout', { durable: true })
  await channel.assertQueue(dead, { durable: true, maxLength: deadLengthMax })
  await channel.bindQueue(dead, dead, '')
  await channel.assertQueue(names.queue, {
    durable: true,
    deadLetterExchange: dead,
    maxLength: queueLengthMax,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deliveryLimit, 'x-overflow': 'reject-publish' },
  })
  await channel.bindQueue(names.queue, names.exchange, names.routingKey)
}
