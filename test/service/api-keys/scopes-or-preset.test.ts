import { expect, test } from 'vitest'
import { presetNamed, presetNames } from '#contract/key-preset.ts'
import { scopes } from '#contract/scopes.ts'
import { scopesOf } from '../../../service/api-keys/scopes-or-preset.ts'

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
