// Which column of a CSV file goes to which field, and what rows have by default: what `--map` and `--set` say, checked
// by the schema before anything is sent. The rows themselves are read by the API.
import { operationNamed } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import type { ColumnTarget } from '#contract/jobs.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { parseValue, UsageError } from './arguments.ts'

export type Mapping = Readonly<Record<string, ColumnTarget | null>>
type Types = Readonly<Record<string, string>>

/** What a file of refused rows has in front of the columns of the input. */
export const refusalColumns = ['refusedLine', 'refusedCode', 'refusedReason'] as const

/**
 * `maps`: `Column=field`, `Column=field:number`, `Column=` for one that is left out, or the mapping of `POST /jobs` as
 * JSON. A column that none of them mentions is called as its field. `customTypes`: the types of custom fields by key.
 */
export function mappingOf(
  resource: CollectionSegment,
  columns: readonly string[],
  maps: readonly string[],
  customTypes: Types,
): Mapping {
  const asked = new Map(maps.flatMap((text) => (text.trimStart().startsWith('{') ? jsonMapping(text) : [pairIn(text)])))
  const unknown = [...asked.keys()].find((column) => !columns.includes(column))
  if (unknown !== undefined)
    throw new UsageError(
      `The file has no column "${unknown}". It has ${columns.map((name) => `"${name}"`).join(', ')}.`,
    )
  const targets = columns.map((column): [string, ColumnTarget | null] => {
    const isRefusal = (refusalColumns as readonly string[]).includes(column)
    const target = asked.has(column) ? asked.get(column)! : isRefusal ? null : column
    if (target !== null) assertField(resource, column, fieldIn(target))
    return [column, target === null ? null : typed(target, customTypes)]
  })
  if (targets.every(([, target]) => target === null)) throw new UsageError('No column is mapped to a field.')
  return Object.fromEntries(targets)
}

/** Are types of custom fields needed? */
export const hasCustomField = (columns: readonly string[], maps: readonly string[]): boolean =>
  [...columns, ...maps].some((text) => text.includes('customFields.'))

const fieldIn = (target: ColumnTarget): string => (typeof target === 'string' ? target : target.field)

const typesOfValues = ['string', 'number', 'boolean'] as const
type TypeOfValue = (typeof typesOfValues)[number]
const isTypeOfValue = (text: string): text is TypeOfValue => (typesOfValues as readonly string[]).includes(text)

function pairIn(text: string): [string, ColumnTarget | null] {
  const at = text.lastIndexOf('=')
  if (at <= 0) throw new UsageError(`--map takes Column=field, and not "${text}".`)
  const [field = '', as] = text.slice(at + 1).split(':')
  if (as !== undefined && !isTypeOfValue(as))
    throw new UsageError(`--map ${text}: a type is one of ${typesOfValues.join(', ')}.`)
  if (field === '') return [text.slice(0, at), null]
  return [text.slice(0, at), as === undefined ? field : { field, as }]
}

function jsonMapping(text: string): [string, ColumnTarget | null][] {
  try {
    return Object.entries(JSON.parse(text) as Record<string, ColumnTarget | null>)
  } catch {
    throw new UsageError(`--map takes Column=field or JSON, and this is neither: ${text}`)
  }
}

/** Numbers and booleans of custom fields must be named: their columns say nothing of it. */
function typed(target: ColumnTarget, customTypes: Types): ColumnTarget {
  const field = fieldIn(target)
  const [, key = ''] = /^customFields\.(.+)$/.exec(field) ?? []
  const type = customTypes[key]
  if (type === 'multi_select')
    throw new UsageError(`${field} takes several values, which a column cannot have. Import it as NDJSON.`)
  if (typeof target !== 'string' && target.as !== undefined) return target
  return type === 'number' || type === 'boolean'
    ? { ...(typeof target === 'string' ? { field } : target), as: type }
    : target
}

function assertField(resource: CollectionSegment, column: string, field: string): void {
  const [name = ''] = field.split('.')
  const known = Object.keys(fieldsOf(resource))
  if (known.includes(name)) return
  throw new UsageError(
    `${resource} have no field "${name}". Map the column: --map '${column}=<field>', or leave it out: --map '${column}='. Fields: ${known.join(', ')}.`,
  )
}

/** What a row may have: the fields of what makes an object, and how an upsert is done. */
function fieldsOf(resource: CollectionSegment): Readonly<Record<string, SchemaNode>> {
  const { source: _source, ...ofUpsert } = operationNamed(`${resource}.upsert`).input.properties as Record<
    string,
    SchemaNode
  >
  const {
    fields: _fields,
    expand: _expand,
    ...all
  } = {
    ...operationNamed(`${resource}.create`).input.properties,
    ...ofUpsert,
  } as Record<string, SchemaNode>
  return all
}

/** `field=value` of each `--set`, read by the field's schema. */
export function defaultsOf(resource: CollectionSegment, sets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    sets.map((text) => {
      const [, name = '', value = ''] = /^([^=]+)=([^]*)$/.exec(text) ?? []
      const schema = fieldsOf(resource)[name]
      if (schema === undefined)
        throw new UsageError(`--set takes field=value with a field of ${resource}, and not "${text}".`)
      return [name, parseValue(schema, `set ${name}`, value)]
    }),
  )
}
