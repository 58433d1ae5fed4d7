// JSON Merge Patch (RFC 7396): null clears a field. Here it also clears a list or a map, which is then empty; a call that
// makes an object reads null in the same way.
import { Type, type TProperties, type TSchema } from 'typebox'
import type { SchemaNode } from './json-schema.ts'

/**
 * The same fields, where lists and maps that may be empty also take null. The static types stay: after validation a list
 * is never null (service/validation/normalize-input.ts), and the values of custom fields are merged key by key.
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

const mayBeEmpty = ({ type, minItems = 0 }: SchemaNode): boolean => type === 'array' && minItems === 0

const isMap = ({ patternProperties }: SchemaNode): boolean => patternProperties !== undefined

function orNull(list: TSchema): TSchema {
  const either = Type.Union([list, Type.Null()])
  return Type.IsOptional(list) ? Type.Optional(either) : either
}
