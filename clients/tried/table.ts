// The results of the candidates: as text for a terminal, and as the table of docs/clients.md.
import type { Outcome } from './candidate.ts'

const heads = ['client', 'version', 'what was tried', 'result'] as const
const [start, end] = ['<!-- tried -->', '<!-- /tried -->'] as const

/** Returns the table, and a line that counts; what was skipped counts as neither passed nor failed. */
export function printed(outcomes: readonly Outcome[]): string {
  const rows = [heads, ...outcomes.map(rowOf)]
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, '', tally(outcomes)].join('\n')
}

/** Returns the page with the outcomes in place of the former ones. */
export function withTable(page: string, outcomes: readonly Outcome[], date: Date): string {
  const [before, after] = [page.split(start)[0], page.split(end)[1]]
  if (before === undefined || after === undefined) throw new Error(`The page has no ${start} and ${end}`)
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const table = [row(heads), row(heads.map(() => '---')), ...outcomes.map((outcome) => row(rowOf(outcome)))]
  const said = `Run on ${date.toISOString().slice(0, 10)} with Node ${process.versions.node}: ${tally(outcomes)}.`
  return `${before}${start}\n${[said, '', ...table].join('\n')}\n${end}${after}`
}

/** Returns the titles in the page's table. */
export const titlesIn = (page: string): string[] =>
  (page.split(start)[1]?.split(end)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ')[0]?.slice(2) ?? '')
    .slice(2)

const rowOf = ({ candidate, versions, result, detail }: Outcome): string[] => [
  candidate.title,
  versions.join(', '),
  candidate.tried,
  detail === '' ? result : `${result}: ${detail}`,
]

const tally = (outcomes: readonly Outcome[]): string =>
  (['passed', 'failed', 'skipped'] as const)
    .map((result) => `${outcomes.filter((outcome) => outcome.result === result).length} ${result}`)
    .join(', ')
