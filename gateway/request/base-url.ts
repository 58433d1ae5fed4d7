// The base URL under which the caller reaches this installation, as its own request tells, for files that are made for
// it. Only what looks like a host name is believed.
import type { IncomingHttpHeaders } from 'node:http'
import { contains, parseAddress, type AddressRange } from '#runtime/ip-address.ts'

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/** Returns null when the header Host is missing or malformed. The scheme is https only if a trusted proxy says so. */
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
