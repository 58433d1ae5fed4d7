// A refusal as it is kept: from what was known of the call when it was over. The caller words the request id and parts
// of the detail; a token in either does not get through.
import type { Fault } from '#contract/faults/fault.ts'
import type { Refusal, RefusingPolicy } from '#contract/refusals.ts'
import { addressText } from '#runtime/ip-address.ts'
import { maskedText } from '#runtime/log.ts'
import type { BucketState, RequestContext } from '../request/request-context.ts'
import type { FaultCode } from '#contract/faults/fault.ts'

export type RefusedCall = {
  readonly method: string
  readonly route: string
  readonly context: RequestContext
  readonly fault: Fault
}

const detailLengthMax = 500

export function refusalRecord({ method, route, context, fault }: RefusedCall, at: Date): Refusal {
  const { requestId, keyId, workspaceId, address } = context
  return {
    object: 'refusal',
    requestId,
    at: at.toISOString(),
    status: fault.status,
    code: fault.code,
    refusedBy: refusedBy(fault.code),
    detail: maskedText(fault.message).slice(0, detailLengthMax),
    method,
    route,
    apiKeyId: keyId === 'operator' ? null : keyId,
    workspaceId,
    clientAddress: address === null ? null : addressText(address),
    facts: factsOf(fault, context),
  }
}

/** One whose id may hold a secret is not kept: it could not be asked for without it. */
export const mayBeKept = ({ requestId }: RequestContext): boolean => maskedText(requestId) === requestId

const factsOf = ({ code, members }: Fault, { quota, isOnAllowlist }: RequestContext): Refusal['facts'] => ({
  ipAllowlist: code === 'ip_not_allowed' ? 'missed' : isOnAllowlist ? 'matched' : null,
  rateLimit:
    quota === null
      ? null
      : { key: figuresOf(quota.key), workspace: quota.workspace === null ? null : figuresOf(quota.workspace) },
  violatedPolicies: textsIn(members['violated-policies']),
  requiredScopes: textsIn(members['requiredScopes']),
  retryAfterSeconds: members.retryAfterSeconds ?? null,
})

const figuresOf = ({ limit, remaining, resetSeconds }: BucketState) => ({ limit, remaining, resetSeconds })

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** The codes with which each policy refuses. */

const codes: Partial<Record<RefusingPolicy, readonly FaultCode[]>> = {
  http: ['invalid_http', 'invalid_header', 'invalid_parameter', 'headers_too_large', 'expectation_failed'],
  origin: ['host_not_allowed', 'origin_not_allowed'],
  route: ['route_not_found', 'method_not_allowed'],
  credentials: ['missing_credentials', 'invalid_api_key', 'not_signed_in', 'https_required'],
  key_state: ['api_key_revoked', 'api_key_expired', 'api_key_suspended'],
  ip_allowlist: ['ip_not_allowed'],
  rotation: ['api_key_rotation_required'],
  workspace_key_policy: ['ip_allowlist_required', 'key_expiry_required', 'unbound_key_not_allowed'],
  surface: ['surface_not_allowed'],
  rate_limit: ['rate_limited'],
  workspace: [
    ...(['workspace_required', 'workspace_invalid', 'workspace_conflict'] as const),
    ...(['workspace_not_allowed', 'workspace_suspended'] as const),
  ],
  scope: ['api_key_has_no_scopes', 'insufficient_scope'],
  accept: ['not_acceptable'],
  content_type: ['unsupported_media_type'],
  body: ['body_too_large', 'too_many_items', 'request_timeout', 'invalid_json'],
  capacity: ['unavailable'],
  service: ['upstream_error', 'timeout', 'internal_error'],
}

const byCode = new Map(
  Object.entries(codes).flatMap(([policy, its]) => its.map((code) => [code, policy as RefusingPolicy] as const)),
)

export const refusedBy = (code: FaultCode): RefusingPolicy => byCode.get(code) ?? 'other'
