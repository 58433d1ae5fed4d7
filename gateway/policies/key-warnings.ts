// Will the key soon be refused for its age? From 80 % of a secret's time on, every answer to its calls says when that
// ends, so that whoever calls learns of it before the calls fail.

/** `from`: since when it is told, in milliseconds since 1970. */
export type KeyWarning = { readonly header: string; readonly value: string; readonly from: number }

const warnedShare = 0.8

/** Milliseconds since 1970; Infinity where there is no end. */
type Times = { readonly createdAt: number; readonly expiresAt: number; readonly rotateBy: number }

export function warningsOf({ createdAt, expiresAt, rotateBy }: Times): KeyWarning[] {
  const warning = (header: string, end: number): KeyWarning[] =>
    end === Infinity
      ? []
      : [{ header, value: new Date(end).toISOString(), from: createdAt + warnedShare * (end - createdAt) }]
  return [...warning('x-key-expires-at', expiresAt), ...warning('x-key-rotate-by', rotateBy)]
}

/** Returns null for nearly every call. */
export function warningHeaders(warnings: readonly KeyWarning[], now: number): Record<string, string> | null {
  if (!warnings.some(({ from }) => from <= now)) return null
  return Object.fromEntries(warnings.filter(({ from }) => from <= now).map(({ header, value }) => [header, value]))
}
