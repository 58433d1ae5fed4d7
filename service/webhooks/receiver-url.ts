// Checks the URL of a webhook. This reports mistakes early; the dispatcher's check of the address of every connection
// protects the network (`dispatcher/attempt/ssrf-guard.ts`).
import { isIP } from 'node:net'
import type { FieldCode, Fault } from '#contract/faults/fault.ts'
import { isInspectorHost } from '#contract/inspector.ts'
import { webhookUrlLengthMax } from '#contract/webhook-schema.ts'
import { contains, isPublic, parseAddress, type AddressRange } from '#runtime/ip-address.ts'
import { isWebPort } from '#runtime/web-addresses.ts'
import { invalidValue } from '../faults/shared-faults.ts'
import { whyNotInspected } from './inspector.ts'

export type AllowedTargets = { readonly ranges: readonly AddressRange[]; readonly http: boolean }

/**
 * Returns the URL as it will be called: the host in lower case and punycode, other characters outside of ASCII escaped.
 * Throws `validation_failed` when it may not be used. That of the inspector may be used in sandboxes only
 * (`assertMayInspect`).
 */
export function receiverUrl(text: string, allowed: AllowedTargets): string {
  const url = URL.parse(text)
  if (url === null) throw refused('Is not an absolute URL.')
  const reason = whyRefused(url, allowed)
  if (reason !== null) throw refused(reason)
  if (url.href.length > webhookUrlLengthMax)
    throw refused(`Takes ${url.href.length} characters as it is called, at most ${webhookUrlLengthMax}.`, 'too_long')
  return url.href
}

/** Returns null when the URL may be used. */
function whyRefused(url: URL, { ranges, http }: AllowedTargets): string | null {
  if (url.protocol !== 'https:' && !(http && url.protocol === 'http:')) return 'Must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'Must not hold a user name or password.'
  if (url.hash !== '') return 'Must not hold a fragment.'
  if (!isWebPort(url.port)) return 'Must not name a port of another protocol than HTTP.'
  if (isInspectorHost(url.hostname)) return whyNotInspected(url)
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) === 0)
    return isPublicName(host) || ranges.length > 0 ? null : 'Must name a host on the public internet.'
  const address = parseAddress(host)
  return address !== null && (isPublic(address) || contains(ranges, address))
    ? null
    : 'Must not lie on a private or reserved address.'
}

/** Another scheme, host or port may belong to another party. */
export const hasOtherOrigin = (url: string, other: string): boolean => new URL(url).origin !== new URL(other).origin

const refused = (detail: string, code: FieldCode = 'wrong_format'): Fault => invalidValue('/url', code, detail)

/** A host name of the public internet has several labels and none of these suffixes. */
const reservedSuffixes = new Set([
  // Special-use names: RFC 6761, 6762, 7686, 9476, and everything below `arpa`.
  'localhost',
  'test',
  'example',
  'invalid',
  'local',
  'onion',
  'alt',
  'arpa',
  // ICANN: kept for private use, and never to be delegated because so many networks use them.
  'internal',
  'home',
  'corp',
  'mail',
  // In use inside networks (RFC 6762, appendix G), and what routers and hosts give out.
  'intranet',
  'private',
  'lan',
  'localdomain',
  'domain',
  'workgroup',
])

/** `host` as `URL.hostname` gives it: lower case, punycode. A dot at its end is ignored. */
function isPublicName(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.')
  return labels.length > 1 && !labels.includes('') && !reservedSuffixes.has(labels.at(-1) ?? '')
}
