// Measured rows as a Markdown table: median (least–most), and for what is worth comparing how many times the peer's
// median that is, or how much more.
import { difference, ratio, spreadOf, type Spread } from './figures.ts'

export type Sample = Readonly<Record<string, number | null>>
export type Column = {
  /** The figure's name in the samples. */
  readonly figure: string
  /** With its unit. */
  readonly title: string
  readonly digits: number
  /** Followed by a column with the ratio to the peer. */
  readonly compared?: boolean
  /** Followed by a column with what is added to the peer's. */
  readonly added?: boolean
}
export type Measured = { readonly name: string; readonly samples: readonly Sample[] }

const nothing = '–'

export function table(columns: readonly Column[], rows: readonly Measured[], peer?: string): string {
  const head = ['', ...columns.flatMap((column) => titles(column, peer))]
  const peerRow = rows.find(({ name }) => name === peer)
  const body = rows.map((row) => [row.name, ...columns.flatMap((column) => cells(column, row, peerRow))])
  return [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...body]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
}

const titles = ({ title, compared, added }: Column, peer: string | undefined): string[] => [
  title,
  ...(compared ? [`× ${peer}`] : []),
  ...(added ? [`more than ${peer}`] : []),
]

function cells(column: Column, row: Measured, peer: Measured | undefined): string[] {
  const own = figureOf(column, row)
  const peers = peer === undefined ? null : figureOf(column, peer)
  return [
    own === null ? nothing : withSpread(own, column.digits),
    ...(column.compared ? [cell(ratio(own, peers), 2)] : []),
    ...(column.added ? [cell(difference(own, peers), column.digits)] : []),
  ]
}

const figureOf = ({ figure }: Column, { samples }: Measured): Spread | null =>
  spreadOf(samples.map((sample) => sample[figure] ?? null))

const cell = (value: number | null, digits: number): string => (value === null ? nothing : grouped(value, digits))

function withSpread({ median, least, most }: Spread, digits: number): string {
  const [text, from, to] = [median, least, most].map((value) => grouped(value, digits))
  return from === to ? `${text}` : `${text} (${from}–${to})`
}

const grouped = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
