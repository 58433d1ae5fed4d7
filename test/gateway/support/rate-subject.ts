// Whose tokens a call takes, for tests that ask the rate limiter itself.
import type { RateLimit } from '#contract/rate-limits.ts'
import type { RateLimiter } from '../../../gateway/rate-limit/limiter.ts'

type Asked = {
  readonly keyId?: string
  readonly workspaceId?: string | null
  readonly ofKey?: RateLimit | null
  readonly ofWorkspace?: RateLimit | null
}

/** Without `ofKey` and `ofWorkspace` neither has a limit of its own. */
export function subjectIn(
  limits: RateLimiter,
  { keyId = 'k', workspaceId = 'w', ofKey = null, ofWorkspace = null }: Asked = {},
): ReturnType<RateLimiter['subjectOf']> {
  const workspaces = workspaceId === null ? [] : [{ id: workspaceId, rateLimit: ofWorkspace }]
  return limits.subjectOf({ id: keyId, rateLimit: ofKey, workspaces }, workspaceId)
}
