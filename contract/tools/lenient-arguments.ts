// Arguments as they come from models and bridges: a list or an object as JSON text, one value where a list is taken, a
// number or a boolean as text, null for what is left out. They are read as what they must mean by the schema, and what
// was read so is told to the caller. Where another reading is possible nothing is changed, and the schema refuses it.
// Pure.
import type { TObject, TSchema } from 'typebox'
import { isNull, isNullable, requiredIn, type SchemaNode } from '../json-schema.ts'
import { controls, type Arguments, type Tool } from './tool.ts'

export type ReadArguments = {
  readonly args: Arguments
  /** One sentence for each kind of reading, with the arguments that were read so. */
  readonly warnings: readonly string[]
}
/** Returns undefined for a text that is no JSON, or that could be read in two ways. */
export type ParseJson = (text: string) => unknown

const readings = {
  jsonList: 'JSON text was read as a list',
  jsonObject: 'JSON text was read as an object',
  oneForList: 'one value was read as a list of one',
  number: 'text was read as a number',
  boolean: 'text was read as true or false',
  leftOut: 'null was read as left out',
  placeholder: 'was left out: this tool takes no arguments',
} as const
type Reading = keyof typeof readings

/**
 * Of a text that begins so, one cannot say whether it is meant as JSON; of one with such signs, whether it is a list.
 */
const unclear = /^\s*[[{"]|[,;\n]/
const wholeNumber = /^-?(?:0|[1-9]\d{0,15})$/
const anyNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
const placesMax = 10
const placeLengthMax = 60

export function readArguments(
  tool: Pick<Tool, 'input' | 'inputFor'>,
  args: Arguments,
  parse: ParseJson,
): ReadArguments {
  const places = new Map<Reading, string[]>()
  const note = (reading: Reading, place: string) =>
    void places.set(reading, [...(places.get(reading) ?? []), place.slice(0, placeLengthMax)])
  const given = withoutPlaceholder(tool.input, args, note)
  const read = reader(parse, note)
  const schema = tool.inputFor?.(given['type']) ?? tool.input
  // An object is read as an object.
  return { args: read(schema, given, '') as Arguments, warnings: [...places].map(warning) }
}

function warning([reading, places]: [Reading, readonly string[]]): string {
  const named = places.slice(0, placesMax).map((place) => `\`${place}\``)
  const more = places.length > placesMax ? ` and ${places.length - placesMax} more` : ''
  return `${named.join(', ')}${more}: ${readings[reading]}.`
}

type Note = (reading: Reading, place: string) => void

/** Some bridges give a tool without arguments one of this name, since their models call no function without. */
function withoutPlaceholder({ properties }: TObject, args: Arguments, note: Note): Arguments {
  if (!('random_string' in args) || Object.keys(properties).length > 0) return args
  const { random_string: _placeholder, ...others } = args
  note('placeholder', 'random_string')
  return others
}

function reader(parse: ParseJson, note: Note) {
  function read(schema: SchemaNode, given: unknown, place: string): unknown {
    const node = alternativeFor(schema, given)
    const value = typeof given === 'string' ? fromText(node, given, place) : given
    if (node.type === 'array') return list(node.items ?? {}, value, place)
    return node.properties !== undefined && isObject(value) ? members(node, value, place) : value
  }

  function fromText(node: SchemaNode, text: string, place: string): unknown {
    const found = valueOf(node, text, parse)
    if (found === null) return text
    note(found.reading, place)
    return found.value
  }

  function list(items: SchemaNode, value: unknown, place: string): unknown {
    if (Array.isArray(value)) return value.map((each, at) => read(items, each, `${place}.${at}`))
    if (!isOne(items, value, parse)) return value
    note('oneForList', place)
    return [read(items, value, place)]
  }

  function members(node: SchemaNode, value: Arguments, place: string): Arguments {
    const isLeftOut = leftOutIn(node)
    const entries = Object.entries(value).flatMap(([name, each]) => {
      const schema: TSchema | undefined = Object.hasOwn(node.properties ?? {}, name)
        ? node.properties?.[name]
        : undefined
      const at = place === '' ? name : `${place}.${name}`
      if (schema === undefined) return [[name, each]]
      if (each !== null || !isLeftOut(name, schema)) return [[name, read(schema, each, at)]]
      note('leftOut', at)
      return []
    })
    return Object.fromEntries(entries) as Arguments
  }
  return read
}

type FromText = { readonly reading: Reading; readonly value: unknown }

/** Null where the text is to stay what it is. */
function valueOf({ type }: SchemaNode, text: string, parse: ParseJson): FromText | null {
  if (type === 'integer') return wholeNumber.test(text) ? safe(Number(text)) : null
  if (type === 'number') return anyNumber.test(text) ? safe(Number(text)) : null
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? { reading: 'boolean', value: text === 'true' } : null
  if (type === 'array' && /^\s*\[/.test(text)) {
    const value = parse(text)
    return Array.isArray(value) ? { reading: 'jsonList', value } : null
  }
  if (type === 'object' && /^\s*\{/.test(text)) {
    const value = parse(text)
    return isObject(value) ? { reading: 'jsonObject', value } : null
  }
  return null
}

const safe = (value: number): FromText | null =>
  Number.isSafeInteger(value) || !Number.isInteger(value) ? { reading: 'number', value } : null

/** Is the value what one item of the list may be, and nothing else? */
function isOne(schema: SchemaNode, value: unknown, parse: ParseJson): boolean {
  const items = withoutNull(schema)
  if (typeof value !== 'string') return fitsType(items.type, value)
  if (items.enum !== undefined) return items.enum.includes(value)
  if (items.type === 'string') return value !== '' && !unclear.test(value)
  return valueOf(items, value, parse) !== null
}

function fitsType(type: string | undefined, value: unknown): boolean {
  if (type === 'object') return isObject(value)
  if (type === 'integer' || type === 'number') return typeof value === 'number'
  return type === 'boolean' && typeof value === 'boolean'
}

/** Of a list, or what to add to it and to remove: the one that the value must be meant as. */
function alternativeFor(schema: SchemaNode, given: unknown): SchemaNode {
  const node = withoutNull(schema)
  const [list, edit, ...others] = (node.anyOf ?? []).filter((each) => !isNull(each)) as SchemaNode[]
  if (list?.type !== 'array' || edit?.type !== 'object' || others.length > 0) return node
  return isObject(given) || (typeof given === 'string' && /^\s*\{/.test(given)) ? edit : list
}

/** The one alternative beside null; any other schema as it is. */
function withoutNull(schema: SchemaNode): SchemaNode {
  const others = (schema.anyOf ?? []).filter((each) => !isNull(each))
  return others.length === 1 ? others[0]! : schema
}

/**
 * Can null only stand for a member that is left out? Not where it has a meaning; and where null clears some members, it
 * may be meant so for one that cannot be cleared.
 */
function leftOutIn(node: SchemaNode): (name: string, schema: SchemaNode) => boolean {
  const required = requiredIn(node)
  const clears = Object.values(node.properties ?? {}).some(isNullable)
  return (name, schema) =>
    schema.type !== undefined && !isNull(schema) && !required.includes(name) && (!clears || controls.has(name))
}

/** As JSON has them: what else stands in their place, such as an item that could not be read, stays what it is. */
const isObject = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
