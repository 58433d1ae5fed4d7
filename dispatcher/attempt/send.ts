// Sends one POST within bounds: time, size, no redirects, permitted addresses only. Whatever the receiver does, the
// answer is a value, never an exception.
import { Agent, type buildConnector, type Dispatcher } from 'undici'
import type { Timings } from '#contract/deliveries.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { isWebPort } from '#runtime/web-addresses.ts'
import { ProxyError, networkErrorCode, type NetworkErrorCode } from './network-errors.ts'
import { resolver, type Resolve } from './dns.ts'
import { type EgressProxy, proxyConnector } from './egress-proxy.ts'
import { guardedConnector, permitsButOwn, permitsIn } from './ssrf-guard.ts'
import { timed } from './connection-hooks.ts'

export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** The first 4 KiB, as text. */
      readonly body: string
      readonly truncated: boolean
      readonly timings: Timings
    }
  | { readonly kind: 'failed'; readonly error: NetworkErrorCode }

/** Nothing reached the receiver, which is not to blame: the operator's proxy cannot be used. */
type Unsent = { readonly kind: 'unsent'; readonly error: ProxyError }

export type Send = (url: string, headers: Readonly<Record<string, string>>, body: Buffer) => Promise<Answer | Unsent>

export type SenderOptions = {
  readonly allowed: readonly AddressRange[]
  readonly allowHttp: boolean
  /** Whether this process listens on this port. */
  readonly isOwnPort: (port: number) => boolean
  /** Null: receivers are connected to from here. */
  readonly proxy: EgressProxy | null
  readonly timeoutMs?: number
  readonly resolve?: Resolve
}

export const sendTimeoutMs = 15_000
/** undici lets go of a request only when its connection has come about or failed. */
const connectTimeoutMs = 5_000
const headerBytesMax = 16 * 1024

export function openSender({
  allowed,
  allowHttp,
  isOwnPort,
  proxy,
  timeoutMs = sendTimeoutMs,
  resolve = resolver({ local: proxy !== null || allowed.length > 0 }),
}: SenderOptions) {
  const permitsAt = permitsButOwn(permitsIn(allowed), isOwnPort)
  const guard = { permitsAt, resolve, timeoutMs: Math.min(connectTimeoutMs, timeoutMs) }
  const connect = proxy === null ? guardedConnector(guard) : proxyConnector(proxy, guard)
  return senderOver(connect, { allowHttp, timeoutMs })
}

/** Over the connections that this makes. */
export function senderOver(
  connect: buildConnector.connector,
  { allowHttp, timeoutMs }: { readonly allowHttp: boolean; readonly timeoutMs: number },
) {
  const agent = new Agent({
    connect,
    maxHeaderSize: headerBytesMax,
    pipelining: 1,
    // One deadline covers it all: undici's own are per chunk, and a drip outlives them.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  let closed = false
  const send: Send = async (address, headers, body) => {
    const url = targetOf(address, allowHttp)
    if (url === null) return { kind: 'failed', error: 'invalid_url' }
    try {
      const { status, start, truncated, timings, ...answer } = await sendOnce(agent, { url, headers, body }, timeoutMs)
      const shown = { headers: textHeaders(answer.headers), body: storable(start.toString('utf8')) }
      return { kind: 'answered', status, ...shown, truncated, timings }
    } catch (error) {
      if (closed) return { kind: 'failed', error: 'interrupted' }
      if (error instanceof ProxyError) return { kind: 'unsent', error }
      return { kind: 'failed', error: networkErrorCode(error) }
    }
  }
  /** Ends what is under way: its answer is that it was interrupted, by us. */
  const close = (): Promise<void> => {
    closed = true
    return agent.destroy()
  }
  return { send, close }
}

function targetOf(text: string, allowHttp: boolean): URL | null {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || !isWebPort(url.port)) return null
  return url.protocol === 'https:' || (allowHttp && url.protocol === 'http:') ? url : null
}

/** All but cookies, to be shown with the attempt. */
function textHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const named = Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value !== undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, storable(String(value))]))
}

// Postgres text cannot hold U+0000.
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD')

export type Post = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
export type Received = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  /** The first 4 KiB. */
  readonly start: Buffer
  /** There was more, or the body was cut off. */
  readonly truncated: boolean
  readonly timings: Timings
}

const keptBytesMax = 4 * 1024
const readBytesMax = 64 * 1024

/**
 * Sends one POST and reads the beginning of its answer, over undici's `dispatch`: its `request` makes a stream and an
 * abort signal for each answer, which cost more than the signatures. Rejects where no answer has begun. The status
 * decides already: a body that is long, slow or cut off is no failure.
 */
export function sendOnce(agent: Dispatcher, { url, headers, body }: Post, timeoutMs: number): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const kept: Buffer[] = []
  let read = 0
  let head: Pick<Received, 'status' | 'headers' | 'timings'> | null = null
  let controller: Dispatcher.DispatchController | null = null
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller?.abort(timeoutError())
  }, timeoutMs)

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (given) => {
      controller = given
      if (isLate) given.abort(timeoutError())
    },
    onResponseStart: (given, status, answered) => {
      if (status < 100) given.abort(new Error('bad response'))
      else if (status >= 200) head = { status, headers: answered, timings: timings() }
    },
    onResponseData: (given, chunk) => {
      if (read < keptBytesMax) kept.push(chunk)
      read += chunk.length
      if (read > readBytesMax) given.abort(new Error('The rest of the body is not read'))
    },
    onResponseEnd: () => end(false),
    onResponseError: (_controller, error) => end(true, error),
  }
  const { origin, pathname, search } = url
  const timings = timed(() => {
    agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
  })
  return promise

  function end(cut: boolean, error?: Error): void {
    clearTimeout(timer)
    if (head === null) return reject(error ?? new Error('No answer has begun'))
    const start = Buffer.concat(kept).subarray(0, keptBytesMax)
    return resolve({ ...head, start, truncated: cut || read > keptBytesMax })
  }
}

const timeoutError = (): DOMException => new DOMException('The answer has not come in time', 'TimeoutError')
