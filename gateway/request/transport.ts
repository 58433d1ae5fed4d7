// How the caller's browser has come here, and the origin that its page has. A browser that names this machine itself
// (localhost) has not left it; anything else is taken for https only if a trusted proxy or PUBLIC_URL says so.
import type { IncomingHttpHeaders } from 'node:http'
import { parseAddress, type AddressRange } from '#runtime/ip-address.ts'
import { hostnameIn } from '#runtime/web-addresses.ts'
import { baseUrlOf } from './base-url.ts'

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
  /** Origin of the address that callers use; null where nobody has said. */
  readonly publicUrl: string | null
}

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
