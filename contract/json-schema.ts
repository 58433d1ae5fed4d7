// A node of a JSON Schema, by the keywords that the contract uses. What TypeBox builds are such nodes: a `TSchema` is
// one without a cast.
import { type TSchema, Type, type TProperties } from 'typebox'

export type SchemaNode = {
  readonly description?: string
  readonly default?: unknown
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: TSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: SchemaNodes
  readonly required?: readonly string[] | undefined
  readonly patternProperties?: SchemaNodes
  readonly propertyNames?: TSchema
  readonly additionalProperties?: unknown
  readonly maxProperties?: number
}
export type SchemaNodes = Readonly<Record<string, TSchema>>

/** Null is one of the alternatives. */
export const isNullable = ({ anyOf = [] }: SchemaNode): boolean => anyOf.some(isNull)

export const isNull = ({ type }: SchemaNode): boolean => type === 'null'

/** The names of an object's required fields. TypeBox leaves the keyword out where there are none. */
export const requiredIn = ({ required = [] }: SchemaNode): readonly string[] => required

// JSON Merge Patch (RFC 7396): null clears a field. Here it also clears a list or a map, which is then empty; a call
// that makes an object reads null in the same way.

/**
 * The same fields, where lists and maps that may be empty also take null. The static types stay: after validation a
 * list is never null (service/validation/normalize-input.ts), and the values of custom fields are merged key by key.
 */
export function clearable<P extends TProperties>(fields: P): P {
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    mayBeEmpty(schema) || isMap(schema) ? orNull(schema) : schema,
  ])
  return Object.fromEntries(entries) as P
}

/** Does null mean the empty list in this field? */
export const isClearableList = ({ anyOf = [] }: SchemaNode): boolean => anyOf.some(mayBeEmpty)

/** What may stand in the place of a list: what to add to it, and what to remove. */
export const isListEdit = ({ properties = {} }: SchemaNode): boolean => 'add' in properties && 'remove' in properties

/**
 * The same fields, where lists that may be empty also take what to add and to remove. The static types stay: handlers
 * get whole lists (service/collection/list-edits.ts).
 */
export function editable<P extends TProperties>(fields: P): P {
  const entries = Object.entries(fields).map(([name, schema]) => [name, withListEdit(schema)])
  return Object.fromEntries(entries) as P
}

function withListEdit(schema: TSchema & SchemaNode): TSchema {
  const { anyOf = [schema] } = schema
  const list = anyOf.find(mayBeEmpty)
  if (list === undefined) return schema
  const { description } = list as SchemaNode
  const either = Type.Union(
    [list, listEdit(list), ...anyOf.filter((each) => each !== list)],
    description === undefined ? {} : { description },
  )
  return Type.IsOptional(schema) ? Type.Optional(either) : either
}

function listEdit({ items = Type.Unknown(), maxItems }: SchemaNode): TSchema {
  const some = Type.Array(items, { minItems: 1, uniqueItems: true, ...(maxItems !== undefined && { maxItems }) })
  const said = (description: string) => Type.Optional({ ...some, description })
  const members = { add: said('Added at the end of the list.'), remove: said('Removed from the list.') }
  return Type.Object(members, {
    additionalProperties: false,
    minProperties: 1,
    description: 'In place of the whole list: what to add to it, and what to remove.',
  })
}

const mayBeEmpty = ({ type, minItems = 0 }: SchemaNode): boolean => type === 'array' && minItems === 0

const isMap = ({ patternProperties }: SchemaNode): boolean => patternProperties !== undefined

function orNull(list: TSchema): TSchema {
  const either = Type.Union([list, Type.Null()])
  return Type.IsOptional(list) ? Type.Optional(either) : either
}
