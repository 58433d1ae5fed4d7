// Whose tokens a call takes, for tests that ask the rate limiter itself, and what is left of them.
import type { RateLimit } from '#contract/rate-limits.ts'
import type { RateLimiter, Rates } from '../../../gateway/rate-limit/limiter.ts'
import { eventually } from '../../support/eventually.ts'

/** So many tokens at once. By default next to none comes back while a test runs. */
export const atOnce = (key: number, workspace = 1_000, perMinute = 1): Rates => ({
  key: { perMinute, burst: key },
  workspace: { perMinute, burst: workspace },
})

/** What an answer says is left of the limit of its key. */
export const leftOfKey = ({ headers }: { headers: Headers }): number =>
  Number(/"key";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

export const countTogether = (limits: readonly RateLimiter[]) =>
  eventually(
    () =>
      limits.every((each) => {
        const figures = each.redisFigures()
        return figures?.isLocal === false && figures.gateways === limits.length
      }),
    'all count in Redis and know of each other',
  )

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
