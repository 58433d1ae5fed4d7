// RateLimit-Policy and RateLimit, the header fields of the IETF draft (draft-ietf-httpapi-ratelimit-headers).
import type { RateLimit } from '#contract/rate-limits.ts'
import type { BucketState, Quota, RequestContext, SubjectRates } from '../request/request-context.ts'

type Known = Pick<RequestContext, 'rateSubject'>

/**
 * `RateLimit`: what is left for the key, and for its workspace when that is less; `t` is when there is one more. Where
 * the answer says when to come again, no `t` is later than that: the draft wants callers told one time.
 */
export function rateLimitHeader({ key, workspace }: Quota, retryAfterSeconds = Infinity): string {
  const left = (name: string, { remaining, nextSeconds }: BucketState): string =>
    `"${name}";r=${remaining};t=${Math.min(nextSeconds, retryAfterSeconds)}`
  const isTighter = workspace !== null && workspace.remaining < key.remaining
  return isTighter ? `${left('key', key)}, ${left('workspace', workspace)}` : left('key', key)
}

/** `RateLimit-Policy`: the rates of the calling key and its workspace or, until it is known, `defaults`. */
export const policyHeader = ({ rateSubject }: Known, defaults: SubjectRates): string =>
  policiesOf(rateSubject?.rates ?? defaults)

const policiesOf = ({ key, workspace }: SubjectRates): string =>
  workspace === null ? policy('key', key) : `${policy('key', key)}, ${policy('workspace', workspace)}`

const policy = (name: string, { perMinute }: RateLimit): string => `"${name}";q=${perMinute};w=60`
