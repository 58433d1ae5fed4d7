// What can be done with a webhook beside changing it: a new secret, revoking grants, pause, enable, a test delivery.
import { Type } from 'typebox'
import { event } from './event-declaration.ts'
import { Id, closed, nullable } from './shared-fields.ts'
import { webhookUrlLengthMax } from './size-limits.ts'
import { operation } from './operation.ts'
import { scopes } from './scopes.ts'
import { Webhook, WebhookWithSecret } from './webhook-schema.ts'

const EventKind = Type.String({ format: 'event-type', maxLength: 100 })

const TestedWebhook = closed({
  ...Webhook.properties,
  exampleOf: Type.Optional(
    Type.String({ ...EventKind, description: 'The kind of event that an example was asked for of.' }),
  ),
})
export const webhookTest = event('webhooks.test', TestedWebhook, 'Somebody asked for a test delivery.')

const audiences = ['api', 'settings'] as const
const needsToReadEvents = 'The key must be able to read every kind of event that the webhook carries.'

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
