import { expect, test } from 'vitest'
import { makeToken, tokenHash } from '#runtime/bearer-tokens.ts'
import {
  bearerToken,
  isToken,
  keyHash,
  checkState,
  checkSecretAge,
  checkHasScopes,
  checkScope,
  checkSurface,
} from '../../../gateway/auth/key-policies.ts'
import { codeOf, at, dayMs, keyOf, now } from '../support/checks.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  [undefined, 'missing_credentials'],
  ['', 'missing_credentials'],
  ['Bearer', 'missing_credentials'],
  ['Bearer a b', 'missing_credentials'],
  ['Basic abc', 'missing_credentials'],
])('of the header %s the token is %s', (header, expected) => {
  let token = ''
  const code = codeOf(() => (token = bearerToken(header)))
  expect(code === 'passes' ? token : code).toBe(expected)
})

test('only what has the form and checksum of a key gets a hash', () => {
  const { token, hash } = makeToken('wsk')
  expect(keyHash(token)).toBe(hash.toString('hex'))
  expect([
    keyHash(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`),
    keyHash(''),
    keyHash(makeToken('wso').token),
  ]).toEqual([null, null, null])
})

test('tokens are compared whole', () => {
  expect([isToken('abc', tokenHash('abc')), isToken('ab', tokenHash('abc')), isToken('', tokenHash('abc'))]).toEqual([
    true,
    false,
    false,
  ])
})

// Revoked and expired keys and secrets, to the millisecond.

test.each([
  ['neither revoked nor ending', {}, 'passes'],
  ['revoked', { revokedAt: at(-1) }, 'api_key_revoked'],
  ['revoked and expired: revoked', { revokedAt: at(-1), expiresAt: at(-1) }, 'api_key_revoked'],
  ['expiring this very moment', { expiresAt: at(0) }, 'api_key_expired'],
  ['expiring in a moment', { expiresAt: at(1) }, 'passes'],
  ['an old secret whose overlap is over', { secret: { createdAt: at(-dayMs), expiresAt: at(0) } }, 'api_key_expired'],
  [
    'a key that ends before its secret does',
    { expiresAt: at(0), secret: { createdAt: at(-dayMs), expiresAt: at(1) } },
    'api_key_expired',
  ],
  [
    'a secret that ends before its key does',
    { expiresAt: at(1), secret: { createdAt: at(-dayMs), expiresAt: at(0) } },
    'api_key_expired',
  ],
  ['held by a suspended member', { suspended: true }, 'api_key_suspended'],
  ['revoked, of a suspended member: revoked', { suspended: true, revokedAt: at(-1) }, 'api_key_revoked'],
  ['an old secret in its overlap', { secret: { createdAt: at(-dayMs), expiresAt: at(1) } }, 'passes'],
])('%s', (_name, more, code) => {
  expect(codeOf(() => checkState(keyOf(more), now))).toBe(code)
})

test.each([
  ['no policy', null, -400 * dayMs, 'passes'],
  ['just in time', 30, -30 * dayMs + 1, 'passes'],
  ['just too old', 30, -30 * dayMs, 'api_key_rotation_required'],
])('rotation: %s', (_name, maxAgeDays, age, code) => {
  const key = keyOf({ maxAgeDays, secret: { createdAt: at(age), expiresAt: null } })
  expect(codeOf(() => checkSecretAge(key, now))).toBe(code)
})

test('a key without any scope may do nothing', () => {
  expect(codeOf(() => checkHasScopes(keyOf({ scopes: [] })))).toBe('api_key_has_no_scopes')
})

test('writing includes reading, and not deleting', () => {
  const writer = keyOf({ scopes: ['projects:write'] })
  expect(codeOf(() => checkScope(writer, 'projects:read'))).toBe('passes')
  expect(codeOf(() => checkScope(writer, 'projects:delete'))).toBe('insufficient_scope')
  expect(codeOf(() => checkScope(writer, null))).toBe('passes')
})

test('a key for HTTP alone is not for MCP', () => {
  expect(codeOf(() => checkSurface(keyOf({ surfaces: ['http'] }), 'mcp'))).toBe('surface_not_allowed')
})
