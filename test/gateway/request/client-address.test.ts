// Whose address counts, for chains as honest and dishonest callers send them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains, parseAddress, ranges } from '#runtime/ip-address.ts'
import { clientAddress } from '../../../gateway/request/trusted-proxies.ts'

const trusted = ranges(['10.0.0.0/8', '2001:db8:1::/48'])
const addressFor = (peer: string | undefined, chain: string | undefined): string | undefined =>
  clientAddress(peer, chain, trusted)?.toString()

test.each([
  ['no proxy at all', '192.0.2.9', undefined, '192.0.2.9'],
  ['a stranger cannot name another address', '192.0.2.9', '198.51.100.1', '192.0.2.9'],
  ['one trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['what the caller wrote stands on the left', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['two trusted proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['a stranger between two trusted proxies', '10.0.0.1', '10.9.9.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['only trusted ones: the leftmost', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['junk stops the walk', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['junk to the left of the caller is never read', '10.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
  ['an empty entry is junk', '10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['decimal and octal spellings are junk', '10.0.0.1', '3232235777', '10.0.0.1'],
  ['a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['an IPv6 address with a port', '10.0.0.1', '[2001:db8:2::1]:4711', '2001:db8:2::1'],
  ['an IPv6 address in brackets', '10.0.0.1', '[2001:db8:2::1]', '2001:db8:2::1'],
  ['a mapped peer is its IPv4 address', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a mapped entry is its IPv4 address', '10.0.0.1', '198.51.100.1, ::ffff:a00:2', '198.51.100.1'],
  ['a trusted IPv6 proxy', '2001:db8:1::5', '2001:DB8:2:0::1', '2001:db8:2::1'],
  ['a zone is no part of the address', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['a connection that is gone', undefined, '198.51.100.1', undefined],
])('%s', (_name, peer, chain, expected) => {
  expect(addressFor(peer, chain)).toBe(expected)
})

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())
const entry = fc.oneof(
  anyAddress,
  fc.constantFrom('unknown', '', '10.1', '10.0.0.7', '10.0.0.8'),
  fc.string({ maxLength: 8 }),
)

test('whatever a stranger sends, a stranger keeps the address of the connection', () => {
  fc.assert(
    fc.property(anyAddress, fc.array(entry), (peer, chain) => {
      const own = parseAddress(peer)
      fc.pre(own !== null && !contains(trusted, own))
      expect(addressFor(peer, chain.join(','))).toBe(own.toString())
    }),
  )
})

test('whatever stands to the left of the first stranger changes nothing', () => {
  const stranger = anyAddress.filter((text) => !contains(trusted, parseAddress(text)!))
  fc.assert(
    fc.property(
      fc.array(entry),
      stranger,
      fc.array(fc.constantFrom('10.0.0.7', '10.2.0.8')),
      (left, caller, proxies) => {
        const chain = [...left, caller, ...proxies].join(',')
        expect(addressFor('10.0.0.1', chain)).toBe(parseAddress(caller)!.toString())
      },
    ),
  )
})
