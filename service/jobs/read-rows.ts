// The rows of an uploaded file: unpacked where it is gzip, decoded, and split into JSON lines or the records of a CSV
// file. Bytes are counted as they come, packed and unpacked: a small file that unpacks to an enormous one ends as soon
// as it is too large.
import { Readable, Transform, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse as csvParser, type Info } from 'csv-parse'
import { csvLineCounter } from '#contract/csv-lines.ts'
import { Fault } from '#contract/faults/fault.ts'
import { jobInputBytesMax, jobLineBytesMax, jobRowsMax, type JobRequest } from '#contract/jobs.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { parseJson } from '../text/parse-json.ts'
import { recordReader, type Row } from './csv-record.ts'
import { withoutPlaces } from './refusals.ts'

const inputBounds = { bytes: jobInputBytesMax, rows: jobRowsMax }

export async function* rowsIn(
  source: AsyncIterable<Uint8Array>,
  request: JobRequest,
  bounds = inputBounds,
): AsyncGenerator<Row> {
  const text = decoded(unpacked(source, bounds.bytes), request.charset)
  const rows = request.format === 'csv' ? csvRows(text, request) : jsonRows(text)
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count > bounds.rows)
      throw new Fault('limit_reached', `A job can have at most ${bounds.rows} rows.`, { limit: bounds.rows })
    yield row
  }
}

/** As many bytes as tell gzip and byte order marks. */
const markBytes = 2

/** The same bytes, of which the first piece is long enough to tell what they are. */
async function* marked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begin: Buffer | null = Buffer.alloc(0)
  for await (const chunk of source) {
    if (begin === null) yield Buffer.from(chunk)
    else {
      begin = Buffer.concat([begin, chunk])
      if (begin.length < markBytes) continue
      yield begin
      begin = null
    }
  }
  if (begin !== null) yield begin
}

/** The first bytes say whether it is gzip, whatever the file is called. */
async function* unpacked(source: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Buffer> {
  const packed = marked(source)
  const { value: begin = Buffer.alloc(0) } = (await packed.next()) as { readonly value?: Buffer }
  async function* whole() {
    yield begin
    yield* packed
  }
  const counted = countingUpTo(bytesMax)
  const stages = begin[0] === 0x1f && begin[1] === 0x8b ? [createGunzip(), counted] : [counted]
  // What fails is thrown where the last stage is read.
  pipeline([Readable.from(whole(), { objectMode: false }), ...stages], () => {})
  try {
    for await (const chunk of marked(counted)) yield chunk
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('validation_failed', 'The file cannot be unpacked: it is damaged, or is no gzip.', {}, error)
  }
}

function countingUpTo(bytesMax: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes <= bytesMax) return done(null, chunk)
      return done(
        new Fault('limit_reached', `A file can have at most ${bytesMax} bytes, unpacked.`, { limit: bytesMax }),
      )
    },
  })
}

/** A byte order mark decides; otherwise the charset that was named, or UTF-8. Bytes outside of it are refused. */
async function* decoded(bytes: AsyncIterable<Buffer>, charset = 'utf-8'): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  try {
    for await (const chunk of bytes) {
      decoder ??= new TextDecoder(markedIn(chunk) ?? charset, { fatal: true })
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Fault(
      'validation_failed',
      `The file is not in ${decoder?.encoding ?? charset}. Name its \`charset\`.`,
      {},
      error,
    )
  }
}

const markedIn = (chunk: Buffer): string | null =>
  chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : chunk[0] === 0xfe && chunk[1] === 0xff ? 'utf-16be' : null

// JSON lines.

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<Row> {
  let line = 0
  for await (const each of linesIn(text)) {
    line += 1
    if (each.trim() !== '') yield jsonRow(each, line)
  }
}

async function* linesIn(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    assertLineLength(rest)
    yield* lines
  }
  yield rest
}

function assertLineLength(line: string): void {
  if (line.length > jobLineBytesMax)
    throw new Fault('limit_reached', `A line can have at most ${jobLineBytesMax} characters.`, {
      limit: jobLineBytesMax,
    })
}

function jsonRow(text: string, line: number): Row {
  try {
    const data = parseJson(Buffer.from(text))
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { line, data: { ...data } }
    return { line, refused: { code: 'validation_failed', detail: 'The line is no JSON object.' } }
  } catch (thrown) {
    if (thrown instanceof Fault) return { line, refused: withoutPlaces(thrown) }
    throw thrown
  }
}

// CSV (RFC 4180), with the separators that programs really write.

type CsvRecord = { readonly record: readonly string[]; readonly info: Info }

async function* csvRows(text: AsyncIterable<string>, request: JobRequest): AsyncGenerator<Row> {
  const [header, whole] = await firstLineOf(text)
  const parser = csvParser({
    delimiter: request.delimiter ?? delimiterOf(header),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: jobLineBytesMax,
  })
  pipeline(Readable.from(whole), parser, () => {})
  let read: ReturnType<typeof recordReader> | undefined
  const lineOf = csvLineCounter()
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      const line = lineOf(record, info.lines)
      if (read === undefined) read = recordReader(record, request)
      else yield read(line, record)
    }
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error) || !('code' in error)) throw error
    throw new Fault('validation_failed', `The file is no CSV: ${error.message}`, {}, error)
  }
  if (read === undefined) throw invalidField('text', 'too_short', 'Has no line with the names of the columns.')
}

async function firstLineOf(text: AsyncIterable<string>): Promise<[string, AsyncIterable<string>]> {
  const iterator = text[Symbol.asyncIterator]()
  let begin = ''
  while (!begin.includes('\n')) {
    const next = await iterator.next()
    if (next.done === true) break
    begin += next.value
    assertLineLength(begin)
  }
  async function* whole() {
    yield begin
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  }
  return [begin.split('\n', 1)[0] ?? '', whole()]
}

/** The separator that the line with the names of the columns has most of. */
function delimiterOf(header: string): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, '')
  const [best = ','] = [',', ';', '\t'].toSorted((a, b) => unquoted.split(b).length - unquoted.split(a).length)
  return best
}
