// A line for each series, with a gap where nothing was measured and a dot where both neighbours are missing.
import type { ReactNode } from 'react'
import { ChartFrame } from './chart-frame.tsx'
import type { Chart, Series } from './chart.ts'
import css from './chart.module.css'
import { niceMax } from './scale.ts'

export function Lines(chart: Chart): ReactNode {
  const { columns, series } = chart
  const max = niceMax(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  return (
    <ChartFrame {...chart} max={max}>
      {series.map(({ name, tone, values }) => (
        <path
          key={name}
          className={`${css.line} ${css[tone]}`}
          d={linePath(values, columns.length, max)}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </ChartFrame>
  )
}

/** In a box of 100 by 100. A point by itself is a line of no length, which round ends make a dot. */
function linePath(values: Series['values'], columns: number, max: number): string {
  const parts = values.map((value, column) => {
    if (value === null) return ''
    const at = `${round(((column + 0.5) * 100) / columns)} ${round(100 - (value * 100) / max)}`
    const isFirst = column === 0 || values[column - 1] === null
    const isAlone = isFirst && (values[column + 1] ?? null) === null
    return isAlone ? `M${at}h0` : `${isFirst ? 'M' : 'L'}${at}`
  })
  return parts.join('')
}

const round = (value: number): number => Math.round(value * 100) / 100
