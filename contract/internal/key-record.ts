// What the gateway has to know of a key to judge a call.
import { Type, type Static } from 'typebox'
import { Surface, ToolNames } from '../surface.ts'
import { Id, Timestamp, closed, nullable } from '../shared-fields.ts'
import { KeyRefusal } from '../key-policy.ts'
import { RateLimit } from '../rate-limits.ts'

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
