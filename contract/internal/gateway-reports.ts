// What the gateways report to the service after the answer: use of keys, and calls that they refused.
import { Type, type Static } from 'typebox'
import { Surface } from '../surface.ts'
import { Id, Timestamp, closed, nullable } from '../shared-fields.ts'

/** The use of one key since the last report of this gateway. */
export const KeyUsage = closed({
  keyId: Id,
  requests: Type.Integer({ minimum: 1 }),
  lastUsedAt: Timestamp,
  lastUsedIp: Type.String({ maxLength: 64 }),
  lastUsedUserAgent: nullable(Type.String({ maxLength: 200 })),
})
export type KeyUsage = Static<typeof KeyUsage>

/** A call with a known key that a gateway refused. Equal ones, close to each other, are one with their `count`. */
export const DeniedCall = closed({
  keyId: Id,
  /** The workspace of the call; null if it was refused before that was known. */
  workspaceId: nullable(Id),
  code: Type.String({ maxLength: 60 }),
  /** Name of the operation. Null over MCP, and if no operation has this path. */
  operation: nullable(Type.String({ maxLength: 80 })),
  surface: Surface,
  ip: nullable(Type.String({ maxLength: 64 })),
  userAgent: nullable(Type.String({ maxLength: 200 })),
  /** Of the first of the equal calls. */
  requestId: Type.String({ maxLength: 128 }),
  at: Timestamp,
  count: Type.Integer({ minimum: 1 }),
})
export type DeniedCall = Static<typeof DeniedCall>

/** Entries in one report; a gateway that has more sends several reports. */
export const deniedCallsPerReportMax = 1_000
