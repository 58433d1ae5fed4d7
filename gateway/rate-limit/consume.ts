// Takes from the rate limit what a call costs, and refuses the call when there is not enough. What remains is
// kept in the request's context, for the headers of the answer.
import { Fault } from '#contract/fault.ts'
import type { RateSubject, RequestContext } from '../request/request-context.ts'
import type { Cost } from './call-cost.ts'
import type { Policy, RateLimiter } from './rate-limiter.ts'

/** Throws `rate_limited`. */
export async function consume(
  subject: RateSubject,
  { tokens, handshake }: Cost,
  context: RequestContext,
  rateLimiter: RateLimiter,
): Promise<void> {
  const { quota, violated, retryAfterSeconds } = await rateLimiter.consume(subject, tokens)
  context.quota = quota
  if (handshake) await consumeHandshake(subject.keyId, rateLimiter)
  else if (violated.length > 0) throw rateLimited(violated, retryAfterSeconds)
}

async function consumeHandshake(keyId: string, rateLimiter: RateLimiter): Promise<void> {
  const retryAfterSeconds = await rateLimiter.consumeHandshake(keyId)
  if (retryAfterSeconds > 0) throw rateLimited(['handshake'], retryAfterSeconds)
}

type Tokens = { readonly taken: number; readonly needed: number }

/** For a call that needs more than was taken when it came. Throws `rate_limited`; then it has cost nothing. */
export async function consumeMore(
  { taken, needed }: Tokens,
  context: RequestContext,
  rateLimiter: RateLimiter,
): Promise<void> {
  const { rateSubject: subject } = context
  if (needed <= taken || subject === null) return
  const { quota, violated, retryAfterSeconds } = await rateLimiter.consume(subject, needed - taken)
  context.quota = violated.length === 0 ? quota : await rateLimiter.giveBack(subject, taken)
  if (violated.length > 0) throw rateLimited(violated, retryAfterSeconds)
}

/** For a call that needed less than was taken when it came. */
export function giveBack({ taken, needed }: Tokens, { rateSubject }: RequestContext, rateLimiter: RateLimiter): void {
  if (taken > needed && rateSubject !== null) void rateLimiter.giveBack(rateSubject, taken - needed)
}

function rateLimited(violated: readonly Policy[], retryAfterSeconds: number): Fault {
  const who =
    violated.includes('workspace') && !violated.includes('key')
      ? 'The keys of this workspace together have'
      : 'The key has'
  const what = violated.includes('handshake') ? 'opened too many sessions' : 'used up the requests'
  return new Fault('rate_limited', `${who} ${what} for now.`, {
    retryAfterSeconds,
    'violated-policies': violated,
  })
}
