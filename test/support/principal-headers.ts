// The header by which the gateway says who calls, for tests that stand in for it or for somebody who overheard it.
import type { KeyObject } from 'node:crypto'
import { callSigned, principalHeader, type Principal, type SignedPrincipal } from '#contract/internal/principal.ts'
import { sign } from '#runtime/sealing.ts'

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
