// Moments and spans as people say them. Pure.

/** A unit is used below so many of it, of which `each` make one of the next. */
import { texts } from './texts.tsx'

const steps = [
  { unit: 'second', below: 60, each: 60 },
  { unit: 'minute', below: 60, each: 60 },
  { unit: 'hour', below: 24, each: 24 },
  // The spans that keys are given, 90 days among them, are read as they were chosen.
  { unit: 'day', below: 100, each: 30 },
  { unit: 'month', below: 12, each: 12 },
  { unit: 'year', below: Infinity, each: 1 },
] as const

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const soonSeconds = 10

/** `3 hours ago`, `in 2 days`, `yesterday`. */
export function relativeTime(at: string, nowMs: number): string {
  let amount = (Date.parse(at) - nowMs) / 1_000
  if (Math.abs(amount) < soonSeconds) return texts.justNow
  for (const { unit, below, each } of steps) {
    const whole = wholeOf(amount)
    if (Math.abs(whole) < below) return words.format(whole, unit)
    amount /= each
  }
  return at
}

/** Whole units that are over. What lacks next to nothing is whole: 90 days that began a minute ago are still 90. */
function wholeOf(amount: number): number {
  const nearest = Math.round(amount)
  return Math.abs(amount - nearest) < nearlyWhole ? nearest : Math.trunc(amount)
}
const nearlyWhole = 0.02

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** `4 Dec 2026`. */
export const dayText = (at: Date): string => days.format(at)

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** `4 Dec 2026, 09:30`. */
export const momentText = (at: Date): string => moments.format(at)
