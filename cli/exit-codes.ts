// The exit codes, for scripts.
export const exitCodes = {
  success: 0,
  /** Refused by the API, not reached, or found broken. */
  failed: 1,
  /** Nothing was sent: the arguments or the environment are wrong. */
  wrongUsage: 2,
} as const

/** A mistake in the arguments or the environment; the message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
