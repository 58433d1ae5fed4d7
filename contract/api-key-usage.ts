// What a key was used for: counts, percentiles and its last requests, as gateways have told them. A key that acts in
// several workspaces is counted where it was made, and only there can it be asked for: its calls are those of whoever
// holds its secret. In the other workspaces their own audit log tells what it has done.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'
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
