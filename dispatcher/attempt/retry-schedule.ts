// How long a delivery waits between attempts. Pure: the random number is an argument.
const firstSeconds = 5
const factor = 4
const capSeconds = 12 * 3_600
const retries = 9
const jitter = 0.2
/** A minute at least, however the dice fall. */
const relievingSeconds = 60 / (1 - jitter)

/** 5 s · 20 s · 80 s · 5 m 20 s · 21 m 20 s · 85 m 20 s · 5 h 41 m · 12 h · 12 h: ten attempts in 31 h 35 m. */
export const defaultSchedule: readonly number[] = Array.from({ length: retries }, (_, n) =>
  Math.min(firstSeconds * factor ** n, capSeconds),
)

export const maxAttempts = (scheduleSeconds: readonly number[]): number => scheduleSeconds.length + 1

/**
 * The delay in ms after so many attempts, ±20 % so that what failed together does not come back together. `random` is in
 * [0, 1). A delivery that was planned on a longer schedule keeps to the last delay of this one.
 */
export const delayAfter = (attemptsMade: number, scheduleSeconds: readonly number[], random: number): number =>
  spreadMs(scheduleSeconds[Math.min(attemptsMade, scheduleSeconds.length) - 1] ?? capSeconds, random)

/** The least delay in ms after a sign that the receiver has too much to do: 60 to 90 s. */
export const relievingDelay = (random: number): number => spreadMs(relievingSeconds, random)

const spreadMs = (seconds: number, random: number): number =>
  Math.round(seconds * 1_000 * (1 - jitter + 2 * jitter * random))
