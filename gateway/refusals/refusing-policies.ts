// Which of the gateway's questions each code answers with no.
import type { FaultCode } from '#contract/faults/fault.ts'
import type { RefusingPolicy } from '#contract/refusals.ts'

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
