import { expect, test } from 'vitest'
import { checkSecretAge } from '../../../gateway/auth/key-policies.ts'
import { at, codeOf, dayMs, keyOf, now } from '../support/checks.ts'

test.each([
  ['no policy', null, -400 * dayMs, 'passes'],
  ['just in time', 30, -30 * dayMs + 1, 'passes'],
  ['just too old', 30, -30 * dayMs, 'api_key_rotation_required'],
])('rotation: %s', (_name, maxAgeDays, age, code) => {
  const key = keyOf({ maxAgeDays, secret: { createdAt: at(age), expiresAt: null } })
  expect(codeOf(() => checkSecretAge(key, now))).toBe(code)
})
