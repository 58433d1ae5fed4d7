// What a key record means for a call, to the millisecond.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Fault } from '#contract/fault.ts'
import type { KeyRecord } from '#contract/principal.ts'
import { parseAddress } from '#runtime/ip-address.ts'
import * as policy from '../../../gateway/policies/key.ts'
import { recordOf } from '../support/service.ts'

const now = Date.parse('2026-06-01T12:00:00.000Z')
const at = (ms: number): string => new Date(now + ms).toISOString()
const day = 86_400_000
const keyOf = (more: Partial<KeyRecord>): policy.Key => policy.keyFrom({ ...recordOf(), ...more })

function codeOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (thrown) {
    return (thrown as Fault).code
  }
}

test.each([
  ['neither revoked nor ending', {}, undefined],
  ['revoked', { revokedAt: at(-1) }, 'api_key_revoked'],
  ['revoked and expired: revoked', { revokedAt: at(-1), expiresAt: at(-1) }, 'api_key_revoked'],
  ['expiring this very moment', { expiresAt: at(0) }, 'api_key_expired'],
  ['expiring in a moment', { expiresAt: at(1) }, undefined],
  ['an old secret whose overlap is over', { secret: { createdAt: at(-day), expiresAt: at(0) } }, 'api_key_expired'],
  [
    'a key that ends before its secret does',
    { expiresAt: at(0), secret: { createdAt: at(-day), expiresAt: at(1) } },
    'api_key_expired',
  ],
  [
    'a secret that ends before its key does',
    { expiresAt: at(1), secret: { createdAt: at(-day), expiresAt: at(0) } },
    'api_key_expired',
  ],
  ['an old secret in its overlap', { secret: { createdAt: at(-day), expiresAt: at(1) } }, undefined],
])('%s', (_name, more, code) => {
  expect(codeOf(() => policy.checkState(keyOf(more), now))).toBe(code)
})

test.each([
  ['no list', [], '192.0.2.1', undefined],
  ['in a range', ['192.0.2.0/24'], '192.0.2.1', undefined],
  ['outside', ['192.0.2.0/24'], '192.0.3.1', 'ip_not_allowed'],
  ['a mapped address against an IPv4 range', ['192.0.2.0/24'], '::ffff:192.0.2.1', undefined],
  ['an IPv4 address against a mapped range', ['::ffff:192.0.2.0/120'], '192.0.2.1', undefined],
  ['IPv6 spelled differently', ['2001:db8::1'], '2001:DB8:0:0::1', undefined],
  ['everything of the other family', ['0.0.0.0/0'], '2001:db8::1', 'ip_not_allowed'],
  ['an address that is not known', ['0.0.0.0/0', '::/0'], 'gone', 'ip_not_allowed'],
])('allowlist: %s', (_name, ipAllowlist, address, code) => {
  expect(codeOf(() => policy.checkAddress(keyOf({ ipAllowlist }), parseAddress(address)))).toBe(code)
})

test('a list that cannot be read lets nobody in', () => {
  expect(() => keyOf({ ipAllowlist: ['anywhere'] })).toThrow('anywhere')
})

test.each([
  ['no policy', null, -400 * day, undefined],
  ['just in time', 30, -30 * day + 1, undefined],
  ['just too old', 30, -30 * day, 'api_key_rotation_required'],
])('rotation: %s', (_name, maxAgeDays, age, code) => {
  const key = keyOf({ maxAgeDays, secret: { createdAt: at(age), expiresAt: null } })
  expect(codeOf(() => policy.checkRotation(key, now))).toBe(code)
})

test('scopes and surfaces', () => {
  expect(codeOf(() => policy.checkHasScopes(keyOf({ scopes: [] })))).toBe('api_key_has_no_scopes')
  expect(codeOf(() => policy.checkSurface(keyOf({ surfaces: ['http'] }), 'mcp'))).toBe('surface_not_allowed')
  const writer = keyOf({ scopes: ['projects:write'] })
  expect(codeOf(() => policy.checkScope(writer, 'projects:read'))).toBeUndefined()
  expect(codeOf(() => policy.checkScope(writer, 'projects:delete'))).toBe('insufficient_scope')
  expect(codeOf(() => policy.checkScope(writer, null))).toBeUndefined()
})

const reached = (...refusals: KeyRecord['workspaces'][number]['refusals']) => ({
  id: randomUUID(),
  suspended: false,
  refusals,
})
const expiry = { rule: 'requireExpiry', from: at(0) } as const

test.each([
  ['a bound key by a rule in force', true, [reached(expiry)], 'key_expiry_required'],
  ['not before it is', true, [reached({ ...expiry, from: at(1) })], undefined],
  [
    'by the one in force, not by one in grace',
    true,
    [reached({ rule: 'requireIpAllowlist', from: at(1) }, expiry)],
    'key_expiry_required',
  ],
  ['an unbound one only where it is refused', false, [reached(expiry)], undefined],
])('policy: %s', (_name, bound, workspaces, code) => {
  expect(codeOf(() => policy.checkPolicy(keyOf({ bound, workspaces }), now))).toBe(code)
})

test('outside of any workspace a key is refused where all of its workspaces refuse it', () => {
  const everywhere = (...workspaces: KeyRecord['workspaces']) =>
    policy.refusedEverywhere(keyOf({ bound: false, workspaces }), now)?.code
  expect(everywhere(reached(expiry), reached(expiry))).toBe('key_expiry_required')
  expect(everywhere(reached(expiry), reached())).toBeUndefined()
  expect(everywhere(reached(expiry), reached({ ...expiry, from: at(1) }))).toBeUndefined()
  expect(everywhere()).toBeUndefined()
})
