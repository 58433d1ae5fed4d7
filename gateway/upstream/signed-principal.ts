// The principal of a call, as the service is told: the key, the person or the operator, and what the gateway saw of the
// request. It travels in one signed header, made when a call is sent, anew for each attempt, so that no waiting uses up
// its time.
import { randomUUID, type KeyObject } from 'node:crypto'
import { factsText, identityText, signedText, type Principal } from '#contract/internal/principal.ts'
import { scopesOfRole } from '#contract/roles.ts'
import type { SessionRecord } from '#contract/internal/gateway-endpoints.ts'
import type { Surface } from '#contract/surface.ts'
import { scopes } from '#contract/scopes.ts'
import { addressText } from '#runtime/ip-address.ts'
import { digestOf, macOf } from '#runtime/sealing-and-signing.ts'
import type { IncomingCall } from '../request/request-context.ts'
import { pathOf } from '../request/request-head.ts'
import type { Key } from '../keys/key.ts'

const allScopes: string[] = [...scopes]
const noScopes: string[] = []

/**
 * What goes on to the service: who calls, the query without what was meant for the gateway, and what the gateway tells
 * of the call in headers of its own (`x-internal-…`).
 */
export type Admitted = {
  readonly principal: Principal
  readonly query: string
  readonly told?: Readonly<Record<string, string>>
}

export const keyPrincipal = ({ id, name, scopes: held }: Key, surface: Surface, call: IncomingCall): Principal => ({
  kind: 'api_key',
  id,
  name,
  scopes: held,
  surface,
  ...factsOf(call),
})

/** A person who is signed in: in a workspace as its member. */
export const personPrincipal = (
  { id, account, member, confirmedUntil }: SessionRecord,
  workspaceId: string | null,
  call: IncomingCall,
): Principal => {
  const isMember = workspaceId !== null && member !== null
  const { id: ofWho, name } = isMember ? member : account
  const role = isMember ? { role: member.role } : {}
  return {
    kind: isMember ? 'member' : 'account',
    id: ofWho,
    name,
    surface: 'settings',
    scopes: isMember ? [...scopesOfRole(member.role)] : noScopes,
    session: { id, ...role, isConfirmed: confirmedUntil !== null && Date.parse(confirmedUntil) > Date.now() },
    ...factsOf(call),
    workspaceId: isMember ? workspaceId : null,
  }
}

/** A person who is not signed in. */
export const visitorPrincipal = (call: IncomingCall): Principal => ({
  kind: 'visitor',
  id: 'visitor',
  name: 'Visitor',
  scopes: noScopes,
  surface: 'settings',
  ...factsOf(call),
})

export const operatorPrincipal = (call: IncomingCall): Principal => ({
  kind: 'operator',
  id: 'operator',
  name: 'operator',
  scopes: allScopes,
  surface: 'settings',
  ...factsOf(call),
})

/** The gateway itself, for its own calls to the service. */
export const gatewayPrincipal = (): Principal => ({
  kind: 'gateway',
  id: 'gateway',
  name: 'gateway',
  workspaceId: null,
  scopes: noScopes,
  surface: 'internal',
  requestId: randomUUID(),
  clientAddress: '',
  quota: null,
})

/**
 * Returns the header's value; it is good for this method and path, of which a query is no part, and for a short time.
 */
export type SignPrincipal = (principal: Principal, method: string, path: string) => string

export function principalSigner(key: KeyObject): SignPrincipal {
  const identityOf = identityTexts()
  return (principal, method, path) => {
    const { text, digest } = identityOf(principal)
    const facts = factsText(principal, Date.now())
    return `${text};${facts};${macOf(key, signedText(digest, facts, method, pathOf(path)))}`
  }
}

type IdentityText = Pick<Principal, 'kind' | 'id' | 'name' | 'workspaceId' | 'surface'> & {
  readonly text: string
  readonly digest: string
}

/** Of workspaces in which a key acts in turn. */
const textsEach = 16

/**
 * Kept with the array of the key's scopes, of which each version of a key has its own: so the texts go when the version
 * does, and are never more than the keys that the gateway holds.
 */
function identityTexts(): (principal: Principal) => IdentityText {
  const kept = new WeakMap<readonly string[], IdentityText[]>()
  return (principal) => {
    const { kind, id, name, workspaceId, scopes, surface, session } = principal
    // Of few calls each, and none of them is as another.
    if (session !== undefined) return textOf(principal)
    const texts = kept.get(scopes) ?? []
    for (const known of texts) {
      const isSameKey = known.id === id && known.name === name && known.kind === kind
      if (isSameKey && known.workspaceId === workspaceId && known.surface === surface) return known
    }
    const made = textOf(principal)
    kept.set(scopes, [...texts.slice(1 - textsEach), made])
    return made
  }
}

function textOf(principal: Principal): IdentityText {
  const { kind, id, name, workspaceId, surface } = principal
  const text = identityText(principal)
  return { kind, id, name, workspaceId, surface, text, digest: digestOf(text) }
}

const userAgentLengthMax = 200

const factsOf = ({ address, headers, context: { workspaceId, requestId, quota } }: IncomingCall) => ({
  workspaceId,
  requestId,
  clientAddress: address === null ? '' : addressText(address),
  userAgent: headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
  quota: quota?.key ?? null,
})
