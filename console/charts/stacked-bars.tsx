// A bar for each column, its parts one upon the other.
import type { ReactNode } from 'react'
import { ChartFrame } from './chart-frame.tsx'
import type { Chart } from './chart.ts'
import { niceCountMax, stackHeights } from './scale.ts'
import { toneClass } from './tone.tsx'

const barShare = 0.78

export function StackedBars(chart: Chart): ReactNode {
  const { columns, series } = chart
  const max = niceCountMax(Math.max(0, ...stackHeights(columns.length, series)))
  const width = 100 / columns.length
  return (
    <ChartFrame {...chart} max={max}>
      {columns.map((name, column) => {
        let top = 100
        return series.map(({ name: ofSeries, tone, values }) => {
          const height = ((values[column] ?? 0) * 100) / max
          top -= height
          const x = column * width + (width * (1 - barShare)) / 2
          return height === 0 ? null : (
            <rect
              key={`${name} ${ofSeries}`}
              className={toneClass(tone)}
              x={x}
              y={top}
              width={width * barShare}
              height={height}
            />
          )
        })
      })}
    </ChartFrame>
  )
}
