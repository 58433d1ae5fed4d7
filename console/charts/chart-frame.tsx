// The frame of every chart: its name, a legend that shows the column under the pointer, the scale, and the same figures
// as a table, which is what readers get. The drawing itself is hidden from them.
import { useState, type PointerEvent, type ReactNode } from 'react'
import type { Chart } from './chart.ts'
import css from './chart.module.css'
import { Swatch } from './tone.tsx'
import { texts } from './texts.ts'

type Props = Chart & {
  readonly max: number
  /** Draws in a box of 100 by 100. */
  readonly children: ReactNode
}

export function ChartFrame({ max, children, ...chart }: Props): ReactNode {
  const { title, columns, format } = chart
  const [column, setColumn] = useState<number | null>(null)
  function follow({ clientX, currentTarget }: PointerEvent<HTMLDivElement>): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.floor(((clientX - left) / width) * columns.length)
    setColumn(Math.min(Math.max(at, 0), columns.length - 1))
  }
  return (
    <figure className={css.chart} aria-label={title}>
      <figcaption className={css.head}>
        <span className={css.title}>{title}</span>
        <Legend {...chart} column={column} />
      </figcaption>
      <div className={css.body} aria-hidden="true">
        <div className={css.scale}>
          <span>{format(max)}</span>
          <span>{format(max / 2)}</span>
          <span>0</span>
        </div>
        <div className={css.plot} onPointerMove={follow} onPointerLeave={() => setColumn(null)}>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" className={css.drawing}>
            <path className={css.grid} d="M0 0.5H100M0 50H100M0 100H100" vectorEffect="non-scaling-stroke" />
            {column !== null && (
              <rect
                className={css.pointed}
                x={(column * 100) / columns.length}
                y={0}
                width={100 / columns.length}
                height={100}
              />
            )}
            {children}
          </svg>
        </div>
        <div className={css.ends}>
          <span>{columns[0]}</span>
          <span>{columns.at(-1)}</span>
        </div>
      </div>
      <TableTwin {...chart} />
    </figure>
  )
}

const Legend = ({ columns, series, format, column }: Chart & { readonly column: number | null }): ReactNode => (
  <div className={css.legend} aria-hidden="true">
    {column !== null && <strong className={css.when}>{columns[column]}</strong>}
    {series.map(({ name, tone, values }) => {
      const value = column === null ? null : values[column]
      return (
        <span key={name} className={css.entry}>
          <Swatch tone={tone} />
          {name}
          {column !== null && <span className={css.value}>{textOf(value, format)}</span>}
        </span>
      )
    })}
  </div>
)

const TableTwin = ({ title, columns, series, format }: Chart): ReactNode => (
  <details className={css.twin}>
    <summary>{texts.showAsTable}</summary>
    {/* It scrolls, so a keyboard must reach it. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <div className={css.scroll} role="region" aria-label={texts.asTable(title)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.time}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.map((name, column) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {series.map(({ name: ofSeries, values }) => (
                <td key={ofSeries}>{textOf(values[column], format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)

const textOf = (value: number | null | undefined, format: Chart['format']): string =>
  value === null || value === undefined ? '–' : format(value)
