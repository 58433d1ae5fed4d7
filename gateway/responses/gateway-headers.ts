// The gateway's part of an answer's head: what stands on every answer, the limits of the call, what is to be said of
// its key, the end of a deprecated operation, and what a refusal adds. The service's part is in
// gateway/upstream/headers.ts.
import type { Operation } from '#contract/operation.ts'
import type { RequestContext, BucketState, Quota, SubjectRates } from '../request/request-context.ts'
import type { Fault } from '#contract/faults/fault.ts'
import type { RateLimit } from '#contract/rate-limits.ts'
import type { ToCookies } from '../request/session-cookie.ts'

/** The gateway's part of the answer's head, as name, value, name, value…; and what the service's does not replace. */
export type GatewayHeaders = {
  readonly list: readonly string[]
  readonly names: ReadonlySet<string>
  /** What becomes of what the service tells of the caller's session and browser, where it may tell anything. */
  readonly toCookies?: ToCookies | undefined
}

/** On every answer of the operation. A service may link as well. */
export function headersOfOperation(operation: Operation): GatewayHeaders {
  const headers = { ...commonHeaders, ...deprecationHeaders(operation) }
  const names = new Set(['x-request-id', 'ratelimit-policy', 'ratelimit', ...Object.keys(headers)])
  names.delete('link')
  return { list: Object.entries(headers).flat(), names }
}

/**
 * Adds the limits of the call, what is left of them once it has consumed tokens, and what is to be said of its key.
 * `retryAfterSeconds`: where the answer says so.
 */
export function headersOfCall(
  always: GatewayHeaders,
  context: RequestContext,
  rates: SubjectRates,
  retryAfterSeconds?: number,
): GatewayHeaders {
  const { requestId, quota, keyWarnings } = context
  const list = [...always.list, 'x-request-id', requestId, 'ratelimit-policy', policyHeader(context, rates)]
  if (quota !== null) list.push('ratelimit', rateLimitHeader(quota, retryAfterSeconds))
  if (keyWarnings !== null) list.push(...Object.entries(keyWarnings).flat())
  return { list, names: always.names }
}

/**
 * On every answer: no cache on the way keeps what was meant for one caller, and no browser takes JSON for a page.
 * Public files replace `cache-control`.
 */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** WWW-Authenticate, Retry-After and Allow. */
export function errorHeaders({ code, status, message, members }: Fault, realm: string): Record<string, string> {
  const headers: Record<string, string> = {}
  const challenge = challengeOf({ code, status, message, members }, realm)
  if (challenge !== null) headers['www-authenticate'] = challenge
  if (members.retryAfterSeconds !== undefined) headers['retry-after'] = String(members.retryAfterSeconds)
  if (Array.isArray(members['allowed']) && status === 405) headers['allow'] = members['allowed'].join(', ')
  // The rest of the request is not waited for (RFC 9110, section 15.5.9).
  if (status === 408) headers['connection'] = 'close'
  return headers
}

/** RFC 6750, section 3.1: without credentials there is no error code. */
function challengeOf(
  { code, status, message, members }: Pick<Fault, 'code' | 'status' | 'message' | 'members'>,
  realm: string,
): string | null {
  const scopes = members['requiredScopes']
  if (code === 'missing_credentials') return `Bearer realm="${realm}"`
  if (status === 401) return `Bearer realm="${realm}", error="invalid_token", error_description="${quotable(message)}"`
  if (!Array.isArray(scopes)) return null
  return `Bearer realm="${realm}", error="insufficient_scope", scope="${scopes.join(' ')}"`
}

/** Without the characters that such a text may not have. */
const quotable = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?')

/**
 * `RateLimit` of the IETF draft (draft-ietf-httpapi-ratelimit-headers): what is left for the key, and for its workspace
 * when that is less; `t` is when there is one more. Where the answer says when to come again, no `t` is later than
 * that: the draft wants callers told one time.
 */
export function rateLimitHeader({ key, workspace }: Quota, retryAfterSeconds = Infinity): string {
  const left = (name: string, { remaining, nextSeconds }: BucketState): string =>
    `"${name}";r=${remaining};t=${Math.min(nextSeconds, retryAfterSeconds)}`
  const isTighter = workspace !== null && workspace.remaining < key.remaining
  return isTighter ? `${left('key', key)}, ${left('workspace', workspace)}` : left('key', key)
}

/** `RateLimit-Policy`: the rates of the calling key and its workspace or, until it is known, `defaults`. */
export const policyHeader = ({ rateSubject }: Pick<RequestContext, 'rateSubject'>, defaults: SubjectRates): string =>
  policiesOf(rateSubject?.rates ?? defaults)

const policiesOf = ({ key, workspace }: SubjectRates): string =>
  workspace === null ? policy('key', key) : `${policy('key', key)}, ${policy('workspace', workspace)}`

const policy = (name: string, { perMinute }: RateLimit): string => `"${name}";q=${perMinute};w=60`

/**
 * Since when an operation is deprecated (RFC 9745), when it ends (RFC 8594), and where to read what to call instead.
 */
function deprecationHeaders({ deprecation }: Operation): Record<string, string> {
  if (deprecation === undefined) return {}
  const { since, sunset, link } = deprecation
  return {
    deprecation: `@${Math.floor(since.getTime() / 1_000)}`,
    sunset: sunset.toUTCString(),
    link: `<${link}>; rel="deprecation"`,
  }
}
