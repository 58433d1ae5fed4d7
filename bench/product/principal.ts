// A caller as the gateway would have settled it, for measuring the service without a gateway: the bench deploys the
// service and so holds the secret that the header is signed with.
import { principalHeader, type Principal, type Surface } from '#contract/principal.ts'
import type { Scope } from '#contract/scope.ts'
import { deriveKey, sign } from '#runtime/sealing.ts'
import type { Deployment } from './settings.ts'

type Acting = { readonly scopes?: readonly Scope[]; readonly surface?: Surface }

/** Headers of a call with a key of this workspace. */
export function actingIn(
  workspaceId: string,
  { internalSecret }: Deployment,
  { scopes = ['projects:read', 'projects:write'], surface = 'http' }: Acting = {},
): Record<string, string> {
  const principal: Principal = {
    ...{ kind: 'api_key', id: 'bench', name: 'Bench', workspaceId, surface },
    ...{ scopes: [...scopes], requestId: 'bench', clientAddress: '127.0.0.1', quota: null },
  }
  return { [principalHeader]: sign(deriveKey(internalSecret, 'principal'), principal) }
}
