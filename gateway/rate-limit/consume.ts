// Takes from the rate limit what a call costs, and refuses the call when there is not enough. What remains is
// kept in the request's context, for the headers of the answer.
import { Fault } from '#contract/faults/fault.ts'
import { andThen, type MaybePromise } from '#runtime/maybe-promise.ts'
import type { RateSubject, RequestContext } from '../request/request-context.ts'
import type { Cost } from './call-cost.ts'
import type { Policy, RateLimiter } from './rate-limiter.ts'

/** Throws `rate_limited`, or `too_many_items` where no waiting would help. */
export const consume = (
  subject: RateSubject,
  { tokens }: Cost,
  context: RequestContext,
  rateLimiter: RateLimiter,
): MaybePromise<void> =>
  andThen(rateLimiter.consume(subject, tokens), ({ quota, violated, retryAfterSeconds }) => {
    context.quota = quota
    if (violated.length > 0) throw tooMany(tokens, subject) ?? rateLimited(violated, subject, retryAfterSeconds)
  })

type Tokens = { readonly taken: number; readonly needed: number }

/** For a call that needs more than was taken when it came. Throws as `consume` does; then it has cost nothing. */
export async function consumeMore(
  { taken, needed }: Tokens,
  context: RequestContext,
  rateLimiter: RateLimiter,
): Promise<void> {
  const { rateSubject: subject } = context
  if (needed <= taken || subject === null) return
  const { quota, violated, retryAfterSeconds } = await rateLimiter.consume(subject, needed - taken)
  context.quota = violated.length === 0 ? quota : await rateLimiter.giveBack(subject, taken)
  if (violated.length > 0) throw tooMany(needed, subject) ?? rateLimited(violated, subject, retryAfterSeconds)
}

/** For a call that has held the database for so long. Returns whether it costs anything more. */
export function chargeDatabase(databaseMs: number, context: RequestContext, rateLimiter: RateLimiter): boolean {
  const { rateSubject } = context
  const quota = rateSubject === null ? null : rateLimiter.charge(rateSubject, databaseMs)
  context.quota = quota ?? context.quota
  return quota !== null
}

/** For a call that needed less than was taken when it came. */
export function giveBack({ taken, needed }: Tokens, { rateSubject }: RequestContext, rateLimiter: RateLimiter): void {
  if (taken > needed && rateSubject !== null) void rateLimiter.giveBack(rateSubject, taken - needed)
}

/** For a call that costs more than its buckets ever hold: told to come again, it would do so for ever. */
function tooMany(tokens: number, { buckets }: RateSubject): Fault | null {
  const limit = Math.min(...buckets.map(({ rate }) => rate.burst))
  if (tokens <= limit) return null
  const detail = `The call counts as ${tokens} requests, and at most ${limit} can be made at once.`
  return new Fault('too_many_items', detail, { limit, hint: 'Split it into smaller calls.' })
}

function rateLimited(
  violated: readonly Policy[],
  { buckets: [key, workspace] }: RateSubject,
  retryAfterSeconds: number,
): Fault {
  const ofWorkspace = violated.includes('workspace') && !violated.includes('key')
  const { perMinute, burst } = (ofWorkspace ? (workspace ?? key) : key).rate
  const who = ofWorkspace ? 'The keys of this workspace together have' : 'The key has'
  return new Fault('rate_limited', `${who} used up the requests for now: ${perMinute} a minute, ${burst} at once.`, {
    retryAfterSeconds,
    'violated-policies': violated,
  })
}
