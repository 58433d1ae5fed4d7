// Sends one POST within bounds: time, size, no redirects, permitted addresses only. Whatever the receiver does, the answer
// is a value, never an exception.
import { Agent } from 'undici'
import type { Timings } from '#contract/deliveries.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { isWebPort } from '#runtime/web-ports.ts'
import { ProxyError } from './connect-errors.ts'
import { resolver } from './dns.ts'
import type { Resolve } from './dns-cache.ts'
import type { EgressProxy } from './egress-proxy.ts'
import { exchange } from './exchange.ts'
import { networkErrorCode, type NetworkErrorCode } from './network-error-code.ts'
import { proxyConnector } from './proxy-connector.ts'
import { guardedConnector, permitsButOwn, permitsIn } from './ssrf-guard.ts'

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

/** Nothing reached the receiver, and that is no fault of its: the operator's proxy cannot be used. */
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
  const agent = new Agent({
    connect: proxy === null ? guardedConnector(guard) : proxyConnector(proxy, guard),
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
      const { status, start, truncated, timings, ...answer } = await exchange(agent, { url, headers, body }, timeoutMs)
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
