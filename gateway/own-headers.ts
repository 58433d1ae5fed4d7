// The gateway's own part of an answer's head, whoever gives the answer.
import type { Operation } from '#contract/operation.ts'
import type { RateLimiter } from './rate-limit/limiter.ts'
import type { RequestContext } from './request/request-context.ts'
import { deprecationHeaders } from './responses/deprecation-headers.ts'
import { policyHeader, rateLimitHeader } from './responses/rate-limit-headers.ts'
import { commonHeaders } from './responses/response-headers.ts'
import type { OwnHeaders } from './upstream/service-call.ts'

/** On every answer of the operation. A service may link as well. */
export function alwaysOf(operation: Operation): OwnHeaders {
  const headers = { ...commonHeaders, ...deprecationHeaders(operation) }
  const names = new Set(['x-request-id', 'ratelimit-policy', 'ratelimit', ...Object.keys(headers)])
  names.delete('link')
  return { list: Object.entries(headers).flat(), names }
}

/**
 * Adds the limits of the call, what is left of them once it has consumed tokens, and what is to be said of its key.
 * `retryAfterSeconds`: where the answer says so.
 */
export function ofCall(
  always: OwnHeaders,
  context: RequestContext,
  { rates }: Pick<RateLimiter, 'rates'>,
  retryAfterSeconds?: number,
): OwnHeaders {
  const { requestId, quota, keyWarnings } = context
  const list = [...always.list, 'x-request-id', requestId, 'ratelimit-policy', policyHeader(context, rates)]
  if (quota !== null) list.push('ratelimit', rateLimitHeader(quota, retryAfterSeconds))
  if (keyWarnings !== null) list.push(...Object.entries(keyWarnings).flat())
  return { list, names: always.names }
}
