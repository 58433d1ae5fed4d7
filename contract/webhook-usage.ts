// How receivers have answered: attempts by status, percentiles and the last of them, as dispatchers have counted them.
import { Type, type Static } from 'typebox'
import { answeredCounts, usageDays, usageHours } from './api-key-usage.ts'
import { operation } from './operation.ts'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'

export const webhookRequestsMax = 50
/** Attempts are looked for among so many of the newest deliveries. */
export const webhookRequestsAmong = 200

const { p50Ms, p95Ms, p99Ms } = answeredCounts
const attemptCounts = {
  requests: Type.Integer({ minimum: 0, description: 'Attempts that were made, those of tests among them.' }),
  status2xx: Type.Integer({ minimum: 0, description: 'Taken.' }),
  status3xx: Type.Integer({ minimum: 0, description: 'A redirect, which is not followed.' }),
  status4xx: Type.Integer({ minimum: 0, description: 'Refused, but for 429.' }),
  status429: Type.Integer({ minimum: 0, description: 'The receiver wanted fewer.' }),
  status5xx: Type.Integer({ minimum: 0, description: 'The receiver failed.' }),
  noAnswer: Type.Integer({ minimum: 0, description: 'No connection, or no answer in time.' }),
  ...{ p50Ms, p95Ms, p99Ms },
}
const AttemptCounts = closed(attemptCounts)
export type AttemptCounts = Static<typeof AttemptCounts>

export const WebhookUsage = closed({
  object: Type.Literal('webhook_usage'),
  webhookId: Id,
  from: Timestamp,
  to: Timestamp,
  total: AttemptCounts,
  periods: Type.Array(closed({ from: Timestamp, ...attemptCounts }), {
    maxItems: Math.max(usageHours, usageDays),
    description: 'Each hour or day, the oldest first.',
  }),
})
export type WebhookUsage = Static<typeof WebhookUsage>

const WebhookRequest = closed({
  at: Timestamp,
  deliveryId: Id,
  eventType: Type.String({ maxLength: 100 }),
  number: Type.Integer({ minimum: 1 }),
  trigger: Type.Enum(['automatic', 'manual']),
  status: nullable(Type.Integer({ description: 'What the receiver answered; null: nothing.' })),
  errorCode: nullable(Type.String({ maxLength: 40 })),
  ms: Type.Integer({ minimum: 0, description: 'Milliseconds until it was over.' }),
})
export type WebhookRequest = Static<typeof WebhookRequest>

const needsToReadEvents = 'One must be able to read every kind of event that the webhook carries.'

export const getWebhookUsage = operation({
  name: 'webhooks.usage',
  http: 'GET /webhooks/{id}/usage',
  summary: 'How the receiver of a webhook has answered',
  description: `By hour for ${usageHours} hours, or by day (UTC) for ${usageDays} days, the current one included. Dispatchers write what they have counted once a minute, so the newest is a minute late. ${needsToReadEvents}`,
  audiences: ['settings'],
  scope: 'webhooks:read',
  input: closed({
    id: Id,
    by: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'What is counted together.' })),
  }),
  output: WebhookUsage,
  unversioned: true,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const listWebhookRequests = operation({
  name: 'webhooks.requests',
  http: 'GET /webhooks/{id}/requests',
  summary: 'The last requests to a webhook',
  description: `The newest ${webhookRequestsMax} attempts at the newest ${webhookRequestsAmong} deliveries, the newest first. ${needsToReadEvents}`,
  audiences: ['settings'],
  scope: 'webhooks:read',
  input: closed({ id: Id }),
  output: closed({ data: Type.Array(WebhookRequest, { maxItems: webhookRequestsMax }) }),
  unversioned: true,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})
