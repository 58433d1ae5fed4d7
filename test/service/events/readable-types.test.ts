import { expect, test } from 'vitest'
import { assertReadable } from '../../../service/events/readable-types.ts'

test('a subscription takes what its maker may read', () => {
  expect(() => assertReadable(['projects.*', 'webhooks.test'], ['projects:read', 'webhooks:write'])).not.toThrow()
})

test('a subscription to more is refused, with the scopes that lack', () => {
  expect(() => assertReadable(['api-keys.*', 'webhooks.*', 'projects.*'], ['projects:read'])).toThrow(
    expect.objectContaining({
      code: 'insufficient_scope',
      members: { requiredScopes: ['api-keys:read', 'webhooks:read'] },
    }),
  )
})
