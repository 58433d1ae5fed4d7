// Policies of where a call comes from: the address of the caller, and the page in a browser.
import { Fault } from '#contract/faults/fault.ts'
import { contains, type Address, parseAddress } from '#runtime/ip-address.ts'
import type { Key } from '../keys/key.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { hostnameIn, webOrigin } from '#runtime/web-addresses.ts'

/**
 * The key for which an address was found on the list last. An address is one object for as long as a connection sends
 * the same, and a key one for as long as its record is the same.
 */
const allowedLast = new WeakMap<Address, Key>()

/** `address` is null when it is not known; then only a key without an allowlist passes. */
export function checkIpAllowlist(key: Key, address: Address | null): void {
  const { allowlist } = key
  if (allowlist.length === 0) return
  if (address !== null && (allowedLast.get(address) === key || contains(allowlist, address))) {
    allowedLast.set(address, key)
    return
  }
  throw new Fault('ip_not_allowed', `The key cannot be used from ${address?.toString() ?? 'an unknown IP address'}.`)
}

// The origins from which MCP may be called. A page in a browser can reach all that its reader can reach, under a host
// name that its owner has made to resolve there (DNS rebinding). Two headers tell: no page can choose what a browser
// sends as Host, the name that it called, nor as Origin, the page itself. Programs send no Origin.

export type OriginDeps = {
  /** The address to listen on. */
  readonly host: string
  /** Origin of the address that callers use; null where none is set. */
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
 * A gateway that listens on loopback alone has its names, and one with a public address has that one. Without either,
 * every Host is taken: callers name a machine as its network calls it.
 */
export function originPolicy({ host, publicUrl, allowedOrigins }: OriginDeps): OriginPolicy {
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
      throw new Fault('host_not_allowed', 'The host name in the header Host is not allowed.')
    if (headers.origin !== undefined && !isAllowed(headers.origin))
      throw new Fault('origin_not_allowed', 'Requests from web pages of this origin are not allowed.')
  }
  return { check, isAllowed }
}

const isLoopbackPage = (origin: string): boolean => /^https?:/.test(origin) && isLoopback(new URL(origin).hostname)

const isLoopback = (name: string): boolean =>
  name === 'localhost' || parseAddress(name.replace(/^\[|\]$/g, ''))?.range() === 'loopback'

// Changes of the settings are taken from pages of our own alone. A browser sends the cookie of a session with requests
// that other pages make, too, and says in two headers that no page can choose where they come from. Every browser of
// today sends Sec-Fetch-Site to an origin that it trusts; Origin stands in for it elsewhere.

type Headers = Pick<IncomingHttpHeaders, 'origin'> & { readonly 'sec-fetch-site'?: string | string[] | undefined }

const readingMethods = new Set(['GET', 'HEAD'])

/** Throws `origin_not_allowed`. `ownOrigins`: those under which our pages are. */
export function checkSameOrigin(method: string, headers: Headers, ownOrigins: readonly string[]): void {
  if (readingMethods.has(method)) return
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = site === undefined ? origin !== undefined && ownOrigins.includes(origin) : site === 'same-origin'
  if (!isOwn) throw new Fault('origin_not_allowed', 'Changes are accepted only from pages of this origin.')
}
