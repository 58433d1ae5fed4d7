// The caller's address. Anyone can write X-Forwarded-For, so only what a trusted proxy added counts: the header is read
// from the right, and the first address that is no trusted proxy is the caller.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { contains, parseAddress, type Address, type AddressRange } from '#runtime/ip-address.ts'

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
