// Who is calling, as the gateway has found out. It reaches the service in one signed header, which only holders of the
// internal secret can make; the service believes nothing else about the caller.
import { Type, type Static } from 'typebox'
import { Id, closed, nullable, type Actor } from '../shared-fields.ts'

export const principalHeader = 'x-internal-principal'

/** The gateway removes every header that starts with this from what callers send. */
export const internalHeaderPrefix = 'x-internal-'

export const Principal = closed({
  kind: Type.Enum(['api_key', 'operator', 'gateway']),
  /** Key id; the literal `operator` or `gateway` otherwise. */
  id: Type.String(),
  name: Type.String(),
  workspaceId: nullable(Id),
  scopes: Type.Array(Type.String()),
  surface: Type.Enum(['http', 'mcp', 'settings', 'internal']),
  requestId: Type.String(),
  clientAddress: Type.String(),
  userAgent: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  /** What is left of the key's rate limit, for `/me`. */
  quota: nullable(closed({ limit: Type.Integer(), remaining: Type.Integer(), resetSeconds: Type.Integer() })),
})
export type Principal = Static<typeof Principal>

/** The content of the header. The signature also covers `callSigned`, so that it is valid for one method and path only. */
export const SignedPrincipal = closed({
  principal: Principal,
  /** Milliseconds since 1970. */
  signedAt: Type.Integer(),
})
export type SignedPrincipal = Static<typeof SignedPrincipal>

/** How long a header is valid, before and after it was signed: clock skew and the time on the wire are in it. */
export const principalValidMs = 30_000

/** `path`: as it is sent, without its query. */
export const callSigned = (method: string, path: string): string => `${method} ${path}`

/** The actor that events and `createdBy` name. */
export const actorOf = (principal: Principal): Actor => ({
  type: principal.kind === 'api_key' ? 'api_key' : 'system',
  id: principal.id,
  name: principal.name,
})
