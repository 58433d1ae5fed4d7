// The schemas of tools as three providers take them, by their published rules; what no rule names is refused.
import type { SchemaNode } from '#contract/json-schema.ts'

export type Declared = { readonly name: string; readonly description: string; readonly inputSchema: object }
export type Convert = (tool: Declared) => object
type Node = SchemaNode & Readonly<Record<string, unknown>>

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

function check(place: string, node: Node, allowed: readonly string[]): void {
  for (const keyword of Object.keys(node))
    if (!allowed.includes(keyword)) throw new Error(`${place}: the keyword ${keyword} is not permitted`)
  if (node.anyOf === undefined && !types.has(String(node.type))) throw new Error(`${place}: a schema must have a type`)
  if (node.type === 'array' && node.items === undefined) throw new Error(`${place}: items are missing`)
  if (node.enum !== undefined && node.type !== 'string') throw new Error(`${place}: an enumeration is of strings`)
}

/** Applies `convert` to the schemas within. */
function within(node: Node, place: string, convert: (node: Node, place: string) => object): object {
  const { items, anyOf, properties } = node
  return {
    ...node,
    ...(items !== undefined && { items: convert(items as Node, `${place}.items`) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((each, at) => convert(each as Node, `${place}.anyOf.${at}`)) }),
    ...(properties !== undefined && {
      properties: eachOf(properties, (name, each) => convert(each, `${place}.${name}`)),
    }),
  }
}

const eachOf = (properties: object, change: (name: string, each: Node) => object): Record<string, SchemaNode> =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, change(name, each as Node)]))

const plain = ['type', 'description', 'enum', 'items', 'anyOf', 'properties', 'required']
const bounds = ['minimum', 'maximum', 'minItems', 'maxItems']

/**
 * Structured Outputs of OpenAI (`strict: true`): every property is required, one that was optional takes null; objects
 * are closed; at most ten levels. What was not closed takes no members then.
 */
function strict(given: Node, place: string): object {
  if (place.split('.').length > 10) throw new Error(`${place}: is nested too deeply`)
  check(place, given, [...plain, ...bounds, 'additionalProperties', 'pattern', 'format'])
  if (given.additionalProperties === true) throw new Error(`${place}: additionalProperties must be false`)
  const node = within(given, place, strict) as Node
  if (node.type !== 'object') return node
  const { properties = {}, required = [] } = node
  const all = eachOf(properties, (name, each) => (required.includes(name) ? each : orNull(each)))
  return { ...node, properties: all, required: Object.keys(properties), additionalProperties: false }
}

const orNull = (schema: SchemaNode): SchemaNode =>
  schema.anyOf?.some(({ type }: SchemaNode) => type === 'null') === true
    ? schema
    : { anyOf: [schema, { type: 'null' }] }

/** Gemini's subset of OpenAPI 3.0: `nullable` in the place of null, and nothing said of further properties. */
function openApi(given: Node, place: string): object {
  const { additionalProperties: _closed, ...node } = given
  check(place, node, [...plain, ...bounds, 'nullable', 'format', 'minLength', 'maxLength', 'pattern'])
  if (node.type === 'null') throw new Error(`${place}: null is no type`)
  const others = node.anyOf?.filter(({ type }: SchemaNode) => type !== 'null') ?? []
  if (others.length === 1) {
    const { anyOf: _null, ...more } = node
    return { ...openApi(others[0] as Node, place), ...more, nullable: true }
  }
  if (node.anyOf !== undefined && others.length < node.anyOf.length)
    return within({ ...node, anyOf: others.map((each) => ({ ...each, nullable: true })) }, place, openApi)
  return within(node, place, openApi)
}

/** JSON Schema of 2020-12 with names of properties in a form of its own; strict tools know no bounds. */
function anthropic(given: Node, place: string): object {
  check(place, given, [...plain, ...bounds, 'additionalProperties', 'pattern', 'format'])
  for (const name of Object.keys(given.properties ?? {}))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) throw new Error(`${place}: the property ${name} has a name out of form`)
  return within(given, place, anthropic)
}

const named = ({ name, description, inputSchema }: Declared): Node => {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) throw new Error(`${name}: the name is out of form`)
  if (description.length > 1_024) throw new Error(`${name}: the description has more than 1024 characters`)
  if ((inputSchema as Node).type !== 'object') throw new Error(`${name}: the root must be an object`)
  return inputSchema as Node
}

export const converters: readonly (readonly [string, Convert])[] = [
  ['OpenAI, strict', (tool) => strict(named(tool), tool.name)],
  ['Gemini', (tool) => openApi(named(tool), tool.name)],
  ['Anthropic', (tool) => anthropic(named(tool), tool.name)],
]

/** A strict model says null for each member that it leaves out. */
export function withNulls(schema: SchemaNode, value: unknown): unknown {
  const { anyOf = [], items, properties = {}, required = [] } = schema
  const other = anyOf.find(({ type }: SchemaNode) => type !== 'null')
  if (other !== undefined) return withNulls(other, value)
  if (Array.isArray(value)) return value.map((each) => withNulls(items ?? {}, each))
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).map(([name, each]) => [name, withNulls(properties[name] ?? {}, each)])
  return { ...Object.fromEntries(required.map((name) => [name, null])), ...Object.fromEntries(given) }
}
