// The line to RabbitMQ: kept up by amqplib's own recovery, with the same exchange and queue declared on both sides, so that
// whoever starts first finds everything in place.
import { connect, type Channel, type ChannelModel } from 'amqplib'

export type Names = { readonly exchange: string; readonly queue: string; readonly routingKey: string }
export type OnState = (state: 'connected' | 'disconnected', error?: Error) => void

/** A broker that is frozen or cut off is missed after two to three of these. */
const heartbeatSeconds = 3
const connectTimeoutMs = 2_000
const setupTimeoutMs = 10_000
const closeTimeoutMs = 2_000
const deliveryLimit = 100
const queueLengthMax = 1_000_000
const deadLengthMax = 10_000
const silent = 'RabbitMQ does not answer'
const reconnect = { initialDelay: 100, maxDelay: 2_000, factor: 2, jitter: 0.2, waitForConnect: false }

export const namesFor = (brand: string): Names => ({
  exchange: `${brand}.events`,
  queue: `${brand}.webhooks.events`,
  routingKey: 'event',
})

export type Line = {
  /** Gives the connection up before amqplib does; another one is made. */
  drop(why: Error): void
  /** `farewell` is what the broker shall still hear. */
  close(farewell?: Promise<unknown>): Promise<void>
}
export type On = {
  readonly state: OnState
  /** After every connect. */
  readonly open: (model: Pick<ChannelModel, 'createChannel' | 'createConfirmChannel'>) => Promise<Channel>
  /** After every loss; perhaps more than once. */
  readonly lost: (why: Error) => void
  /** The broker is short of memory or disk and takes nothing; `free` says when that is over. */
  readonly blocked?: (why: Error) => void
  readonly free?: () => void
}

/** Does not wait for the first connect. */
export async function openLine(url: string, on: On): Promise<Line> {
  let current: ChannelModel | null = null
  const setup = async (model: ChannelModel) => {
    const channel = await within(setupTimeoutMs, on.open(model), silent)
    channel.on('error', () => {})
    // A channel that dies takes its connection along, so that there is one way to recover.
    channel.on('close', () => end(model))
    current = model
  }
  const lost = (why: Error) => {
    current = null
    on.lost(why)
    on.state('disconnected', why)
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
  recovering.on('unblocked', () => on.free?.())

  function drop(why: Error): void {
    const dropped = current
    if (dropped === null) return
    lost(why)
    end(dropped)
  }
  async function close(farewell: Promise<unknown> = Promise.resolve()): Promise<void> {
    for (const step of [() => farewell, () => recovering.close()])
      await within(closeTimeoutMs, step(), silent).catch(() => {})
  }
  return { drop, close }
}

// Where the broker does not answer, the missing heartbeats end it.
const end = (model: ChannelModel): void => void model.close().catch(() => {})

async function within<T>(ms: number, work: Promise<T>, otherwise: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(otherwise)), ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

// amqplib reads it from the address only. Without it a broker that is cut off is missed after two minutes.
function withHeartbeat(url: string): string {
  const address = new URL(url)
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(heartbeatSeconds))
  return address.href
}

export async function declare(channel: Channel, names: Names): Promise<void> {
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
