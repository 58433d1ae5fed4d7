// Who calls, and the signed header by which the gateway tells the service so.
import type { KeyObject } from 'node:crypto'
import { factsText, identityText, signedText, principalHeader, type Principal } from '#contract/internal/principal.ts'
import { digestOf, macOf } from '#runtime/sealing-and-signing.ts'

export function principalHeaders(
  key: KeyObject,
  principal: Principal,
  method: string,
  url: string,
  signedAt = Date.now(),
) {
  const [identity, facts] = [identityText(principal), factsText(principal, signedAt)]
  const mac = macOf(key, signedText(digestOf(identity), facts, method, url.split('?', 1)[0] ?? ''))
  return { [principalHeader]: `${identity};${facts};${mac}` }
}

/** No row of its own, but of the form that ids of keys have. */
export const keyId = '0190b000-0000-7000-8000-000000000001'

/** A key without scopes over HTTP, unless it is said otherwise. */
export const principalWith = (more: Partial<Principal> = {}): Principal => ({
  kind: 'api_key',
  id: keyId,
  name: 'Test',
  workspaceId: null,
  scopes: [],
  surface: 'http',
  requestId: 'r',
  clientAddress: '127.0.0.1',
  quota: null,
  ...more,
})
