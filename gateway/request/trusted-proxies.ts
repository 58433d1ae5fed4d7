// The word of trusted proxies on a call: the caller's address, and the scheme and host that the caller used. Anyone can
// write these headers. So X-Forwarded-For is read from the right, and the first address that is no trusted proxy is the
// caller; X-Forwarded-Proto counts where a trusted proxy sends it, and of Host only what looks like a host name.
import type { IncomingMessage, IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { contains, parseAddress, type Address, type AddressRange } from '#runtime/ip-address.ts'
import { hostnameIn } from '#runtime/web-addresses.ts'

/** What was found last for a connection, and for which header. */
type Found = { readonly forwardedFor: string | undefined; readonly address: Address | null }
const lastFound = new WeakMap<Socket, Found>()

/** As `clientAddress`, worked out once for as long as a connection sends the same header, or none. */
export function callerAddress(
  { headers, socket }: IncomingMessage,
  trustedProxies: readonly AddressRange[],
): Address | null {
  const forwarded = headers['x-forwarded-for']
  const forwardedFor = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  const last = lastFound.get(socket)
  if (last !== undefined && last.forwardedFor === forwardedFor) return last.address
  const address = clientAddress(socket.remoteAddress, forwardedFor, trustedProxies)
  if (address !== null) lastFound.set(socket, { forwardedFor, address })
  return address
}

/** Returns null only when the connection itself has no address any more. */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly AddressRange[],
): Address | null {
  let current = parseAddress(peer?.split('%')[0] ?? '')
  const chain = forwardedFor?.split(',') ?? []
  while (current !== null && chain.length > 0 && contains(trustedProxies, current)) {
    const next = parseAddress(withoutPort(chain.pop()?.trim() ?? ''))
    // A trusted proxy writes addresses only: whatever stands left of anything else does not count.
    if (next === null) return current
    current = next
  }
  return current
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([^:]+):\d{1,5}$/.exec(text)?.[1] ?? text

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/**
 * The base URL under which the caller reaches this installation, as its own request tells, for files that are made for
 * it. Null when the header Host is missing or malformed. The scheme is https only if a trusted proxy says so.
 */
export function baseUrlOf(
  { host = '', 'x-forwarded-proto': proto }: IncomingHttpHeaders,
  peer: string | undefined,
  trustedProxies: readonly AddressRange[],
): string | null {
  if (!hostPattern.test(host)) return null
  const address = parseAddress(peer?.split('%')[0] ?? '')
  const isTrusted = address !== null && contains(trustedProxies, address)
  return `${isTrusted && proto === 'https' ? 'https' : 'http'}://${host.toLowerCase()}`
}

/** `open`: over a network in the clear. */
type Transport = 'https' | 'loopback' | 'open'
export type Arrival = {
  readonly transport: Transport
  readonly ownOrigins: readonly string[]
  /** As the browser has named it. */
  readonly port: string
}
type Known = {
  readonly trustedProxies: readonly AddressRange[]
  /** Origin of the address that callers use; null where it is not set. */
  readonly publicUrl: string | null
}

/**
 * How the caller's browser has come here, and the origin that its page has. A browser that names this machine itself
 * (localhost) has not left it; anything else is taken for https only if a trusted proxy or PUBLIC_URL says so.
 */
export function arrivalOf(
  headers: IncomingHttpHeaders,
  peer: string | undefined,
  { trustedProxies, publicUrl }: Known,
): Arrival {
  const base = baseUrlOf(headers, peer, trustedProxies)
  const host = hostnameIn(headers.host ?? '')
  const isPublic = publicUrl !== null && new URL(publicUrl).hostname === host
  const isHttps = base?.startsWith('https:') === true || (isPublic && publicUrl.startsWith('https:'))
  const ownOrigins = [base, publicUrl].filter((origin) => origin !== null)
  const transport = isHttps ? 'https' : isLoopback(host) ? 'loopback' : 'open'
  return { transport, ownOrigins, port: /:(\d+)$/.exec(headers.host ?? '')?.[1] ?? '80' }
}

const isLoopback = (name: string | null): boolean =>
  name === 'localhost' || parseAddress(name?.replace(/^\[|\]$/g, '') ?? '')?.range() === 'loopback'
