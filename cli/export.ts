// `export`: everything that a list has, page after page, into a file that is there once it is complete.
import { createWriteStream, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { operations } from '#contract/api.ts'
import { csvLine, withoutFormula } from '#contract/csv-lines.ts'
import { requiredIn, type SchemaNode, type SchemaNodes } from '#contract/json-schema.ts'
import type { Operation } from '#contract/operation.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { OperationName } from '#clients/typescript/src/operations.ts'
import { sender, type Sender } from '#clients/typescript/src/send.ts'
import { choicesOf, exitCodes, UsageError, withoutNull } from './arguments.ts'
import type { Command, Console, ParsedArguments } from './command.ts'
import { codeOf } from './profiles.ts'
import { progressOn } from './progress.ts'
import { formats, type Format } from './rows-file.ts'

/** The lists that are read by pages and need nothing to be named. */
const lists = operations.filter(
  ({ audiences, name, input }) =>
    audiences.includes('api') &&
    name.endsWith('.list') &&
    'cursor' in input.properties &&
    requiredIn(input).length === 0,
)
const segmentOf = ({ name }: Operation): string => name.split('.')[0] ?? ''
const listOf = (segment = ''): Operation | undefined => lists.find((each) => segmentOf(each) === segment)

export const exportCommand: Command = {
  name: 'export',
  summary: 'Export a collection as CSV or NDJSON',
  description: `Reads all pages of a list, with its filters, sort and fields as options (\`workspace tasks.list --help\` has them). The file gets its name once it is complete: an interrupted export leaves nothing behind, and what was there before stays. Objects that change meanwhile may be in it as before or after.`,
  operands: [{ name: 'collection', meaning: 'What is exported.', choices: lists.map(segmentOf) }],
  options: [
    { name: 'out', value: 'file', meaning: 'Where to. Default: standard output.', completes: 'files' },
    {
      name: 'format',
      value: 'format',
      meaning: 'Default: by the name of the file, otherwise ndjson.',
      choices: formats,
    },
    { name: 'force', meaning: 'Replaces a file that is there.' },
    {
      name: 'escape-formulas',
      meaning:
        "Puts ' before text in a CSV that a spreadsheet would take for a formula: what begins with = + - @, a tab or a carriage return. The text is then no longer what the API has, so leave it out for a file that is imported again.",
    },
  ],
  operation: ([segment]) => listOf(segment),
  ownFields: ['limit', 'cursor', 'includeTotal'],
  audiences: ['api'],
  examples: [
    'export tasks --out tasks.csv --status todo,in_progress',
    'export crm-entities --kind company --out companies.ndjson',
  ],
  run: runExport,
}

type Row = Readonly<Record<string, unknown>>
type Page = {
  readonly data: readonly Row[]
  readonly page: { readonly nextCursor: string | null; readonly total?: number }
}

const pageItems = 200
const retries = 8

async function runExport(given: ParsedArguments, console: Console): Promise<number> {
  const {
    operands: [segment = ''],
    options,
    input,
  } = given
  const list = listOf(segment)!
  const out = options.get('out')?.[0]
  const format = (options.get('format')?.[0] ?? (out?.endsWith('.csv') === true ? 'csv' : 'ndjson')) as Format
  if (!formats.includes(format)) throw new UsageError(`--format is one of ${formats.join(', ')}.`)
  const isForced = options.has('force')
  if (out !== undefined && existsSync(out) && !isForced) throw alreadyThere(out)
  const access = console.access()
  const workspaceId = given.workspaceId ?? access.workspaceId ?? undefined
  const { send } = sender({
    baseUrl: access.baseUrl,
    apiKey: access.token,
    workspaceId,
    userAgent: console.userAgent,
    retries,
  })
  const signal = console.stopped()
  const columns = format === 'csv' ? await columnsOf(list, input, send) : []
  const isEscaped = options.has('escape-formulas')
  const textOf = (row: Row) =>
    format === 'ndjson' ? `${JSON.stringify(row)}\n` : csvLine(columns.map((column) => cellOf(row, column, isEscaped)))
  const target = out === undefined ? toStandardOutput() : toFile(out, isForced)
  const progress = progressOn(process.stderr)
  let count = 0
  try {
    await target.write(format === 'csv' ? csvLine(columns.map((column) => column.join('.'))) : '')
    for await (const { data, page } of pagesOf(list, input, send, signal)) {
      await target.write(data.map(textOf).join(''))
      count += data.length
      if (out !== undefined) progress.show(count / Math.max(page.total ?? count, 1), `${count} objects`)
    }
    progress.clear()
    await target.complete()
  } catch (error) {
    progress.clear()
    target.discard()
    if (!signal.aborted) throw error
    console.note('Interrupted: nothing is kept.\n')
    return exitCodes.interrupted
  }
  if (out !== undefined) console.note(`${count} objects: ${out}\n`)
  return exitCodes.success
}

async function* pagesOf(
  list: Operation,
  input: Row,
  send: Sender['send'],
  signal: AbortSignal,
): AsyncGenerator<Page, void> {
  const name = list.name as OperationName
  const counted = 'includeTotal' in list.input.properties && { includeTotal: true }
  let cursor: string | null | undefined
  let total: number | undefined
  do {
    const asked = { ...input, limit: pageItems, ...(cursor === undefined ? counted : { cursor }) }
    const { data, page } = (await send(name, asked, { signal })) as Page
    total ??= page.total
    yield { data, page: { ...page, ...(total !== undefined && { total }) } }
    cursor = page.nextCursor
  } while (cursor !== null)
}

const alreadyThere = (path: string): UsageError => new UsageError(`${path} is there already. --force replaces it.`)

type Target = { write(text: string): Promise<void>; complete(): Promise<void>; discard(): void }

function toStandardOutput(): Target {
  return { write: (text) => written(process.stdout, text), complete: async () => {}, discard: () => {} }
}

/** Under another name until it is complete. Without `isForced`, what came there meanwhile is not replaced either. */
function toFile(path: string, isForced: boolean): Target {
  const partial = `${path}.${process.pid}.partial`
  // Only its owner may read what only the key may.
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
  const opened = once(file, 'open')
  // Whoever writes is told of it.
  opened.catch(() => {})
  return {
    async write(text) {
      await opened
      await written(file, text)
    },
    async complete() {
      file.end()
      await once(file, 'close')
      if (isForced) return renameSync(partial, path)
      placeNew(partial, path)
    },
    discard() {
      file.destroy()
      rmSync(partial, { force: true })
    },
  }
}

function placeNew(partial: string, path: string): void {
  try {
    linkSync(partial, path)
    rmSync(partial)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(path)
    // File systems without links: nobody else is expected to write there at this moment.
    renameSync(partial, path)
  }
}

async function written(stream: Writable, text: string): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain')
}

// The columns of CSV: each field, fields of objects by their paths, custom fields one by one.

type Column = readonly string[]

/** Lists of texts are written as an import reads them. */
const separator = ';'

function cellOf(row: Row, [name = '', ...inner]: Column, isEscaped: boolean): string {
  const value = row[name]
  if (value === null || value === undefined) return ''
  if (inner.length > 0) return typeof value === 'object' ? cellOf(value as Row, inner, isEscaped) : ''
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return escaped(value.join(separator), isEscaped)
  return typeof value === 'string' ? escaped(value, isEscaped) : JSON.stringify(value)
}

const escaped = (text: string, isEscaped: boolean): string => (isEscaped ? withoutFormula(text) : text)

async function columnsOf(list: Operation, { fields }: Row, send: Sender['send']): Promise<Column[]> {
  const { data } = ((list.partial ?? list.output) as SchemaNode).properties as { readonly data: SchemaNode }
  const known: SchemaNodes = (data.items as SchemaNode).properties ?? {}
  const expansions = choicesOf((list.input.properties as SchemaNodes)['expand'] ?? {})
  const asked =
    (fields as readonly string[] | undefined) ?? Object.keys(known).filter((name) => !expansions.includes(name))
  const names = ['id', ...asked.filter((name) => name !== 'id')]
  const columns = await Promise.all(
    names.map(async (name) => leaves([name], known[name] ?? {}, () => customKeys(list, send))),
  )
  return columns.flat()
}

async function leaves(path: Column, schema: SchemaNode, keys: () => Promise<string[] | null>): Promise<Column[]> {
  const { properties, patternProperties } = withoutNull(schema)
  if (path[0] === 'customFields' && patternProperties !== undefined) {
    const found = await keys()
    return found === null ? [path] : found.map((key) => [...path, key])
  }
  if (properties === undefined || path.length > 2) return [path]
  const inner = Object.entries(properties).map(([name, each]) => leaves([...path, name], each, keys))
  return (await Promise.all(inner)).flat()
}

const customTargets: Readonly<Record<string, readonly string[]>> = {
  projects: ['project'],
  tasks: ['task'],
  'crm-entities': ['company', 'contact', 'deal'],
}

/** Null: they are not for this key to know, so that all of them stand in one column, as JSON. */
async function customKeys(list: Operation, send: Sender['send']): Promise<string[] | null> {
  const target = customTargets[segmentOf(list)]
  if (target === undefined) return null
  try {
    const found = (await send('custom-fields.list', { target, limit: pageItems, includeArchived: true })) as Page
    return [...new Set(found.data.map(({ key }) => String(key)))].toSorted()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return null
    throw error
  }
}
