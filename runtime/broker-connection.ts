// A connection to RabbitMQ (AMQP 0-9-1) that is made again whenever it is lost, at the next address where AMQP_URL has
// several.
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Channel, type ChannelModel } from 'amqplib'
import { authoritiesIn, brokerUrls } from './broker-address.ts'
import type { OnState } from './broker-log.ts'
import { readAuthorities } from './certificates.ts'
import { backoffMs } from './retry.ts'
import { withTimeout } from './timeouts.ts'

export type Broker = {
  /** One URL for each node. */
  readonly addresses: readonly string[]
  readonly tls: { readonly ca?: string }
}

/** A broker that is frozen or cut off is noticed after two to three of these. */
const heartbeatSeconds = 3
const connectTimeoutMs = 2_000
const setupTimeoutMs = 10_000
export const closeTimeoutMs = 2_000
export const noAnswer = 'RabbitMQ does not answer'
const reconnect = { minMs: 100, maxMs: 2_000 }
const jitter = 0.2

/** `amqpUrl` is one that the setting takes. Throws a StartupError where the file of authorities cannot be used. */
export function brokerAt(amqpUrl: string): Broker {
  const urls = brokerUrls(amqpUrl) ?? []
  const file = urls[0]?.searchParams.get(authoritiesIn) ?? null
  for (const { searchParams } of urls) {
    searchParams.delete(authoritiesIn)
    // amqplib reads it from the URL only. Without it, a broker that is cut off is noticed after two minutes.
    if (!searchParams.has('heartbeat')) searchParams.set('heartbeat', String(heartbeatSeconds))
  }
  const tls = file === null ? {} : { ca: readAuthorities(`${authoritiesIn} of AMQP_URL`, file) }
  return { addresses: urls.map(({ href }) => href), tls }
}

/** Each attempt is made at the next address. */
export async function connectTo({ addresses, tls }: Broker, attempt: number): Promise<ChannelModel> {
  const address = addresses[attempt % addresses.length] ?? ''
  const model = await connect(address, { timeout: connectTimeoutMs, ...tls })
  // An error without a listener ends the process.
  model.on('error', () => {})
  return model
}

/** Tries each address once. */
export async function connectToAny(broker: Broker): Promise<ChannelModel> {
  let refusal: unknown
  for (const attempt of broker.addresses.keys()) {
    try {
      return await connectTo(broker, attempt)
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

export type Connection = {
  /** Gives the current connection up, whatever it still waits for; another one is made. */
  drop(reason: Error): void
  /** Closes after `last`, which is a call that the broker still has to answer. */
  close(last?: Promise<unknown>): Promise<void>
}
export type Channels = Pick<ChannelModel, 'createChannel' | 'createConfirmChannel'>
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
export async function openConnection(broker: Broker, on: ConnectionEvents): Promise<Connection> {
  const closing = new AbortController()
  let current: { readonly model: ChannelModel; readonly lose: (reason: Error) => void } | null = null

  function report(reason: Error): void {
    if (closing.signal.aborted) return
    on.lost(reason)
    on.state('disconnected', reason)
  }

  async function stayConnected(attempt: number): Promise<void> {
    const model = await connectTo(broker, attempt)
    const ended = Promise.withResolvers<Error>()
    model.on('close', (error?: Error) => ended.resolve(error ?? new Error('Connection closed')))
    model.on('blocked', (reason) => on.blocked?.(new Error(`RabbitMQ takes no messages: ${reason}`)))
    model.on('unblocked', () => on.unblocked?.())
    try {
      if (closing.signal.aborted) return
      const channel = await withTimeout(setupTimeoutMs, on.open(model), noAnswer)
      // A channel that dies takes its connection along, so that there is one way to recover.
      channel.on('error', (error: Error) => ended.resolve(error))
      channel.on('close', () => end(model))
      if (closing.signal.aborted) return
      current = { model, lose: ended.resolve }
      on.state('connected')
      report(await ended.promise)
    } finally {
      current = null
      end(model)
    }
  }

  void keepConnected(broker, { attempt: stayConnected, failed: report, signal: closing.signal })

  function drop(reason: Error): void {
    const dropped = current
    current = null
    if (dropped === null) return
    report(reason)
    dropped.lose(reason)
  }
  async function close(last: Promise<unknown> = Promise.resolve()): Promise<void> {
    await withTimeout(closeTimeoutMs, last, noAnswer).catch(() => {})
    closing.abort()
    const closed = current?.model.close() ?? Promise.resolve()
    await withTimeout(closeTimeoutMs, closed, noAnswer).catch(() => {})
  }
  return { drop, close }
}

type Attempts = {
  /** Resolves once a connection is lost, and rejects where none came about. */
  readonly attempt: (number: number) => Promise<void>
  readonly failed: (error: Error) => void
  readonly signal: AbortSignal
}

/** Never rejects, and resolves after `signal`. */
async function keepConnected({ addresses }: Broker, { attempt, failed, signal }: Attempts): Promise<void> {
  let failures = 0
  // Processes that begin at different addresses share the nodes of a cluster between them.
  for (let number = randomInt(addresses.length); !signal.aborted; number += 1) {
    try {
      await attempt(number)
      failures = 0
    } catch (error) {
      failures += 1
      failed(error as Error)
    }
    await pause(pauseMs(failures, addresses.length), undefined, { signal }).catch(() => {})
  }
}

/** Each address is tried once before the pause grows. */
function pauseMs(failures: number, addresses: number): number {
  const rounds = Math.max(1, Math.ceil(failures / addresses))
  return backoffMs(rounds, reconnect) * (1 - jitter * Math.random())
}

// A broker that does not answer is ended by its missing heartbeats.
function end(model: ChannelModel): void {
  model.close().catch(() => {})
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
