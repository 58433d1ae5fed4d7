import { expect, test } from 'vitest'
import { checkSurface } from '../../../gateway/auth/key-policies.ts'
import { codeOf, keyOf } from '../support/checks.ts'

test('a key for HTTP alone is not for MCP', () => {
  expect(codeOf(() => checkSurface(keyOf({ surfaces: ['http'] }), 'mcp'))).toBe('surface_not_allowed')
})
