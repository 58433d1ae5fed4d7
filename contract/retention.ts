// How long things are kept.

/** A deleted object can be restored for so long; then it is purged. */
export const restoreWindowDays = 30
/** Events in the feed, and for replays. */
export const eventsKeptDays = 30
/** Answers to requests with an Idempotency-Key. */
export const idempotencyKeptHours = 24
