// Names of component schemas, and references to them.
import { type SchemaNode, isNull, type SchemaNodes } from '../json-schema.ts'
import { descriptionOf } from './descriptions.ts'

export type Json = Readonly<Record<string, unknown>>
/** Names of components by the JSON of their schema. */
export type Names = ReadonlyMap<string, string>

const shapeOf = (schema: SchemaNode): string => JSON.stringify(schema)

/** Of equal schemas the first one gives the name. */
export function componentNames(schemas: Iterable<readonly [string, SchemaNode]>): Names {
  const names = new Map<string, string>()
  for (const [name, schema] of schemas) {
    const shape = shapeOf(schema)
    if (!names.has(shape)) names.set(shape, name)
  }
  return names
}

export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Names of the components that a part of the document refers to. */
export function referredNames(piece: unknown, where: 'schemas' | 'headers' = 'schemas'): string[] {
  const start = `#/components/${where}/`
  const refs = Array.from(JSON.stringify(piece).matchAll(/"(#\/components\/[^"]+)"/g), ([, ref = '']) => ref)
  return refs.filter((ref) => ref.startsWith(start)).map((ref) => ref.slice(start.length))
}

// The Schema Objects of the document. Schemas that have a name are components, to which the others refer; null is one
// more type; unions of components have a discriminator.

const anyKey = '^.*$'

/** The schema, or a reference if it has a name. */
export function schemaOrRef(schema: SchemaNode, names: Names): Json {
  const name = isStructured(schema) ? names.get(shapeOf(schema)) : undefined
  return name === undefined ? inlineSchema(schema, names) : schemaRef(name)
}

/** The schema itself; what is inside may be references. */
export function inlineSchema(schema: SchemaNode, names: Names): Json {
  const { anyOf, const: value, items, properties, patternProperties, ...rest } = schema
  // Many generators know OpenAPI 3.0 alone, which has no `const`: they would take any text, also where `kind` tells
  // apart.
  const values = typeof value === 'string' ? [value] : schema.enum
  if (anyOf !== undefined) return { ...rest, ...union(anyOf, names, names.has(shapeOf(schema))) }
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
  return { ...rest, description: `${String(description)} Default: \`${JSON.stringify(value)}\`.`.trimStart() }
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
    description: 'A value of the field’s type: text, a number, a date, yes or no, options, an id, a URL.',
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

/** A component that may be null says so in its type: tools ask of an `anyOf` how to tell its members apart. */
function union(members: readonly SchemaNode[], names: Names, isComponent: boolean): Json {
  const alternatives = members.filter((member) => !isNull(member))
  const parts = alternatives.map((member) => schemaOrRef(member, names))
  const isNullable = alternatives.length < members.length
  if (parts.length === 1) {
    const part = isComponent ? inlineSchema(alternatives[0] ?? {}, names) : (parts[0] ?? {})
    return isNullable ? orNull(part) : part
  }
  const all = isNullable ? [...parts, { type: 'null' }] : parts
  const [list, edit, ...others] = all
  if (list?.['type'] === 'array' && edit?.['type'] === 'object' && others.every(({ type }) => type === 'null')) {
    // The keywords of a list and of an object do not meet: tools that look for a discriminator need none.
    return { ...edit, ...list, type: all.map(({ type }) => type) }
  }
  const discriminator = discriminatorOf(alternatives, parts)
  return discriminator === null ? { anyOf: all } : { oneOf: all, discriminator }
}

function orNull(part: Json): Json {
  const { type, const: value, enum: values, ...rest } = part
  if (typeof type !== 'string') return { anyOf: [part, { type: 'null' }] }
  const allowed = values ?? (value === undefined ? undefined : [value])
  return { ...rest, type: [type, 'null'], ...(Array.isArray(allowed) && { enum: [...allowed, null] }) }
}

/**
 * The property that has another constant in each alternative. Null when there is none, or an alternative is no
 * component.
 */
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

// Makes components of the parameters and error responses that several operations have alike.

/** A value in an Operation Object, and names for its component: the first name that is not taken is used. */
export type Candidate = { readonly names: readonly string[]; readonly value: Json }
export type SharedComponents = {
  readonly components: Json
  /** The value itself, or a reference if it is a component. */
  refTo(value: Json): Json
}

export function sharedComponents(
  where: 'parameters' | 'responses',
  candidates: readonly Candidate[],
): SharedComponents {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  for (const [text, { names }] of repeated(candidates)) {
    const key = names.find((name) => !taken.has(name))
    if (key === undefined) continue
    keys.set(text, key)
    taken.add(key)
  }
  const components = Object.fromEntries([...keys].map(([text, key]) => [key, JSON.parse(text) as Json]))
  return {
    components,
    refTo(value) {
      const key = keys.get(JSON.stringify(value))
      return key === undefined ? value : { $ref: `#/components/${where}/${key}` }
    },
  }
}

/** The values that occur more than once, the most frequent first: they choose their names first. */
function repeated(candidates: readonly Candidate[]): [string, Candidate][] {
  const equals = Map.groupBy(candidates, ({ value }) => JSON.stringify(value))
  const several = [...equals].filter(([, equal]) => equal.length > 1).toSorted(([, a], [, b]) => b.length - a.length)
  return several.flatMap(([text, [first]]) => (first === undefined ? [] : [[text, first] as [string, Candidate]]))
}
