// The time of day to the microsecond, alike in all processes of a machine.

/** Milliseconds since 1970. */
export const clock = (): number => performance.timeOrigin + performance.now()
