// The usage of a key: counts, percentiles and its last requests, as gateways have told them. A key that acts in
// several workspaces is counted where it was made, and only there can it be asked for: its calls are those of the
// holder of its secret. In the other workspaces their own audit log tells what it has done.
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
    description: 'Milliseconds until the response headers, from a histogram; null if there was no request.',
  }),
)

/** All requests with a response, refused ones included. */
export const answeredCounts = {
  requests: Type.Integer({ minimum: 0, description: 'All requests with a response, including rejected ones.' }),
  status2xx: Type.Integer({ minimum: 0, description: 'Successful responses.' }),
  status3xx: Type.Integer({ minimum: 0, description: 'Not modified.' }),
  status4xx: Type.Integer({
    minimum: 0,
    description: 'Rejected, except with 429; includes 499, if the client closed the connection.',
  }),
  status429: Type.Integer({ minimum: 0, description: 'Rejected by a rate limit.' }),
  status5xx: Type.Integer({ minimum: 0, description: 'Failed.' }),
  p50Ms: Percentile,
  p95Ms: Percentile,
  p99Ms: Percentile,
}
const AnsweredCounts = closed(answeredCounts)
export type AnsweredCounts = Static<typeof AnsweredCounts>

const OperationUse = closed({
  operation: Type.String({ maxLength: 80, description: 'The name of the operation, or of the MCP tool.' }),
  surface: Surface,
  requests: Count,
  failed: Type.Integer({ minimum: 0, description: 'Statuses of 400 and above.' }),
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
    description: 'The most frequent ones.',
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
  path: Type.String({ maxLength: 200, description: 'The template of the path.' }),
  operation: Type.String({ maxLength: 80, description: 'The name of the operation, or of the MCP tool.' }),
  surface: Surface,
  status: Type.Integer({ description: '499: the client closed the connection.' }),
  ms: Type.Number({ minimum: 0, description: 'Milliseconds until the response headers.' }),
  ip: nullable(Type.String({ maxLength: 64 })),
  requestId: Type.String({ maxLength: 128 }),
  workspaceId: nullable(Id),
})
export type AnsweredRequest = Static<typeof AnsweredRequest>

export const getApiKeyUsage = operation({
  name: 'api-keys.usage',
  http: 'GET /api-keys/{id}/usage',
  summary: 'Get the usage of an API key',
  description: `By hour for ${usageHours} hours, or by day (UTC) for ${usageDays} days, the current one included. Gateways report their counts once a minute, so the newest values are up to a minute late.`,
  audiences: ['settings'],
  scope: 'api-keys:read',
  input: closed({
    id: Id,
    by: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'The interval of the counts.' })),
  }),
  output: ApiKeyUsage,
  unversioned: true,
  success: 200,
  errors: ['not_found'],
})

export const listApiKeyRequests = operation({
  name: 'api-keys.requests',
  http: 'GET /api-keys/{id}/requests',
  summary: 'List the last requests of an API key',
  description: `The newest ${keptRequestsMax} requests that gateways have reported, newest first, kept for 30 days. Queries, bodies and responses are never stored. If there are more than ${keptRequestsMax} in a minute, the last ones are kept.`,
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
  requests: Type.Integer({ minimum: 0, description: 'Attempts, those of tests included.' }),
  status2xx: Type.Integer({ minimum: 0, description: 'Taken.' }),
  status3xx: Type.Integer({ minimum: 0, description: 'A redirect, which is never followed.' }),
  status4xx: Type.Integer({ minimum: 0, description: 'Rejected, except with 429.' }),
  status429: Type.Integer({ minimum: 0, description: 'The endpoint returned 429: too many requests.' }),
  status5xx: Type.Integer({ minimum: 0, description: 'The endpoint failed.' }),
  noAnswer: Type.Integer({ minimum: 0, description: 'No connection, or no response in time.' }),
  p50Ms,
  p95Ms,
  p99Ms,
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
  status: nullable(
    Type.Integer({ description: 'The status that the endpoint returned; null if there was no response.' }),
  ),
  errorCode: nullable(Type.String({ maxLength: 40 })),
  ms: Type.Integer({ minimum: 0, description: 'The duration, in milliseconds.' }),
})
export type WebhookRequest = Static<typeof WebhookRequest>

const needsToReadEvents = 'You must be able to read every event type of the webhook.'

export const getWebhookUsage = operation({
  name: 'webhooks.usage',
  http: 'GET /webhooks/{id}/usage',
  summary: 'Get the responses of a webhook’s endpoint',
  description: `By hour for ${usageHours} hours, or by day (UTC) for ${usageDays} days, the current one included. Dispatchers write their counts once a minute, so the newest values are up to a minute late. ${needsToReadEvents}`,
  audiences: ['settings'],
  scope: 'webhooks:read',
  input: closed({
    id: Id,
    by: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'The interval of the counts.' })),
  }),
  output: WebhookUsage,
  unversioned: true,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const listWebhookRequests = operation({
  name: 'webhooks.requests',
  http: 'GET /webhooks/{id}/requests',
  summary: 'List the last requests to a webhook',
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
    description: 'Requests of all keys created here, in the 24 hours up to the current one.',
  }),
  deliveries: Type.Object(
    {
      delivered: Count,
      failed: Type.Integer({ minimum: 0, description: 'Dead letters.' }),
      pending: Count,
      retrying: Type.Integer({ minimum: 0, description: 'Those of `pending` that have failed at least once.' }),
    },
    {
      additionalProperties: false,
      description: 'Deliveries created in the same time, by their current status.',
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
    { additionalProperties: false, description: 'The number of keys, and how many of them carry a risk.' },
  ),
  firstSteps: Type.Object(
    {
      hasKey: Type.Boolean({ description: 'A key was created, since the first member was added.' }),
      hasCalled: Type.Boolean({ description: 'A key was used, since the first member was added.' }),
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
