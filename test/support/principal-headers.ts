// The signed header by which the gateway tells the service who calls, for tests that call the service themselves.
import type { KeyObject } from 'node:crypto'
import { callSigned, principalHeader, type Principal, type SignedPrincipal } from '#contract/internal/principal.ts'
import { sign } from '#runtime/sealing-and-signing.ts'

export function principalHeaders(
  key: KeyObject,
  principal: Principal,
  method: string,
  url: string,
  signedAt = Date.now(),
): Record<string, string> {
  const claim: SignedPrincipal = { principal, signedAt }
  return { [principalHeader]: sign(key, claim, callSigned(method, url.split('?', 1)[0] ?? '')) }
}
