// IP addresses and CIDR ranges, and which of them are public.
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = readonly [Address, number]

/**
 * Returns null for anything that is not an address. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) is returned as
 * IPv4.
 */
export function parseAddress(text: string): Address | null {
  return isAddress(text) ? ipaddr.process(text) : null
}

const texts = new WeakMap<Address, string>()

/** As `toString`, worked out once for each address: an IPv6 address takes far longer to write than to look up. */
export function addressText(address: Address): string {
  const known = texts.get(address)
  if (known !== undefined) return known
  const text = address.toString()
  texts.set(address, text)
  return text
}

/** An address alone is a range of one. Returns null for anything else, and for a range with bits set below its mask. */
export function parseRange(text: string): AddressRange | null {
  const [head = '', bits, ...rest] = text.split('/')
  if (!isAddress(head) || rest.length > 0) return null
  const written = ipaddr.parse(head)
  const address = ipaddr.process(head)
  const lost = bitsOf(written) - bitsOf(address)
  if (bits === undefined) return [address, bitsOf(address)]
  const length = Number(bits) - lost
  if (!/^\d{1,3}$/.test(bits) || length < 0 || length > bitsOf(address)) return null
  return hasBitsBelow(address, length) ? null : [address, length]
}

// Both are of the same kind when they are matched, which the types of ipaddr.js cannot express.
export const contains = (ranges: readonly AddressRange[], address: Address): boolean =>
  ranges.some(([network, length]) => network.kind() === address.kind() && address.match([network, length] as never))

/** The network that an address stands for: the owner of one IPv6 address has all 2^64 of its network. */
export const networkOf = (address: Address): string =>
  address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')

/** Ordinary unicast, reachable over the internet. All else (private, loopback, metadata, tunnels…) is false. */
export function isPublic(address: Address): boolean {
  return address.kind() === 'ipv4'
    ? address.range() === 'unicast' && !contains(notPublic, address)
    : contains(globalUnicast, address) && !contains(notPublic, address)
}

// ipaddr.js calls these unicast, or does not know them: a cloud's host agent, and blocks inside 2000::/3 that
// tunnel to, or document, something else.
const notPublic = ranges([
  '168.63.129.16',
  '192.88.99.0/24',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])
const globalUnicast = ranges(['2000::/3'])

/** For ranges that were checked before. Throws when one does not parse. */
export function ranges(texts: readonly string[]): AddressRange[] {
  return texts.map((text) => {
    const range = parseRange(text)
    if (range === null) throw new Error(`Not an address or CIDR range: ${text}`)
    return range
  })
}

// Decimal, octal and short IPv4 forms are spellings that only attackers use.
function isAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text)
}

function bitsOf(address: Address): number {
  return address.toByteArray().length * 8
}

function hasBitsBelow(address: Address, length: number): boolean {
  const bits = address.toByteArray().map((byte) => byte.toString(2).padStart(8, '0'))
  return bits.join('').includes('1', length)
}
