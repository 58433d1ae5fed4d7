// A webhook as callers see it, and the statistics of its deliveries.
import { Type, type Static } from 'typebox'
import { CrmKind } from './crm-entities.ts'
import { Payload, eventPatterns } from './event.ts'
import { Actor, Id, IdentityName, Timestamp, closed, nullable, resourceFields } from './shared-fields.ts'
import { accepted, shown, type References } from './references.ts'
import { filterValuesNaming } from './webhook-values.ts'

// When a webhook is given up: the dispatcher counts by it, the service tells of it.

/** After so many failed tries in a row, the first of them so long ago. */
export const failingDaysMax = 5

export const failuresMin = 20

/** Who subscribes is warned when both have come so far. */
export const warningPercents = [50, 90] as const

export const webhookUrlLengthMax = 2_048

export const WebhookFilterValuesInput = filterValuesNaming(accepted)
export const WebhookFilterValues = filterValuesNaming(shown)

const filterNaming = ({ project }: References, values: typeof WebhookFilterValues) =>
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
        description: 'Only events of these projects and of objects that belong to them.',
      }),
    ),
    changedFields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description:
          'Delivers `*.updated` events only if any of these fields changed. Other event types are not affected.',
      }),
    ),
    values: Type.Optional(values),
  })
const WebhookFilter = filterNaming(shown, WebhookFilterValues)
export type WebhookFilter = Static<typeof WebhookFilter>

/** Which deliveries of a webhook are sent one after the other. */
const DeliveryOrder = Type.Enum(['none', 'webhook', 'object'], {
  description:
    '`none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A change applies to later events. Default `none`.',
})

export const HeaderValues = Type.Record(
  Type.String(),
  Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x20-\\x7e]+$' }),
  {
    propertyNames: { type: 'string', format: 'webhook-header', maxLength: 100 },
    maxProperties: 20,
    description: 'Sent with every delivery. Values can be written, never read.',
  },
)

const fieldsNaming = ({ key }: References, filter: typeof WebhookFilter) => ({
  name: IdentityName,
  url: Type.String({
    format: 'iri',
    maxLength: webhookUrlLengthMax,
    description:
      'An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the host in punycode.',
  }),
  eventTypes: eventPatterns('Event types, all of a segment (`projects.*`), or all (`*`).'),
  filter: nullable(filter),
  ignoredKeyIds: Type.Array(key, {
    maxItems: 20,
    uniqueItems: true,
    description:
      'Changes made with these keys are not delivered, so that a sync does not receive its own writes. A rotated key keeps its id. Default: none.',
  }),
  includeImports: Type.Boolean({
    description: 'False: changes that are imports (events with `origin: "import"`) are not delivered. Default true.',
  }),
  payload: Payload,
  order: DeliveryOrder,
  maxPerMinute: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 6_000,
      description:
        'The maximum of deliveries a minute over time, retries and resent deliveries included. Others wait. Null means no limit.',
    }),
  ),
})

/** The fields that callers can set. */
export const writableFields = fieldsNaming(accepted, filterNaming(accepted, WebhookFilterValuesInput))

const Count = Type.Integer({ minimum: 0 })
const Percentile = nullable(Type.Integer({ minimum: 0, description: 'Null if there was no successful attempt.' }))

/**
 * Of the deliveries created in a span of time: how many have which state now, and how long receivers took to accept.
 */
const stats = {
  delivered: Count,
  failed: Type.Integer({ minimum: 0, description: 'Dead letters.' }),
  pending: Count,
  retrying: Type.Integer({ minimum: 0, description: 'Those of `pending` that have failed at least once.' }),
  p50Ms: Percentile,
  p95Ms: Percentile,
}
export type Stats = Static<typeof Stats>
const Stats = closed(stats)

/** A receiver that was unwell too often in a row is left alone for a while: its circuit is open. */
const Circuit = Type.Object(
  {
    state: Type.Enum(['closed', 'open', 'half_open'], {
      description:
        '`closed`: deliveries are sent. `open`: they wait without losing attempts. `half_open`: one delivery is sent as a probe.',
    }),
    openUntil: nullable(
      Type.String({ ...Timestamp, description: 'When the next probe is sent; null if the state is `closed`.' }),
    ),
  },
  {
    additionalProperties: false,
    description: 'The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response.',
  },
)
export type Circuit = Static<typeof Circuit>

export const healthStates = ['healthy', 'failing'] as const

/** How its receiver does at present. It is made of what is stored when it is read, and is never part of a version. */
const Health = Type.Object(
  {
    state: Type.Enum([...healthStates], {
      description:
        '`failing`: the last attempt failed, or the circuit is not closed. The next success makes it `healthy`.',
    }),
    failingSince: nullable(
      Type.String({ ...Timestamp, description: 'When the first failed attempt in a row began; null if `healthy`.' }),
    ),
    lastStatusCode: nullable(
      Type.Integer({ description: 'The status of the last response; null if `healthy`, or if there was no response.' }),
    ),
    lastErrorCode: nullable(
      Type.String({ maxLength: 40, description: 'Why the last attempt failed, as on a delivery; null if `healthy`.' }),
    ),
    nextAttemptAt: nullable(
      Type.String({
        ...Timestamp,
        description:
          'When the next delivery is attempted, not before the circuit lets it through; null if none waits, or the webhook is not active.',
      }),
    ),
    failedShare: nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'The share of the deliveries in `stats24h` that failed: dead letters, those that are retried and, while the state is `failing`, those that wait. Null if there are none.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The state of its endpoint, the next attempt, and what has failed.' },
)
export type Health = Static<typeof Health>

export const WebhookStatus = Type.Enum(['active', 'paused', 'disabled'])

/** They stay when the key that granted them is narrowed or revoked: the webhook belongs to the workspace. */
const Grants = closed({
  scopes: Type.Array(Type.String({ maxLength: 80 }), {
    description: 'Read scopes. Events that none of them covers are not delivered.',
  }),
  grantedBy: Actor,
  grantedAt: Timestamp,
})
export type Grants = Static<typeof Grants>

export const Webhook = closed({
  ...resourceFields('webhook'),
  ...fieldsNaming(shown, WebhookFilter),
  grants: Grants,
  headerNames: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
  status: WebhookStatus,
  disabledReason: nullable(Type.String({ maxLength: 200 })),
  secrets: Type.Array(closed({ id: Id, createdAt: Timestamp, expiresAt: nullable(Timestamp) })),
  consecutiveFailures: Count,
  circuit: Circuit,
  health: Health,
  stats24h: Stats,
})
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = closed({
  ...Webhook.properties,
  secret: Type.String({ maxLength: 80, description: 'Shown only in this response.' }),
})

export const ChangedWebhook = closed({
  ...Webhook.properties,
  secret: Type.Optional(
    Type.String({
      maxLength: 80,
      description: 'The new secret, if the host has changed. Shown only in this response.',
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
