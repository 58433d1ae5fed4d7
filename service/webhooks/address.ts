// May a webhook be registered with this address? For the user's benefit, at registration; what protects the network is
// the dispatcher's own look at every connection that it makes.
import { isIP } from 'node:net'
import { Fault } from '#contract/fault.ts'
import { contains, isPublic, parseAddress, type AddressRange } from '#runtime/address.ts'

export type AllowedTargets = { readonly ranges: readonly AddressRange[]; readonly http: boolean }

const internalNames = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/

export function assertTarget(text: string, allowed: AllowedTargets): void {
  const reason = whyNot(text, allowed)
  if (reason === null) return
  throw new Fault('validation_failed', `/url: ${reason}`, {
    errors: [{ pointer: '/url', code: 'wrong_format', detail: reason }],
  })
}

function whyNot(text: string, { ranges, http }: AllowedTargets): string | null {
  const url = URL.parse(text)
  if (url === null) return 'Is not an absolute URL.'
  if (url.protocol !== 'https:' && !(http && url.protocol === 'http:')) return 'Must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'Must not hold a user name or password.'
  if (url.hash !== '') return 'Must not hold a fragment.'
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) === 0)
    return isPublicName(host) || ranges.length > 0 ? null : 'Must name a host on the public internet.'
  const address = parseAddress(host)
  return address !== null && (isPublic(address) || contains(ranges, address))
    ? null
    : 'Must not lie on a private or reserved address.'
}

const isPublicName = (host: string): boolean => host.includes('.') && !internalNames.test(host)
