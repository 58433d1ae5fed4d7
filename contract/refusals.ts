// Calls that a gateway refused, for the operator who is asked why. They are kept for an hour, and hold what decided;
// never a token, a query or a body.
import { Type, type Static } from 'typebox'
import { closed, nullable, Id, Timestamp } from './shared-fields.ts'
import { operation, tag } from './operation.ts'

export const refusalsTag = tag('refusals', 'Why a gateway rejected a request.')

export const refusalKeptSeconds = 3_600

/** What was asked of the call, in the order in which it is asked. */
export const refusingPolicies = [
  ...(['http', 'origin', 'route', 'credentials', 'key_state', 'ip_allowlist', 'rotation'] as const),
  ...(['workspace_key_policy', 'surface', 'rate_limit', 'workspace', 'scope', 'accept', 'content_type'] as const),
  ...(['body', 'capacity', 'service', 'other'] as const),
] as const
export type RefusingPolicy = (typeof refusingPolicies)[number]

/** What was left of a limit when the call was refused. */
const Left = closed({ limit: Type.Integer(), remaining: Type.Integer(), resetSeconds: Type.Integer() })
const words = Type.Array(Type.String({ maxLength: 80 }), { maxItems: 100 })

export const Refusal = closed({
  object: Type.Literal('refusal'),
  requestId: Type.String({ maxLength: 128 }),
  at: Timestamp,
  status: Type.Integer(),
  code: Type.String({ maxLength: 60 }),
  refusedBy: Type.Enum([...refusingPolicies], { description: 'The check that failed.' }),
  detail: Type.String({ maxLength: 500, description: 'The message of the response.' }),
  method: Type.String({ maxLength: 20 }),
  route: Type.String({
    maxLength: 200,
    description: 'The template of the path; `none` if the address does not exist.',
  }),
  apiKeyId: nullable(
    Type.String({ format: 'uuid', description: 'Null if no key was known yet, and for the operator.' }),
  ),
  workspaceId: nullable(Id),
  clientAddress: nullable(Type.String({ maxLength: 64 })),
  facts: closed({
    ipAllowlist: nullable(
      Type.Enum(['matched', 'missed'], {
        description: 'Null if the key has none, or the request was rejected before it was known.',
      }),
    ),
    rateLimit: nullable(closed({ key: Left, workspace: nullable(Left) })),
    violatedPolicies: words,
    requiredScopes: words,
    retryAfterSeconds: nullable(Type.Integer()),
  }),
})
export type Refusal = Static<typeof Refusal>

export const getRefusal = operation({
  name: 'refusals.get',
  http: 'GET /refusals/{requestId}',
  summary: 'Get the reason for a rejected request',
  description:
    'A request that a gateway rejected in the last hour, by the id in `X-Request-Id` and in the error: which check failed, and why. Validation errors (400 and 422 of an operation) come from the service and are not included. If very many requests are rejected at once, some are not kept.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: null,
  input: closed({ requestId: Type.String({ minLength: 1, maxLength: 128 }) }),
  output: Refusal,
  success: 200,
  errors: ['not_found'],
})
