import type { Series } from './chart.ts'

type Values = Series['values']

/** The path of a series in a box of 100 by 100, broken where nothing was measured. */
export const linePath = (values: Values, columns: number, max: number): string =>
  pathOf(values, columns, max, (column) => {
    if (isAlone(values, column)) return null
    return isMeasured(values, column - 1) ? 'L' : 'M'
  })

/** Points that no line reaches: each a line of no length, which round ends make a dot. */
export const lonePath = (values: Values, columns: number, max: number): string =>
  pathOf(values, columns, max, (column) => (isAlone(values, column) ? 'M' : null), 'h0')

function pathOf(
  values: Values,
  columns: number,
  max: number,
  commandAt: (column: number) => 'M' | 'L' | null,
  end = '',
): string {
  const parts = values.map((value, column) => {
    const command = value === null ? null : commandAt(column)
    if (value === null || command === null) return ''
    return `${command}${round(((column + 0.5) * 100) / columns)} ${round(100 - (value * 100) / max)}${end}`
  })
  return parts.join('')
}

const isMeasured = (values: Values, column: number): boolean => (values[column] ?? null) !== null
const isAlone = (values: Values, column: number): boolean =>
  !isMeasured(values, column - 1) && !isMeasured(values, column + 1)

const round = (value: number): number => Math.round(value * 100) / 100
