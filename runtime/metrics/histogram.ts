// A histogram that costs its writer a short search and two additions.
import type { Distribution, Sample } from './metric.ts'

export type Histogram = { observe(value: number): void; read(): Distribution }

/** Seconds, from what a process does by itself to what waits for others. */
export const durationBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const

/** `bounds` rise; each is the largest value that its bucket takes. */
export function histogramOf(bounds: readonly number[]): Histogram {
  const counts = new Float64Array(bounds.length + 1)
  const limits = Float64Array.from(bounds)
  let sum = 0
  return {
    observe: (value) => {
      let at = 0
      while (at < limits.length && value > limits[at]!) at++
      counts[at]!++
      sum += value
    },
    // A copy: what is written out must not change on the way.
    read: () => ({ bounds, counts: counts.slice(), sum }),
  }
}

/** Histograms by the values of their labels, which come from lists that the code knows. */
export function durationsBy<const L extends string>(names: readonly L[]) {
  type Values = Readonly<Record<L, string>>
  const all = new Map<string, { readonly labels: Values; readonly histogram: Histogram }>()
  return {
    observe: (labels: Values, seconds: number): void => {
      const key = names.map((name) => labels[name]).join('\n')
      const found = all.get(key) ?? { labels, histogram: histogramOf(durationBounds) }
      all.set(key, found)
      found.histogram.observe(seconds)
    },
    read: (): Sample<'histogram', L>[] =>
      [...all.values()].map(({ labels, histogram }) => ({ labels, value: histogram.read() })),
  }
}
