// Moments and spans as people say them. Pure.

const steps = [
  { unit: 'second', lasts: 60 },
  { unit: 'minute', lasts: 60 },
  { unit: 'hour', lasts: 24 },
  { unit: 'day', lasts: 30 },
  { unit: 'month', lasts: 12 },
  { unit: 'year', lasts: Infinity },
] as const

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const soonSeconds = 10

/** `3 hours ago`, `in 2 days`, `yesterday`. */
export function relativeTime(at: string, nowMs: number): string {
  let amount = (Date.parse(at) - nowMs) / 1_000
  if (Math.abs(amount) < soonSeconds) return 'just now'
  for (const { unit, lasts } of steps) {
    if (Math.abs(amount) < lasts) return words.format(Math.trunc(amount), unit)
    amount /= lasts
  }
  return at
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** `4 Dec 2026`. */
export const dayText = (at: Date): string => days.format(at)
