// The steps of an import. First the rows of the file are read and kept in pieces of a batch each, as many at a time as
// fit into a turn; then each piece becomes one batch, whose answer is kept under a key of the step: sent again after a
// kill, it acts once. A row with your own id is an upsert, any other one a creation.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { batchItemsMax } from '#contract/collection/batch.ts'
import type { JobRequest } from '#contract/jobs.ts'
import type { Database } from '#prisma/client.ts'
import type { CallAs } from './call-as.ts'
import { appendLines, emptyGzip } from './gzip.ts'
import type { Row } from './csv-record.ts'
import { rowsIn } from './read-rows.ts'
import { failureOf, refusalOf, withRefusals, type Result } from './refusals.ts'
import { readRows, type Step, type TakenJob } from './rows.ts'

/** `rows`: how many of the file are kept, in so many pieces; `next`: the piece whose turn it is. */
type Position =
  | { readonly phase: 'reading'; readonly rows: number; readonly pieces: number }
  | { readonly phase: 'writing'; readonly next: number; readonly pieces: number }

export async function importStep(
  db: Database,
  job: TakenJob,
  source: AsyncIterable<Uint8Array>,
  call: CallAs,
): Promise<Step> {
  const position = (job.position as Position | null) ?? { phase: 'reading', rows: 0, pieces: 0 }
  if (position.phase === 'reading') return readSome(job, position, source)
  if (position.next >= position.pieces) return { position, completed: true }
  const bytes = await readRows(db, job, position.next)
  const rows = JSON.parse(inflateRawSync(bytes).toString()) as readonly Row[]
  const step = await writeRows(job, rows, position.next, call)
  return { ...step, position: { ...position, next: position.next + 1 }, done: rows.length, written: position.next }
}

// Reading.

const readingMs = 2_000
const piecesPerStepMax = 200
/** A piece is a batch, which is bounded in items and in bytes. */
const pieceBytesMax = 512 * 1024

type Reading = Extract<Position, { readonly phase: 'reading' }>

/** Goes over what earlier steps have kept, which is quick: a packed file has no places to go on from. */
async function readSome(job: TakenJob, { rows, pieces }: Reading, source: AsyncIterable<Uint8Array>): Promise<Step> {
  const endsAt = performance.now() + readingMs
  const kept: NonNullable<Step['pieces']>[number][] = []
  let [collected, bytes, seen]: [Row[], number, number] = [[], 0, 0]
  const keep = (): void => {
    if (collected.length === 0) return
    const packed = deflateRawSync(JSON.stringify(collected))
    kept.push({ file: 'rows', number: pieces + kept.length, start: 0, bytes: packed })
    collected = []
    bytes = 0
  }
  for await (const row of rowsIn(source, job.request)) {
    seen += 1
    if (seen <= rows) continue
    const size = JSON.stringify(row).length
    if (collected.length === batchItemsMax || (bytes + size > pieceBytesMax && collected.length > 0)) {
      keep()
      if (performance.now() > endsAt || kept.length >= piecesPerStepMax)
        return {
          pieces: kept,
          total: seen - 1,
          position: { phase: 'reading', rows: seen - 1, pieces: pieces + kept.length },
        }
    }
    collected.push(row)
    bytes += size
  }
  keep()
  return { pieces: kept, total: seen, position: { phase: 'writing', next: 0, pieces: pieces + kept.length } }
}

// Writing.

async function writeRows(
  job: TakenJob,
  rows: readonly Row[],
  number: number,
  call: CallAs,
): Promise<Omit<Step, 'position'>> {
  const { request, files } = job
  const unreadable = rows.flatMap(({ line, refused }) => (refused === undefined ? [] : [{ ...refused, line }]))
  const readable = rows.filter((row) => row.refused === undefined)
  const items = readable.map(({ data }) => itemOf(data, request))
  const results = items.length === 0 ? [] : await resultsOf(items, request, number, call)
  const refused = readable.flatMap((row, at) => {
    const problem = results[at]?.problem
    return problem === undefined ? [] : [refusalOf(problem, { line: row.line, ...ownIdOf(items[at]) })]
  })
  const made = readable.flatMap(({ line }, at) => madeOf(line, results[at], items[at]))
  const all = [...unreadable.map((row) => ({ object: 'refusal', errors: [], ...row })), ...refused]
  const refusals = withRefusals(files, all)
  if (request.dryRun === true || made.length === 0) return { ...refusals, ...failureOf(results) }
  const written = appendLines(files.result ?? emptyGzip, made)
  return {
    ...refusals,
    ...failureOf(results),
    files: { ...files, ...refusals.files, result: written.state },
    pieces: [...(refusals.pieces ?? []), { ...written, file: 'result' }],
  }
}

async function resultsOf(
  items: readonly Item[],
  { resource, dryRun = false }: JobRequest,
  number: number,
  call: CallAs,
) {
  const change = { step: `rows-${number}`, dryRun }
  const { results } = (await call(`${resource}.batch`, { items }, change)) as { readonly results: readonly Result[] }
  return results
}

type OwnId = { readonly externalSource?: unknown; readonly externalId?: unknown }
type Item = OwnId & { readonly action: 'create' | 'upsert'; readonly data: object }

function itemOf(row: Readonly<Record<string, unknown>> = {}, { defaults }: JobRequest): Item {
  const data: Readonly<Record<string, unknown>> = { ...defaults, ...row }
  const { externalSource, externalId, ...rest } = data
  if (externalSource === undefined || externalId === undefined) return { action: 'create', data }
  return { action: 'upsert', externalSource, externalId, data: rest }
}

const ownIdOf = ({ externalSource, externalId, data }: Item = { action: 'create', data: {} }): OwnId => {
  const { externalId: lone = externalId } = data as OwnId
  return { ...(externalSource !== undefined && { externalSource }), ...(lone !== undefined && { externalId: lone }) }
}

/** What is in the result for a row: which object it is by now. */
function madeOf(line: number, result: Result | undefined, item: Item | undefined): object[] {
  const { id } = (result?.data ?? {}) as { readonly id?: string }
  if (result === undefined || result.problem !== undefined || id === undefined) return []
  const { status, outcome, matchedBy } = result
  return [{ line, id, ...ownIdOf(item), created: status === 201, outcome, matchedBy }]
}
