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

// Beside a second implementation: Node's own BlockList, which takes a mapped address for the IPv4 address that it is.

const familyOf = (text: string): 'ipv4' | 'ipv6' => (isIP(text) === 4 ? 'ipv4' : 'ipv6')

function listOf(...blocks: string[]): BlockList {
  const list = new BlockList()
  for (const [network = '', length] of blocks.map((block) => block.split('/')))
    list.addSubnet(network, Number(length), familyOf(network))
  return list
}

type Family = 'ipv4' | 'ipv6' | 'mapped'
const widthOf = (family: Family): number => (family === 'ipv6' ? 128 : 32)
const textOf = (value: bigint, family: Family): string =>
  family === 'ipv6' ? ipv6Text(value) : (family === 'mapped' ? '::ffff:' : '') + ipv4Text(value)
const anywhere = (family: Family) => fc.bigInt({ min: 0n, max: (1n << BigInt(widthOf(family))) - 1n })
/** A bit that is changed, counted from the left; none for the address as it is. */
const flip = (family: Family) => fc.option(fc.integer({ min: 0, max: widthOf(family) - 1 }))
const flipped = (value: bigint, at: number | null, family: Family): bigint =>
  at === null ? value : value ^ (1n << BigInt(widthOf(family) - 1 - at))

/** A network, and an address that differs from it in one bit, so that half of them are just inside or just outside. */
const pair = fc.constantFrom<Family>('ipv4', 'ipv6', 'mapped').chain((family) =>
  fc.record({
    family: fc.constant(family),
    bits: anywhere(family),
    length: fc.integer({ min: 1, max: widthOf(family) }),
    at: flip(family),
    other: fc.constantFrom<Family | null>(null, 'ipv4', 'mapped'),
  }),
)

test('a range holds what Node says that it holds', () => {
  const seen = { inside: 0, outside: 0 }
  const property = fc.property(pair, ({ family, bits, length, at, other }) => {
    const below = BigInt(widthOf(family) - length)
    const range = `${textOf((bits >> below) << below, family)}/${family === 'mapped' ? length + 96 : length}`
    const address = textOf(flipped(bits, at, family), family === 'ipv6' || other === null ? family : other)

    const expected = listOf(range).check(address, familyOf(address))
    const found = contains([parseRange(range)!], parseAddress(address)!)

    seen[expected ? 'inside' : 'outside'] += 1
    expect([range, address, found]).toEqual([range, address, expected])
  })
  fc.assert(property, { numRuns: 2_000 })
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(300)
})

// The registries' special blocks, and a cloud's host agent. In the last line AS112, AMT, AS112 once more: names and
// multicast of others, answered by whoever is near.
const specialOfIpv4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
  192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 192.88.99.0/24`.split(/\s+/)
const specialOfIpv6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'.split(' ')
/** Outside of unicast: only to have addresses near them. */
const elsewhereOfIpv6 = '::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8'
const [special, unicast] = [listOf(...specialOfIpv4, ...specialOfIpv6), listOf('2000::/3', '0.0.0.0/0')]

/** An address of a block, or anywhere, with one bit changed or none. */
const addressOf = (family: Family, blocks: readonly string[]): fc.Arbitrary<string> => {
  const within = fc.tuple(fc.constantFrom(...blocks), anywhere(family)).map(([block, bits]) => {
    const [network = '', length] = block.split('/')
    const start = parseAddress(network)!
      .toByteArray()
      .reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
    return start | BigInt.asUintN(widthOf(family) - Number(length), bits)
  })
  const value = fc.oneof({ weight: 1, arbitrary: anywhere(family) }, { weight: 3, arbitrary: within })
  return fc.tuple(value, flip(family)).map(([bits, at]) => textOf(flipped(bits, at, family), family))
}

test.each([
  ['ipv4', specialOfIpv4],
  ['ipv6', [...specialOfIpv6, ...elsewhereOfIpv6.split(' '), '2000::/3']],
  // What a mapped address carries is judged as the IPv4 address that it is.
  ['mapped', specialOfIpv4],
] as const)('an address of %s is public exactly where no special block holds it', (family, blocks) => {
  const seen = { public: 0, special: 0 }
  const property = fc.property(addressOf(family, blocks), (address) => {
    const isIn = (list: BlockList) => list.check(address, familyOf(address))
    const expected = isIn(unicast) && !isIn(special)
    seen[expected ? 'public' : 'special'] += 1
    expect([address, isPublic(parseAddress(address)!)]).toEqual([address, expected])
  })
  fc.assert(property, { numRuns: 1_500 })
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(150)
})
