// The time of day with microseconds, the same in all processes of a machine.

/** Milliseconds since 1970. */
export const clock = (): number => performance.timeOrigin + performance.now()
