// The rate limit of a key or a workspace between the contract and the columns of its row.
import type { RateLimit } from '#contract/rate-limits.ts'

export const rateLimitColumns = { rateLimitPerMinute: true, rateLimitBurst: true } as const

type Columns = Readonly<Record<keyof typeof rateLimitColumns, number | null>>

/** Null where the row has none of its own. */
export const rateLimitFromRow = ({ rateLimitPerMinute: perMinute, rateLimitBurst: burst }: Columns): RateLimit | null =>
  perMinute === null || burst === null ? null : { perMinute, burst }

export const rateLimitToRow = (limit: RateLimit | null): Columns => ({
  rateLimitPerMinute: limit?.perMinute ?? null,
  rateLimitBurst: limit?.burst ?? null,
})
