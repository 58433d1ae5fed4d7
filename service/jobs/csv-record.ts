// A record of a CSV file as the data of an object: each column goes to the field that it is mapped to, as a value of
// the field's type. Pure.
import { operationNamed } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import type { ColumnTarget, JobRequest } from '#contract/jobs.ts'
import { valueOfText } from '#contract/text-values.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { didYouMean } from '../validation/unknown-field.ts'

type Refused = { readonly code: string; readonly detail: string; readonly errors?: readonly object[] }
/** A row as it is sent on, or why it cannot be. `line`: where it begins, counted from 1. */
export type Row =
  | { readonly line: number; readonly data: Readonly<Record<string, unknown>>; readonly refused?: undefined }
  | { readonly line: number; readonly data?: undefined; readonly refused: Refused }

type Data = Record<string, unknown>
type Target = { readonly path: readonly string[]; readonly separator: string; readonly schema: SchemaNode }

/** Throws where columns and mapping do not fit: then no row would. */
export function recordReader(
  header: readonly string[],
  request: JobRequest,
): (line: number, record: readonly string[]) => Row {
  const names = header.map((name) => name.trim())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalidField('mapping', 'not_unique', `The file has two columns "${twice}".`)
  const { mapping } = request
  const missing = Object.keys(mapping ?? {}).find((name) => !names.includes(name))
  if (missing !== undefined)
    throw invalidField('mapping', 'not_found', `The file has no column "${missing}".${didYouMean(missing, names)}`)
  const targets = names.map((name) => targetOf(name, request))
  return (line, record) => {
    if (record.length !== names.length) {
      const detail = `The line has ${record.length} values, and the first line ${names.length} columns.`
      return { line, refused: { code: 'validation_failed', detail } }
    }
    const data: Data = {}
    for (const [at, text] of record.entries()) {
      const target = targets[at]
      // An empty cell says nothing of the field.
      if (target !== null && target !== undefined && text.trim() !== '') put(data, target, text)
    }
    return { line, data }
  }
}

const fieldPath = /^[a-zA-Z]\w{0,49}(?:\.[a-zA-Z]\w{0,49}){0,2}$/

/** Null: the column is left out. Without a mapping a column is called as its field. */
function targetOf(column: string, { mapping, resource }: JobRequest): Target | null {
  const asked: ColumnTarget | null | undefined = mapping === undefined ? column : mapping[column]
  if (asked === null) return null
  if (asked === undefined)
    throw invalidField('mapping', 'required', `Says nothing of the column "${column}". Null leaves it out.`)
  const {
    field,
    separator = ';',
    as,
  }: Exclude<ColumnTarget, string> = typeof asked === 'string' ? { field: asked } : asked
  if (!fieldPath.test(field)) throw invalidField('mapping', 'wrong_format', `"${column}" is not the name of a field.`)
  const path = field.split('.')
  const schema = as === undefined ? schemaAt(operationNamed(`${resource}.create`).input, path) : { type: as }
  return { path, separator, schema }
}

/** What is not known of the field is said of each row, by name. */
function schemaAt(schema: SchemaNode, [name, ...inner]: readonly string[]): SchemaNode {
  if (name === undefined) return schema
  const { properties, anyOf = [] } = schema
  const found = properties?.[name] ?? anyOf.map((each: SchemaNode) => each.properties?.[name]).find(Boolean)
  return found === undefined ? {} : schemaAt(found, inner)
}

function put(data: Data, { path, separator, schema }: Target, text: string): void {
  const value = valueOfText(text, schema, {
    itemsIn: (list) =>
      list
        .split(separator)
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    // The refusal of the row shows it.
    unreadable: (unread) => unread,
  })
  let place = data
  for (const step of path.slice(0, -1)) {
    // Of the object's own: columns may be called like what every object has.
    if (!Object.hasOwn(place, step)) place[step] = {}
    place = place[step] as Data
  }
  place[path.at(-1) ?? ''] = value
}
