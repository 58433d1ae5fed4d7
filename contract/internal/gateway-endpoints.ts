import { Type, type Static } from 'typebox'
import { Surface, ToolNames } from '../surface.ts'
import { Id, Timestamp, closed, nullable, Name } from '../shared-fields.ts'
import { KeyRefusal } from '../key-policy.ts'
import { RateLimit } from '../rate-limits.ts'
import { Role } from '../roles.ts'

// Paths of the service that only the gateway calls.
export const internalPaths = {
  apiCalls: '/internal/api-calls',
  deniedCalls: '/internal/denials',
  keyActivity: '/internal/key-activity',
  keyByHash: '/internal/keys',
  keysByHash: '/internal/keys',
  keyChanges: '/internal/key-changes',
  keyUsage: '/internal/key-usage',
  previousSecretUse: '/internal/previous-secret-use',
  sessionByHash: '/internal/sessions',
  ready: '/internal/ready',
} as const

// What the gateway has to know of a key to judge a call.

/** The gateway asks the service for it once and caches it. */
export const KeyRecord = closed({
  id: Id,
  /** Each change of the key raises it. Missing from a service before this one, as are those of the workspaces. */
  version: Type.Optional(Type.Integer()),
  name: Type.String(),
  /** True: the key acts in one workspace only. */
  bound: Type.Boolean(),
  workspaces: Type.Array(
    closed({
      id: Id,
      version: Type.Optional(Type.Integer()),
      suspended: Type.Boolean(),
      refusals: Type.Array(KeyRefusal),
      /** Its plan. Null, or left out by a service of an older version: what holds for all. */
      rateLimit: Type.Optional(nullable(RateLimit)),
      /** Left out by a service of an older version: it is none. */
      sandbox: Type.Optional(Type.Boolean()),
    }),
  ),
  /** The key's own, as it was set. Null or left out likewise. */
  rateLimit: Type.Optional(nullable(RateLimit)),
  /** How tools are named over MCP. Left out by a service of an older version: by the client. */
  toolNames: Type.Optional(ToolNames),
  scopes: Type.Array(Type.String()),
  surfaces: Type.Array(Surface),
  ipAllowlist: Type.Array(Type.String()),
  expiresAt: nullable(Timestamp),
  revokedAt: nullable(Timestamp),
  /** The member who holds it is suspended. Left out by a service of an older version. */
  suspended: Type.Optional(Type.Boolean()),
  /** Of the secret that was presented, not of the newest one. */
  secret: closed({ createdAt: Timestamp, expiresAt: nullable(Timestamp) }),
  /** The key's own rotation policy. Those of its workspaces are among their refusals. */
  maxAgeDays: nullable(Type.Integer()),
})
export type KeyRecord = Static<typeof KeyRecord>

/** Of as many hashes, in their order; null where no key has one. */
export type KeyRecords = { readonly keys: readonly (KeyRecord | null)[] }
export const keysPerQuestionMax = 100

// How gateways learn that a key, or the policy of a workspace, has changed. They drop what they have cached of it and
// end the streams that are open with it, as they end those of a person whose session has ended or whose membership has
// changed.

/**
 * Published to all gateways when something that key records are made of has changed. Sessions and members are written
 * down by the database itself, by any program, and found by polls.
 */
export const KeyChange = closed({
  kind: Type.Enum(['api-key', 'workspace', 'session', 'member']),
  id: Id,
  /** Which version of it the change made. Missing where a service before this one has made it. */
  version: Type.Optional(Type.Integer()),
})
export type KeyChange = Static<typeof KeyChange>

/** The latest changes, for gateways that poll: a published change can be lost. */
export const RecentKeyChanges = closed({
  changes: Type.Array(closed({ number: Type.String(), ...KeyChange.properties })),
  /** False: there were more, about any key, so that everything cached is void. */
  complete: Type.Boolean(),
  /** Another one once the installation was restored from a backup: then everything is void, versions included. */
  epoch: Type.Optional(Type.Union([Type.Null(), Id])),
})
export type RecentKeyChanges = Static<typeof RecentKeyChanges>

/** Name of the Redis channel. */
export const keyChangeChannel = (brand: string): string => `${brand}.key-changes`

// What the gateway has to know of a session to judge a call, and how the service has it give the caller a session.

/** Asked for anew with every call, so that a session that was ended is refused at once. */
export const SessionRecord = closed({
  id: Id,
  account: closed({ id: Id, name: Name }),
  confirmedUntil: nullable(Timestamp),
  /** In the workspace that was asked for. Null where the account is no active member of it, and where none was. */
  member: nullable(
    closed({
      id: Id,
      name: Name,
      role: Role,
      suspended: Type.Boolean(),
      /** The workspace requires one, and the person has none. Missing from a service before this one. */
      lacksSecondFactor: Type.Optional(Type.Boolean()),
    }),
  ),
})
export type SessionRecord = Static<typeof SessionRecord>

/** Header of the service's answer: the token that the caller's cookie is to hold, or `sessionEnded`. */
export const sessionHeader = 'x-internal-session'
export const sessionEnded = 'ended'

/** Both ways: the cookie by which a service knows a browser again (service/identity/accounts/known-browsers.ts). */
export const browserHeader = 'x-internal-browser'
