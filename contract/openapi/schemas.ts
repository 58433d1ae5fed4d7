// The Schema Objects of the document. Schemas that have a name are components, to which the others refer; null is one more
// type; unions of components have a discriminator.
import { schemaRef, shapeOf, type Json, type Names } from './component-refs.ts'
import { descriptionOf } from './descriptions.ts'
import { isNull, type SchemaNode, type SchemaNodes } from '../json-schema.ts'

const anyKey = '^.*$'

/** The schema, or a reference if it has a name. */
export function schemaOrRef(schema: SchemaNode, names: Names): Json {
  const name = isStructured(schema) ? names.get(shapeOf(schema)) : undefined
  return name === undefined ? inlineSchema(schema, names) : schemaRef(name)
}

/** The schema itself; what is inside may be references. */
export function inlineSchema(schema: SchemaNode, names: Names): Json {
  const { anyOf, const: value, items, properties, patternProperties, ...rest } = schema
  // Many generators know OpenAPI 3.0 alone, which has no `const`: they would take any text, also where `kind` tells apart.
  const values = typeof value === 'string' ? [value] : schema.enum
  if (anyOf !== undefined) return { ...rest, ...union(anyOf, names) }
  return {
    ...rest,
    ...(value !== undefined && typeof value !== 'string' && { const: value }),
    ...(values !== undefined && { type: 'string', enum: values }),
    ...(items !== undefined && { items: schemaOrRef(items, names) }),
    ...(properties !== undefined && { properties: propertySchemas(properties, names) }),
    ...(patternProperties !== undefined && recordOf(patternProperties, names)),
  }
}

const isStructured = (schema: SchemaNode): boolean => ['properties', 'anyOf', 'enum'].some((key) => key in schema)

const propertySchemas = (properties: SchemaNodes, names: Names): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      withDescription(propertySchema(schema, name, names), name),
    ]),
  )

/** Code generators take a field with `default` for a required one. So the default is a sentence of the description. */
function propertySchema(schema: SchemaNode, name: string, names: Names): Json {
  const { default: value, ...rest } =
    name === 'customFields' && isRecord(schema) ? customFieldsSchema(schema, names) : schemaOrRef(schema, names)
  if (value === undefined) return rest
  const { description = descriptionOf(name) ?? '' } = rest
  return { ...rest, description: `${String(description)} Without it: \`${JSON.stringify(value)}\`.`.trimStart() }
}

/** Or a record that may be null. */
const isRecord = ({ patternProperties, anyOf = [] }: SchemaNode): boolean =>
  patternProperties !== undefined || anyOf.some(isRecord)

/** Which values are permitted depends on the workspace: these are the types of all custom fields. */
const customFieldsSchema = (schema: SchemaNode, names: Names): Json => ({
  ...inlineSchema(schema, names),
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'array', 'null'],
    items: { type: 'string' },
    description: 'As the type of the field has it: text, a number, a date, yes or no, options, an id, an address.',
  },
})

/** The same with the description of this name, unless it has one or is a reference. */
export function withDescription(piece: Json, name: string): Json {
  const meaning = descriptionOf(name)
  return meaning === undefined || 'description' in piece || '$ref' in piece ? piece : { ...piece, description: meaning }
}

function recordOf(patterns: SchemaNodes, names: Names): Json {
  const { [anyKey]: any, ...others } = patterns
  if (any === undefined) return { patternProperties: propertySchemas(others, names) }
  const value = schemaOrRef(any, names)
  return { additionalProperties: Object.keys(value).length === 0 ? true : value }
}

function union(members: readonly SchemaNode[], names: Names): Json {
  const alternatives = members.filter((member) => !isNull(member))
  const parts = alternatives.map((member) => schemaOrRef(member, names))
  const isNullable = alternatives.length < members.length
  if (parts.length === 1) return isNullable ? orNull(parts[0] ?? {}) : (parts[0] ?? {})
  const all = isNullable ? [...parts, { type: 'null' }] : parts
  const discriminator = discriminatorOf(alternatives, parts)
  return discriminator === null ? { anyOf: all } : { oneOf: all, discriminator }
}

function orNull(part: Json): Json {
  const { type, const: value, enum: values, ...rest } = part
  if (typeof type !== 'string') return { anyOf: [part, { type: 'null' }] }
  const allowed = values ?? (value === undefined ? undefined : [value])
  return { ...rest, type: [type, 'null'], ...(Array.isArray(allowed) && { enum: [...allowed, null] }) }
}

/** The property that has another constant in each alternative. Null when there is none, or an alternative is no component. */
function discriminatorOf(alternatives: readonly SchemaNode[], parts: readonly Json[]): Json | null {
  const refs = parts.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  if (refs.length < alternatives.length) return null
  const properties = alternatives.map((kind) => kind.properties ?? {})
  for (const propertyName of Object.keys(properties[0] ?? {})) {
    const values = properties.flatMap((each) => constantOf(each[propertyName]))
    if (new Set(values).size < alternatives.length) continue
    return { propertyName, mapping: Object.fromEntries(values.map((value, at) => [value, refs[at]])) }
  }
  return null
}

const constantOf = (schema: SchemaNode | undefined): string[] => {
  const value = schema?.const
  return typeof value === 'string' ? [value] : []
}
