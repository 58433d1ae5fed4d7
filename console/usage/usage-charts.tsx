// Requests by status and their latency, period by period: of a key, or to a webhook.
import type { ReactNode } from 'react'
import type { ChartTone } from '../charts/chart.ts'
import { LatencyLines } from '../charts/latency-lines.tsx'
import { compactCount } from '../charts/scale.ts'
import { StackedBars } from '../charts/stacked-bars.tsx'
import { periodName } from './period-name.ts'
import type { By } from './span-choice.tsx'
import css from './usage-charts.module.css'
import { texts } from './texts.ts'

type Status<Is extends string> = { readonly name: string; readonly tone: ChartTone; readonly is: Is }
type Period<Is extends string> = Readonly<Record<Is, number>> & {
  readonly from: string
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export const statuses = [
  { name: '2xx', tone: 'good', is: 'status2xx' },
  { name: '3xx', tone: 'calm', is: 'status3xx' },
  { name: 'Other 4xx', tone: 'warn', is: 'status4xx' },
  { name: '429', tone: 'limit', is: 'status429' },
  { name: '5xx', tone: 'bad', is: 'status5xx' },
] as const

export function UsageCharts<Is extends string>({
  periods,
  by,
  shown,
  latency,
}: {
  readonly periods: readonly Period<Is>[]
  readonly by: By
  /** Upon each other, the first at the bottom. */
  readonly shown: readonly Status<Is>[]
  /** The title of the latency chart. */
  readonly latency: string
}): ReactNode {
  const columns = periods.map(({ from }) => periodName(from, by))
  return (
    <>
      <StackedBars
        title={texts.requestsBy(by)}
        columns={columns}
        series={shown.map(({ name, tone, is }) => ({ name, tone, values: periods.map((period) => period[is]) }))}
        format={compactCount}
      />
      <LatencyLines title={latency} columns={columns} periods={periods} />
    </>
  )
}

/** As high as the charts that come, so that nothing jumps. */
export const LoadingCharts = (): ReactNode => <div className={css.loading} role="status" aria-label={texts.loading} />
