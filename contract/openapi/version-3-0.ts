// The same description as OpenAPI 3.0.3, for generators that cannot read 3.1. What 3.0 cannot say is left out, so this
// allows all that the API sends and takes. An overlay cannot do this: an action gives all that it selects the same
// value, and each schema needs its own.
import type { Json } from './components.ts'

type Schema = Readonly<Record<string, unknown>>

/** Keywords that belong to one of several types; the others stay where they are. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
}
/** Keywords that 3.0 does not have, and that only narrow. */
const droppedKeywords = new Set(['propertyNames', 'contains', 'minContains', 'maxContains'])

export function asOpenApi30(document: Json): Json {
  const { openapi: _version, info, webhooks: _webhooks, components, ...rest } = document
  const { summary: _summary, license, ...about } = info as Json & { readonly license: { readonly name: string } }
  const { schemas, ...others } = components as { readonly schemas: Readonly<Record<string, Schema>> }
  return {
    openapi: '3.0.3',
    info: { ...about, license: { name: license.name } },
    ...(converted(rest) as Json),
    components: { ...(converted(others) as Json), schemas: mapped(schemas, schemaOf) },
  }
}

/** What is no schema: those in it are converted, and examples stay as they are. */
function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === 'example' || name === 'examples') return [name, each]
      return [name, name === 'schema' ? schemaOf(each as Schema) : converted(each)]
    }),
  )
}

function schemaOf(schema: Schema): Schema {
  const { $ref: ref, ...besides } = schema
  if (ref !== undefined)
    return Object.keys(besides).length === 0 ? schema : { allOf: [{ $ref: ref }, schemaOf(besides)] }
  return typed(withoutNull(renamed(schema)))
}

/** Keywords under their names of 3.0, and the schemas in them converted. */
function renamed(schema: Schema): Schema {
  const { const: constant, examples, ...kept } = schema
  const entries = Object.entries(kept).filter(([name]) => !droppedKeywords.has(name))
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, inKeyword(name, value)])),
    ...(constant !== undefined && { enum: [constant] }),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
  }
}

function inKeyword(name: string, value: unknown): unknown {
  if (name === 'properties') return mapped(value as Readonly<Record<string, Schema>>, schemaOf)
  if (['anyOf', 'oneOf', 'allOf'].includes(name))
    return (value as Schema[]).map((each) => (isNull(each) ? each : schemaOf(each)))
  return ['items', 'additionalProperties', 'not'].includes(name) && typeof value === 'object'
    ? schemaOf(value as Schema)
    : value
}

const isNull = ({ type }: Schema): boolean => type === 'null'

/** `null` among the alternatives as `nullable`, which stands beside a type. What has a name is an object. */
function withoutNull(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !(anyOf as Schema[]).some(isNull)) return schema
  const others = (anyOf as Schema[]).filter((each) => !isNull(each)).flatMap(alternativesOf)
  if (others.every(({ type }) => type !== undefined))
    return { ...rest, anyOf: others.map((each) => ({ ...each, nullable: true })) }
  return { type: 'object', nullable: true, ...rest, [others.length === 1 ? 'allOf' : 'anyOf']: others }
}

const alternativesOf = (schema: Schema): readonly Schema[] =>
  Array.isArray(schema['anyOf']) && Object.keys(schema).length === 1 ? (schema['anyOf'] as Schema[]) : [schema]

/** One type, or an alternative for each. */
function typed(schema: Schema): Schema {
  const { type, ...rest } = schema
  if (!Array.isArray(type)) return schema
  const types = (type as string[]).filter((each) => each !== 'null')
  const nullable = types.length < type.length ? { nullable: true } : {}
  const [only] = types
  if (types.length === 1) return { type: only, ...nullable, ...rest }
  const used = new Set(types.flatMap((each) => keywordsOf[each] ?? []))
  const shared = Object.entries(rest).filter(([name]) => !used.has(name))
  return {
    ...Object.fromEntries(shared),
    anyOf: types.map((each) => ({
      type: each,
      ...nullable,
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => keywordsOf[each]?.includes(name))),
    })),
  }
}

const mapped = <T, U>(all: Readonly<Record<string, T>>, of: (value: T) => U): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, of(value)]))
