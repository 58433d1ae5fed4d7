// Webhooks, subscriptions of a workspace to its own events: events and the operations list, get, create, update, delete
// and stats. What else can be done with one is in webhook-actions.ts.
import { Type } from 'typebox'
import { eventPatterns, systemEvent, event } from './event.ts'
import { ExpectedVersion, Id, Timestamp, closed, nullable, optional } from './shared-fields.ts'
import { clearable } from './json-schema.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import {
  ChangedWebhook,
  HeaderValues,
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

export const webhooksTag = tag('webhooks', 'Who is told of changes, where, and of which.')

export const webhookDisabled = systemEvent(
  'webhooks.disabled',
  Webhook,
  'A webhook was disabled: its receiver is gone, or failed for days.',
)

const FailingWebhook = closed({
  ...Webhook.properties,
  failing: Type.Object(
    {
      percent: Type.Integer({
        ...{ minimum: Math.min(...warningPercents), maximum: Math.max(...warningPercents) },
        description: `How much of the way is behind it: ${warningPercents.join(' or ')}.`,
      }),
      since: Type.String({ ...Timestamp, description: 'When the first of the failed tries began.' }),
      failedTries: Type.Integer({ minimum: 1, description: 'In a row.' }),
      disabledFrom: Type.String({
        ...Timestamp,
        description: `Failing at this time or later disables it, once ${failuresMin} tries in a row have failed.`,
      }),
    },
    { additionalProperties: false, description: 'How near it is to being disabled. A success begins anew.' },
  ),
})

export const webhookFailing = systemEvent(
  'webhooks.failing',
  FailingWebhook,
  'A webhook has failed for half the time after which it is disabled, or nine tenths of it.',
)

const audiences = ['api', 'settings'] as const
const needsToReadEvents = 'The key must be able to read every kind of event that the webhook carries.'

export const listWebhooks = operation({
  name: 'webhooks.list',
  http: 'GET /webhooks',
  summary: 'List webhooks',
  description: 'Newest first. A key is shown those only of which it may read every kind of event that they carry.',
  audiences,
  scope: 'webhooks:read',
  input: closed({
    ...pageInput,
    status: Type.Optional(Type.Array(WebhookStatus, { minItems: 1, maxItems: 3, description: 'Any of these.' })),
    eventTypes: Type.Optional(
      eventPatterns('Subscribed to any of these kinds, or to one of a segment (`projects.*`), by name or by pattern.'),
    ),
    grantedBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description: 'Id of the key, or `operator`, that chose its `eventTypes` or its address last.',
      }),
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
    'Deliveries by the hour in which they were made, oldest first, the current hour last. Percentiles are of how long the receiver took to accept one; in hours with very many deliveries, of the newest of them. The key must be able to read every kind of event that the webhook carries.',
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
    'The signing secret is in this answer and nowhere else. A key can subscribe only to events that it may read.',
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
  errors: ['insufficient_scope', 'quota_reached', 'reference_not_found'],
  audited: true,
})

export const updateWebhook = operation({
  name: 'webhooks.update',
  http: 'PATCH /webhooks/{id}',
  summary: 'Change a webhook',
  description: `A JSON Merge Patch. \`headers\`, if given, replaces them all. Where scheme, host or port of \`url\` change, headers that are not given anew are dropped, and all secrets are replaced by the one in the answer. Giving \`eventTypes\` grants what they need. ${needsToReadEvents}`,
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
  errors: ['not_found', 'insufficient_scope', 'version_mismatch', 'reference_not_found'],
  audited: true,
})

export const deleteWebhook = operation({
  name: 'webhooks.delete',
  http: 'DELETE /webhooks/{id}',
  summary: 'Delete a webhook',
  description: `Deliveries that wait are cancelled. Deleting it again changes nothing. ${needsToReadEvents}`,
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
  exampleOf: Type.Optional(
    Type.String({ ...EventKind, description: 'The kind of event that an example was asked for of.' }),
  ),
})
export const webhookTest = event('webhooks.test', TestedWebhook, 'Somebody asked for a test delivery.')

export const rotateWebhookSecret = operation({
  name: 'webhooks.rotate-secret',
  http: 'POST /webhooks/{id}/rotate-secret',
  summary: 'Give a webhook a new signing secret',
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
  summary: 'Revoke what a webhook was granted',
  description: `Events of kinds that need the scope are delivered no more, and those deliveries that wait are cancelled. Without \`scopes\`, all of them. Revoking what is not granted changes nothing; giving the webhook its \`eventTypes\` again grants what they need anew. ${needsToReadEvents}`,
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
  description: `Deliveries wait until it is enabled again, 72 hours at most. ${needsToReadEvents}`,
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
  description: `Deliveries that waited are sent. The count of failures starts anew. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({ id: Id }),
  output: Webhook,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
  audited: true,
})

export const testWebhook = operation({
  name: 'webhooks.test',
  http: 'POST /webhooks/{id}/test',
  summary: 'Send a test delivery',
  description: `Signed and sent like a real one, to this webhook alone. With \`eventType\` it is an example of that kind, whatever kinds the webhook gets, and says \`test\`; without, a \`webhooks.test\`. In the feed it is a \`webhooks.test\` either way. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:write',
  input: closed({
    id: Id,
    eventType: Type.Optional(Type.String({ ...EventKind, description: 'Of which kind an example is sent.' })),
  }),
  output: closed({
    eventId: Id,
    deliveryId: Type.String({ ...Id, description: 'It is there as soon as the test is on its way.' }),
  }),
  success: 202,
  errors: ['not_found', 'insufficient_scope', 'invalid_transition'],
  emits: [webhookTest],
})

export const checkWebhookUrl = operation({
  name: 'webhooks.check-url',
  http: 'GET /webhooks/check-url',
  summary: 'Check an address for a webhook',
  description: 'Whether a webhook may have this address, as it would be judged if it was made. Nothing is sent there.',
  audiences: ['settings'],
  scope: 'webhooks:read',
  input: closed({ url: Type.String({ minLength: 1, maxLength: webhookUrlLengthMax }) }),
  output: closed({
    object: Type.Literal('url_check'),
    url: nullable(Type.String({ description: 'As it would be called. Null where it may not be used.' })),
    problem: nullable(Type.String({ description: 'Why it may not be used.' })),
  }),
  success: 200,
})
