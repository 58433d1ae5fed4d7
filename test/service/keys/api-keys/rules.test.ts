import { expect, test } from 'vitest'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { scopes } from '#contract/scopes.ts'
import { assertNotPast, statusOf, scopesOf } from '../../../../service/keys/api-keys/rules.ts'

const now = new Date('2026-06-01T00:00:00.000Z')
const past = new Date('2026-05-31T23:59:59.999Z')
const future = new Date('2026-06-01T00:00:00.001Z')
const lasting = { revokedAt: null, expiresAt: null, rotateBy: null, isSuspended: false }

test.each([
  ['revoked before expired', { revokedAt: past, expiresAt: past, rotateBy: past }, 'revoked'],
  ['expired before rotation_due', { expiresAt: past, rotateBy: past }, 'expired'],
  ['expired before suspended', { expiresAt: past, rotateBy: past, isSuspended: true }, 'expired'],
  ['suspended before rotation_due', { rotateBy: past, isSuspended: true }, 'suspended'],
  ['rotation_due', { rotateBy: past }, 'rotation_due'],
  ['active until then', { expiresAt: future, rotateBy: future }, 'active'],
  ['expired from the moment that it is reached', { expiresAt: now }, 'expired'],
  ['rotation_due from the moment that it is reached', { rotateBy: now }, 'rotation_due'],
])('the status is %s', (_rule, more, status) => {
  expect(statusOf({ ...lasting, ...more }, now)).toBe(status)
})

test('an expiry must lie in the future', () => {
  const errors = [{ pointer: '/expiresAt', code: 'too_small', detail: 'Lies in the past.' }]

  for (const expiresAt of [past, now])
    expect(() => assertNotPast(expiresAt, now)).toThrow(
      expect.objectContaining({ code: 'validation_failed', members: { errors } }),
    )
  for (const expiresAt of [future, null]) expect(() => assertNotPast(expiresAt, now)).not.toThrow()
})

test.each(presetNames)('the preset %s names existing scopes, each once', (preset) => {
  const given = scopesOf({ preset })

  expect(given).toEqual(presetNamed(preset).scopes)
  expect(scopes).toEqual(expect.arrayContaining(given))
  expect(new Set(given).size).toBe(given.length)
})

test.each<[PresetName, string[]]>([
  ['read-only', ['read']],
  ['agent', ['read', 'write']],
  ['webhooks', ['read', 'write', 'replay']],
  ['sync', ['read', 'write', 'delete', 'rotate-self']],
])('the preset %s has access of these kinds alone: %j', (preset, accesses) => {
  expect(new Set(scopesOf({ preset }).map((each) => each.split(':')[1]))).toEqual(new Set(accesses))
})

test('the preset for webhooks has no write scope for content', () => {
  expect(scopesOf({ preset: 'webhooks' }).filter((each) => each.endsWith(':write'))).toEqual(['webhooks:write'])
})

test.each([
  [{}, '/scopes', 'required'],
  [{ scopes: ['projects:read' as const], preset: 'sync' as const }, '/preset', 'not_unique'],
])('%j is refused at %s as %s', (given, pointer, code) => {
  const errors = [expect.objectContaining({ pointer, code })]

  expect(() => scopesOf(given)).toThrow(expect.objectContaining({ code: 'validation_failed', members: { errors } }))
})
