// A caller as the gateway would have settled it, for measuring the service without a gateway: the bench deploys the
// service and so holds the secret that the header is signed with. It is signed for each request anew, as by a gateway:
// no header is good for long.
import type { KeyObject } from 'node:crypto'
import { callSigned, principalHeader, type Principal, type SignedPrincipal } from '#contract/internal/principal.ts'
import type { Surface } from '#contract/surface.ts'
import type { Scope } from '#contract/scope.ts'
import { deriveKey, sign } from '#runtime/sealing.ts'
import type { Deployment } from './settings.ts'

type Acting = { readonly scopes?: readonly Scope[]; readonly surface?: Surface }

/** Who sends a request: headers that are always the same, or a caller that is signed for. */
export type Sender = {
  readonly headers?: Readonly<Record<string, string>>
  readonly caller?: { readonly principal: Principal; readonly internalSecret: string }
}

/** A key of this workspace. */
export function actingIn(
  workspaceId: string,
  { internalSecret }: Deployment,
  { scopes = ['projects:read', 'projects:write'], surface = 'http' }: Acting = {},
): Sender {
  const principal: Principal = {
    ...{ kind: 'api_key', id: 'bench', name: 'Bench', workspaceId, surface },
    ...{ scopes: [...scopes], requestId: 'bench', clientAddress: '127.0.0.1', quota: null },
  }
  return { caller: { principal, internalSecret } }
}

/** The headers of one request. */
export function headersOf({ headers = {}, caller }: Sender, method: string, path: string): Record<string, string> {
  if (caller === undefined) return headers
  const claim: SignedPrincipal = { principal: caller.principal, signedAt: Date.now() }
  const context = callSigned(method, path.split('?', 1)[0] ?? '')
  return { ...headers, [principalHeader]: sign(keyFrom(caller.internalSecret), claim, context) }
}

const keys = new Map<string, KeyObject>()

/** Derived once: the load's own work is not to slow it down. */
function keyFrom(internalSecret: string): KeyObject {
  const key = keys.get(internalSecret) ?? deriveKey(internalSecret, 'principal')
  keys.set(internalSecret, key)
  return key
}
