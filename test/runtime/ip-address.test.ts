// One spelling for each address, ranges that say what they mean, and what lies on the public internet.
import { isIP } from 'node:net'
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

test.each([
  '',
  ' ',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.1.1',
  '0300.0.2.1',
  '0xc0.0.2.1',
  '3221225985',
  '127.1',
  '192.0.2.1 ',
  '192.0.2.1:80',
  '[::1]',
  'fe80::1%eth0',
  '::g',
  ':::',
  '1::2::3',
  'localhost',
  '192.0.2.0/24',
])('"%s" is no address', (text) => {
  expect(parseAddress(text)).toBeNull()
})

test.each([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['0.0.0.0/0', '192.0.2.2', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '192.0.2.2', false],
  ['2001:db8::/33', '2001:db8:8000::1', false],
  ['2001:db8::/33', '2001:db8:7fff::1', true],
])('%s holds %s: %s', (range, address, holds) => {
  expect(contains(ranges([range]), parseAddress(address)!)).toBe(holds)
})

test.each([
  '',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/1e1',
  '10.0.0.0/ 8',
  '10.0.0.0/+8',
  '10.0.0.1/8',
  '2001:db8::1/64',
  '::/129',
  '::ffff:10.0.0.0/90',
  'example.com/8',
  '*',
])('"%s" is no range', (text) => {
  expect(parseRange(text)).toBeNull()
  expect(() => ranges([text])).toThrow('Not an address or CIDR range')
})

test.each([
  ...['8.8.8.8', '1.1.1.1', '198.20.0.1', '2606:4700::1111', '2a00:1450::1'].map((text) => [text, true] as const),
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '192.0.0.1',
    '192.0.2.1',
  ].map((text) => [text, false] as const),
  ...[
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '192.88.99.1',
  ].map((text) => [text, false] as const),
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::1',
  ].map((text) => [text, false] as const),
])('%s lies on the public internet: %s', (text, expected) => {
  expect(isPublic(parseAddress(text)!)).toBe(expected)
})

test('an address has one spelling, and lies in the range of itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseAddress(text)!
      expect(parseAddress(address.toString())?.toString()).toBe(address.toString())
      expect(contains(ranges([text]), address)).toBe(true)
    }),
  )
})

const bits = fc.oneof(fc.integer({ min: -1, max: 130 }).map(String), fc.string())
const nearlyAddresses = fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV4(), fc.ipV6())
const nearlyRanges = fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.0', '::', '2001:db8::')), bits)

test('whatever is taken for an address or a range is one, and is read again as the same', () => {
  const taken = { addresses: 0, ranges: 0, none: 0 }
  fc.assert(
    fc.property(
      fc.oneof(
        nearlyAddresses,
        nearlyRanges.map((parts) => parts.join('/')),
      ),
      (text) => {
        const [address, range] = [parseAddress(text), parseRange(text)]
        taken[address !== null ? 'addresses' : range !== null ? 'ranges' : 'none'] += 1
        if (address !== null) expect([isIP(text) > 0, parseAddress(address.toString())]).toEqual([true, address])
        if (range === null) return
        const [network, length] = range
        expect(text.split('/').length <= 2 && isIP(text.split('/')[0] ?? '') > 0).toBe(true)
        expect(parseRange(`${network.toString()}/${length}`)).toEqual(range)
        expect(contains([range], network)).toBe(true)
      },
    ),
    { numRuns: 1_000 },
  )
  for (const count of Object.values(taken)) expect(count).toBeGreaterThan(50)
})
