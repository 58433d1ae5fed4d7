// A figure that a process publishes for Prometheus. It is declared once, with its name, meaning and labels; the
// documentation is printed from the declarations, and every declared figure must have a reader. What a request costs to
// count is an addition: figures are read and written out only when somebody asks (runtime/metrics/metrics-server.ts).
import { withTimeout } from '../timeouts.ts'

export type Labels = Readonly<Record<string, string>>
/** A histogram as it stands: `counts` has one entry for each bound, not accumulated, and one for all that is above. */
export type Distribution = {
  readonly bounds: readonly number[]
  readonly counts: ArrayLike<number>
  readonly sum: number
}
export type MetricType = 'counter' | 'gauge' | 'histogram'
export type Metric<T extends MetricType = MetricType, L extends string = string> = {
  readonly name: string
  readonly type: T
  readonly help: string
  /** Their values come from lists that the code knows, never from a request. */
  readonly labels: readonly L[]
}
type ValueOf<T extends MetricType> = T extends 'histogram' ? Distribution : number
export type Sample<T extends MetricType = MetricType, L extends string = string> = {
  readonly labels: Readonly<Record<L, string>>
  readonly value: ValueOf<T>
}
/** One value for a figure without labels; null when it is not known just now, and so not shown. */
type Read<T extends MetricType, L extends string> = [L] extends [never]
  ? ValueOf<T> | null
  : readonly Sample<T, L>[] | null
type Awaitable<V> = V | Promise<V>
export type Readers<D> = {
  readonly [K in keyof D]: D[K] extends Metric<infer T, infer L> ? () => Awaitable<Read<T, L>> : never
}
export type Reading = { readonly metric: Metric; readonly samples: readonly Sample[] }
/** Some figures with what reads them. */
export type MetricSource = () => Promise<Reading[]>

type Declare<T extends MetricType> = <const L extends string = never>(
  name: string,
  help: string,
  labels?: readonly L[],
) => Metric<T, L>
const declare =
  <T extends MetricType>(type: T): Declare<T> =>
  (name, help, labels = []) => ({ name, type, help, labels })

export const counter = declare('counter')
export const gauge = declare('gauge')
export const histogram = declare('histogram')

/** `common` stands on every sample. A reader that fails leaves its figure out: the others are worth having all the same. */
export function metricSource<D extends Readonly<Record<string, Metric>>>(
  declared: D,
  readers: Readers<D>,
  common: Labels = {},
): MetricSource {
  const entries = Object.entries(declared).map(([key, metric]) => ({
    metric,
    read: (readers as Readonly<Record<string, () => Awaitable<unknown>>>)[key] ?? (() => null),
  }))
  return () =>
    Promise.all(
      entries.map(async ({ metric, read }) => {
        const found = await Promise.try(read).catch(() => null)
        return {
          metric,
          samples: samplesOf(found).map(({ labels, value }) => ({ labels: { ...common, ...labels }, value })),
        }
      }),
    )
}

function samplesOf(found: unknown): readonly Sample[] {
  if (found === null) return []
  return Array.isArray(found) ? (found as readonly Sample[]) : [{ labels: {}, value: found as number }]
}

// Counts of things that happen now and then, by the values of their labels.

export type Tally<L extends string> = {
  add(labels: Readonly<Record<L, string>>, by?: number): void
  read(): Sample<'counter', L>[]
}

/** Values must come from lists that the code knows: each combination is kept for as long as the process runs. */
export function tally<const L extends string>(names: readonly L[]): Tally<L> {
  const counts = new Map<string, { readonly labels: Readonly<Record<L, string>>; value: number }>()
  return {
    add: (labels, by = 1) => {
      const key = names.map((name) => labels[name]).join('\n')
      const found = counts.get(key)
      if (found === undefined) counts.set(key, { labels: { ...labels }, value: by })
      else found.value += by
    },
    read: () => [...counts.values()].map(({ labels, value }) => ({ labels, value })),
  }
}

// A histogram that costs its writer a short search and two additions.

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

// A reading that several figures share, and that has to ask somebody else: asked once for all of them, and not waited
// for longer than a scrape can wait.

const withinMs = 2_000
/** Figures of one scrape are read at the same time. */
const ofOneScrapeMs = 500

/**
 * Rejects when the answer takes too long; whoever asked is asked again only when it has come and was shared for `sharedMs`.
 */
export function sharedReading<T>(read: () => Promise<T>, sharedMs = ofOneScrapeMs): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= read().finally(() => setTimeout(() => (running = null), sharedMs).unref())
    return withTimeout(withinMs, running, 'No answer in time')
  }
}
