// How the calls to one address went lately: half of twenty within ten seconds are too many failures, also where they do
// not come one after the other.

/** Counted anew every ten seconds. */
export type CallWindow = { since: number; calls: number; failed: number }

const windowMs = 10_000
export const callsUntilJudged = 20
const failedShareMax = 0.5

export const emptyWindow = (now: number): CallWindow => ({ since: now, calls: 0, failed: 0 })

/** Changes the window: it is called for every call. */
export function countCall(window: CallWindow, isFailed: boolean, now: number): void {
  if (now - window.since >= windowMs) Object.assign(window, emptyWindow(now))
  window.calls += 1
  if (isFailed) window.failed += 1
}

export const failsOften = ({ calls, failed }: CallWindow): boolean =>
  calls >= callsUntilJudged && failed >= calls * failedShareMax
