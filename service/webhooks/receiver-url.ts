// Whether a webhook may have this URL. The check tells users of mistakes early; what protects the network is the
// dispatcher's check of the address of every connection (`dispatcher/attempt/ssrf-guard.ts`).
import { isIP } from 'node:net'
import type { Fault, FieldCode } from '#contract/faults/fault.ts'
import { contains, isPublic, parseAddress, type AddressRange } from '#runtime/ip-address.ts'
import { isWebPort } from '#runtime/web-addresses.ts'
import { invalidValue } from '../faults/field-refusals.ts'
import { isPublicName } from './public-name.ts'
import { webhookUrlLengthMax } from '#contract/webhook-schema.ts'

export type AllowedTargets = { readonly ranges: readonly AddressRange[]; readonly http: boolean }

/**
 * Returns the URL as it will be called: the host in lower case and punycode, other characters outside of ASCII escaped.
 * Throws `validation_failed` when it may not be used.
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
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) === 0)
    return isPublicName(host) || ranges.length > 0 ? null : 'Must name a host on the public internet.'
  const address = parseAddress(host)
  return address !== null && (isPublic(address) || contains(ranges, address))
    ? null
    : 'Must not lie on a private or reserved address.'
}

/** Another scheme, host or port: somebody else may be listening there. */
export const hasOtherOrigin = (url: string, other: string): boolean => new URL(url).origin !== new URL(other).origin

const refused = (detail: string, code: FieldCode = 'wrong_format'): Fault => invalidValue('/url', code, detail)
