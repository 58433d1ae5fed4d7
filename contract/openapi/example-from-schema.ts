// Builds the examples of the document from schemas, the same at every run. The value of a field is the one that
// example-values.ts has for its name; if there is none, one that the schema permits.
import { queryOrBodyFields } from './request-fields.ts'
import {
  exampleId,
  valuesByFormat,
  valuesByPattern,
  optionalFieldsShown,
  valueOfField,
  valueInBodyOf,
  fieldsShownAsNull,
} from './example-values.ts'
import type { Json } from './component-refs.ts'
import type { Operation } from '../operation.ts'
import { referenceFormat } from '../references.ts'
import { isNullable, requiredIn, type SchemaNode } from '../json-schema.ts'
import { tagOf } from '../tag.ts'

/** An example of the schema, without the fields that are not required. */
export const example = (schema: SchemaNode): unknown => valueOf(schema, '', '')

/** An example of a request body: the required fields and some of the others. */
export function exampleBody(operation: Operation): Json {
  const fields = Object.entries(queryOrBodyFields(operation))
  const { name, input } = operation
  const required = requiredIn(input)
  const isShown = (field: string): boolean =>
    required.includes(field) || optionalFieldsShown.includes(field) || optionalFieldsShown.includes(`${name}.${field}`)
  const given = fields.filter(([field]) => isShown(field))
  const about = objectOf(operation.output)
  return Object.fromEntries(
    (given.length > 0 ? given : fields.slice(0, 1)).map(([field, schema]) => [
      field,
      valueInBodyOf(name, field) ?? valueOf(schema, field, about),
    ]),
  )
}

/** An example of an answer. A list whose items may have some fields only shows one with all of its fields. */
export function exampleResponse({ output }: Operation, fullItem: SchemaNode | undefined): unknown {
  const response = example(output)
  return fullItem !== undefined && isSparsePage(output)
    ? { ...(response as Json), data: [example(fullItem)] }
    : response
}

function isSparsePage(output: SchemaNode): boolean {
  const { data, page } = output.properties ?? {}
  const list: SchemaNode = data ?? {}
  const { properties }: SchemaNode = list.items ?? {}
  const object: SchemaNode | undefined = properties?.['object']
  return page !== undefined && object !== undefined && object.const === undefined
}

function valueOf(node: SchemaNode, field: string, about: string): unknown {
  const { anyOf, enum: values } = node
  if (node.const !== undefined) return node.const
  if (anyOf !== undefined) {
    const isNull = fieldsShownAsNull.includes(field) && isNullable(node)
    return isNull ? null : valueOf(anyOf[0] ?? {}, field, about)
  }
  const value = valueOfField(field, about, node.type)
  if (value !== undefined) return value
  if (values !== undefined) return values[0]
  switch (node.type) {
    case 'object':
      return objectFrom(node, about)
    case 'array':
      return Array.from({ length: node.minItems ?? 1 }, () => valueOf(node.items ?? {}, field, about))
    case 'integer':
    case 'number':
      return Math.max(node.minimum ?? 0, 0)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return textFor(node, field)
  }
}

function objectFrom({ properties = {}, required = [] }: SchemaNode, about: string): Json {
  const own = objectOf({ properties }) || about
  const made = Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {}, name, own)]))
  return objectOf({ properties }) === 'event' ? withResource(made) : made
}

/** What an event says of its resource is what its data says, where its schema knows that. */
function withResource(record: Json): Json {
  const { type, data } = record
  if (typeof data !== 'object' || data === null) return record
  const { id, kind = null, version = null } = data as Json
  return { ...record, resource: { type: tagOf(String(type)), id, kind, version } }
}

function textFor({ format = '', pattern = '' }: SchemaNode, field: string): string {
  const isId = format === 'uuid' || referenceFormat(format)?.isNegatable === false
  return isId ? exampleId(field) : (valuesByPattern[pattern] ?? valuesByFormat[format] ?? 'text')
}

/** The constant of the field `object`, such as `task`; of a union, that of its first alternative; else empty. */
function objectOf(schema: SchemaNode): string {
  const { properties, anyOf } = schema
  if (anyOf !== undefined) return objectOf(anyOf[0] ?? {})
  const { const: object }: SchemaNode = properties?.['object'] ?? {}
  return typeof object === 'string' ? object : ''
}
