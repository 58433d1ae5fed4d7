import { expect, test } from 'vitest'
import { covers, readScopeOf, scopes } from '#contract/scopes.ts'

test('write and delete imply read of the same segment, and of no other', () => {
  expect(covers(['projects:write'], 'projects:read')).toBe(true)
  expect(covers(['projects:delete'], 'projects:read')).toBe(true)
  expect(covers(['projects:write'], 'webhooks:read')).toBe(false)
})

test('read implies nothing, and write does not imply delete', () => {
  expect(covers(['projects:read'], 'projects:write')).toBe(false)
  expect(covers(['projects:write'], 'projects:delete')).toBe(false)
})

test('no scopes cover nothing, and every scope covers itself', () => {
  for (const scope of scopes) {
    expect(covers([], scope)).toBe(false)
    expect(covers([scope], scope)).toBe(true)
  }
})

test('an event is read with the read scope of its segment', () => {
  expect(readScopeOf('api-keys.rotated')).toBe('api-keys:read')
})
