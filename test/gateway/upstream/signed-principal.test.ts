// What the gateway signs is what the service reads, whatever is kept of the calls before.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Principal } from '#contract/internal/principal.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { principalSigner } from '../../../gateway/upstream/signed-principal.ts'
import { principalFromHeader } from '../../../service/http/principal.ts'

const key = deriveKey('a secret of at least thirty-two characters', 'principal')
const heldByKeys = [['projects:read'], ['projects:read', 'webhooks:write'], []]
const workspaces = Array.from({ length: 20 }, (_, at) => `0190a000-0000-7000-8000-0000000000${10 + at}`)

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const count = fc.nat(1_000_000)
const principals = fc.record<Principal>({
  kind: fc.constantFrom('api_key', 'operator', 'gateway'),
  id: fc.constantFrom('a', 'b'),
  name: fc.constantFrom('Sync', 'Zoë', 'a;b.c'),
  workspaceId: fc.constantFrom(null, ...workspaces),
  scopes: fc.constantFrom(...heldByKeys),
  surface: fc.constantFrom('http', 'mcp', 'settings', 'internal'),
  requestId: text,
  clientAddress: fc.constantFrom('', '127.0.0.1', '2001:db8::1'),
  userAgent: fc.oneof(fc.constant(null), text.filter(Boolean)),
  quota: fc.oneof(fc.constant(null), fc.record({ limit: count, remaining: count, resetSeconds: count })),
})

test('each principal comes back as it was, with the calls of others before it', () => {
  const signed = principalSigner(key)
  const property = fc.property(fc.array(principals, { minLength: 1, maxLength: 40 }), (calls) => {
    for (const principal of calls) {
      const header = signed(principal, 'GET', '/api/v1/me?limit=1')
      const call = { method: 'GET', path: '/api/v1/me', header }

      expect(header).toMatch(/^[\x21-\x7e]+$/)
      expect(principalFromHeader(call, key, Date.now())).toEqual(principal)
    }
  })
  fc.assert(property)
})
