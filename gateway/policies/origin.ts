// From where may MCP be called? A page in a browser can reach whatever its reader can reach, under a host name that its
// owner has made to resolve there (DNS rebinding). Two headers tell: no page can choose what a browser sends as Host,
// the name that it called, nor as Origin, the page itself. Programs send no Origin.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/faults/fault.ts'
import { parseAddress } from '#runtime/ip-address.ts'
import { hostnameIn, webOrigin } from '#runtime/web-addresses.ts'

export type ListenParts = {
  /** The address to listen on. */
  readonly host: string
  /** Origin of the address that callers use; null where nobody has said. */
  readonly publicUrl: string | null
  /** Origins of further pages that may call. */
  readonly allowedOrigins: readonly string[]
}
export type OriginPolicy = {
  /** Throws `host_not_allowed` or `origin_not_allowed`. */
  check(headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>): void
  /** May pages of this origin call, so that their browser has to be told so? */
  isAllowed(origin: string): boolean
}

/**
 * Who listens on loopback alone has its names; who has a public address has that one. Without either, every Host is
 * taken: callers name a machine by whatever its network calls it.
 */
export function originPolicy({ host, publicUrl, allowedOrigins }: ListenParts): OriginPolicy {
  const isLocal = isLoopback(host)
  const takesLoopback = isLocal || publicUrl === null
  const publicName = publicUrl === null ? null : new URL(publicUrl).hostname
  const origins = new Set([...allowedOrigins, ...(publicUrl === null ? [] : [publicUrl])])

  function isAllowed(given: string): boolean {
    const origin = webOrigin(given)
    return origin !== null && (origins.has(origin) || (takesLoopback && isLoopbackPage(origin)))
  }

  // The port is not judged: proxies change it, and no page gains anything by it.
  function isKnown(name: string | null): boolean {
    if (!isLocal && publicName === null) return true
    return name !== null && (name === publicName || (isLocal && isLoopback(name)))
  }

  function check(headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>): void {
    if (!isKnown(hostnameIn(headers.host ?? '')))
      throw new Fault('host_not_allowed', 'This server is not known by the name in the header Host.')
    if (headers.origin !== undefined && !isAllowed(headers.origin))
      throw new Fault('origin_not_allowed', 'Pages of this origin may not call.')
  }
  return { check, isAllowed }
}

const isLoopbackPage = (origin: string): boolean => /^https?:/.test(origin) && isLoopback(new URL(origin).hostname)

const isLoopback = (name: string): boolean =>
  name === 'localhost' || parseAddress(name.replace(/^\[|\]$/g, ''))?.range() === 'loopback'
