import { expect, test } from 'vitest'
import { assertWithinPolicy, rotateBy, statusOf, stricterAge } from '../../../service/api-keys/rules.ts'

const now = new Date('2026-06-01T00:00:00.000Z')
const past = new Date('2026-05-31T23:59:59.999Z')
const future = new Date('2026-06-01T00:00:00.001Z')
const open = { maxKeyAgeDays: null, requireIpAllowlist: false, requireExpiry: false, allowUnboundKeys: false }

test('revoked wins over expired, expired over rotation due', () => {
  expect(statusOf({ revokedAt: past, expiresAt: past, rotateBy: past }, now)).toBe('revoked')
  expect(statusOf({ revokedAt: null, expiresAt: past, rotateBy: past }, now)).toBe('expired')
  expect(statusOf({ revokedAt: null, expiresAt: null, rotateBy: past }, now)).toBe('rotation_due')
  expect(statusOf({ revokedAt: null, expiresAt: future, rotateBy: future }, now)).toBe('active')
})

test('a date that is reached has passed', () => {
  expect(statusOf({ revokedAt: null, expiresAt: now, rotateBy: null }, now)).toBe('expired')
  expect(statusOf({ revokedAt: null, expiresAt: null, rotateBy: now }, now)).toBe('rotation_due')
})

test('of two ages the stricter holds, and one that is not set binds nobody', () => {
  expect(stricterAge(30, 90)).toBe(30)
  expect(stricterAge(null, 90)).toBe(90)
  expect(stricterAge(30, null)).toBe(30)
  expect(stricterAge(null, null)).toBeNull()
})

test('the day of rotation is counted from the secret, not from the key', () => {
  expect(rotateBy(now, 1)).toEqual(new Date('2026-06-02T00:00:00.000Z'))
  expect(rotateBy(now, null)).toBeNull()
})

test('an expiry in the past is refused, whatever the policy', () => {
  expect(() => assertWithinPolicy({ expiresAt: now, ipAllowlist: [] }, open, now)).toThrow(/expiresAt/)
  expect(() => assertWithinPolicy({ expiresAt: future, ipAllowlist: [] }, open, now)).not.toThrow()
})
