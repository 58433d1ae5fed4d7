// Which addresses are public, beside a second implementation: the registries' special blocks in a plain table of bits.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublic, parseAddress } from '#runtime/ip-address.ts'

type Family = {
  readonly bits: number
  readonly text: (value: bigint) => string
  readonly isPublic: (value: bigint) => boolean
}
type Block = readonly [start: bigint, length: number]

const four = (text: string): bigint => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)

const specialOfIpv4: readonly Block[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // AS112, AMT, AS112 once more: names and multicast of others, answered by whoever is near.
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.175.48.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
].map(([start, length]) => [four(String(start)), Number(length)])

/** By their first 48 bits. */
const six = (first: number, second = 0, third = 0): bigint =>
  ((BigInt(first) << 32n) | (BigInt(second) << 16n) | BigInt(third)) << 80n

const unicastOfIpv6: Block = [six(0x2000), 3]
const mappedIpv4: Block = [0xffffn << 32n, 96]
const specialOfIpv6: readonly Block[] = [
  [six(0x2001), 23],
  [six(0x2001, 0xdb8), 32],
  [six(0x2002), 16],
  [six(0x2620, 0x4f, 0x8000), 48],
  [six(0x3fff), 20],
]
/** Outside of unicast: only to have addresses near them. */
const elsewhereOfIpv6: readonly Block[] = [
  [0n, 96],
  [six(0x64, 0xff9b), 96],
  [six(0x64, 0xff9b, 1), 48],
  [six(0x100), 64],
  [six(0x5f00), 16],
  [six(0xfc00), 7],
  [six(0xfe80), 10],
  [six(0xfec0), 10],
  [six(0xff00), 8],
]

const holds = (bits: number, [start, length]: Block, value: bigint): boolean =>
  start >> BigInt(bits - length) === value >> BigInt(bits - length)

const isPublicIpv4 = (value: bigint): boolean => !specialOfIpv4.some((block) => holds(32, block, value))

const ipv4: Family = {
  bits: 32,
  text: (value) => [24n, 16n, 8n, 0n].map((by) => (value >> by) & 255n).join('.'),
  isPublic: isPublicIpv4,
}
const ipv6: Family = {
  bits: 128,
  text: (value) =>
    Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':'),
  isPublic: (value) =>
    holds(128, mappedIpv4, value)
      ? isPublicIpv4(value & 0xffff_ffffn)
      : holds(128, unicastOfIpv6, value) && !specialOfIpv6.some((block) => holds(128, block, value)),
}

/** Anywhere; or at, just before, just behind or within a block, with one bit changed or none. */
const addressOf = ({ bits }: Family, blocks: readonly Block[]): fc.Arbitrary<bigint> => {
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
  fc.assert(
    fc.property(addressOf(family, blocks), (value) => {
      const text = family.text(value)
      const expected = family.isPublic(value)
      seen[expected ? 'public' : 'special'] += 1
      expect([text, isPublic(parseAddress(text)!)]).toEqual([text, expected])
    }),
    { numRuns: 1_500 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(150)
})
