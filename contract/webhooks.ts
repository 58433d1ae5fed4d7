// Webhooks, subscriptions of a workspace to its own events: their own events, and the operations on them.
import { Type } from 'typebox'
import { eventPatterns, systemEvent, event } from './event.ts'
import { ExpectedVersion, Id, Timestamp, closed, nullable, optional } from './shared-fields.ts'
import { clearable } from './json-schema.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import {
  ChangedWebhook,
  HeaderValues,
  healthStates,
  Webhook,
  WebhookStats,
  WebhookStatus,
  WebhookWithSecret,
  writableFields,
  failuresMin,
  warningPercents,
  webhookUrlLengthMax,
} from './webhook-schema.ts'
import { scopes } from './scopes.ts'

export const webhooksTag = tag('webhooks', 'Endpoints that receive events, and the events that each receives.')

export const webhookDisabled = systemEvent(
  'webhooks.disabled',
  Webhook,
  'A webhook was disabled: its endpoint is gone, or failed for days.',
)

const FailingWebhook = closed({
  ...Webhook.properties,
  failing: Type.Object(
    {
      percent: Type.Integer({
        minimum: Math.min(...warningPercents),
        maximum: Math.max(...warningPercents),
        description: `Percent of the time until it is disabled: ${warningPercents.join(' or ')}.`,
      }),
      since: Type.String({ ...Timestamp, description: 'When the first of the failed attempts began.' }),
      failedTries: Type.Integer({ minimum: 1, description: 'In a row.' }),
      disabledFrom: Type.String({
        ...Timestamp,
        description: `A failure at this time or later disables it, if ${failuresMin} attempts in a row have failed.`,
      }),
    },
    { additionalProperties: false, description: 'How close it is to being disabled. A success resets it.' },
  ),
})

export const webhookFailing = systemEvent(
  'webhooks.failing',
  FailingWebhook,
  'A webhook has failed for half the time after which it is disabled, or nine tenths of it.',
)

const audiences = ['api', 'settings'] as const
const needsToReadEvents = 'The key must be able to read every event type of the webhook.'

export const listWebhooks = operation({
  name: 'webhooks.list',
  http: 'GET /webhooks',
  summary: 'List webhooks',
  description: 'Newest first. A key sees only webhooks of which it may read every event type.',
  audiences,
  scope: 'webhooks:read',
  input: closed({
    ...pageInput,
    status: Type.Optional(Type.Array(WebhookStatus, { minItems: 1, maxItems: 3, description: 'Any of these.' })),
    health: Type.Optional(Type.Enum([...healthStates], { description: 'Whether their endpoints fail at present.' })),
    eventTypes: Type.Optional(
      eventPatterns(
        'Subscribed to any of these event types, or to one of a segment (`projects.*`), by name or by pattern.',
      ),
    ),
    grantedBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description: 'The id of the key, or `operator`, that last chose its `eventTypes` or its address.',
      }),
    ),
  }),
  output: pageOf(Webhook),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getWebhook = operation({
  name: 'webhooks.get',
  http: 'GET /webhooks/{id}',
  summary: 'Get a webhook',
  description: `One webhook by its id. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:read',
  input: closed({ id: Id }),
  output: Webhook,
  unversioned: true,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const getWebhookStats = operation({
  name: 'webhooks.stats',
  http: 'GET /webhooks/{id}/stats',
  summary: 'Get the last 24 hours of a webhook',
  description:
    'Deliveries by the hour in which they were created, oldest first, the current hour last. Percentiles are of the time that the endpoint took to accept a delivery; in hours with very many deliveries, of the newest ones. The key must be able to read every event type of the webhook.',
  audiences,
  scope: 'webhooks:read',
  input: closed({ id: Id }),
  output: WebhookStats,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const createWebhook = operation({
  name: 'webhooks.create',
  http: 'POST /webhooks',
  summary: 'Create a webhook',
  description:
    'The signing secret is shown only in this response. A key can subscribe only to events that it may read.',
  audiences,
  confirmed: true,
  scope: 'webhooks:write',
  input: closed({
    ...optional(clearable(writableFields)),
    name: writableFields.name,
    url: writableFields.url,
    eventTypes: writableFields.eventTypes,
    headers: Type.Optional(nullable(HeaderValues)),
  }),
  output: WebhookWithSecret,
  success: 201,
  errors: ['insufficient_scope', 'quota_reached', 'reference_not_found', 'sandbox_only'],
  audited: true,
})

export const updateWebhook = operation({
  name: 'webhooks.update',
  http: 'PATCH /webhooks/{id}',
  summary: 'Change a webhook',
  description: `A JSON Merge Patch. \`headers\`, if given, replaces all of them. If scheme, host or port of \`url\` change, headers that are not sent again are dropped, and all secrets are replaced by the one in the response. Sending \`eventTypes\` grants the scopes that they need. ${needsToReadEvents}`,
  audiences,
  confirmed: ['url', 'eventTypes', 'filter', 'payload', 'headers'],
  scope: 'webhooks:write',
  input: closed({
    id: Id,
    expectedVersion: Type.Optional(ExpectedVersion),
    ...optional(clearable(writableFields)),
    headers: Type.Optional(nullable(HeaderValues)),
  }),
  output: ChangedWebhook,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'version_mismatch', 'reference_not_found', 'sandbox_only'],
  audited: true,
})

export const deleteWebhook = operation({
  name: 'webhooks.delete',
  http: 'DELETE /webhooks/{id}',
  summary: 'Delete a webhook',
  description: `Pending deliveries are cancelled. Deleting it again changes nothing. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'insufficient_scope', 'version_mismatch'],
  audited: true,
})

// What can be done with a webhook beside changing it: a new secret, revoking grants, pause, enable, a test delivery.

const EventKind = Type.String({ format: 'event-type', maxLength: 100 })

const TestedWebhook = closed({
  ...Webhook.properties,
  exampleOf: Type.Optional(Type.String({ ...EventKind, description: 'The event type of the requested example.' })),
})
export const webhookTest = event('webhooks.test', TestedWebhook, 'A test delivery was requested.')

export const rotateWebhookSecret = operation({
  name: 'webhooks.rotate-secret',
  http: 'POST /webhooks/{id}/rotate-secret',
  summary: 'Rotate the signing secret of a webhook',
  description: `For \`overlapHours\` every delivery is signed with the old secret as well. ${needsToReadEvents}`,
  audiences,
  confirmed: true,
  scope: 'webhooks:write',
  input: closed({ id: Id, overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: 168, default: 24 })) }),
  output: WebhookWithSecret,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'limit_reached'],
  audited: true,
})

export const revokeWebhookGrants = operation({
  name: 'webhooks.revoke-grants',
  http: 'POST /webhooks/{id}/revoke-grants',
  summary: 'Revoke scopes of a webhook',
  description: `Events that need a revoked scope are no longer delivered, and their pending deliveries are cancelled. Without \`scopes\`, all scopes are revoked. Revoking a scope that is not granted changes nothing. Sending the \`eventTypes\` of the webhook again grants the scopes that they need. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({
    id: Id,
    scopes: Type.Optional(
      Type.Array(Type.Enum(scopes.filter((scope) => scope.endsWith(':read'))), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
      }),
    ),
  }),
  output: Webhook,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
  audited: true,
})

export const pauseWebhook = operation({
  name: 'webhooks.pause',
  http: 'POST /webhooks/{id}/pause',
  summary: 'Pause a webhook',
  description: `Deliveries wait until it is enabled again, for at most 72 hours. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id }),
  output: Webhook,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'invalid_transition'],
  audited: true,
})

export const enableWebhook = operation({
  name: 'webhooks.enable',
  http: 'POST /webhooks/{id}/enable',
  summary: 'Enable a paused or disabled webhook',
  description: `Pending deliveries are sent. The count of failures is reset. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id }),
  output: Webhook,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
  audited: true,
})

/** So many waiting retries are sent at once by a resume; the others keep their time. */
export const resumedMax = 10_000

export const resumeWebhook = operation({
  name: 'webhooks.resume',
  http: 'POST /webhooks/{id}/resume',
  summary: 'Resume a failing webhook at once',
  description: `For an endpoint that works again: closes the circuit, and sends the deliveries that wait for their next attempt, at most the next ${resumedMax.toLocaleString('en-US')}, within about a second. No delivery loses or gains attempts. A \`healthy\` webhook does not change. \`webhooks.enable\` is for one that is paused or disabled. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id }),
  output: Webhook,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'invalid_transition'],
  audited: true,
})

export const testWebhook = operation({
  name: 'webhooks.test',
  http: 'POST /webhooks/{id}/test',
  summary: 'Send a test delivery',
  description: `Signed and sent like a real delivery, to this webhook only. With \`eventType\` it is an example of that type, whether or not the webhook subscribes to it, and has \`test\`; without it, a \`webhooks.test\`. In the feed it is a \`webhooks.test\` in both cases. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({
    id: Id,
    eventType: Type.Optional(Type.String({ ...EventKind, description: 'The event type of the example to send.' })),
  }),
  output: closed({
    eventId: Id,
    deliveryId: Type.String({ ...Id, description: 'It exists as soon as the test is sent.' }),
  }),
  success: 202,
  errors: ['not_found', 'insufficient_scope', 'invalid_transition'],
  emits: [webhookTest],
})

export const checkWebhookUrl = operation({
  name: 'webhooks.check-url',
  http: 'GET /webhooks/check-url',
  summary: 'Check an address for a webhook',
  description:
    'Checks whether a webhook may have this address, with the rules for creating one. Nothing is sent there.',
  audiences: ['settings'],
  scope: 'webhooks:read',
  input: closed({ url: Type.String({ minLength: 1, maxLength: webhookUrlLengthMax }) }),
  output: closed({
    object: Type.Literal('url_check'),
    url: nullable(Type.String({ description: 'The URL as it would be requested. Null if it may not be used.' })),
    problem: nullable(Type.String({ description: 'Why it may not be used.' })),
  }),
  success: 200,
})
