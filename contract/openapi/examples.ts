// Builds the examples of request bodies from schemas, the same at every run. The value of a field is the one that
// example-values.ts has for its name; if there is none, one that the schema permits. What is answered is recorded
// (recorded-examples.ts): only what is declared and not recorded yet is shown as its schema permits it.
import type { Json } from './components.ts'
import type { Operation } from '../operation.ts'
import { referenceFormat } from '../references.ts'
import { isNullable, requiredIn, type SchemaNode } from '../json-schema.ts'
import { bodyFields } from './request-fields.ts'
import {
  optionalFieldsShown,
  valueInBodyOf,
  fieldsShownAsNull,
  valueOfField,
  exampleId,
  valuesByPattern,
  valuesByFormat,
} from '../example-values.ts'

/** An example of the schema, without the fields that are not required. */
export const example = (schema: SchemaNode): unknown => valueOf(schema, '', '')

/** An example of a request body: the required fields and some of the others. */
export function exampleBody(operation: Operation): Json {
  const fields = Object.entries(bodyFields(operation))
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
  return Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {}, name, own)]))
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
