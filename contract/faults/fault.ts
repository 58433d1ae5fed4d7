// The error that is meant for callers. The code that throws it names a code and says what happened; status, title and
// whether a retry can help are in the catalogue below.

export const insufficientScope = (scope: string): Fault =>
  new Fault('insufficient_scope', `The request requires the scope ${scope}.`, { requiredScopes: [scope] })

/** `roles`: those that hold the scope. */
export const insufficientRole = (scope: string, roles: readonly string[]): Fault =>
  new Fault('insufficient_scope', `The request requires the role ${roles.join(' or ')} in the workspace.`, {
    requiredScopes: [scope],
    requiredRoles: roles,
  })

/** For what members may do, but not this part of it. */
export const forOperator = (what: string): Fault =>
  new Fault('insufficient_scope', `${what} is only for the operator of this installation.`, { requiredRoles: [] })

export const notSignedIn = (): Fault => new Fault('not_signed_in', 'Sign in to send this request.')

export const routeNotFound = (hint?: string): Fault =>
  new Fault('route_not_found', 'There is no operation at this path.', hint === undefined ? {} : { hint })

/** What is short of something for a moment: worth another try after a second. */
export const unavailable = (detail: string, cause?: unknown): Fault =>
  new Fault('unavailable', detail, { retryAfterSeconds: 1 }, cause)

/** The same for a caller that finds no room: `policy` is the name of what is full. */
export const overCapacity = (policy: string, detail: string): Fault =>
  new Fault('unavailable', detail, { retryAfterSeconds: 1, 'violated-policies': [policy] })

/** One value that was refused. `pointer` is a JSON Pointer (RFC 6901) into the body. */
export type FieldError = {
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
  readonly code: FieldCode
  readonly detail: string
  readonly allowed?: readonly unknown[]
}
/** Members of the problem body beside the standard ones, such as `requiredScopes` or `currentVersion`. */
export type FaultMembers = {
  readonly hint?: string
  readonly errors?: readonly FieldError[]
  readonly retryAfterSeconds?: number
  readonly [member: string]: unknown
}

/** The one error that is meant for callers. Anything else thrown is answered as `internal_error`. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly members: FaultMembers

  constructor(code: FaultCode, detail: string, members: FaultMembers = {}, cause?: unknown) {
    super(detail, { cause })
    this.code = code
    this.members = members
  }

  get status(): number {
    return statusOf(this.code)
  }
}

/** A Fault as it is; anything else as `internal_error`, so that its text does not reach the caller. */
export const asFault = (thrown: unknown): Fault =>
  thrown instanceof Fault
    ? thrown
    : new Fault(
        'internal_error',
        'The server failed to process the request. Quote the request ID when you contact the operator.',
        {},
        thrown,
      )

// Every code that a call can be refused with, over HTTP, over MCP and in a batch, with its HTTP status, its title and
// whether sending the same call again can help.

type FaultKind = { readonly status: number; readonly title: string; readonly retryable?: true }

const catalogue = {
  invalid_http: { status: 400, title: 'The request is not valid HTTP' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  unknown_parameter: { status: 400, title: 'Unknown query parameter' },
  invalid_parameter: { status: 400, title: 'Invalid query or path parameter' },
  invalid_header: { status: 400, title: 'Invalid header' },
  invalid_cursor: { status: 400, title: 'The cursor is invalid' },
  cursor_mismatch: { status: 400, title: 'The cursor belongs to another query' },
  workspace_required: { status: 400, title: 'No workspace was specified' },
  workspace_invalid: { status: 400, title: 'The workspace ID is not a UUID' },
  workspace_conflict: { status: 400, title: 'Two different workspaces were specified' },
  invalid_idempotency_key: { status: 400, title: 'Invalid Idempotency-Key' },
  missing_credentials: { status: 401, title: 'No API key was sent' },
  invalid_api_key: { status: 401, title: 'Unknown API key' },
  api_key_revoked: { status: 401, title: 'The API key was revoked' },
  api_key_expired: { status: 401, title: 'The API key has expired' },
  not_signed_in: { status: 401, title: 'Not signed in' },
  invalid_signature: { status: 403, title: 'The signature of the URL is invalid' },
  address_expired: { status: 403, title: 'The signed URL has expired' },
  ip_not_allowed: { status: 403, title: 'The IP address is not on the key’s allowlist' },
  api_key_rotation_required: { status: 403, title: 'The API key must be rotated' },
  ip_allowlist_required: { status: 403, title: 'The workspace requires an IP allowlist for its API keys' },
  key_expiry_required: { status: 403, title: 'The workspace requires an expiration date for its API keys' },
  api_key_suspended: { status: 403, title: 'The member who owns the API key is suspended' },
  unbound_key_not_allowed: { status: 403, title: 'The workspace does not accept API keys for several workspaces' },
  api_key_has_no_scopes: { status: 403, title: 'The API key has no scopes' },
  insufficient_scope: { status: 403, title: 'The API key or the role lacks a scope' },
  surface_not_allowed: { status: 403, title: 'The API key does not allow this surface (HTTP or MCP)' },
  workspace_not_allowed: { status: 403, title: 'No access to this workspace' },
  host_not_allowed: { status: 403, title: 'The host name is not allowed' },
  tool_disabled: { status: 403, title: 'The MCP client excludes the tool' },
  origin_not_allowed: { status: 403, title: 'The origin is not allowed' },
  wrong_password: { status: 403, title: 'The email address or the password is wrong' },
  confirmation_required: { status: 403, title: 'The identity must be confirmed again' },
  password_sign_in_off: { status: 403, title: 'Signing in with a password is disabled' },
  wrong_second_factor: { status: 403, title: 'The second factor is wrong' },
  challenge_expired: { status: 403, title: 'The second-factor setup, or the confirmation, has expired' },
  sign_in_expired: { status: 403, title: 'The sign-in has expired' },
  provider_refused: { status: 403, title: 'The provider denied the sign-in' },
  provider_answer_invalid: { status: 403, title: 'The response of the provider is invalid' },
  email_not_verified: { status: 403, title: 'The provider has not verified your email address' },
  email_domain_not_allowed: { status: 403, title: 'The domain of the email address is not allowed' },
  no_membership: { status: 403, title: 'The account is not a member of any workspace' },
  https_required: { status: 403, title: 'Signing in needs HTTPS' },
  second_factor_required: { status: 403, title: 'The workspace requires two-factor authentication' },
  workspace_suspended: { status: 403, title: 'The workspace is suspended' },
  not_found: { status: 404, title: 'Not found' },
  route_not_found: { status: 404, title: 'Unknown path' },
  method_not_allowed: { status: 405, title: 'The path does not support this method' },
  not_acceptable: { status: 406, title: 'No acceptable representation' },
  request_timeout: { status: 408, title: 'The request arrived too slowly', retryable: true },
  duplicate: { status: 409, title: 'Another object has this value' },
  invalid_transition: { status: 409, title: 'The state does not allow this change' },
  last_second_factor: { status: 409, title: 'The only second factor cannot be removed: a workspace requires one' },
  project_archived: { status: 409, title: 'The project is archived' },
  sandbox_only: { status: 409, title: 'Only for sandboxes' },
  not_deleted: { status: 409, title: 'Only deleted objects can be restored' },
  idempotency_in_progress: {
    status: 409,
    title: 'An earlier request with this Idempotency-Key is still running',
    retryable: true,
  },
  ambiguous_match: { status: 409, title: 'Several objects match' },
  legal_hold: { status: 409, title: 'A legal hold prevents permanent deletion' },
  file_not_available: { status: 409, title: 'The file content is not available' },
  limit_reached: { status: 409, title: 'A limit of the workspace is reached' },
  quota_reached: { status: 409, title: 'A quota of the workspace is used up' },
  cursor_expired: { status: 410, title: 'The position in the event feed is older than the oldest kept event' },
  cursor_outdated: { status: 410, title: 'The cursor is from an older version' },
  feed_rewound: { status: 410, title: 'The position in the event feed no longer exists after a restore from a backup' },
  purged: { status: 410, title: 'The object was purged' },
  version_mismatch: { status: 412, title: 'The object has changed' },
  precondition_failed: { status: 412, title: 'A condition of the request is not met' },
  body_too_large: { status: 413, title: 'The body is too large' },
  too_many_items: { status: 413, title: 'Too many items' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  range_not_satisfiable: { status: 416, title: 'The range is outside of the file' },
  expectation_failed: { status: 417, title: 'The header Expect is not 100-continue' },
  validation_failed: { status: 422, title: 'Invalid values' },
  unknown_field: { status: 422, title: 'Unknown field' },
  content_mismatch: { status: 422, title: 'The uploaded file does not match its declaration' },
  reference_not_found: { status: 422, title: 'A referenced object does not exist' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another request' },
  batch_failed: { status: 422, title: 'An item of an atomic batch failed' },
  depends_on_failed: { status: 424, title: 'An earlier item of the batch failed' },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  request_cancelled: { status: 499, title: 'The client cancelled the request', retryable: true },
  internal_error: { status: 500, title: 'Internal error', retryable: true },
  upstream_error: { status: 502, title: 'A part of the service failed', retryable: true },
  provider_unavailable: { status: 503, title: 'The sign-in provider does not respond', retryable: true },
  storage_full: { status: 503, title: 'The storage is full', retryable: true },
  query_too_costly: { status: 503, title: 'The query is too expensive' },
  unavailable: { status: 503, title: 'Temporarily unavailable', retryable: true },
  timeout: { status: 504, title: 'A part of the service did not respond in time', retryable: true },
} as const satisfies Record<string, FaultKind>

export type FaultCode = keyof typeof catalogue
export const faultCodes = Object.keys(catalogue) as FaultCode[]
export const statusOf = (code: FaultCode): number => catalogue[code].status
export const titleOf = (code: FaultCode): string => catalogue[code].title
/** Path of the page that explains the code: `type` of a problem. */
export const pageOfFault = (code: FaultCode): string => `/docs/errors/${code}`

/** Can the same call succeed when it is sent again later? */
export const isRetryable = (code: FaultCode): boolean => 'retryable' in catalogue[code]

/** Why one value was refused: `code` in the list `errors` of a problem. */
export const fieldCodes = [
  ...(['required', 'too_short', 'too_long', 'too_small', 'too_large', 'wrong_type', 'wrong_format'] as const),
  ...(['not_in_list', 'not_unique', 'unknown', 'read_only', 'not_found'] as const),
] as const
export type FieldCode = (typeof fieldCodes)[number]
