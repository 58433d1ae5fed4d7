import { expect, test } from 'vitest'
import { assertNotPast, statusOf } from '../../../service/api-keys/rules.ts'

const now = new Date('2026-06-01T00:00:00.000Z')
const past = new Date('2026-05-31T23:59:59.999Z')
const future = new Date('2026-06-01T00:00:00.001Z')

test('the status is revoked before expired, expired before suspended, and that before rotation_due', () => {
  expect(statusOf({ revokedAt: past, expiresAt: past, rotateBy: past, isSuspended: false }, now)).toBe('revoked')
  expect(statusOf({ revokedAt: null, expiresAt: past, rotateBy: past, isSuspended: false }, now)).toBe('expired')
  expect(statusOf({ revokedAt: null, expiresAt: null, rotateBy: past, isSuspended: false }, now)).toBe('rotation_due')
  expect(statusOf({ revokedAt: null, expiresAt: past, rotateBy: past, isSuspended: true }, now)).toBe('expired')
  expect(statusOf({ revokedAt: null, expiresAt: null, rotateBy: past, isSuspended: true }, now)).toBe('suspended')
  expect(statusOf({ revokedAt: null, expiresAt: future, rotateBy: future, isSuspended: false }, now)).toBe('active')
})

test('an expiry or rotation date counts from the moment that it is reached', () => {
  expect(statusOf({ revokedAt: null, expiresAt: now, rotateBy: null, isSuspended: false }, now)).toBe('expired')
  expect(statusOf({ revokedAt: null, expiresAt: null, rotateBy: now, isSuspended: false }, now)).toBe('rotation_due')
})

test('an expiry must lie in the future', () => {
  for (const expiresAt of [past, now]) {
    expect(() => assertNotPast(expiresAt, now)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        members: { errors: [{ pointer: '/expiresAt', code: 'too_small', detail: 'Lies in the past.' }] },
      }),
    )
  }
  expect(() => assertNotPast(future, now)).not.toThrow()
  expect(() => assertNotPast(null, now)).not.toThrow()
})
