// Refusals of an operation: its own, and those that any call of its kind can meet, by status.
import { faultCodes, statusOf, titleOf, type FaultCode } from './fault.ts'
import { isPost, takesBody } from './openapi-parameters.ts'
import { reference, type Json } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'

const ofAny = [
  ...['invalid_parameter', 'unknown_parameter', 'invalid_header'],
  ...['missing_credentials', 'invalid_api_key', 'api_key_revoked', 'api_key_expired'],
  ...['ip_not_allowed', 'api_key_rotation_required', 'api_key_has_no_scopes', 'surface_not_allowed'],
  ...['not_acceptable', 'rate_limited', 'internal_error', 'upstream_error', 'unavailable', 'timeout'],
] as FaultCode[]
const inWorkspace: FaultCode[] = [
  ...(['workspace_required', 'workspace_invalid', 'workspace_conflict'] as const),
  ...(['workspace_not_allowed', 'workspace_suspended'] as const),
]
const withBody: FaultCode[] = [
  ...(['invalid_json', 'body_too_large', 'unsupported_media_type', 'validation_failed', 'unknown_field'] as const),
]
const ofPost: FaultCode[] = ['invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused']

/** In the order of the catalogue. */
export function codesOf(operation: Operation): FaultCode[] {
  const { tenancy, scope, errors } = operation
  const met = new Set<FaultCode>([
    ...ofAny,
    ...errors,
    ...(tenancy === 'workspace' ? inWorkspace : []),
    ...(scope === null ? [] : (['insufficient_scope'] as const)),
    ...(takesBody(operation) ? withBody : []),
    ...(isPost(operation) ? ofPost : []),
  ])
  return faultCodes.filter((code) => met.has(code))
}

/** Each a component where its codes are those that every call has, else spelled out. */
export const problemsOf = (operation: Operation): Json =>
  Object.fromEntries(
    Object.entries(byStatus(codesOf(operation))).map(([status, codes]) => {
      const name = names[status]
      const isGeneral = name !== undefined && codes.join() === (general[status] ?? []).join()
      return [status, isGeneral ? { $ref: `#/components/responses/${name}` } : response(codes)]
    }),
  )

const byStatus = (codes: readonly FaultCode[]): Record<string, FaultCode[]> =>
  Object.groupBy(codes, (code) => String(statusOf(code))) as Record<string, FaultCode[]>

/** Statuses whose codes are the same for many operations. */
const names: Readonly<Record<string, string>> = {
  401: 'Unauthorized',
  404: 'NotFound',
  406: 'NotAcceptable',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
}
const general = byStatus(
  faultCodes.filter((code) => [...ofAny, ...withBody, 'not_found', 'version_mismatch'].includes(code)),
)

export const problemResponses: Json = Object.fromEntries(
  Object.entries(names).map(([status, name]) => [name, response(general[status] ?? [])]),
)

function response(codes: readonly FaultCode[]): Json {
  const [first = 'internal_error'] = codes
  const status = statusOf(first)
  return {
    description: codes.map((code) => `\`${code}\`: ${titleOf(code)}.`).join(' '),
    headers: {
      'X-Request-Id': headerNamed('X-Request-Id'),
      ...(status === 401 && { 'WWW-Authenticate': headerNamed('WWW-Authenticate') }),
      ...([429, 503].includes(status) && { 'Retry-After': headerNamed('Retry-After') }),
      ...(status >= 404 &&
        status <= 429 && { RateLimit: headerNamed('RateLimit'), 'RateLimit-Policy': headerNamed('RateLimit-Policy') }),
    },
    content: {
      'application/problem+json': {
        schema: { allOf: [reference('Problem'), { type: 'object', properties: { code: { enum: codes } } }] },
        example: problemExample(first),
      },
    },
  }
}

function problemExample(code: FaultCode): Json {
  return {
    type: `/docs/errors/${code}`,
    title: titleOf(code),
    status: statusOf(code),
    detail: `${titleOf(code)}.`,
    instance: '/api/v1/projects',
    code,
    requestId: '019b8f3e-6a00-7000-8000-0000000000aa',
  }
}

function headerNamed(name: string): Json {
  return { $ref: `#/components/headers/${name}` }
}
