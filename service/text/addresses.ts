// Domains and email addresses in the letters of any script: which texts are taken, and the form in which two of them
// are compared, which has the domain in punycode. They are stored in the script that was sent. Pure.
import { domainToASCII, domainToUnicode } from 'node:url'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** The last label begins with a letter: otherwise the domain could be read as an IP address. */
const inAscii = new RegExp(`^(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`)
const domainLengthMax = 253

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

/**
 * Punycode leaves out what has no meaning in a domain, and mends what it takes for a slip, such as letters of full
 * width. Such a domain is refused: it would be another than the one that is shown.
 */
export function isDomain(text: string): boolean {
  const small = text.toLowerCase()
  if (isAscii(small)) return small.length <= domainLengthMax && inAscii.test(small)
  const ascii = domainToASCII(small)
  const isWhole = domainToUnicode(ascii) === small && !/(?:^|\.)-|-(?:\.|$)/.test(small)
  return isWhole && ascii.length <= domainLengthMax && inAscii.test(ascii)
}

const word = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const localPart = new RegExp(`^${word}(?:\\.${word})*$`, 'u')

/** As RFC 6531 has them, without quotation marks, comments and addresses of hosts by number. */
export function isEmailAddress(text: string): boolean {
  const { local, domain } = partsOf(text)
  return localPart.test(local) && isDomain(domain)
}

/** Text that is no domain is compared as it is. */
export function comparedDomain(text: string): string {
  const small = text.toLowerCase()
  return !isAscii(small) && isDomain(small) ? domainToASCII(small) : small
}

export function comparedEmail(text: string): string {
  const { local, domain } = partsOf(text.toLowerCase())
  return domain === '' ? local : `${local}@${comparedDomain(domain)}`
}

/** Without `@` all of it is the local part. */
function partsOf(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@')
  return at === -1 ? { local: address, domain: '' } : { local: address.slice(0, at), domain: address.slice(at + 1) }
}
