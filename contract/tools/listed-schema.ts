// The input of an operation as a tool lists it: every token of it is paid for by each conversation. Formats, patterns and
// bounds are left out, since the operation still validates them and says what is wrong in a sentence.
import { Type, type TSchema } from 'typebox'
import { isNull, type SchemaNode } from '../json-schema.ts'

/** `description` in place of the schema's own. */
export function listed(schema: TSchema, description?: string): TSchema {
  const text = description ?? described(schema)
  return { ...shape(schema), ...(text !== undefined && { description: text }) }
}

/** The same without null, its members too: in a call that creates, what is left out is null. */
export function withoutNull(schema: TSchema): TSchema {
  const { anyOf = [] } = schema as SchemaNode
  const others = anyOf.filter((each) => !isNull(each))
  const kept: TSchema & SchemaNode = others.length === 1 && others.length < anyOf.length ? others[0]! : schema
  if (kept.properties === undefined) return kept
  const members = Object.entries(kept.properties).map(([name, each]) => [name, withoutNull(each)])
  return { ...kept, properties: Object.fromEntries(members) }
}

function shape(schema: SchemaNode): TSchema {
  const { type, anyOf, items, properties } = schema
  if (schema.enum !== undefined) return Type.Unsafe({ type: 'string', enum: schema.enum })
  if (anyOf !== undefined) return Type.Unsafe({ anyOf: anyOf.map((each) => listed(each)) })
  if (type === 'array') return Type.Unsafe({ type, items: listed(items ?? {}) })
  if (type === 'object' && properties !== undefined) return Type.Unsafe({ type, properties: listedAll(properties) })
  return Type.Unsafe({ type })
}

const listedAll = (properties: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, listed(each)]))

/** The texts of days and times say what no format says any more. */
function described({ format }: SchemaNode): string | undefined {
  if (format === 'date') return 'YYYY-MM-DD'
  if (format === 'date-time') return 'RFC 3339'
  return undefined
}
