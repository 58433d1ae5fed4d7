// Revoked and expired keys and secrets, to the millisecond.
import { expect, test } from 'vitest'
import { checkState } from '../../../gateway/auth/key-policies.ts'
import { at, codeOf, dayMs, keyOf, now } from '../support/checks.ts'

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
