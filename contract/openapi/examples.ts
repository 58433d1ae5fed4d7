// Examples, made from the schemas: an object of a sample workspace, the same at every run. Its field's name says what
// stands there, as far as there is such a sample; else the schema does.
import { fieldsOf } from './parameters.ts'
import { idNamed, ofFormat, ofPattern, requested, sampleNamed, sampleOf, stillNull } from './sample-values.ts'
import type { Json } from './schemas.ts'
import type { Operation } from '../operation.ts'
import { isNullable, requiredIn, type SchemaNode } from '../json-schema.ts'

/** Fields that are not required are left out. */
export const example = (schema: SchemaNode): unknown => valueOf(schema, '', '')

/** Of a body: what is required, and some of what else can be given. */
export function exampleBody(operation: Operation): Json {
  const fields = Object.entries(fieldsOf(operation))
  const { name, input } = operation
  const required = requiredIn(input)
  const isShown = (field: string): boolean =>
    required.includes(field) || requested.includes(field) || requested.includes(`${name}.${field}`)
  const given = fields.filter(([field]) => isShown(field))
  const about = objectOf(operation.output)
  return Object.fromEntries(
    (given.length > 0 ? given : fields.slice(0, 1)).map(([field, schema]) => [
      field,
      sampleOf(name, field) ?? valueOf(schema, field, about),
    ]),
  )
}

/** A page whose items may show some fields only has a whole one for its example. */
export function exampleAnswer({ output }: Operation, whole: SchemaNode | undefined): unknown {
  const answer = example(output)
  return whole !== undefined && isSparsePage(output) ? { ...(answer as Json), data: [example(whole)] } : answer
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
    const isNull = stillNull.includes(field) && isNullable(node)
    return isNull ? null : valueOf(anyOf[0] ?? {}, field, about)
  }
  const sample = sampleNamed(field, about, node.type)
  if (sample !== undefined) return sample
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
  return format === 'uuid' ? idNamed(field) : (ofPattern[pattern] ?? ofFormat[format] ?? 'text')
}

/** What kind of object it is; of a union, the first. */
function objectOf(schema: SchemaNode): string {
  const { properties, anyOf } = schema
  if (anyOf !== undefined) return objectOf(anyOf[0] ?? {})
  const { const: object }: SchemaNode = properties?.['object'] ?? {}
  return typeof object === 'string' ? object : ''
}
