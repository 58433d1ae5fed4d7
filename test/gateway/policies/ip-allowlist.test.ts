import { expect, test } from 'vitest'
import { parseAddress } from '#runtime/ip-address.ts'
import { checkIpAllowlist } from '../../../gateway/auth/address-policies.ts'
import { codeOf, keyOf } from '../support/checks.ts'

test.each([
  ['no list', [], '192.0.2.1', 'passes'],
  ['in a range', ['192.0.2.0/24'], '192.0.2.1', 'passes'],
  ['outside', ['192.0.2.0/24'], '192.0.3.1', 'ip_not_allowed'],
  ['a mapped address against an IPv4 range', ['192.0.2.0/24'], '::ffff:192.0.2.1', 'passes'],
  ['an IPv4 address against a mapped range', ['::ffff:192.0.2.0/120'], '192.0.2.1', 'passes'],
  ['IPv6 spelled differently', ['2001:db8::1'], '2001:DB8:0:0::1', 'passes'],
  ['everything of the other family', ['0.0.0.0/0'], '2001:db8::1', 'ip_not_allowed'],
  ['an address that is not known', ['0.0.0.0/0', '::/0'], 'gone', 'ip_not_allowed'],
])('allowlist: %s', (_name, ipAllowlist, address, code) => {
  expect(codeOf(() => checkIpAllowlist(keyOf({ ipAllowlist }), parseAddress(address)))).toBe(code)
})

test('a list that cannot be read lets nobody in', () => {
  expect(() => keyOf({ ipAllowlist: ['anywhere'] })).toThrow('anywhere')
})

test('that one key lets an address in says nothing of another key, nor of the same with another list', () => {
  const address = parseAddress('192.0.2.1')
  const [open, narrowed] = [keyOf({ ipAllowlist: ['192.0.2.0/24'] }), keyOf({ ipAllowlist: ['192.0.2.9'] })]
  const check = (key: typeof open) => codeOf(() => checkIpAllowlist(key, address))

  expect([open, open, narrowed, open, narrowed].map(check)).toEqual([
    ...['passes', 'passes', 'ip_not_allowed', 'passes', 'ip_not_allowed'],
  ])
})
