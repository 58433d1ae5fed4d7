// Where the caller reaches this installation, as far as its own request tells: for files that it takes home. Only what
// looks like the name of a server is believed.
import type { IncomingHttpHeaders } from 'node:http'
import { contains, parseAddress, type AddressRange } from '#runtime/ip-address.ts'

const server = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/** Null where the header Host is none that can be believed. */
export function baseUrlOf(
  { host = '', 'x-forwarded-proto': proto }: IncomingHttpHeaders,
  peer: string | undefined,
  trusted: readonly AddressRange[],
): string | null {
  if (!server.test(host)) return null
  const address = parseAddress(peer?.split('%')[0] ?? '')
  const isTrusted = address !== null && contains(trusted, address)
  return `${isTrusted && proto === 'https' ? 'https' : 'http'}://${host.toLowerCase()}`
}
