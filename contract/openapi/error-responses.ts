// The Response Objects of an operation that is refused: its own faults and those of every call of its kind, by status.
import {
  type Fault,
  insufficientRole,
  insufficientScope,
  faultCodes,
  statusOf,
  titleOf,
  type FaultCode,
} from '../faults/fault.ts'
import { codeOfRule } from '../key-policy.ts'
import { problem } from '../faults/problem-details.ts'
import { Role, rolesWith } from '../roles.ts'
import { exampleInstance, recordedRefusal } from './recorded-examples.ts'
import { schemaRef, type Json } from './components.ts'
import { changes, takesIdempotencyKey, type Audience, type Operation } from '../operation.ts'
import type { Scope } from '../scopes.ts'
import { takesBody } from './request-fields.ts'
import { exampleId } from '../example-values.ts'

const always: FaultCode[] = [
  ...(['invalid_parameter', 'unknown_parameter', 'invalid_header', 'missing_credentials', 'invalid_api_key'] as const),
  ...([
    'not_acceptable',
    'rate_limited',
    'internal_error',
    'upstream_error',
    'storage_full',
    'unavailable',
    'query_too_costly',
    'timeout',
  ] as const),
]
/** Faults that only API keys can meet, not the operator. */
const ofKeyCalls: FaultCode[] = [
  ...(['api_key_revoked', 'api_key_expired', 'ip_not_allowed', 'api_key_rotation_required'] as const),
  ...(['api_key_has_no_scopes', 'surface_not_allowed', 'api_key_suspended'] as const),
  ...Object.values(codeOfRule),
]
/** Of those who are signed in. */
const ofSession: FaultCode[] = ['not_signed_in', 'https_required', 'origin_not_allowed']
const ofEveryCall = { api: [...always, ...ofKeyCalls], settings: always } satisfies Record<Audience, FaultCode[]>
const inWorkspace: Readonly<Record<Audience, readonly FaultCode[]>> = {
  api: [
    ...(['workspace_required', 'workspace_invalid', 'workspace_conflict'] as const),
    ...(['workspace_not_allowed', 'workspace_suspended'] as const),
  ],
  settings: ['workspace_invalid', 'not_found'],
}
const withBody: FaultCode[] = [
  ...(['invalid_json', 'request_timeout', 'body_too_large', 'too_many_items', 'unsupported_media_type'] as const),
  ...(['validation_failed', 'unknown_field'] as const),
]
const conditional: FaultCode[] = ['version_mismatch', 'precondition_failed']
const withKey: FaultCode[] = ['invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused']

/** The codes of each status, in the order of the catalogue (contract/faults/fault.ts). */
export function errorCodesByStatus(
  operation: Operation,
  audience: Audience,
): ReadonlyMap<number, readonly FaultCode[]> {
  const { tenancy, scope, errors, input } = operation
  const codes = new Set<FaultCode>([
    ...ofEveryCall[audience],
    ...errors,
    ...(tenancy === 'workspace' ? inWorkspace[audience] : []),
    ...(scope === null ? [] : (['insufficient_scope'] as const)),
    ...(takesBody(operation) ? withBody : []),
    ...(takesIdempotencyKey(operation) ? withKey : []),
    // Any change may make events, and those of a day have a quota.
    ...(audience === 'api' && tenancy === 'workspace' && changes(operation) ? (['quota_reached'] as const) : []),
    ...('expectedVersion' in input.properties ? conditional : []),
  ])
  if (audience === 'settings') forSettings(operation, codes)
  return Map.groupBy(
    faultCodes.filter((code) => codes.has(code)),
    statusOf,
  )
}

function forSettings({ admits, confirmed, ofOperator }: Operation, codes: Set<FaultCode>): void {
  const isOfOperator = admits === 'operator' || admits === 'member'
  // The operator holds every scope.
  if (admits === 'operator') codes.delete('insufficient_scope')
  if (ofOperator.length > 0) codes.add('insufficient_scope')
  if (admits !== 'operator') for (const code of ofSession) codes.add(code)
  if (admits === 'member')
    for (const code of ['workspace_not_allowed', 'workspace_suspended', 'second_factor_required'] as const)
      codes.add(code)
  if (admits === 'anyone') codes.delete('not_signed_in')
  if (confirmed !== undefined) codes.add('confirmation_required')
  if (!isOfOperator) for (const code of ['missing_credentials', 'invalid_api_key'] as const) codes.delete(code)
}

/** Names of the component responses, by status. */
export const responseNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
}

/** With an example where refusals of this status differ from operation to operation. */
export const errorResponse = (
  status: number,
  codes: readonly FaultCode[],
  operation: Operation,
  audience: Audience,
): Json => ({
  description: codes.map((code) => `\`${code}\`: ${titleOf(code)}.`).join(' '),
  headers: Object.fromEntries(
    headersAt(status, audience).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: {
    'application/problem+json': {
      schema: { ...schemaRef('Problem'), properties: { code: { enum: codes } } },
      ...exampleOf(status, codes, operation, audience),
    },
  },
})

/** Rate limits are counted once the key is known, which is after a 401. */
const headersAt = (status: number, audience: Audience): string[] => [
  'X-Request-Id',
  ...(audience === 'api' && status > 401 && status < 500 ? ['RateLimit', 'RateLimit-Policy'] : []),
  ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
  ...([409, 429, 503].includes(status) ? ['Retry-After'] : []),
]

function exampleOf(
  status: number,
  codes: readonly FaultCode[],
  operation: Operation,
  audience: Audience,
): { readonly example?: object } {
  const { scope } = operation
  const instance = exampleInstance(operation, audience)
  const example =
    status === 403 && codes.includes('insufficient_scope') && scope !== null
      ? problemOf(lackOf(scope, operation, audience), instance)
      : recordedRefusal(operation, status, audience)
  return example === undefined ? {} : { example }
}

const problemOf = (fault: Fault | null, instance: string): object | undefined =>
  fault === null ? undefined : problem(fault, exampleId('requestId'), instance)

/** A key lacks the scope; a member's role lacks it, unless every role has it, and the operator has every scope. */
function lackOf(scope: Scope, { admits }: Operation, audience: Audience): Fault | null {
  if (audience === 'api' || admits !== 'member') return insufficientScope(scope)
  const roles = rolesWith(scope)
  return roles.length < Role.enum.length ? insufficientRole(scope, roles) : null
}
