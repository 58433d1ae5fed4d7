// What a dashboard is made of: panels with their queries.
type Unit = 's' | 'bytes' | 'Bps' | 'reqps' | 'short' | 'percentunit'
/** `legend` has names of labels in double braces. */
type Query = { readonly expr: string; readonly legend: string }
export type Panel = {
  readonly title: string
  readonly description: string
  readonly unit: Unit
  readonly queries: readonly Query[]
}
export type Row = { readonly title: string; readonly panels: readonly Panel[] }
export type Dashboard = { readonly uid: string; readonly title: string; readonly rows: readonly Row[] }

/** The instances that are chosen. */
export const only = 'instance=~"$instance"'

export const panel = (
  title: string,
  unit: Unit,
  description: string,
  ...queries: readonly [expr: string, legend: string][]
): Panel => ({
  title,
  unit,
  description,
  queries: queries.map(([expr, legend]) => ({ expr, legend })),
})
export const percentile = (share: number, histogram: string, by: string, labels: string): string =>
  `histogram_quantile(${share}, sum by (${by}) (rate(${histogram}_bucket{${labels}}[$__rate_interval])))`
export const rate = (counter: string, labels: string, by: string): string =>
  `sum by (${by}) (rate(${counter}{${labels}}[$__rate_interval]))`

/** Of the processes of a tier: figures of a process have no tier, so one that the tier has names the instances. */
export function processRow(figureOfTier: string): Row {
  const ofTier = (expr: string): string => `${expr} and on (instance) ${figureOfTier}`
  return {
    title: 'Processes',
    panels: [
      panel('Event loop', 'percentunit', 'The share of time in which it was busy. At 1 the process can do no more.', [
        ofTier(`rate(nodejs_eventloop_active_seconds_total{${only}}[$__rate_interval])`),
        '{{instance}}',
      ]),
      panel('Lateness of the event loop', 's', '99th percentile since the last scrape.', [
        ofTier(`nodejs_eventloop_lag_p99_seconds{${only}}`),
        '{{instance}}',
      ]),
      panel(
        'Memory',
        'bytes',
        'Of the whole process, and what JavaScript objects take of it.',
        [ofTier(`process_resident_memory_bytes{${only}}`), '{{instance}} resident'],
        [ofTier(`nodejs_heap_size_used_bytes{${only}}`), '{{instance}} objects'],
      ),
      panel('Versions', 'short', 'How many processes run which version.', [
        `count by (version) (build_info{${only}} and on (instance) ${figureOfTier})`,
        '{{version}}',
      ]),
    ],
  }
}
