// A webhook as callers see it, and the statistics of its deliveries.
import { Type, type Static } from 'typebox'
import { CrmKind } from './crm-entity-schema.ts'
import { Payload } from './event-envelope.ts'
import { eventPatterns } from './event-patterns.ts'
import { Actor, Id, Name, Timestamp, closed, nullable, resourceFields } from './shared-fields.ts'
import { accepted, shown, type References } from './references.ts'
import { webhookUrlLengthMax } from './size-limits.ts'

const filterNaming = ({ project }: References) =>
  closed({
    kinds: Type.Optional(
      Type.Array(CrmKind, {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description: 'Only events of CRM entities of these kinds.',
      }),
    ),
    projectIds: Type.Optional(
      Type.Array(project, {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Only events of these projects, and of what belongs to them.',
      }),
    ),
    changedFields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'Only changes of any of these fields.',
      }),
    ),
  })
export type WebhookFilter = Static<ReturnType<typeof filterNaming>>

export const HeaderValues = Type.Record(
  Type.String(),
  Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x20-\\x7e]+$' }),
  {
    propertyNames: { type: 'string', format: 'webhook-header', maxLength: 100 },
    maxProperties: 20,
    description: 'Sent with every delivery. Values can be written, never read.',
  },
)

const fieldsNaming = (references: References) => ({
  name: Name,
  url: Type.String({
    format: 'iri',
    maxLength: webhookUrlLengthMax,
    description: 'https, on a public address. Shown as it is called: the host in punycode.',
  }),
  eventTypes: eventPatterns('Kinds of events, all of a segment (`projects.*`), or all (`*`).'),
  filter: nullable(filterNaming(references)),
  payload: Payload,
})

/** The fields that callers can set. */
export const writableFields = fieldsNaming(accepted)

const Count = Type.Integer({ minimum: 0 })
const Percentile = nullable(Type.Integer({ minimum: 0, description: 'Null where there was no successful attempt.' }))

/** Of the deliveries created in a span of time: how many have which state now, and how long receivers took to accept. */
const stats = { delivered: Count, failed: Count, pending: Count, p50Ms: Percentile, p95Ms: Percentile }
export type Stats = Static<typeof Stats>
const Stats = closed(stats)

export const WebhookStatus = Type.Enum(['active', 'paused', 'disabled'])

/** They stay when the key that granted them is narrowed or revoked: the webhook belongs to the workspace. */
const Grants = closed({
  scopes: Type.Array(Type.String({ maxLength: 80 }), {
    description: 'Read scopes. Events of kinds that none of them covers are not delivered.',
  }),
  grantedBy: Actor,
  grantedAt: Timestamp,
})
export type Grants = Static<typeof Grants>

export const Webhook = closed({
  ...resourceFields('webhook'),
  ...fieldsNaming(shown),
  grants: Grants,
  headerNames: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
  status: WebhookStatus,
  disabledReason: nullable(Type.String({ maxLength: 200 })),
  secrets: Type.Array(closed({ id: Id, createdAt: Timestamp, expiresAt: nullable(Timestamp) })),
  consecutiveFailures: Count,
  stats24h: Stats,
})
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = closed({
  ...Webhook.properties,
  secret: Type.String({ maxLength: 80, description: 'Shown in this answer only.' }),
})

export const ChangedWebhook = closed({
  ...Webhook.properties,
  secret: Type.Optional(
    Type.String({
      maxLength: 80,
      description: 'Where the host has changed: the new secret. Shown in this answer only.',
    }),
  ),
})

export const WebhookStats = closed({
  object: Type.Literal('webhook_stats'),
  webhookId: Id,
  from: Timestamp,
  to: Timestamp,
  total: Stats,
  hours: Type.Array(closed({ from: Timestamp, ...stats }), { minItems: 24, maxItems: 24 }),
})
export type WebhookStats = Static<typeof WebhookStats>
