// Sends through the operator's proxy: a tunnel for each connection, by CONNECT (RFC 9110, section 9.3.6), for http and
// https alike, so that TLS is between here and the receiver. The proxy resolves names and has to judge the addresses;
// addresses that are known without a look-up are judged here.
import { request, type IncomingMessage } from 'node:http'
import { isIPv6, Socket } from 'node:net'
import { buildConnector } from 'undici'
import { boundAnswers, timeTunnel } from './connection-hooks.ts'
import { ConnectError, ProxyError, TargetError } from './network-errors.ts'
import type { Resolve } from './dns.ts'
import { bareHost, blocked, guardedLookup, mayLeadTo, portOf, type Guard } from './ssrf-guard.ts'

export type EgressProxy = {
  readonly host: string
  readonly port: number
  /** The value of Proxy-Authorization. A secret. */
  readonly authorization: string | null
}

/**
 * Returns null for a text that is no address of a proxy: `http://host:port`, with a user name and a password or
 * without.
 */
export function egressProxy(url: string): EgressProxy | null {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'http:' || `${parsed.pathname}${parsed.search}${parsed.hash}` !== '/') return null
  const [user, password] = [decoded(parsed.username), decoded(parsed.password)]
  // A colon would end the user name (RFC 7617, section 2).
  if (user === null || password === null || user.includes(':') || (user === '' && password !== '')) return null
  return {
    host: parsed.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(parsed.port) || 80,
    authorization: user === '' ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

type Opened = buildConnector.Callback

const answerBytesMax = 16 * 1024

/** `guard.resolve` is asked for the proxy's own name alone. */
export function proxyConnector(proxy: EgressProxy, guard: Guard): buildConnector.connector {
  const encrypt = buildConnector({ timeout: 0 })
  return (options, callback) => {
    if (!mayLeadTo(options.hostname, guard.permitsAt(portOf(options)))) return callback(blocked(), null)
    const startedAt = performance.now()
    const deadline = AbortSignal.timeout(guard.timeoutMs)
    const opened: Opened = (...[error, socket]) => {
      if (error !== null) return callback(new ConnectError(error), null)
      boundAnswers(socket)
      return callback(null, socket)
    }
    openTunnel(proxy, authorityOf(options), guard.resolve, deadline).then(
      (tunnel) => {
        const isPlain = options.protocol !== 'https:'
        const socket: unknown = isPlain
          ? tunnel
          : encryptWithin(deadline, encrypt, { ...options, httpSocket: tunnel }, opened)
        timeTunnel(socket, startedAt)
        if (isPlain) opened(null, tunnel)
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** Rejects with a TargetError or a ProxyError. */
function openTunnel(proxy: EgressProxy, authority: string, resolve: Resolve, deadline: AbortSignal): Promise<Socket> {
  const { promise, resolve: open, reject } = Promise.withResolvers<Socket>()
  const { host, port, authorization } = proxy
  let isReached = false
  const asked = request({
    method: 'CONNECT',
    host,
    port,
    path: authority,
    agent: false,
    signal: deadline,
    maxHeaderSize: answerBytesMax,
    headers: { host: authority, ...(authorization !== null && { 'proxy-authorization': authorization }) },
    lookup: guardedLookup(() => true, resolve),
  })
  asked.once('socket', (socket) => socket.once('connect', () => (isReached = true)))
  asked.once('connect', (answer, socket: Socket, head) => {
    const refusal = refusalIn(answer) ?? spokenFirst(head)
    if (refusal === null) return open(socket.setNoDelay(true))
    socket.destroy()
    return reject(refusal)
  })
  asked.on('error', (cause) => {
    const isLate = isReached && deadline.aborted
    reject(
      isLate
        ? new TargetError('timeout', 'The proxy did not answer in time', cause)
        : new ProxyError(cause.message, cause),
    )
  })
  asked.end()
  return promise
}

/**
 * An answer that says that the proxy does not work is the operator's affair. Any other refusal is that of the webhook.
 */
function refusalIn({ statusCode = 0, headers }: IncomingMessage): TargetError | ProxyError | null {
  if (statusCode >= 200 && statusCode < 300) return null
  const message = `The proxy answered CONNECT with ${statusCode}`
  // Without a challenge it asks for no credentials: some proxies refuse a target so.
  const isForbidden = statusCode === 403 || (statusCode === 407 && headers['proxy-authenticate'] === undefined)
  if (isForbidden) return new TargetError('blocked_address', message)
  if (statusCode === 504) return new TargetError('timeout', message)
  return [500, 502, 503].includes(statusCode) ? new TargetError('connect_error', message) : new ProxyError(message)
}

/** undici would take it for another's answer, and open connections again and again. */
const spokenFirst = (head: Buffer): TargetError | null =>
  head.length > 0 ? new TargetError('invalid_response', 'The receiver spoke before it was asked') : null

function encryptWithin(
  deadline: AbortSignal,
  encrypt: buildConnector.connector,
  options: buildConnector.Options,
  opened: Opened,
): unknown {
  function expire(): void {
    if (socket instanceof Socket) socket.destroy(deadline.reason as Error)
  }
  const socket: unknown = encrypt(options, (...outcome) => {
    deadline.removeEventListener('abort', expire)
    opened(...outcome)
  })
  deadline.addEventListener('abort', expire)
  return socket
}

function authorityOf(options: buildConnector.Options): string {
  const host = bareHost(options.hostname)
  return `${isIPv6(host) ? `[${host}]` : host}:${portOf(options)}`
}
