// Headers that go with a refusal, whatever its body looks like.
import type { Fault } from '#contract/fault.ts'

export function refusalHeaders({ code, status, members }: Fault, realm: string): Record<string, string> {
  const headers: Record<string, string> = {}
  const challenge = challengeOf(code, status, members['requiredScopes'], realm)
  if (challenge !== null) headers['www-authenticate'] = challenge
  if (members.retryAfterSeconds !== undefined) headers['retry-after'] = String(members.retryAfterSeconds)
  if (Array.isArray(members['allowed']) && status === 405) headers['allow'] = members['allowed'].join(', ')
  return headers
}

/** RFC 6750: a caller that presented nothing is told no error. */
function challengeOf(code: string, status: number, scopes: unknown, realm: string): string | null {
  if (code === 'missing_credentials') return `Bearer realm="${realm}"`
  if (status === 401) return `Bearer realm="${realm}", error="invalid_token"`
  if (!Array.isArray(scopes)) return null
  return `Bearer realm="${realm}", error="insufficient_scope", scope="${scopes.join(' ')}"`
}

export type Quota = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

/** The rate limit fields of the IETF draft. */
export const quotaHeaders = ({ limit, remaining, resetSeconds }: Quota): Record<string, string> => ({
  'ratelimit-policy': `"key";q=${limit};w=60`,
  ratelimit: `"key";r=${remaining};t=${resetSeconds}`,
})
