// The line to RabbitMQ: kept up by amqplib's own recovery, with the same exchange and queue declared on both sides, so that
// whoever starts first finds everything in place.
import { connect, type Channel, type RecoveringChannelModel } from 'amqplib'

export type Names = { readonly exchange: string; readonly queue: string; readonly routingKey: string }
export type OnState = (state: 'connected' | 'disconnected', error?: Error) => void

const heartbeatSeconds = 10
const connectTimeoutMs = 10_000
const deliveryLimit = 100
const queueLengthMax = 1_000_000
const deadLengthMax = 10_000
const reconnect = { initialDelay: 100, maxDelay: 5_000, factor: 2, jitter: 0.2, waitForConnect: false }

export const namesFor = (brand: string): Names => ({
  exchange: `${brand}.events`,
  queue: `${brand}.webhooks.events`,
  routingKey: 'event',
})

type Setup = (model: Pick<RecoveringChannelModel, 'createChannel' | 'createConfirmChannel'>) => Promise<Channel>

/** `open` runs after every connect, `onLost` after every loss. Does not wait for the first connect. */
export async function openLine(
  url: string,
  onState: OnState,
  onLost: () => void,
  open: Setup,
): Promise<RecoveringChannelModel> {
  const setup = async (model: Parameters<Setup>[0] & { close(): Promise<void> }) => {
    const channel = await open(model)
    channel.on('error', () => {})
    // A channel that dies takes its connection along, so that there is one way to recover.
    channel.on('close', () => void model.close().catch(() => {}))
  }
  const model = await connect(withHeartbeat(url), { timeout: connectTimeoutMs, recovery: { ...reconnect, setup } })
  model.on('error', () => {})
  model.on('connect', () => onState('connected'))
  model.on('connect-failed', (error) => onState('disconnected', error))
  model.on('disconnect', (error) => {
    onLost()
    onState('disconnected', error)
  })
  return model
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
