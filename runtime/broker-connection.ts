// A connection to RabbitMQ (AMQP 0-9-1), which amqplib's own recovery keeps up. Publisher and consumer declare the same
// topic exchange and quorum queue, so that whoever starts first finds everything in place. The queue of dead letters is
// kept apart (broker-dead-letters.ts): what is wrong with it costs nothing else.
import { connect, type Channel, type ChannelModel } from 'amqplib'
import { withTimeout } from './timeouts.ts'
import type { Log } from './log.ts'

export type BrokerNames = {
  readonly exchange: string
  readonly queue: string
  readonly routingKey: string
  /** The exchange that takes what was rejected. A queue that exists keeps the name that it was declared with. */
  readonly deadExchange: string
  readonly deadQueue: string
  /** The classic queue of earlier versions, which is gone with the node that it lies on. */
  readonly formerDeadQueue: string
}
type BrokerState =
  | 'connected'
  | 'disconnected'
  /** Rejected messages are kept, or not, whatever the state of the connection. */
  | 'dead letters kept'
  | 'dead letters not kept'
  /** What the former queue holds stays there. */
  | 'dead letters not moved'
export type OnState = (state: BrokerState, error?: Error) => void

/** A broker that is frozen or cut off is noticed after two to three of these. */
const heartbeatSeconds = 3
export const connectTimeoutMs = 2_000
export const setupTimeoutMs = 10_000
export const closeTimeoutMs = 2_000
const deliveryLimit = 100
const queueLengthMax = 1_000_000
/** The broker's code for a queue that exists and was declared otherwise, or that is in use. */
const preconditionFailed = 406
export const noAnswer = 'RabbitMQ does not answer'
const reconnect = { initialDelay: 100, maxDelay: 2_000, factor: 2, jitter: 0.2, waitForConnect: false }

export const namesFor = (brand: string): BrokerNames => ({
  exchange: `${brand}.events`,
  queue: `${brand}.webhooks.events`,
  routingKey: 'event',
  deadExchange: `${brand}.webhooks.events.dead`,
  deadQueue: `${brand}.webhooks.events.dead-letters`,
  formerDeadQueue: `${brand}.webhooks.events.dead`,
})

export type Connection = {
  /** Ends the current connection before amqplib does; another one is made. */
  drop(reason: Error): void
  /** Closes after `last`, which is a call that the broker still has to answer. */
  close(last?: Promise<unknown>): Promise<void>
}
type Channels = Pick<ChannelModel, 'createChannel' | 'createConfirmChannel'>
export type ConnectionEvents = {
  readonly state: OnState
  /** Called after every connect. */
  readonly open: (model: Channels) => Promise<Channel>
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
export function withHeartbeat(url: string): string {
  const address = new URL(url)
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(heartbeatSeconds))
  return address.href
}

/** A queue that lies on several nodes and outlives the loss of one. */
export const quorum = { 'x-queue-type': 'quorum' } as const

/**
 * Declares the queue of notifications. One of that name that was made otherwise, of the classic type perhaps, is replaced
 * once nobody consumes from it: every event that its messages tell of is in the outbox, too.
 */
export async function declareQueue(model: Channels, names: BrokerNames): Promise<void> {
  try {
    await withChannel(model, (channel) => declareOn(channel, names))
  } catch (error) {
    if ((error as { code?: number }).code !== preconditionFailed) throw error
    // Where it is in use, the first refusal says more than this one.
    await withChannel(model, (channel) => channel.deleteQueue(names.queue, { ifUnused: true })).catch(() => {
      throw error
    })
    await withChannel(model, (channel) => declareOn(channel, names))
  }
}

async function declareOn(channel: Channel, names: BrokerNames): Promise<void> {
  await channel.assertExchange(names.exchange, 'topic', { durable: true })
  await channel.assertQueue(names.queue, {
    durable: true,
    deadLetterExchange: names.deadExchange,
    maxLength: queueLengthMax,
    arguments: { ...quorum, 'x-delivery-limit': deliveryLimit, 'x-overflow': 'reject-publish' },
  })
  await channel.bindQueue(names.queue, names.exchange, names.routingKey)
}

/** The channel is `work`'s alone: a refusal closes it. */
export async function withChannel<T>(
  model: Pick<ChannelModel, 'createChannel'>,
  work: (channel: Channel) => Promise<T>,
): Promise<T> {
  const channel = await model.createChannel()
  channel.on('error', () => {})
  try {
    return await work(channel)
  } finally {
    await channel.close().catch(() => {})
  }
}

// Logs the state of a connection to RabbitMQ: one warning per outage, however many reconnects it takes, and one more for
// each reason that the broker gives for a refusal, since retries do not help then.

/** A broker may name something else in each refusal. */
const reasonsMax = 20
const away = 'RabbitMQ is away, trying again until it is back'
const notKept = 'RabbitMQ does not keep rejected messages, trying again; all others are delivered'
const notMoved = 'messages of the former queue of rejected messages cannot be moved to the new one yet, trying again'

export function brokerLog(log: Pick<Log, 'info' | 'warn'>): OnState {
  const outage = new Set<string>()
  const ofDeadLetters = new Set<string>()
  const warnOnce = (said: Set<string>, text: string, err: Error | undefined): void => {
    if (said.has(text) || said.size >= reasonsMax) return
    said.add(text)
    log.warn({ err }, text)
  }
  return (state, error) => {
    const message = error?.message ?? ''
    switch (state) {
      case 'connected':
        outage.clear()
        return log.info('RabbitMQ is connected')
      case 'disconnected':
        return warnOnce(outage, refusalOf(message) ?? away, error)
      case 'dead letters kept':
        return ofDeadLetters.clear()
      case 'dead letters not kept':
        // An outage is told of once.
        if (outage.size > 0 && reasonIn(message) === null) return
        return warnOnce(ofDeadLetters, withReason(notKept, message), error)
      case 'dead letters not moved':
        return warnOnce(ofDeadLetters, withReason(notMoved, message), error)
    }
  }
}

/** What an operator has to mend; null for any other error. The broker itself sends only codes, or its words for them. */
function refusalOf(message: string): string | null {
  if (message.includes('Login was refused'))
    return 'RabbitMQ refuses the login: the user or the password in AMQP_URL is wrong'
  if (message.includes('Expected ConnectionOpenOk'))
    return 'RabbitMQ refuses the virtual host in AMQP_URL: it does not exist, or the user has no access to it'
  if (/ACCESS[-_]REFUSED/.test(message))
    return withReason(
      'RabbitMQ refuses an exchange or a queue: the user in AMQP_URL needs the permissions configure, write and read',
      message,
    )
  if (/PRECONDITION[-_]FAILED/.test(message))
    return withReason(
      'RabbitMQ refuses to declare an exchange or a queue: there is one of that name that was made otherwise',
      message,
    )
  return reasonIn(message) === null ? null : withReason('RabbitMQ refuses what it is asked for', message)
}

const withReason = (text: string, message: string): string => {
  const reason = reasonIn(message)
  return reason === null ? text : `${text}: ${reason}`
}

/** The broker's own words for refusing a single request. Those with which it closes a connection are of an outage. */
const reasonIn = (message: string): string | null =>
  /^Operation failed: \w+; \d{3} \([\w-]+\) with message "(.+)"$/.exec(message)?.[1] ?? null
