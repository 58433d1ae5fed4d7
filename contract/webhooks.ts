// Webhooks: subscriptions of a workspace to its own events.
import { Type } from 'typebox'
import { event, systemEvent } from './event.ts'
import { ExpectedVersion, Id, closed, optional } from './fields.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './page.ts'
import { HeaderValues, Webhook, WebhookStats, WebhookStatus, WebhookWithSecret, writable } from './webhook.ts'

export const webhookTest = event('webhooks.test', Webhook, 'Somebody asked for a test delivery.')
export const webhookDisabled = systemEvent(
  'webhooks.disabled',
  Webhook,
  'A webhook was disabled: its receiver is gone, or failed for days.',
)

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
    name: writable.name,
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
