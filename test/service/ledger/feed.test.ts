import { expect, test } from 'vitest'
import { assertReadable } from '../../../service/ledger/feed.ts'

test('a caller may subscribe to the events that he may read', () => {
  expect(() => assertReadable(['projects.*', 'webhooks.test'], ['projects:read', 'webhooks:write'])).not.toThrow()
})

test('a subscription to other events is refused with the missing scopes', () => {
  expect(() => assertReadable(['api-keys.*', 'webhooks.*', 'projects.*'], ['projects:read'])).toThrow(
    expect.objectContaining({
      code: 'insufficient_scope',
      members: { requiredScopes: ['api-keys:read', 'webhooks:read'] },
    }),
  )
})
