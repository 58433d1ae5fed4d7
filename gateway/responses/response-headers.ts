// Headers of what is answered: those of every answer, and those that go with a refusal, whatever its body looks like.
import type { Fault } from '#contract/fault.ts'
import type { Quota, Rates } from '../rate-limit/rate-limiter.ts'
import type { Rate, Standing } from '../rate-limit/token-bucket.ts'

/**
 * On every answer. Nothing that was meant for one caller is kept on the way, and nobody makes a page of what is none. What
 * anybody may read says by itself for how long it may be kept.
 */
export const everyAnswer = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

export function refusalHeaders({ code, status, members }: Fault, realm: string): Record<string, string> {
  const headers: Record<string, string> = {}
  const challenge = challengeOf(code, status, members['requiredScopes'], realm)
  if (challenge !== null) headers['www-authenticate'] = challenge
  if (members.retryAfterSeconds !== undefined) headers['retry-after'] = String(members.retryAfterSeconds)
  if (Array.isArray(members['allowed']) && status === 405) headers['allow'] = members['allowed'].join(', ')
  // What is left of the request is not waited for (RFC 9110, 15.5.9).
  if (status === 408) headers['connection'] = 'close'
  return headers
}

/** RFC 6750: a caller that presented nothing is told no error. */
function challengeOf(code: string, status: number, scopes: unknown, realm: string): string | null {
  if (code === 'missing_credentials') return `Bearer realm="${realm}"`
  if (status === 401) return `Bearer realm="${realm}", error="invalid_token"`
  if (!Array.isArray(scopes)) return null
  return `Bearer realm="${realm}", error="insufficient_scope", scope="${scopes.join(' ')}"`
}

/** The rate limit fields of the IETF draft. What is left of the workspace's limit is told where it is the tighter one. */
export function quotaHeader({ key, workspace }: Quota): string {
  const isTighter = workspace !== null && workspace.remaining < key.remaining
  return isTighter ? `${left('key', key)}, ${left('workspace', workspace)}` : left('key', key)
}

export const policyHeader = ({ key, workspace }: Rates): string =>
  `${policy('key', key)}, ${policy('workspace', workspace)}`

/** MCP has a limit of its own for the calls that open a session. */
export const mcpPolicyHeader = (rates: Rates): string =>
  `${policyHeader(rates)}, ${policy('handshake', rates.handshake)}`

const policy = (name: string, { perMinute }: Rate): string => `"${name}";q=${perMinute};w=60`

const left = (policy: string, { remaining, resetSeconds }: Standing): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`
