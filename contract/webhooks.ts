// Webhooks, subscriptions of a workspace to its own events: events and the operations list, get, create, update, delete
// and stats. What else can be done with one is in webhook-actions.ts.
import { Type } from 'typebox'
import { eventPatterns } from './event-patterns.ts'
import { systemEvent } from './event-declaration.ts'
import { failuresMin, warningPercents } from './giving-up.ts'
import { ExpectedVersion, Id, Timestamp, closed, nullable, optional } from './shared-fields.ts'
import { clearable } from './merge-patch.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import {
  ChangedWebhook,
  HeaderValues,
  Webhook,
  WebhookStats,
  WebhookStatus,
  WebhookWithSecret,
  writableFields,
} from './webhook-schema.ts'
import { tag } from './tag.ts'

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
