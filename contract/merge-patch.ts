// What null does to a list or a map in a patch. RFC 7396 has it clear a field, and what is clear here is empty.
import { Type, type TProperties, type TSchema } from 'typebox'
import type { SchemaNode } from './json-schema.ts'

/**
 * The same fields, lists and maps that may be empty taking null as well. The static types stay: behind the check of the
 * input a list is never null (service/validation/null-as-empty-list.ts), and the values of custom fields are merged apart.
 */
export function clearing<P extends TProperties>(fields: P): P {
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    mayBeEmpty(schema) || isMap(schema) ? orNull(schema) : schema,
  ])
  return Object.fromEntries(entries) as P
}

/** Does null stand for the empty list here? */
export const clears = ({ anyOf = [] }: SchemaNode): boolean => anyOf.some(mayBeEmpty)

const mayBeEmpty = ({ type, minItems = 0 }: SchemaNode): boolean => type === 'array' && minItems === 0

const isMap = ({ patternProperties }: SchemaNode): boolean => patternProperties !== undefined

function orNull(list: TSchema): TSchema {
  const either = Type.Union([list, Type.Null()])
  return Type.IsOptional(list) ? Type.Optional(either) : either
}
