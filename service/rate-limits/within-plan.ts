// A key's own limit may not be above the plan of its workspace, nor above the largest plan where it acts in several. A
// plan that shrinks later leaves the key's limit as it is: then the smaller one holds. Pure.
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
