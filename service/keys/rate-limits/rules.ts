// The rate limit of a key or a workspace, and its columns. A key's own limit may not exceed the plan of its workspace,
// or the largest plan of several. When a plan shrinks later the key's limit stays, and the smaller one holds. Pure.
import { Fault } from '#contract/faults/fault.ts'
import { largestPlan, type DefaultRates, type RateLimit } from '#contract/rate-limits.ts'

const numbers = ['perMinute', 'burst'] as const

/** Throws `validation_failed`, which names each number that is too large. */
export function assertWithinPlan(
  limit: RateLimit | null | undefined,
  plans: readonly (RateLimit | null)[],
  defaults: DefaultRates,
): void {
  const plan = largestPlan(plans, defaults)
  if (!limit || plan === null) return
  const errors = numbers
    .filter((number) => limit[number] > plan[number])
    .map((number) => ({
      pointer: `/rateLimit/${number}`,
      code: 'too_large' as const,
      detail: `Is above the plan of the workspace, which is ${plan[number]}.`,
    }))
  const [first] = errors
  if (first !== undefined) throw new Fault('validation_failed', `${first.pointer}: ${first.detail}`, { errors })
}

export const rateLimitColumns = { rateLimitPerMinute: true, rateLimitBurst: true } as const

type Columns = Readonly<Record<keyof typeof rateLimitColumns, number | null>>

/** Returns null for a row without a limit of its own. */
export const rateLimitFromRow = ({ rateLimitPerMinute: perMinute, rateLimitBurst: burst }: Columns): RateLimit | null =>
  perMinute === null || burst === null ? null : { perMinute, burst }

export const rateLimitToRow = (limit: RateLimit | null): Columns => ({
  rateLimitPerMinute: limit?.perMinute ?? null,
  rateLimitBurst: limit?.burst ?? null,
})
