// Webhooks: subscriptions of a workspace to its own events.
import { Type, type Static } from 'typebox'
import { CrmKind } from './crm-kinds.ts'
import { Payload, event, systemEvent } from './event.ts'
import { ExpectedVersion, Id, Name, Timestamp, closed, nullable, optional, stored } from './fields.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './page.ts'

/** A kind of event, all of a segment (`projects.*`), or all (`*`). */
const EventPattern = Type.String({ format: 'event-pattern', maxLength: 100 })

const Filter = closed({
  kinds: Type.Optional(
    Type.Array(CrmKind, {
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      description: 'Only events of CRM entities of these kinds.',
    }),
  ),
  projectIds: Type.Optional(
    Type.Array(Id, {
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
export type WebhookFilter = Static<typeof Filter>

const HeaderValues = Type.Record(
  Type.String(),
  Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x20-\\x7e]+$' }),
  {
    propertyNames: { type: 'string', format: 'webhook-header', maxLength: 100 },
    maxProperties: 20,
    description: 'Sent with every delivery. Values can be written, never read.',
  },
)

const writable = {
  name: Name,
  url: Type.String({ format: 'uri', maxLength: 2_048, description: 'https, on a public address.' }),
  events: Type.Array(EventPattern, { minItems: 1, maxItems: 50, uniqueItems: true }),
  filter: nullable(Filter),
  payload: Payload,
}

const Count = Type.Integer({ minimum: 0 })
const Percentile = nullable(Type.Integer({ minimum: 0, description: 'Null where there was no successful attempt.' }))

/** Of the deliveries made in a span of time: how many there are by now, and how long receivers took to accept them. */
const stats = { delivered: Count, failed: Count, pending: Count, p50Ms: Percentile, p95Ms: Percentile }
export type Stats = Static<typeof Stats>
const Stats = closed(stats)

export const WebhookStatus = Type.Enum(['active', 'paused', 'disabled'])

export const Webhook = closed({
  ...stored('webhook'),
  ...writable,
  headerNames: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
  status: WebhookStatus,
  disabledReason: nullable(Type.String({ maxLength: 200 })),
  secrets: Type.Array(closed({ id: Id, createdAt: Timestamp, expiresAt: nullable(Timestamp) })),
  consecutiveFailures: Count,
  stats24h: Stats,
})
export type Webhook = Static<typeof Webhook>

const WebhookWithSecret = closed({
  ...Webhook.properties,
  secret: Type.String({ maxLength: 80, description: 'Shown in this answer only.' }),
})

export const webhookTest = event('webhooks.test', Webhook, 'Somebody asked for a test delivery.')
export const webhookDisabled = systemEvent(
  'webhooks.disabled',
  Webhook,
  'A webhook was disabled: its receiver is gone, or failed for days.',
)

export const WebhookStats = closed({
  object: Type.Literal('webhook_stats'),
  webhookId: Id,
  from: Timestamp,
  to: Timestamp,
  total: Stats,
  hours: Type.Array(closed({ from: Timestamp, ...stats }), { minItems: 24, maxItems: 24 }),
})
export type WebhookStats = Static<typeof WebhookStats>

const audiences = ['api', 'settings'] as const

export const listWebhooks = operation({
  name: 'webhooks.list',
  http: 'GET /webhooks',
  summary: 'List webhooks',
  description: 'Newest first.',
  audiences,
  scope: 'webhooks:read',
  input: closed({
    ...pageInput,
    status: Type.Optional(Type.Array(WebhookStatus, { minItems: 1, maxItems: 3, description: 'Any of these.' })),
    eventType: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Subscribed to this kind, by name or by pattern.' }),
    ),
  }),
  output: pageOf(Webhook),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch'],
})

export const getWebhook = operation({
  name: 'webhooks.get',
  http: 'GET /webhooks/{id}',
  summary: 'Get a webhook',
  description: 'One webhook by its id.',
  audiences,
  scope: 'webhooks:read',
  input: closed({ id: Id }),
  output: Webhook,
  success: 200,
  errors: ['not_found'],
})

export const getWebhookStats = operation({
  name: 'webhooks.stats',
  http: 'GET /webhooks/{id}/stats',
  summary: 'Get the last 24 hours of a webhook',
  description:
    'Deliveries by the hour in which they were made, oldest first, the current hour last. Percentiles are of how long the receiver took to accept one; in hours with very many deliveries, of the newest of them.',
  audiences,
  scope: 'webhooks:read',
  input: closed({ id: Id }),
  output: WebhookStats,
  success: 200,
  errors: ['not_found'],
})

export const createWebhook = operation({
  name: 'webhooks.create',
  http: 'POST /webhooks',
  summary: 'Create a webhook',
  description:
    'The signing secret is in this answer and nowhere else. A key can subscribe only to events that it may read.',
  audiences,
  scope: 'webhooks:write',
  input: closed({
    ...optional(writable),
    name: Name,
    url: writable.url,
    events: writable.events,
    headers: Type.Optional(HeaderValues),
  }),
  output: WebhookWithSecret,
  success: 201,
  errors: ['insufficient_scope', 'limit_reached'],
  audited: true,
})

export const updateWebhook = operation({
  name: 'webhooks.update',
  http: 'PATCH /webhooks/{id}',
  summary: 'Change a webhook',
  description: 'A JSON Merge Patch. `headers`, if given, replaces them all.',
  audiences,
  scope: 'webhooks:write',
  input: closed({
    id: Id,
    expectedVersion: Type.Optional(ExpectedVersion),
    ...optional(writable),
    headers: Type.Optional(HeaderValues),
  }),
  output: Webhook,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'version_mismatch'],
  audited: true,
})

export const deleteWebhook = operation({
  name: 'webhooks.delete',
  http: 'DELETE /webhooks/{id}',
  summary: 'Delete a webhook',
  description: 'Deliveries that wait are cancelled. Deleting it again changes nothing.',
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'version_mismatch'],
  audited: true,
})

export const rotateWebhookSecret = operation({
  name: 'webhooks.rotate-secret',
  http: 'POST /webhooks/{id}/rotate-secret',
  summary: 'Give a webhook a new signing secret',
  description: 'For `overlapHours` every delivery is signed with the old secret as well.',
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id, overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: 168, default: 24 })) }),
  output: WebhookWithSecret,
  success: 200,
  errors: ['not_found', 'limit_reached'],
  audited: true,
})

export const pauseWebhook = operation({
  name: 'webhooks.pause',
  http: 'POST /webhooks/{id}/pause',
  summary: 'Pause a webhook',
  description: 'Deliveries wait until it is enabled again, 72 hours at most.',
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id }),
  output: Webhook,
  success: 200,
  errors: ['not_found', 'invalid_transition'],
  audited: true,
})

export const enableWebhook = operation({
  name: 'webhooks.enable',
  http: 'POST /webhooks/{id}/enable',
  summary: 'Enable a paused or disabled webhook',
  description: 'Deliveries that waited are sent. The count of failures starts anew.',
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id }),
  output: Webhook,
  success: 200,
  errors: ['not_found'],
  audited: true,
})

export const testWebhook = operation({
  name: 'webhooks.test',
  http: 'POST /webhooks/{id}/test',
  summary: 'Send a test delivery',
  description: 'Signed and sent like a real one, to this webhook alone.',
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id }),
  output: closed({ eventId: Id }),
  success: 202,
  errors: ['not_found', 'invalid_transition'],
  emits: [webhookTest],
})
