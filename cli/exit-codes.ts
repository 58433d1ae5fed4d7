// What a script can tell from the exit code.
export const exitCodes = {
  success: 0,
  /** Refused by the API, not reached, or found broken. */
  failed: 1,
  /** Never sent: the words of the command line, or the environment, make no call. */
  wrongUsage: 2,
} as const

/** What the person who typed can put right; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
