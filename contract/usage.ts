// What a key was used for: counts, percentiles and its last requests, as gateways have told them. A key that acts in
// several workspaces is counted where it was made, and only there can it be asked for: its calls are those of whoever
// holds its secret. In the other workspaces their own audit log tells what it has done.
import { Type, type Static } from 'typebox'
import { operation, tag } from './operation.ts'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { idleAfterDays, rotationDueWithinDays } from './key-risks.ts'
import { Surface } from './surface.ts'

/** Of each key. */
export const keptRequestsMax = 100
export const usageHours = 48
export const usageDays = 30
const topOperationsMax = 20

const Count = Type.Integer({ minimum: 0 })
const Percentile = nullable(
  Type.Number({
    minimum: 0,
    description: 'Milliseconds until the head of the answer, from a histogram; null where there was no request.',
  }),
)

/** Requests that were answered, refused ones included. */
export const answeredCounts = {
  requests: Type.Integer({ minimum: 0, description: 'Requests that were answered, refused ones included.' }),
  status2xx: Type.Integer({ minimum: 0, description: 'Answered by success.' }),
  status3xx: Type.Integer({ minimum: 0, description: 'Answered by what has not changed.' }),
  status4xx: Type.Integer({ minimum: 0, description: 'Refused, but for 429; 499: the caller had left.' }),
  status429: Type.Integer({ minimum: 0, description: 'Refused by a rate limit.' }),
  status5xx: Type.Integer({ minimum: 0, description: 'Failed.' }),
  p50Ms: Percentile,
  p95Ms: Percentile,
  p99Ms: Percentile,
}
const AnsweredCounts = closed(answeredCounts)
export type AnsweredCounts = Static<typeof AnsweredCounts>

const OperationUse = closed({
  operation: Type.String({ maxLength: 80, description: 'Name of the operation, or of the tool of MCP.' }),
  surface: Surface,
  requests: Count,
  failed: Type.Integer({ minimum: 0, description: 'Those of 400 and above.' }),
})
export type OperationUse = Static<typeof OperationUse>

export const ApiKeyUsage = closed({
  object: Type.Literal('api_key_usage'),
  apiKeyId: Id,
  from: Timestamp,
  to: Timestamp,
  total: AnsweredCounts,
  surfaces: Type.Array(closed({ surface: Surface, requests: Count, failed: Count }), {
    maxItems: 2,
    description: 'How the requests came in.',
  }),
  operations: Type.Array(OperationUse, {
    maxItems: topOperationsMax,
    description: 'Those that were asked for most.',
  }),
  periods: Type.Array(closed({ from: Timestamp, ...answeredCounts }), {
    maxItems: Math.max(usageHours, usageDays),
    description: 'Each hour or day, the oldest first.',
  }),
})
export type ApiKeyUsage = Static<typeof ApiKeyUsage>

export const AnsweredRequest = closed({
  at: Timestamp,
  method: Type.String({ maxLength: 20 }),
  path: Type.String({ maxLength: 200, description: 'The path’s template.' }),
  operation: Type.String({ maxLength: 80, description: 'Name of the operation, or of the tool of MCP.' }),
  surface: Surface,
  status: Type.Integer({ description: '499: the caller had left.' }),
  ms: Type.Number({ minimum: 0, description: 'Milliseconds until the head of the answer.' }),
  ip: nullable(Type.String({ maxLength: 64 })),
  requestId: Type.String({ maxLength: 128 }),
  workspaceId: nullable(Id),
})
export type AnsweredRequest = Static<typeof AnsweredRequest>

export const getApiKeyUsage = operation({
  name: 'api-keys.usage',
  http: 'GET /api-keys/{id}/usage',
  summary: 'How an API key was used',
  description: `By hour for ${usageHours} hours, or by day (UTC) for ${usageDays} days, the current one included. Gateways tell what they have counted once a minute, so the newest is a minute late.`,
  audiences: ['settings'],
  scope: 'api-keys:read',
  input: closed({
    id: Id,
    by: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'What is counted together.' })),
  }),
  output: ApiKeyUsage,
  unversioned: true,
  success: 200,
  errors: ['not_found'],
})

export const listApiKeyRequests = operation({
  name: 'api-keys.requests',
  http: 'GET /api-keys/{id}/requests',
  summary: 'The last requests of an API key',
  description: `The newest ${keptRequestsMax} that gateways have told, the newest first, for 30 days: never a query, a body or an answer. In a minute with more than ${keptRequestsMax}, those at its end.`,
  audiences: ['settings'],
  scope: 'api-keys:read',
  input: closed({ id: Id }),
  output: closed({ data: Type.Array(AnsweredRequest, { maxItems: keptRequestsMax }) }),
  unversioned: true,
  success: 200,
  errors: ['not_found'],
})

// How receivers have answered: attempts by status, percentiles and the last of them, as dispatchers have counted them.

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

// How the API of a workspace is doing: what the first page of the settings shows.

export const usageTag = tag('usage', 'How the API of a workspace is doing.')

export const UsageOverview = closed({
  object: Type.Literal('usage_overview'),
  from: Timestamp,
  to: Timestamp,
  requests: Type.Object(answeredCounts, {
    additionalProperties: false,
    description: 'Of all keys that were made here, in the 24 hours up to the current one.',
  }),
  deliveries: Type.Object(
    { delivered: Count, failed: Count, pending: Count },
    {
      additionalProperties: false,
      description: 'Deliveries that were created in the same time, by where they stand now.',
    },
  ),
  keys: Type.Object(
    {
      active: Type.Integer({ minimum: 0, description: 'Neither revoked nor expired. The others are some of these.' }),
      neverExpires: Type.Integer({ minimum: 0, description: 'Without an expiry.' }),
      noIpAllowlist: Type.Integer({ minimum: 0, description: 'Usable from any address.' }),
      idle: Type.Integer({ minimum: 0, description: `Not used for ${idleAfterDays} days.` }),
      rotationDue: Type.Integer({
        minimum: 0,
        description: `To be rotated within ${rotationDueWithinDays} days, or overdue.`,
      }),
    },
    { additionalProperties: false, description: 'How many keys there are, and how many carry a risk.' },
  ),
  firstSteps: Type.Object(
    {
      hasKey: Type.Boolean({ description: 'A key was made.' }),
      hasCalled: Type.Boolean({ description: 'A key was used.' }),
      hasWebhook: Type.Boolean({ description: 'There is a webhook.' }),
      hasReceived: Type.Boolean({ description: 'One of the last deliveries was accepted.' }),
    },
    { additionalProperties: false, description: 'Which first steps are done.' },
  ),
})
export type UsageOverview = Static<typeof UsageOverview>

export const getUsageOverview = operation({
  name: 'usage.overview',
  http: 'GET /usage',
  summary: 'How the API of a workspace is doing',
  description: 'Requests and deliveries of the last 24 hours, keys that carry a risk, and which first steps are done.',
  audiences: ['settings'],
  scope: 'api-keys:read',
  input: closed({}),
  output: UsageOverview,
  unversioned: true,
  success: 200,
})
