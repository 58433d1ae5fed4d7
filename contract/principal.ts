// Who is calling, as the gateway settled it. It travels to the service in one header that only a holder of the
// internal secret can make; the service believes nothing else.
import { Type, type Static } from 'typebox'
import { Id, Timestamp, closed, nullable, type Actor } from './fields.ts'
import { KeyRefusal } from './key-policy.ts'

/** How every API key begins. */
export const keyLabel = 'wsk'

export const principalHeader = 'x-internal-principal'

/** How the operator's command line names itself, so that the audit log can tell it from the console. */
export const cliUserAgent = 'workspace-integration-api-cli'

/** Every header whose name starts so is ours: the gateway strips it from what callers send. */
export const internalHeaderPrefix = 'x-internal-'

export const Surface = Type.Enum(['http', 'mcp'])
export type Surface = Static<typeof Surface>

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

/** What the header holds. The signature also covers `callSigned`, so that it is good for one method and path only. */
export const SignedPrincipal = closed({
  principal: Principal,
  /** Milliseconds since 1970. */
  signedAt: Type.Integer(),
})
export type SignedPrincipal = Static<typeof SignedPrincipal>

/** How far the clocks of gateway and service may be apart, either way, the time on the wire included. */
export const principalValidMs = 30_000

/** The path as it is sent, without its query. */
export const callSigned = (method: string, path: string): string => `${method} ${path}`

export const actorOf = (principal: Principal): Actor => ({
  type: principal.kind === 'api_key' ? 'api_key' : 'system',
  id: principal.id,
  name: principal.name,
})

/** What the gateway must know of a key to judge a call. Asked of the service once, then remembered. */
export const KeyRecord = closed({
  id: Id,
  name: Type.String(),
  /** The workspaces that the key may act in: one for a bound key. */
  bound: Type.Boolean(),
  workspaces: Type.Array(closed({ id: Id, suspended: Type.Boolean(), refusals: Type.Array(KeyRefusal) })),
  scopes: Type.Array(Type.String()),
  surfaces: Type.Array(Surface),
  ipAllowlist: Type.Array(Type.String()),
  expiresAt: nullable(Timestamp),
  revokedAt: nullable(Timestamp),
  /** Of the secret that was presented, not of the newest one. */
  secret: closed({ createdAt: Timestamp, expiresAt: nullable(Timestamp) }),
  /** The key's own rotation policy. Those of its workspaces are among their refusals. */
  maxAgeDays: nullable(Type.Integer()),
})
export type KeyRecord = Static<typeof KeyRecord>

/** Broadcast when something that key records are made of has changed. */
export const KeyChange = closed({ kind: Type.Enum(['api-key', 'workspace']), id: Id })
export type KeyChange = Static<typeof KeyChange>
/** What has changed in the last moments, for gateways that ask: they cannot know what they did not hear. */
export const RecentKeyChanges = closed({
  changes: Type.Array(closed({ number: Type.String(), ...KeyChange.properties })),
  /** False: there were more than are told, and what is missing may have been about any key. */
  complete: Type.Boolean(),
})
export type RecentKeyChanges = Static<typeof RecentKeyChanges>
export const keyChangeChannel = (brand: string): string => `${brand}.key-changes`

/** What the gateway saw of a key's use since its last report. */
export const KeyUsage = closed({
  keyId: Id,
  requests: Type.Integer({ minimum: 1 }),
  lastUsedAt: Timestamp,
  lastUsedIp: Type.String({ maxLength: 64 }),
  lastUsedUserAgent: nullable(Type.String({ maxLength: 200 })),
})
export type KeyUsage = Static<typeof KeyUsage>

/** A call with a known key that a gateway refused; equal ones, close to each other, are counted in one. */
export const Denial = closed({
  keyId: Id,
  /** The workspace that was asked for, where it was settled before the refusal. */
  workspaceId: nullable(Id),
  code: Type.String({ maxLength: 60 }),
  /** Name of the operation; for MCP, and where none was found, null. */
  operation: nullable(Type.String({ maxLength: 80 })),
  surface: Surface,
  ip: nullable(Type.String({ maxLength: 64 })),
  userAgent: nullable(Type.String({ maxLength: 200 })),
  /** Of the first of them. */
  requestId: Type.String({ maxLength: 128 }),
  at: Timestamp,
  count: Type.Integer({ minimum: 1 }),
})
export type Denial = Static<typeof Denial>

/** Of one report; a gateway that has more sends another. */
export const denialsPerReportMax = 1_000

export const internalPaths = {
  denials: '/internal/denials',
  keyByHash: '/internal/keys',
  keyChanges: '/internal/key-changes',
  keyUsage: '/internal/key-usage',
  ready: '/internal/ready',
} as const
