import { expect, test } from 'vitest'
import { covers, readScopeOf, scopes, type Scope } from '#contract/scopes.ts'

test.each<[string, Scope, Scope, boolean]>([
  ['write implies read of the same segment', 'projects:write', 'projects:read', true],
  ['delete does, too', 'projects:delete', 'projects:read', true],
  ['write implies no read of another', 'projects:write', 'webhooks:read', false],
  ['read implies nothing', 'projects:read', 'projects:write', false],
  ['write does not imply delete', 'projects:write', 'projects:delete', false],
])('%s', (_rule, held, asked, isCovered) => {
  expect(covers([held], asked)).toBe(isCovered)
})

test('no scopes cover nothing, and every scope covers itself', () => {
  for (const scope of scopes) expect([covers([], scope), covers([scope], scope)]).toEqual([false, true])
})

test('an event is read with the read scope of its segment', () => {
  expect(readScopeOf('api-keys.rotated')).toBe('api-keys:read')
})
