// The parts of a file that is imported. Each fits into one call. They are the same whenever the file is read, so that
// an import which goes on later asks for the same jobs.
import { csvLine } from '#contract/csv-lines.ts'
import { jobTextLengthMax } from '#contract/jobs.ts'
import { UsageError } from './arguments.ts'
import * as states from './import-state.ts'
import type { Mapping } from './mapping.ts'
import type { FileRow, Format, RowsFile } from './rows-file.ts'

export type ImportSource = { readonly file: string; readonly rows: RowsFile; readonly mapping: Mapping }

/** Less than a body may have, with what stands around the rows. */
const partBytesMax = 950_000
const partRowsMax = 5_000

export type Refusal = { readonly row: FileRow; readonly code: string; readonly reason: string }
export type Sent = { readonly row: FileRow; readonly text: string }
export type Part = {
  readonly rows: readonly FileRow[]
  readonly sent: readonly Sent[]
  /** What cannot be sent. */
  readonly unsent: readonly Refusal[]
  /** Of all rows up to so many of this part. */
  digestAfter(rows: number): string
}

/** The line with the names of the columns that are sent; empty for NDJSON. */
export const headerOf = ({ rows: { columns, format }, mapping }: Omit<ImportSource, 'file'>): string =>
  format === 'csv' ? csvLine(columns.filter((column) => mapping[column] !== null)) : ''

/** Rows that are done are read over: they must be those that they were. Throws a UsageError where they are not. */
export async function* partsOf(source: ImportSource, state: states.ImportState): AsyncGenerator<Part, void> {
  const { rowsDone, digest: expected } = state
  const { file, rows: input, mapping } = source
  const { columns, format } = input
  const kept = columns.flatMap((column, at) => (mapping[column] === null ? [] : [at]))
  const header = headerOf(source)
  const textOf = ({ cells, text }: FileRow) =>
    format === 'csv' ? csvLine(kept.map((at) => cells[at] ?? '')) : `${text}\n`
  const before = states.rowsDigest()
  let [rows, sent, unsent]: [FileRow[], Sent[], Refusal[]] = [[], [], []]
  let [bytes, length] = [sizeInBody(header), header.length]
  let [skipped, isVerified] = [0, rowsDone === 0]
  const taken = (): Part => {
    const [begin, ofPart] = [before.copy(), rows]
    for (const row of rows) addTo(before, row)
    const part = {
      rows,
      sent,
      unsent,
      digestAfter(count: number) {
        const hash = begin.copy()
        for (const row of ofPart.slice(0, count)) addTo(hash, row)
        return states.digestOf(hash)
      },
    }
    ;[rows, sent, unsent] = [[], [], []]
    ;[bytes, length] = [sizeInBody(header), header.length]
    return part
  }
  for await (const row of input.rows) {
    if (skipped < rowsDone) {
      addTo(before, row)
      skipped += 1
      continue
    }
    isVerified ||= isSame(before, expected, file)
    const refusal = refusalOf(row, columns.length, format)
    const text = textOf(row)
    const size = sizeInBody(text)
    const isFull = bytes + size > partBytesMax || length + text.length > jobTextLengthMax || rows.length === partRowsMax
    if (isFull && rows.length > 0) yield taken()
    rows.push(row)
    if (refusal !== null) unsent.push({ row, ...refusal })
    else if (size + sizeInBody(header) > partBytesMax || text.length + header.length > jobTextLengthMax)
      unsent.push({
        row,
        code: 'row_too_large',
        reason: `The row has more than ${partBytesMax} bytes, which no request may have.`,
      })
    else {
      sent.push({ row, text })
      bytes += size
      length += text.length
    }
  }
  if (skipped < rowsDone) throw changed(file)
  isVerified ||= isSame(before, expected, file)
  if (rows.length > 0) yield taken()
}

const addTo = (hash: ReturnType<typeof states.rowsDigest>, { cells, text }: FileRow) =>
  hash.update(text === '' ? JSON.stringify(cells) : text)

const sizeInBody = (text: string): number => Buffer.byteLength(JSON.stringify(text))

/** True; throws a UsageError where they are not. */
function isSame(hash: ReturnType<typeof states.rowsDigest>, expected: string, file: string): true {
  if (states.digestOf(hash) !== expected) throw changed(file)
  return true
}

const changed = (file: string): UsageError =>
  new UsageError(
    `${file} has changed in rows that were imported before. Import the new rows from a file of their own, or begin anew with --restart.`,
  )

function refusalOf({ cells, text }: FileRow, columns: number, format: Format): Omit<Refusal, 'row'> | null {
  if (format === 'csv')
    return cells.length === columns
      ? null
      : {
          code: 'validation_failed',
          reason: `The line has ${cells.length} values, and the first line ${columns} columns.`,
        }
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return null
  } catch {
    // What is no JSON is refused like what is no object.
  }
  return { code: 'validation_failed', reason: 'The line is no JSON object.' }
}
