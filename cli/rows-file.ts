// Reads the rows of a CSV or NDJSON file one after the other, whatever its size, as programs and spreadsheets write
// them: with a byte order mark, with any line ends, with a separator of their own. Each row knows its line.
import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs'
import { Readable, pipeline } from 'node:stream'
import { parse as csvParser, type Info } from 'csv-parse'
import { csvLineCounter } from '#contract/csv-lines.ts'
import { UsageError } from './arguments.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

export type FileRow = {
  /** Where it begins, counted from 1. */
  readonly line: number
  /** The values of a CSV record. */
  readonly cells: readonly string[]
  /** The line of NDJSON, empty for CSV. */
  readonly text: string
}
export type RowsFile = {
  readonly format: Format
  /** The names of the columns; empty for NDJSON. */
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<FileRow>
  readonly bytes: number
  bytesRead(): number
}

/** Characters of one record: as much as an import takes. */
const recordLengthMax = 4 * 1024 * 1024
const beginBytes = 4_096

/** Throws a UsageError for what is no such file; its rows do so as well, where they come to it. */
export async function openRows(path: string, format: Format | undefined): Promise<RowsFile> {
  const bytes = sizeOf(path)
  assertUtf8(path)
  let read = 0
  const text = decoded(path, (count) => (read += count))
  const known = { bytes, bytesRead: () => read }
  if ((format ?? formatOf(path)) === 'ndjson') return { format: 'ndjson', columns: [], rows: jsonLines(text), ...known }
  const records = csvRecords(text)
  const { value: header } = await records.next()
  if (header === undefined) throw new UsageError(`${path} has no line with the names of the columns.`)
  return { format: 'csv', columns: columnsIn(header.cells), rows: records, ...known }
}

function formatOf(path: string): Format {
  if (/\.(?:ndjson|jsonl)$/i.test(path)) return 'ndjson'
  if (/\.(?:csv|tsv|txt)$/i.test(path)) return 'csv'
  throw new UsageError(`Say by --format whether ${path} is csv or ndjson.`)
}

function sizeOf(path: string): number {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return stats.size
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new UsageError(`${path} is no file.`)
}

/** UTF-16, as spreadsheets write "Unicode text", has null bytes; a packed file begins with its mark. */
function assertUtf8(path: string): void {
  const file = openSync(path, 'r')
  const begin = Buffer.alloc(beginBytes)
  const length = readSync(file, begin, 0, beginBytes, 0)
  closeSync(file)
  if (begin[0] === 0x1f && begin[1] === 0x8b) throw new UsageError(`${path} is packed: run \`gunzip ${path}\` first.`)
  const isMarked = (begin[0] === 0xff && begin[1] === 0xfe) || (begin[0] === 0xfe && begin[1] === 0xff)
  if (isMarked || begin.subarray(0, length).includes(0))
    throw new UsageError(
      `${path} is UTF-16. Save it as "CSV UTF-8", or convert it: \`iconv -f UTF-16 -t UTF-8 ${path} > utf8.csv\`.`,
    )
}

/** Without the byte order mark. */
async function* decoded(path: string, count: (bytes: number) => void): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      count(chunk.length)
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(
      `${path} is not UTF-8. Convert it, such as by \`iconv -f WINDOWS-1252 -t UTF-8 ${path} > utf8.csv\`.`,
    )
  }
}

async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<FileRow, void> {
  let line = 0
  let rest = ''
  const row = (each: string): FileRow[] => {
    line += 1
    const trimmed = each.trim()
    return trimmed === '' ? [] : [{ line, cells: [], text: trimmed }]
  }
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > recordLengthMax)
      throw new UsageError(`Line ${line + 1} is longer than ${recordLengthMax} characters.`)
    for (const each of lines) yield* row(each)
  }
  yield* row(rest)
}

type CsvRecord = { readonly record: readonly string[]; readonly info: Info }

async function* csvRecords(text: AsyncIterable<string>): AsyncGenerator<FileRow, void> {
  const { delimiter, linesBefore, whole } = await beginningOf(text)
  const parser = csvParser({
    delimiter,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordLengthMax,
  })
  pipeline(Readable.from(whole), parser, () => {})
  const lineOf = csvLineCounter()
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>)
      yield { line: linesBefore + lineOf(record, info.lines), cells: record, text: '' }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error) || !('code' in error)) throw error
    throw new UsageError(`The file is no CSV: ${error.message}`)
  }
}

/** The first line says what the cells are separated by, also as `sep=;`, which Excel takes for an instruction. */
async function beginningOf(text: AsyncIterable<string>) {
  const iterator = text[Symbol.asyncIterator]()
  let begin = ''
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    begin += next.value
    if (/[^\r\n][\r\n]+[^\r\n]/.test(begin) || begin.length > recordLengthMax) break
  }
  const [instruction = '', separator] = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(begin) ?? []
  const rest = begin.slice(instruction.length)
  async function* whole(): AsyncGenerator<string, void> {
    yield rest
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  }
  return { delimiter: separator ?? mostIn(rest), linesBefore: instruction === '' ? 0 : 1, whole: whole() }
}

function mostIn(text: string): string {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1)
  const unquoted = header.replaceAll(/"[^"]*"/g, '')
  const [most = ','] = [',', ';', '\t'].toSorted((a, b) => unquoted.split(b).length - unquoted.split(a).length)
  return most
}

function columnsIn(cells: readonly string[]): string[] {
  const names = cells.map((name) => name.trim())
  const unnamed = names.indexOf('')
  if (unnamed !== -1) throw new UsageError(`Column ${unnamed + 1} has no name in the first line.`)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`The file has two columns "${twice}".`)
  return names
}
