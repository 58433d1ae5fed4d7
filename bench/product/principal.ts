// The header that tells the service who calls, for measuring the service without a gateway. The bench deploys the
// service and so has the secret that signs it. It is signed anew for each request, since a header is valid for a short
// time only.
import type { KeyObject } from 'node:crypto'
import { factsText, identityText, signedText, principalHeader, type Principal } from '#contract/internal/principal.ts'
import type { Surface } from '#contract/surface.ts'
import type { Scope } from '#contract/scopes.ts'
import { deriveKey, digestOf, macOf } from '#runtime/sealing-and-signing.ts'
import type { Deployment } from './settings.ts'

type Acting = {
  readonly scopes?: readonly Scope[]
  readonly surface?: Surface
  /** Of a key that exists: the audit log has no entry for the tool calls of another. */
  readonly keyId?: string | undefined
}

/** Fixed headers, or a caller for whom each request is signed. */
export type Sender = {
  readonly headers?: Readonly<Record<string, string>>
  readonly caller?: { readonly principal: Principal; readonly internalSecret: string }
}

const noKey = '01900000-0000-7000-8000-000000000000'

/** A key of this workspace. */
export function actingIn(
  workspaceId: string,
  { internalSecret }: Deployment,
  { scopes = ['projects:read', 'projects:write'], surface = 'http', keyId = noKey }: Acting = {},
): Sender {
  const principal: Principal = {
    kind: 'api_key',
    id: keyId,
    name: 'Bench',
    workspaceId,
    surface,
    scopes: [...scopes],
    requestId: 'bench',
    clientAddress: '127.0.0.1',
    quota: null,
  }
  return { caller: { principal, internalSecret } }
}

/** The headers of one request. */
export function headersOf({ headers = {}, caller }: Sender, method: string, path: string): Record<string, string> {
  if (caller === undefined) return headers
  const { principal, internalSecret } = caller
  const [identity, facts] = [identityText(principal), factsText(principal, Date.now())]
  const text = signedText(digestOf(identity), facts, method, path.split('?', 1)[0] ?? '')
  return { ...headers, [principalHeader]: `${identity};${facts};${macOf(keyFrom(internalSecret), text)}` }
}

const keys = new Map<string, KeyObject>()

/** Derived once, so that the load spends no time on it. */
function keyFrom(internalSecret: string): KeyObject {
  const key = keys.get(internalSecret) ?? deriveKey(internalSecret, 'principal')
  keys.set(internalSecret, key)
  return key
}
