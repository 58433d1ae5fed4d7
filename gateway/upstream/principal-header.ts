// Who calls, signed for one call to the service and for a short time. It is made where the call is sent, once for each
// attempt, so that no waiting before it uses up its time.
import type { KeyObject } from 'node:crypto'
import { callSigned, principalHeader, type Principal, type SignedPrincipal } from '#contract/principal.ts'
import { sign } from '#runtime/sealing.ts'

/** `path` may have a query: it is not part of what is signed. */
export type SignPrincipal = (
  principal: Principal,
  method: string,
  path: string,
) => { readonly [header: string]: string }

export const principalSigner =
  (key: KeyObject): SignPrincipal =>
  (principal, method, path) => {
    const claim: SignedPrincipal = { principal, signedAt: Date.now() }
    return { [principalHeader]: sign(key, claim, callSigned(method, path.split('?', 1)[0] ?? '')) }
  }
