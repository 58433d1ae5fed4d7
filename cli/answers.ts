import type { Problem } from '#clients/typescript/src/schema.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { columnsOf, isNested, valueAt } from './columns.ts'

// Formats answers and errors for people: a list as a table, an object field by field, a problem with each refused
// value. Characters that could control the terminal are replaced in text that others have written.
type AnswerRow = Readonly<Record<string, unknown>>

const cellWidthMax = 48

/**
 * Returns any answer of the API as text that ends with a line break. `fields`: the columns of a list, in this order,
 * where the caller has chosen them.
 */
export function formatAnswer(answer: unknown, fields?: readonly string[]): string {
  if (answer === null) return 'Done.\n'
  const { data, page, ...rest } = answer as AnswerRow & { page?: { nextCursor?: string | null; total?: number } }
  if (!isList(data)) return fieldList(answer as AnswerRow)
  const more = page?.nextCursor ?? null
  return [
    table(data, fields),
    page?.total === undefined ? '' : `${page.total} in all.\n`,
    more === null ? '' : `There are more: --cursor ${more}\n`,
    fieldList(rest),
  ].join('')
}

const isList = (value: unknown): value is readonly AnswerRow[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)

function table(rows: readonly AnswerRow[], names: readonly string[] = columnsOf(rows)): string {
  if (rows.length === 0) return 'None.\n'
  const lines = [names, ...rows.map((row) => names.map((name) => cut(cellText(named(valueAt(row, name))))))]
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

/** In a table, an object that has a name stands by it. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named)
  const name = isNested(value) ? (value['name'] ?? value['title']) : undefined
  return typeof name === 'string' ? name : value
}

/** Nested fields stand by their path, such as `grants.scopes`; lists of objects follow as tables. */
function fieldList(object: AnswerRow): string {
  const { id, name, ...rest } = object
  const first = { ...(id !== undefined && { id }), ...(name !== undefined && { name }) }
  const entries = leaves({ ...first, ...rest })
  const fields = entries.filter(([, value]) => !isTable(value))
  const width = Math.max(0, ...fields.map(([path]) => path.length))
  return [
    ...fields.map(([path, value]) => `${path.padEnd(width)}  ${cellText(value)}\n`),
    ...entries
      .filter(([, value]) => isTable(value))
      .map(([path, value]) => `\n${path}\n${table(value as AnswerRow[])}`),
  ].join('')
}

const leaves = (object: AnswerRow, path = ''): [string, unknown][] =>
  Object.entries(object).flatMap(([name, value]): [string, unknown][] =>
    isNested(value) ? leaves(value, `${path}${name}.`) : [[path + name, value]],
  )

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

export const prettyJson = (answer: unknown): string => `${JSON.stringify(answer, null, 2)}\n`

/** Formats a problem with each value that was refused, or for a call without an answer the cause. */
export function errorMessage(error: unknown, baseUrl: string): string {
  if (error instanceof ApiError) return problemText(error.problem)
  if (!(error instanceof Error)) return String(error)
  // `fetch` fails with a TypeError whose cause says why there is no connection.
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error.message
  return `${baseUrl} does not answer: ${error.cause.message || 'no connection'}`
}

function problemText({ code, detail, errors = [], hint, requestId }: Problem): string {
  const lines = [
    `${code}: ${detail}`,
    ...errors.map(({ detail: why, ...place }) => `  ${placeOf(place)}: ${why}`),
    ...(hint === undefined ? [] : [hint]),
    `Request ${requestId}`,
  ]
  return lines.map(withoutControls).join('\n')
}

type Place = { readonly pointer?: string; readonly parameter?: string; readonly header?: string }

/** Returns the place as the option that was typed, or the header's name. */
function placeOf({ pointer, parameter, header }: Place): string {
  if (header !== undefined) return header
  const [name = '', ...within] = (parameter ?? pointer?.slice(1) ?? '').split('/')
  return within.length === 0 ? `--${name}` : `--${name} at /${within.join('/')}`
}
