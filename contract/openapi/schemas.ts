// Schemas as the description shows them: those that have a name are components and the others refer to them, null is one
// more type, and kinds are told apart by a discriminator.
import { meaningOf } from './descriptions.ts'
import { isNull, type SchemaNode, type SchemaNodes } from '../json-schema.ts'

export type Json = Readonly<Record<string, unknown>>
/** Names of components by the shape of their schema: optional and required ones are the same. */
export type Names = ReadonlyMap<string, string>

const anyKey = '^.*$'

const shapeOf = (schema: SchemaNode): string => JSON.stringify(schema)

/** Of equal shapes the first one gives the name. */
export function namesOf(schemas: Iterable<readonly [string, SchemaNode]>): Names {
  const names = new Map<string, string>()
  for (const [name, schema] of schemas) {
    const shape = shapeOf(schema)
    if (!names.has(shape)) names.set(shape, name)
  }
  return names
}

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** The schema, or a reference to it where it has a name. */
export function described(schema: SchemaNode, names: Names): Json {
  const name = isStructured(schema) ? names.get(shapeOf(schema)) : undefined
  return name === undefined ? spelledOut(schema, names) : reference(name)
}

/** The schema itself, with references inside. */
export function spelledOut(schema: SchemaNode, names: Names): Json {
  const { anyOf, enum: values, items, properties, patternProperties, ...rest } = schema
  if (anyOf !== undefined) return { ...rest, ...union(anyOf, names) }
  return {
    ...rest,
    ...(values !== undefined && { type: 'string', enum: values }),
    ...(items !== undefined && { items: described(items, names) }),
    ...(properties !== undefined && { properties: eachDescribed(properties, names) }),
    ...(patternProperties !== undefined && recordOf(patternProperties, names)),
  }
}

/** Names of the components that a piece of the description refers to. */
export function namesIn(piece: unknown, where: 'schemas' | 'headers' = 'schemas'): string[] {
  const start = `#/components/${where}/`
  const refs = Array.from(JSON.stringify(piece).matchAll(/"(#\/components\/[^"]+)"/g), ([, ref = '']) => ref)
  return refs.filter((ref) => ref.startsWith(start)).map((ref) => ref.slice(start.length))
}

const isStructured = (schema: SchemaNode): boolean => ['properties', 'anyOf', 'enum'].some((key) => key in schema)

const eachDescribed = (properties: SchemaNodes, names: Names): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, explained(member(schema, name, names), name)]),
  )

/** Generators take a field with a default for one that is always there, and demand it of callers: it is told in words. */
function member(schema: SchemaNode, name: string, names: Names): Json {
  const { default: value, ...rest } = name === 'customFields' ? customFieldsOf(schema, names) : described(schema, names)
  if (value === undefined) return rest
  const { description = meaningOf(name) ?? '' } = rest
  return { ...rest, description: `${String(description)} Without it: \`${JSON.stringify(value)}\`.`.trimStart() }
}

/** Which values fit depends on the fields of the workspace; these are all that can. */
const customFieldsOf = (schema: SchemaNode, names: Names): Json => ({
  ...spelledOut(schema, names),
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'array', 'null'],
    items: { type: 'string' },
    description: 'As the type of the field has it: text, a number, a date, yes or no, options, an id, an address.',
  },
})

/** With what it means, where it is known and not said there already. */
export function explained(piece: Json, name: string): Json {
  const meaning = meaningOf(name)
  return meaning === undefined || 'description' in piece || '$ref' in piece ? piece : { ...piece, description: meaning }
}

function recordOf(patterns: SchemaNodes, names: Names): Json {
  const { [anyKey]: any, ...others } = patterns
  if (any === undefined) return { patternProperties: eachDescribed(others, names) }
  const value = described(any, names)
  return { additionalProperties: Object.keys(value).length === 0 ? true : value }
}

function union(members: readonly SchemaNode[], names: Names): Json {
  const kinds = members.filter((member) => !isNull(member))
  const parts = kinds.map((member) => described(member, names))
  const isNullable = kinds.length < members.length
  if (parts.length === 1) return isNullable ? orNull(parts[0] ?? {}) : (parts[0] ?? {})
  const all = isNullable ? [...parts, { type: 'null' }] : parts
  const discriminator = discriminatorOf(kinds, parts)
  return discriminator === null ? { anyOf: all } : { oneOf: all, discriminator }
}

function orNull(part: Json): Json {
  const { type, const: value, enum: values, ...rest } = part
  if (typeof type !== 'string') return { anyOf: [part, { type: 'null' }] }
  const allowed = values ?? (value === undefined ? undefined : [value])
  return { ...rest, type: [type, 'null'], ...(Array.isArray(allowed) && { enum: [...allowed, null] }) }
}

/** The property that has another constant in each of the kinds, all of which must be components. */
function discriminatorOf(kinds: readonly SchemaNode[], parts: readonly Json[]): Json | null {
  const refs = parts.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  if (refs.length < kinds.length) return null
  const properties = kinds.map((kind) => kind.properties ?? {})
  for (const propertyName of Object.keys(properties[0] ?? {})) {
    const values = properties.flatMap((each) => constantOf(each[propertyName]))
    if (new Set(values).size < kinds.length) continue
    return { propertyName, mapping: Object.fromEntries(values.map((value, at) => [value, refs[at]])) }
  }
  return null
}

const constantOf = (schema: SchemaNode | undefined): string[] => {
  const value = schema?.const
  return typeof value === 'string' ? [value] : []
}
