import { expect, test } from 'vitest'
import { checkHasScopes, checkScope } from '../../../gateway/auth/key-policies.ts'
import { codeOf, keyOf } from '../support/checks.ts'

test('a key without any scope may do nothing', () => {
  expect(codeOf(() => checkHasScopes(keyOf({ scopes: [] })))).toBe('api_key_has_no_scopes')
})

test('writing includes reading, and not deleting', () => {
  const writer = keyOf({ scopes: ['projects:write'] })
  expect(codeOf(() => checkScope(writer, 'projects:read'))).toBe('passes')
  expect(codeOf(() => checkScope(writer, 'projects:delete'))).toBe('insufficient_scope')
  expect(codeOf(() => checkScope(writer, null))).toBe('passes')
})
