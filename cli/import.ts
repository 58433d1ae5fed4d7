// `import`: the rows of a file become objects by the import jobs of the API, a part of the file in each. The API reads
// the values, tries a dry run and refuses rows one by one; here the file is cut, followed, and gone on with.
import { gunzipSync } from 'node:zlib'
import { csvLine, csvLinesOf } from '#contract/csv-lines.ts'
import { createJob, type Job } from '#contract/jobs.ts'
import { collectionSegments, type CollectionSegment } from '#contract/scopes.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { pause, sender, type Sender } from '#clients/typescript/src/send.ts'
import { withoutControls } from './answers.ts'
import { exitCodes, UsageError } from './arguments.ts'
import type { Command, Console, ParsedArguments } from './command.ts'
import { headerOf, partsOf, type ImportSource, type Part, type Refusal, type Sent } from './import-parts.ts'
import * as states from './import-state.ts'
import { defaultsOf, hasCustomField, mappingOf, refusalColumns } from './mapping.ts'
import { progressOn } from './progress.ts'
import { openRefused } from './refused-file.ts'
import { formats, openRows, type FileRow, type Format, type RowsFile } from './rows-file.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Import a CSV or NDJSON file',
  description: `Creates an object from each row, or updates the one with its externalSource and externalId. A rejected row does not stop the others: it is written to <file>.refused.csv (or .ndjson) with the reason. Correct that file and import it in turn. After an interruption, the same command continues where it stopped (<file>.import.json says where), and does nothing twice. The key needs the scope of the collection and jobs:write.`,
  operands: [
    {
      name: 'file',
      meaning: 'The file: CSV with the names of the columns in its first line, or NDJSON.',
      completes: 'files',
    },
  ],
  options: [
    { name: 'to', value: 'collection', meaning: 'What the rows become. Required.', choices: collectionSegments },
    {
      name: 'map',
      value: 'column=field',
      meaning:
        "The field of a column, such as 'Company=name' or 'Size=customFields.size'; 'Column=' leaves it out. Without it, a column has the name of its field. May be repeated, or the `mapping` of POST /jobs as JSON.",
      repeats: true,
    },
    {
      name: 'set',
      value: 'field=value',
      meaning: 'A value for rows that have none, such as externalSource=erp. May be repeated.',
      repeats: true,
    },
    { name: 'format', value: 'format', meaning: 'Default: by the name of the file.', choices: formats },
    { name: 'dry-run', meaning: 'Checks each row, keeps nothing, and lists those that would be rejected.' },
    { name: 'restart', meaning: 'Forgets how far an earlier run has come.' },
  ],
  audiences: ['api'],
  examples: [
    "import contacts.csv --to crm-entities --set kind=contact --set externalSource=erp --map 'No=externalId' --dry-run",
    'import tasks.ndjson --to tasks',
  ],
  run: runImport,
}

type Import = ImportSource & {
  readonly resource: CollectionSegment
  readonly defaults: Record<string, unknown>
  readonly isDryRun: boolean
  readonly send: Sender['send']
  readonly signal: AbortSignal
}

const retries = 8

async function runImport(given: ParsedArguments, console: Console): Promise<number> {
  const {
    operands: [file = ''],
    options,
    json,
  } = given
  const resource = options.get('to')?.[0] as CollectionSegment | undefined
  if (resource === undefined || !collectionSegments.includes(resource))
    throw new UsageError(`import needs --to with one of ${collectionSegments.join(', ')}.`)
  const format = options.get('format')?.[0] as Format | undefined
  if (format !== undefined && !formats.includes(format))
    throw new UsageError(`--format is one of ${formats.join(', ')}.`)
  const rows = await openRows(file, format)
  const maps = options.get('map') ?? []
  if (rows.format === 'ndjson' && maps.length > 0) throw new UsageError('--map is for CSV: NDJSON names its fields.')
  const defaults = defaultsOf(resource, options.get('set') ?? [])
  const access = console.access()
  const workspaceId = given.workspaceId ?? access.workspaceId ?? undefined
  const { send } = sender({
    baseUrl: access.baseUrl,
    apiKey: access.token,
    workspaceId,
    userAgent: console.userAgent,
    retries,
  })
  const types = hasCustomField(rows.columns, maps) ? await customTypes(send, resource) : {}
  const mapping = rows.format === 'csv' ? mappingOf(resource, rows.columns, maps, types) : {}
  const isDryRun = options.has('dry-run')
  const work: Import = { file, rows, resource, mapping, defaults, isDryRun, send, signal: console.stopped() }
  const purpose = states.purposeOf([access.baseUrl, workspaceId ?? null, resource, mapping, defaults])
  const state = isDryRun ? null : states.readState(file, purpose, options.has('restart'))
  if (state !== null && state.completedAt !== null) {
    const { completedAt, taken, refused } = state
    const refusedIn = refused > 0 ? `, ${refused} refused: ${file}.refused.${rows.format}` : ''
    console.say(`${file} was imported at ${completedAt}: ${taken} taken${refusedIn}. --restart imports it again.\n`)
    // What was refused is as missing as it was: a script that repeats the command must not take that for success.
    return refused > 0 ? exitCodes.failed : exitCodes.success
  }
  return importRows(work, state, console, json)
}

async function importRows(
  work: Import,
  stored: states.ImportState | null,
  console: Console,
  json: boolean,
): Promise<number> {
  const { file, rows, isDryRun, signal } = work
  const refusedPath = `${file}.refused.${rows.format}`
  let state = stored ?? blank
  const refusedFile = isDryRun ? null : openRefused(refusedPath, state, console.note)
  if (state.rowsDone > 0) console.note(`Going on after ${state.rowsDone} rows.\n`)
  const progress = progressOn(process.stderr)
  const save = (next: states.ImportState): void => {
    state = next
    if (!isDryRun) states.writeState(file, state)
  }
  try {
    for await (const part of partsOf(work, state)) {
      const done = await importPart(work, part, state, save, () =>
        progress.show(rows.bytesRead() / rows.bytes, `${state.rowsDone} rows, ${state.refused} refused`),
      )
      const text = done.refusals.map((each) => refusedText(rows, each)).join('')
      if (isDryRun) for (const each of done.refusals) console.say(`${refusalLine(each)}\n`)
      else if (text !== '') refusedFile?.append(refusedHeader(rows), text)
      save({
        ...state,
        rowsDone: state.rowsDone + done.rows,
        digest: done.digest,
        taken: state.taken + done.rows - done.refusals.length,
        refused: state.refused + done.refusals.length,
        ...refusedFile?.written(),
        jobId: null,
      })
      if (done.failure !== null) throw new Error(`The import has stopped after ${state.rowsDone} rows: ${done.failure}`)
    }
  } catch (error) {
    progress.clear()
    if (!signal.aborted) throw error
    console.note(`Interrupted after ${state.rowsDone} rows. The same command goes on from there.\n`)
    return exitCodes.interrupted
  }
  progress.clear()
  save({ ...state, completedAt: new Date().toISOString() })
  const { taken, refused } = state
  const summary = {
    rows: taken + refused,
    taken,
    refused,
    refusedFile: refused > 0 && !isDryRun ? refusedPath : null,
    dryRun: isDryRun,
  }
  const where = summary.refusedFile === null ? '' : `: ${refusedPath}`
  const verb = isDryRun ? 'would be taken' : 'taken'
  console.say(
    json ? `${JSON.stringify(summary)}\n` : `${summary.rows} rows: ${taken} ${verb}, ${refused} refused${where}\n`,
  )
  return refused > 0 ? exitCodes.failed : exitCodes.success
}

/** Of a dry run, which is kept nowhere. */
const blank: states.ImportState = {
  id: crypto.randomUUID(),
  purpose: '',
  rowsDone: 0,
  digest: '',
  taken: 0,
  refused: 0,
  refusedBytes: 0,
  refusedDigest: '',
  attempt: 0,
  jobId: null,
  completedAt: null,
}

// One part is one job.

type PartDone = {
  readonly rows: number
  readonly digest: string
  readonly refusals: readonly Refusal[]
  /** Why the rest was not done. */
  readonly failure: string | null
}

async function importPart(
  work: Import,
  part: Part,
  state: states.ImportState,
  save: (state: states.ImportState) => void,
  follow: () => void,
): Promise<PartDone> {
  const { rows, sent, unsent } = part
  if (sent.length === 0)
    return { rows: rows.length, digest: part.digestAfter(rows.length), refusals: unsent, failure: null }
  const begun = state.jobId === null ? { ...state, attempt: state.attempt + 1 } : state
  // Before it is asked for: whoever is interrupted here asks for the same job again.
  if (state.jobId === null && !work.isDryRun) save({ ...begun, attempt: state.attempt })
  const id = state.jobId ?? (await startJob(work, part, begun))
  save({ ...begun, jobId: id })
  const job = await endOf(work, id, follow)
  const refused = job.refusals === null ? [] : await refusalsOf(work, id, sent)
  if (job.status === 'completed')
    return {
      rows: rows.length,
      digest: part.digestAfter(rows.length),
      refusals: inOrder([...unsent, ...refused]),
      failure: null,
    }
  // Rows are done in their order: after the last that was, all is still to do.
  const next = sent[job.done]?.row
  const count = next === undefined ? rows.length : rows.indexOf(next)
  const within = new Set(rows.slice(0, count))
  const failure = job.failure === null ? `its job was ${job.status}.` : `${job.failure.code}: ${job.failure.detail}`
  const refusals = inOrder([...unsent, ...refused].filter(({ row }) => within.has(row)))
  return { rows: count, digest: part.digestAfter(count), refusals, failure }
}

const inOrder = (refusals: readonly Refusal[]): Refusal[] => refusals.toSorted((a, b) => a.row.line - b.row.line)

async function startJob(work: Import, { sent }: Part, state: states.ImportState): Promise<string> {
  const { resource, defaults, isDryRun, send, signal, rows, mapping } = work
  const kept = Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== null))
  const input = {
    kind: 'import',
    resource,
    format: rows.format,
    text: headerOf(work) + sent.map(({ text }) => text).join(''),
    ...(rows.format === 'csv' && { mapping: kept, delimiter: ',' }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(isDryRun && { dryRun: true }),
  }
  for (;;) {
    try {
      const job = (await send(createJob.name, input, { idempotencyKey: states.jobKeyOf(state), signal })) as Job
      return job.id
    } catch (error) {
      // Other jobs of the workspace wait: one of them ends at some time.
      if (!(error instanceof ApiError && error.code === 'limit_reached')) throw error
      await pause(lookAgainMs.max, signal)
    }
  }
}

const lookAgainMs = { min: 200, max: 2_000 }

async function endOf({ send, signal }: Import, id: string, follow: () => void): Promise<Job> {
  for (let waitMs = lookAgainMs.min; ; waitMs = Math.min(waitMs * 1.5, lookAgainMs.max)) {
    const job = (await send('jobs.get', { id }, { signal })) as Job
    follow()
    if (job.endedAt !== null) return job
    await pause(waitMs, signal)
  }
}

type RefusalLine = {
  readonly line: number
  readonly code: string
  readonly detail: string
  readonly errors: readonly { readonly pointer?: string; readonly detail: string }[]
}

async function refusalsOf(work: Import, id: string, sent: readonly Sent[]): Promise<Refusal[]> {
  const { send, signal } = work
  const response = (await send('jobs.refusals', { id }, { signal })) as Response
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
  const byLine = lineNumbers(work, sent)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { line: number, code, detail, errors } = JSON.parse(line) as RefusalLine
      const row = byLine.get(number)
      const reasons = errors.map(({ pointer, detail: why }) => (pointer === undefined ? why : `${pointer}: ${why}`))
      // Taken for none, it would be counted as one that was imported.
      if (row === undefined) throw new Error(`The job ${id} has refused line ${number}, where no row begins: ${detail}`)
      return { row, code, reason: reasons.length > 0 ? reasons.join(' ') : detail }
    })
}

/** The lines of what was sent are others than those of the file: columns and empty lines were left out. */
function lineNumbers(work: Import, sent: readonly Sent[]): Map<number, FileRow> {
  const rows = new Map<number, FileRow>()
  let line = work.rows.format === 'csv' ? 1 + csvLinesOf(headerOf(work)) : 1
  for (const { row, text } of sent) {
    rows.set(line, row)
    line += csvLinesOf(text)
  }
  return rows
}

async function customTypes(send: Sender['send'], resource: CollectionSegment): Promise<Record<string, string>> {
  const targets = {
    projects: ['project'],
    tasks: ['task'],
    'crm-entities': ['company', 'contact', 'deal'],
    documents: [],
  }
  try {
    const found = await send('custom-fields.list', { target: targets[resource], limit: 200 })
    const { data } = found as { readonly data: readonly { readonly key: string; readonly type: string }[] }
    return Object.fromEntries(data.map(({ key, type }) => [key, type]))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope')
      throw new UsageError(
        "The types of custom fields are not known without the scope workspaces:read. Name them: --map 'Size=customFields.size:number'.",
      )
    throw error
  }
}

// Refused rows, for people and to be imported again.

const refusalLine = ({ row, code, reason }: Refusal): string => withoutControls(`line ${row.line}: ${code}: ${reason}`)

const refusedHeader = ({ format, columns }: RowsFile): string =>
  format === 'csv' ? csvLine([...refusalColumns, ...columns.filter((name) => !isRefusalColumn(name))]) : ''
const isRefusalColumn = (name: string): boolean => (refusalColumns as readonly string[]).includes(name)

function refusedText({ format, columns }: RowsFile, { row, code, reason }: Refusal): string {
  if (format === 'ndjson') return `${JSON.stringify({ line: row.line, code, reason, row: parsedOr(row.text) })}\n`
  return csvLine([
    String(row.line),
    code,
    reason,
    ...row.cells.filter((_cell, at) => !isRefusalColumn(columns[at] ?? '')),
  ])
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
