// The address matcher beside a second implementation: Node's own BlockList.
import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains, parseAddress, parseRange } from '#runtime/ip-address.ts'

const familyOf = (text: string): 'ipv4' | 'ipv6' => (isIP(text) === 4 ? 'ipv4' : 'ipv6')

const fromBits = (bits: bigint, family: 'ipv4' | 'ipv6' | 'mapped'): string => {
  if (family !== 'ipv6') {
    const four = [24n, 16n, 8n, 0n].map((by) => String((bits >> by) & 255n)).join('.')
    return family === 'mapped' ? `::ffff:${four}` : four
  }
  return Array.from({ length: 8 }, (_, at) => ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':')
}

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
  fc.assert(
    fc.property(pair, ({ family, bits, length, flipped, other }) => {
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
    }),
    { numRuns: 3_000 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(500)
})

test('what Node takes for no address is none, and what it takes for one is, but for zones', () => {
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4Extended(),
    fc.string({ maxLength: 12 }),
    fc.stringMatching(/^[0-9a-f:.]{2,20}$/),
  )
  fc.assert(
    fc.property(text, (given) => {
      expect(parseAddress(given) !== null).toBe(isIP(given) > 0 && !given.includes('%'))
    }),
    { numRuns: 3_000 },
  )
})
