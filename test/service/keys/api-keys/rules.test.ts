import { expect, test } from 'vitest'
import { presetNamed, presetNames } from '#contract/key-preset.ts'
import { scopes } from '#contract/scopes.ts'
import { assertNotPast, statusOf, scopesOf } from '../../../../service/keys/api-keys/rules.ts'

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

test.each(presetNames)('the preset %s names existing scopes, each once', (preset) => {
  const given = scopesOf({ preset })

  expect(given).toEqual(presetNamed(preset).scopes)
  expect(scopes).toEqual(expect.arrayContaining(given))
  expect(new Set(given).size).toBe(given.length)
})

test('the preset read-only has no write scope, agent no delete scope, and only sync has both', () => {
  const accesses = (preset: (typeof presetNames)[number]) =>
    new Set(scopesOf({ preset }).map((each) => each.split(':')[1]))

  expect(accesses('read-only')).toEqual(new Set(['read']))
  expect(accesses('agent')).toEqual(new Set(['read', 'write']))
  expect(accesses('webhooks')).toEqual(new Set(['read', 'write', 'replay']))
  expect(accesses('sync')).toEqual(new Set(['read', 'write', 'delete', 'rotate-self']))
})

test('the preset for webhooks has no write scope for content', () => {
  expect(scopesOf({ preset: 'webhooks' }).filter((each) => each.endsWith(':write'))).toEqual(['webhooks:write'])
})

test.each([
  [{}, '/scopes', 'required'],
  [{ scopes: ['projects:read' as const], preset: 'sync' as const }, '/preset', 'not_unique'],
])('%j is refused at %s as %s', (given, pointer, code) => {
  expect(() => scopesOf(given)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      members: { errors: [expect.objectContaining({ pointer, code })] },
    }),
  )
})
