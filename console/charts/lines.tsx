// A line for each series, with a gap where nothing was measured and a dot where both neighbours are missing.
import type { ReactNode } from 'react'
import { ChartFrame } from './chart-frame.tsx'
import type { Chart } from './chart.ts'
import css from './chart.module.css'
import { linePath, lonePath } from './line-path.ts'
import { niceMax } from './scale.ts'
import { toneClass } from './tone.tsx'

export function Lines(chart: Chart): ReactNode {
  const { columns, series } = chart
  const max = niceMax(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  return (
    <ChartFrame {...chart} max={max}>
      {series.map(({ name, tone, values }) => (
        <g key={name} className={toneClass(tone)}>
          <path className={css.line} d={linePath(values, columns.length, max)} vectorEffect="non-scaling-stroke" />
          <path className={css.dot} d={lonePath(values, columns.length, max)} vectorEffect="non-scaling-stroke" />
        </g>
      ))}
    </ChartFrame>
  )
}
