// How fast a replay job with a rate of its own goes. Pure. Tokens come in evenly, one for each delivery; those that nobody
// takes are kept for two seconds at most, so that a job that was held up goes on and does not catch up. What may be taken
// at once and what comes in within a minute are no more than the rate together: so no minute has more, whichever it is.
// All in whole milliseconds, rounded to the later one.

/** `resumeAt`: when the job goes on; null before its first delivery. */
export type Pace = { readonly perMinute: number; readonly resumeAt: Date | null }

const minuteMs = 60_000
const keptSeconds = 2

/** How many may be taken at once. */
const keptMax = (perMinute: number): number => Math.max(1, Math.floor((perMinute * keptSeconds) / 60))

/** How many come in within a minute. */
const incoming = (perMinute: number): number => perMinute - keptMax(perMinute) + 1

const untilComeInMs = (tokens: number, perMinute: number): number => (tokens * minuteMs) / incoming(perMinute)

const keptMs = (perMinute: number): number => Math.floor(untilComeInMs(keptMax(perMinute) - 1, perMinute))

/** Where several are kept, a job waits for half of them: one statement a second does for any rate. */
const gatheredMs = (perMinute: number): number => Math.floor(keptMs(perMinute) / 2)

/** When the oldest token came in that is not taken; one comes in with the job itself. */
function oldestMs({ perMinute, resumeAt }: Pace, now: Date): number {
  if (resumeAt === null) return now.getTime()
  return Math.max(resumeAt.getTime() - gatheredMs(perMinute), now.getTime() - keptMs(perMinute))
}

/** How many deliveries may be started anew now. */
export function tokensAt(pace: Pace, now: Date): number {
  if (pace.resumeAt !== null && pace.resumeAt > now) return 0
  return 1 + Math.floor(((now.getTime() - oldestMs(pace, now)) * incoming(pace.perMinute)) / minuteMs)
}

/** `resumeAt` once `taken` of these tokens are taken. */
export const resumeAfter = (pace: Pace, taken: number, now: Date): Date =>
  new Date(oldestMs(pace, now) + Math.ceil(untilComeInMs(taken, pace.perMinute)) + gatheredMs(pace.perMinute))
