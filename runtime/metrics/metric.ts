// A figure that a process publishes for Prometheus. It is declared once, with its name, meaning and labels; the
// documentation is printed from the declarations, and every declared figure must have a reader. What a request costs to
// count is an addition: figures are read and written out only when somebody asks (runtime/metrics/exposition.ts).

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
