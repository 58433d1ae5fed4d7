// Formats an answer for people: a list as a table, an object field by field. Characters that could control the terminal are
// replaced in text that others have written.
type Row = Readonly<Record<string, unknown>>

const columnsMax = 6
const cellWidthMax = 48
// Columns that tell the objects of a list apart, in the order in which they are shown.
const preferredColumns = [
  ...['number', 'sequence', 'at', 'occurredAt', 'startedAt', 'from', 'id', 'name', 'slug', 'key', 'target', 'type'],
  ...['label', 'prefix', 'email', 'role', 'url', 'action', 'outcome', 'surface', 'scope', 'eventType', 'summary'],
  ...['status', 'attemptCount', 'durationMs', 'lastErrorCode', 'errorCode', 'delivered', 'failed', 'pending'],
  ...['timeZone', 'createdAt', 'expiresAt', 'lastUsedAt', 'lastSeenAt'],
]

/** Returns any answer of the API as text that ends with a line break. */
export function formatAnswer(answer: unknown): string {
  if (answer === null) return 'Done.\n'
  const { data, page, ...rest } = answer as Row & { page?: { nextCursor?: string | null; total?: number } }
  if (!isList(data)) return fieldList(answer as Row)
  const more = page?.nextCursor ?? null
  return [
    table(data),
    page?.total === undefined ? '' : `${page.total} in all.\n`,
    more === null ? '' : `There are more: --cursor ${more}\n`,
    fieldList(rest),
  ].join('')
}

const isList = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)

function table(rows: readonly Row[]): string {
  if (rows.length === 0) return 'None.\n'
  const names = columnsOf(rows)
  const lines = [names, ...rows.map((row) => names.map((name) => cut(cellText(row[name]))))]
  const widths = names.map((_name, at) => Math.max(...lines.map((line) => charactersOf(line[at] ?? '').length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => padded(cell, widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function columnsOf(rows: readonly Row[]): string[] {
  const known = preferredColumns.filter((name) => rows.some((row) => name in row && !isNested(row[name])))
  return (known.length > 0 ? known : Object.keys(rows[0] ?? {})).slice(0, columnsMax)
}

/** Nested fields stand by their path, such as `grants.scopes`; lists of objects follow as tables. */
function fieldList(object: Row): string {
  const { id, name, ...rest } = object
  const first = { ...(id !== undefined && { id }), ...(name !== undefined && { name }) }
  const entries = leaves({ ...first, ...rest })
  const fields = entries.filter(([, value]) => !isTable(value))
  const width = Math.max(0, ...fields.map(([path]) => path.length))
  return [
    ...fields.map(([path, value]) => `${path.padEnd(width)}  ${cellText(value)}\n`),
    ...entries.filter(([, value]) => isTable(value)).map(([path, value]) => `\n${path}\n${table(value as Row[])}`),
  ].join('')
}

const leaves = (object: Row, path = ''): [string, unknown][] =>
  Object.entries(object).flatMap(([name, value]): [string, unknown][] =>
    isNested(value) ? leaves(value, `${path}${name}.`) : [[path + name, value]],
  )

const isNested = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
const isTable = (value: unknown): boolean => isList(value) && value.length > 0

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value) && value.length === 0) return 'none'
  const flat = Array.isArray(value) && value.every((each) => typeof each !== 'object')
  return withoutControls(typeof value === 'string' ? value : flat ? value.join(', ') : JSON.stringify(value))
}

/** Replaces control characters, line breaks and characters that change the direction of writing. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, '�')

const segmenter = new Intl.Segmenter()
const charactersOf = (cell: string): string[] => Array.from(segmenter.segment(cell), ({ segment }) => segment)
const padded = (cell: string, width: number): string =>
  cell + ' '.repeat(Math.max(0, width - charactersOf(cell).length))
const cut = (cell: string): string => {
  const characters = charactersOf(cell)
  return characters.length > cellWidthMax ? `${characters.slice(0, cellWidthMax - 1).join('')}…` : cell
}
