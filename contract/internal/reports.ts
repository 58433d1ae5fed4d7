// What the gateways report to the service after the answer: use of keys, and calls that they refused.
import { Type, type Static } from 'typebox'
import { Surface } from '../surface.ts'
import { Id, Timestamp, closed, nullable } from '../shared-fields.ts'
import { AnsweredRequest, keptRequestsMax } from '../usage.ts'

/** The use of one key since the last report of this gateway. */
export const KeyUsage = closed({
  keyId: Id,
  requests: Type.Integer({ minimum: 1 }),
  lastUsedAt: Timestamp,
  lastUsedIp: Type.String({ maxLength: 64 }),
  lastUsedUserAgent: nullable(Type.String({ maxLength: 200 })),
})
export type KeyUsage = Static<typeof KeyUsage>

/**
 * The use of the secrets of one key that a rotation has replaced. A report of its own, as that of activity below: a
 * service of a release that does not know it answers 404.
 */
export const PreviousSecretUse = Type.Pick(KeyUsage, ['keyId', 'requests', 'lastUsedAt', 'lastUsedIp'], {
  additionalProperties: false,
})
export type PreviousSecretUse = Static<typeof PreviousSecretUse>

/** Keys in one report; a gateway that has more sends several reports. */
export const previousSecretsPerReportMax = 1_000

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

// How each key's requests were answered, as gateways report it. A report of its own beside that of the use of keys
// above: a service of a release that does not know it answers 404, the gateway keeps what it has, and the plain count
// of use is not held up.

/** Five buckets a decade (Renard's R5): the largest milliseconds that each takes. One more takes whatever is longer. */
export const latencyBoundsMs = [
  1, 1.6, 2.5, 4, 6.3, 10, 16, 25, 40, 63, 100, 160, 250, 400, 630, 1_000, 1_600, 2_500, 4_000, 6_300, 10_000, 16_000,
  25_000,
] as const
export const latencyBucketsCount = latencyBoundsMs.length + 1

/** In the order in which they are counted. 499, for a caller that has left, is one of 4xx. */
export const statusClasses = ['status2xx', 'status3xx', 'status4xx', 'status429', 'status5xx'] as const

/** The place in `statusClasses` at which a status is counted. */
export function placeOfStatus(status: number): number {
  if (status === 429) return 3
  if (status >= 500) return 4
  if (status >= 400) return 2
  return status >= 300 ? 1 : 0
}

/** The place of the bucket that takes a latency. */
export function placeOfLatency(ms: number): number {
  let at = 0
  while (at < latencyBoundsMs.length && ms > latencyBoundsMs[at]!) at++
  return at
}

const Counts = (length: number) => Type.Array(Type.Integer({ minimum: 0 }), { minItems: length, maxItems: length })

/** Of one key since this gateway last reported it. Refused requests are among them, whatever refused them. */
export const KeyActivity = closed({
  keyId: Id,
  /** When the last of them ended: they all count in its hour. */
  until: Timestamp,
  statuses: Counts(statusClasses.length),
  latency: Counts(latencyBucketsCount),
  operations: Type.Array(
    closed({
      operation: Type.String({ maxLength: 80 }),
      surface: Surface,
      requests: Type.Integer({ minimum: 1 }),
      failed: Type.Integer({ minimum: 0 }),
    }),
    { maxItems: 1_000 },
  ),
  /** The last of them. */
  requests: Type.Array(AnsweredRequest, { maxItems: keptRequestsMax }),
})
export type KeyActivity = Static<typeof KeyActivity>

/** Keys in one report; a gateway that has more sends several reports. */
export const keysPerActivityReportMax = 200

// How the attempts at a webhook are counted: as the requests of a key are, and those without an answer apart.

/** In the order in which they are counted, which stays as it is. */
export const attemptClasses = [...statusClasses, 'noAnswer'] as const
