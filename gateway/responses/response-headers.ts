// Headers of every answer, and those of a refusal, whatever the form of its body.
import type { Fault } from '#contract/faults/fault.ts'

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
