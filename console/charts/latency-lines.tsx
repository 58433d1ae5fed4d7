import type { ReactNode } from 'react'
import { Lines } from './lines.tsx'
import { milliseconds } from './scale.ts'

type Period = { readonly p50Ms: number | null; readonly p95Ms: number | null }

/** How long half, and 95 of 100, took at the most. */
export const LatencyLines = ({
  title,
  columns,
  periods,
}: {
  readonly title: string
  readonly columns: readonly string[]
  readonly periods: readonly Period[]
}): ReactNode => (
  <Lines
    title={title}
    columns={columns}
    series={[
      { name: 'p95', tone: 'second', values: periods.map(({ p95Ms }) => p95Ms) },
      { name: 'p50', tone: 'first', values: periods.map(({ p50Ms }) => p50Ms) },
    ]}
    format={milliseconds}
  />
)
