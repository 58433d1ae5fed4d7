// Who is calling, as the service is told: the key or the operator, and what the gateway saw of the request. It travels
// in one signed header, which is made when a call is sent, anew for each attempt, so that no waiting uses up its time.
import { randomUUID, type KeyObject } from 'node:crypto'
import { callSigned, type Principal, type SignedPrincipal } from '#contract/internal/principal.ts'
import type { Surface } from '#contract/surface.ts'
import { scopes } from '#contract/scopes.ts'
import { addressText } from '#runtime/ip-address.ts'
import { sign } from '#runtime/sealing-and-signing.ts'
import type { IncomingCall } from '../request/incoming-call.ts'
import type { Key } from '../policies/key.ts'

/** What goes on to the service: who calls, and the query without what was meant for the gateway. */
export type Admitted = { readonly principal: Principal; readonly query: string }

export const keyPrincipal = ({ id, name, scopes: held }: Key, surface: Surface, call: IncomingCall): Principal => ({
  kind: 'api_key',
  id,
  name,
  scopes: [...held],
  surface,
  ...factsOf(call),
})

export const operatorPrincipal = (call: IncomingCall): Principal => ({
  kind: 'operator',
  id: 'operator',
  name: 'operator',
  scopes: [...scopes],
  surface: 'settings',
  ...factsOf(call),
})

/** The gateway itself, for its own calls to the service. */
export const gatewayPrincipal = (): Principal => ({
  kind: 'gateway',
  id: 'gateway',
  name: 'gateway',
  workspaceId: null,
  scopes: [],
  surface: 'internal',
  requestId: randomUUID(),
  clientAddress: '',
  quota: null,
})

/** Returns the header's value; it is good for this method and path, of which a query is no part, and for a short time. */
export type SignPrincipal = (principal: Principal, method: string, path: string) => string

export const principalSigner =
  (key: KeyObject): SignPrincipal =>
  (principal, method, path) => {
    const claim: SignedPrincipal = { principal, signedAt: Date.now() }
    return sign(key, claim, callSigned(method, path.split('?', 1)[0] ?? ''))
  }

const userAgentLengthMax = 200

const factsOf = ({ address, headers, context: { workspaceId, requestId, quota } }: IncomingCall) => ({
  workspaceId,
  requestId,
  clientAddress: address === null ? '' : addressText(address),
  userAgent: headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
  quota: quota?.key ?? null,
})
