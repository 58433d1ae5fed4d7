// RateLimit-Policy and RateLimit, the header fields of the IETF draft (draft-ietf-httpapi-ratelimit-headers).
import type { RateLimit } from '#contract/rate-limits.ts'
import type { BucketState, Quota, RequestContext, SubjectRates } from '../request/request-context.ts'

type Rates = SubjectRates & { readonly handshake: RateLimit }
type Known = Pick<RequestContext, 'rateSubject'>

/** `RateLimit`: what is left for the key, and for its workspace when that is less. */
export function rateLimitHeader({ key, workspace }: Quota): string {
  const isTighter = workspace !== null && workspace.remaining < key.remaining
  return isTighter ? `${remaining('key', key)}, ${remaining('workspace', workspace)}` : remaining('key', key)
}

/** `RateLimit-Policy` of the API: the rates of the calling key and its workspace or, until it is known, `defaults`. */
export const policyHeader = ({ rateSubject }: Known, defaults: Rates): string =>
  policiesOf(rateSubject?.rates ?? defaults)

/** `RateLimit-Policy` of MCP, which has a limit of its own for the calls that open a session. */
export const mcpPolicyHeader = (known: Known, defaults: Rates): string =>
  `${policyHeader(known, defaults)}, ${policy('handshake', defaults.handshake)}`

const policiesOf = ({ key, workspace }: SubjectRates): string =>
  workspace === null ? policy('key', key) : `${policy('key', key)}, ${policy('workspace', workspace)}`

const policy = (name: string, { perMinute }: RateLimit): string => `"${name}";q=${perMinute};w=60`

const remaining = (name: string, { remaining, resetSeconds }: BucketState): string =>
  `"${name}";r=${remaining};t=${resetSeconds}`
