// How high a chart is, in numbers that people say. Pure.

import { texts } from './texts.ts'

const steps = [1, 2, 2.5, 5, 10] as const

/** The least of 1, 2, 2.5, 5 and 10 times a power of ten that is not below the value; 1 for nothing at all. */
export function niceMax(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = steps.find((each) => each * power >= value) ?? 10
  return step * power
}

const evenSteps = [2, 4, 6, 10] as const

/** The same for what is counted one by one: half of it is whole, too. */
export function niceCountMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  const step = [...(power > 1 ? [1] : []), ...evenSteps].find((each) => each * power >= value) ?? 10
  return step * power
}

/** Of each column, all series together. */
export const stackHeights = (columns: number, series: readonly { readonly values: readonly (number | null)[] }[]) =>
  Array.from({ length: columns }, (_, column) => series.reduce((sum, { values }) => sum + (values[column] ?? 0), 0))

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en')

/** `1.2K` where there is little room. */
export const compactCount = (value: number): string => compact.format(value)
export const fullCount = (value: number): string => whole.format(value)

/** A quantile of durations; null where there was none. */
export const latencyText = (ms: number | null): string => (ms === null ? '–' : milliseconds(ms))

/** `0.8 ms`, `34 ms`, `1.2 s`. */
export function milliseconds(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(ms >= 10_000 ? 0 : 1)} s`
  return texts.ms(ms >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10)
}
