// One spelling for each address, ranges that say what they mean, and what lies on the public internet.
import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains, isPublic, parseAddress, parseRange, ranges } from '#runtime/ip-address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:DB8:0:0:0::1', '2001:db8::1'],
  ['::', '::'],
])('%s is %s', (text, same) => {
  expect(parseAddress(text)?.toString()).toBe(same)
})

const nearlyIpv4 = ['192.0.2', '192.0.2.256', '192.0.2.1.1', '192.0.2.1 ', '192.0.2.1:80', '192.0.2.0/24']
const otherSpellings = ['0300.0.2.1', '0xc0.0.2.1', '3221225985', '127.1']
const nearlyIpv6 = ['[::1]', 'fe80::1%eth0', '::g', ':::', '1::2::3']
test.each(['', ' ', 'localhost', ...nearlyIpv4, ...otherSpellings, ...nearlyIpv6])('"%s" is no address', (text) => {
  expect(parseAddress(text)).toBeNull()
})

test.each([
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['0.0.0.0/0', '192.0.2.2', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '192.0.2.2', false],
])('%s holds %s: %s', (range, address, holds) => {
  expect(contains(ranges([range]), parseAddress(address)!)).toBe(holds)
})

const wrongLengths = ['/', '/33', '/-1', '/8/8', '/1e1', '/ 8', '/+8'].map((length) => `10.0.0.0${length}`)
const wrongNetworks = ['10.0.0.1/8', '2001:db8::1/64', '::/129', '::ffff:10.0.0.0/90', 'example.com/8']
test.each(['', '*', ...wrongLengths, ...wrongNetworks])('"%s" is no range', (text) => {
  expect(parseRange(text)).toBeNull()
  expect(() => ranges([text])).toThrow('Not an address or CIDR range')
})

const ipv4Text = (value: bigint): string => [24n, 16n, 8n, 0n].map((by) => (value >> by) & 255n).join('.')
const ipv6Text = (value: bigint): string =>
  Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':')

const bits = fc.oneof(fc.integer({ min: -1, max: 130 }).map(String), fc.string())
const ofDigits = fc.stringMatching(/^[0-9a-f:.]{2,20}$/)
const nearlyAddresses = fc.oneof(fc.string(), ofDigits, fc.ipV4Extended(), fc.ipV4(), fc.ipV6())
const networks = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.0', '::', '2001:db8::'))
const nearlyRanges = fc.tuple(networks, bits).map((parts) => parts.join('/'))

test('what Node takes for an address is one, and nothing else; whatever is taken for a range is read again as the same', () => {
  const taken = { addresses: 0, ranges: 0, none: 0 }
  const property = fc.property(
    fc.oneof({ weight: 2, arbitrary: nearlyAddresses }, { weight: 1, arbitrary: nearlyRanges }),
    (text) => {
      const [address, range] = [parseAddress(text), parseRange(text)]
      taken[address !== null ? 'addresses' : range !== null ? 'ranges' : 'none'] += 1
      // What Node takes for an address is one, but for zones.
      expect(address !== null).toBe(isIP(text) > 0 && !text.includes('%'))
      if (address !== null) expect(parseAddress(address.toString())).toEqual(address)
      if (range === null) return
      const [network, length] = range
      expect(text.split('/').length <= 2 && isIP(text.split('/')[0] ?? '') > 0).toBe(true)
      expect(parseRange(`${network.toString()}/${length}`)).toEqual(range)
      expect(contains([range], network)).toBe(true)
    },
  )
  fc.assert(property, { numRuns: 3_000 })
  for (const count of Object.values(taken)) expect(count).toBeGreaterThan(50)
})

// The matcher beside a second implementation: Node's own BlockList.

const familyOf = (text: string): 'ipv4' | 'ipv6' => (isIP(text) === 4 ? 'ipv4' : 'ipv6')

const fromBits = (bits: bigint, family: 'ipv4' | 'ipv6' | 'mapped'): string =>
  family === 'ipv6' ? ipv6Text(bits) : (family === 'mapped' ? '::ffff:' : '') + ipv4Text(bits)

/** A network, and an address that differs from it in one bit, so that half of them are just inside or just outside. */
const pair = fc.constantFrom('ipv4' as const, 'ipv6' as const, 'mapped' as const).chain((family) => {
  const width = family === 'ipv6' ? 128 : 32
  return fc.record({
    family: fc.constant(family),
    bits: fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }),
    length: fc.integer({ min: 1, max: width }),
    /** Counted from the left; none for the network's own address. */
    flipped: fc.option(fc.integer({ min: 0, max: width - 1 })),
    other: fc.constantFrom('same' as const, 'as IPv4' as const, 'as mapped' as const),
  })
})

test('a range holds what Node says that it holds', () => {
  const seen = { inside: 0, outside: 0 }
  const property = fc.property(pair, ({ family, bits, length, flipped, other }) => {
    const width = family === 'ipv6' ? 128 : 32
    const below = BigInt(width - length)
    const network = fromBits((bits >> below) << below, family)
    const prefix = family === 'mapped' ? length + 96 : length
    const flippedBits = flipped === null ? bits : bits ^ (1n << BigInt(width - 1 - flipped))
    const asFamily = family === 'ipv6' || other === 'same' ? family : other === 'as IPv4' ? 'ipv4' : 'mapped'
    const address = fromBits(flippedBits, asFamily)

    const second = new BlockList()
    second.addSubnet(network, prefix, familyOf(network))
    const expected = second.check(address, familyOf(address))
    const found = contains([parseRange(`${network}/${prefix}`)!], parseAddress(address)!)

    seen[expected ? 'inside' : 'outside'] += 1
    expect([network, prefix, address, found]).toEqual([network, prefix, address, expected])
  })
  fc.assert(property, { numRuns: 2_000 })
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(300)
})

// Which addresses are public, beside a second implementation: the registries' special blocks in a plain table of bits.

type Block = readonly [start: bigint, length: number]
const blocksIn = (text: string, valueOf: (start: string) => bigint): Block[] =>
  text.split(/\s+/).map((block) => [valueOf(block.split('/')[0]!), Number(block.split('/')[1])])
const four = (text: string): bigint => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
/** Of what is written before the two colons at the end. */
const six = (text: string): bigint =>
  text.split(':').reduce((sum, part, at) => sum + (BigInt(`0x0${part}`) << BigInt(112 - 16 * at)), 0n)

// In the third line AS112, AMT, AS112 once more: names and multicast of others, answered by whoever is near.
const specialOfIpv4 = blocksIn(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
   192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
   192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 192.88.99.0/24`,
  four,
)
const unicastOfIpv6: Block = [six('2000::'), 3]
const mappedIpv4: Block = [0xffffn << 32n, 96]
const specialOfIpv6 = blocksIn('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20', six)
/** Outside of unicast: only to have addresses near them. */
const elsewhereOfIpv6 = blocksIn(
  '0::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
  six,
)

const holds = (bits: number, [start, length]: Block, value: bigint): boolean =>
  start >> BigInt(bits - length) === value >> BigInt(bits - length)

const ipv4 = {
  bits: 32,
  text: ipv4Text,
  isPublic: (value: bigint) => !specialOfIpv4.some((block) => holds(32, block, value)),
}
const ipv6: typeof ipv4 = {
  bits: 128,
  text: ipv6Text,
  isPublic: (value) =>
    holds(128, mappedIpv4, value)
      ? ipv4.isPublic(value & 0xffff_ffffn)
      : holds(128, unicastOfIpv6, value) && !specialOfIpv6.some((block) => holds(128, block, value)),
}

/** Anywhere; or at, just before, just behind or within a block, with one bit changed or none. */
const addressOf = ({ bits }: typeof ipv4, blocks: readonly Block[]): fc.Arbitrary<bigint> => {
  const end = (1n << BigInt(bits)) - 1n
  const anywhere = fc.bigInt({ min: 0n, max: end })
  const near = fc
    .record({
      block: fc.constantFrom(...blocks),
      within: anywhere,
      at: fc.constantFrom('first', 'last', 'before', 'behind', 'within'),
      flipped: fc.option(fc.integer({ min: 0, max: bits - 1 })),
    })
    .map(({ block: [start, length], within, at, flipped }) => {
      const size = 1n << BigInt(bits - length)
      const offset = { first: 0n, last: size - 1n, before: -1n, behind: size, within: within % size }[at] ?? 0n
      return ((start + offset) & end) ^ (flipped === null ? 0n : 1n << BigInt(flipped))
    })
  return fc.oneof({ weight: 1, arbitrary: anywhere }, { weight: 3, arbitrary: near })
}

test.each([
  ['IPv4', ipv4, specialOfIpv4],
  ['IPv6', ipv6, [...specialOfIpv6, ...elsewhereOfIpv6, unicastOfIpv6, mappedIpv4]],
  // What a mapped address carries is judged as the IPv4 address that it is.
  ['IPv6 that carries IPv4', ipv6, specialOfIpv4.map(([start, length]): Block => [mappedIpv4[0] | start, length + 96])],
] as const)('an address of %s is public exactly where the table says so', (_what, family, blocks) => {
  const seen = { public: 0, special: 0 }
  const property = fc.property(addressOf(family, blocks), (value) => {
    const text = family.text(value)
    const expected = family.isPublic(value)
    seen[expected ? 'public' : 'special'] += 1
    expect([text, isPublic(parseAddress(text)!)]).toEqual([text, expected])
  })
  fc.assert(property, { numRuns: 1_500 })
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(150)
})
