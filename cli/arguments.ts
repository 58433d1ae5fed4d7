// Parses the arguments of the command line into the input of an operation, by the operation's schema.
import type { Operation } from '#contract/operation.ts'
import { isNullable, requiredIn, type SchemaNode, type SchemaNodes } from '#contract/json-schema.ts'
import { valueOfText, type TextSyntax } from '#contract/text-values.ts'

/** The exit codes, for scripts. */
export const exitCodes = {
  success: 0,
  /** Refused by the API, not reached, or found broken. */
  failed: 1,
  /** Nothing was sent: the arguments or the environment are wrong. */
  wrongUsage: 2,
} as const

/** The arguments or the environment are wrong; the message says how to correct them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type ParsedArguments = {
  readonly input: Readonly<Record<string, unknown>>
  readonly workspaceId: string | undefined
  readonly json: boolean
}

/** Takes `--name value`, `--name=value`, and `--name` alone for booleans. Throws a UsageError. */
export function parseArguments(operation: Operation, args: readonly string[]): ParsedArguments {
  const options = optionsIn(operation, args)
  assertComplete(operation, options)
  const { workspace, json, ...texts } = Object.fromEntries(options)
  const fields: SchemaNodes = operation.input.properties
  const input = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, parseValue(fields[name] ?? {}, name, text)]),
  )
  return { input, workspaceId: workspace, json: json !== undefined }
}

function optionsIn(operation: Operation, args: readonly string[]): Map<string, string> {
  const options = new Map<string, string>()
  for (let at = 0; at < args.length; at += 1) {
    const [, name, inline] = /^--(\w+)(?:=([^]*))?$/.exec(args[at] ?? '') ?? []
    if (name === undefined) throw new UsageError(`Expected --name value, not "${args[at]}".`)
    if (options.has(name)) throw new UsageError(`--${name} is given twice.`)
    const kind = kindOfOption(operation, name)
    const value = inline ?? followingValue(kind, name, args[at + 1])
    if (kind === 'switch' && inline !== undefined) throw new UsageError(`--${name} takes no value.`)
    if (inline === undefined && value !== undefined) at += 1
    options.set(name, value ?? 'true')
  }
  return options
}

type OptionKind = 'switch' | 'flag' | 'value'

function kindOfOption({ name, input, tenancy }: Operation, option: string): OptionKind {
  if (option === 'json') return 'switch'
  if (option === 'workspace') {
    if (tenancy === 'workspace') return 'value'
    throw new UsageError(`${name} acts in no one workspace: leave out --workspace.`)
  }
  const properties: SchemaNodes = input.properties
  if (Object.hasOwn(properties, option)) return isFlag(properties[option] ?? {}) ? 'flag' : 'value'
  throw new UsageError(`${name} has no field ${option}; it has ${Object.keys(properties).join(', ') || 'none'}.`)
}

/** Returns undefined when the next argument does not belong to this option. */
function followingValue(kind: OptionKind, option: string, next: string | undefined): string | undefined {
  if (kind === 'switch') return undefined
  if (kind === 'flag') return next === 'true' || next === 'false' ? next : undefined
  if (next === undefined || next.startsWith('--'))
    throw new UsageError(`--${option} needs a value. One that begins with -- is written --${option}=--…`)
  return next
}

function assertComplete({ name, input, tenancy }: Operation, options: ReadonlyMap<string, string>): void {
  const needed = [...(tenancy === 'workspace' ? ['workspace'] : []), ...requiredIn(input)]
  const missing = needed.filter((option) => !options.has(option)).map((option) => `--${option}`)
  if (missing.length > 0) throw new UsageError(`${name} needs ${missing.join(', ')}.`)
}

/** Returns the schema of the values other than null. */
export function withoutNull(schema: SchemaNode): SchemaNode {
  const [first] = schema.anyOf ?? []
  return first === undefined ? schema : withoutNull(first)
}

export const isFlag = (schema: SchemaNode): boolean => withoutNull(schema).type === 'boolean'

/**
 * Reads the text of one option as the type that its schema has. Everything else about the value is left to the API.
 * Throws a UsageError when the text is not such a value.
 */
const parseValue = (schema: SchemaNode, option: string, text: string): unknown =>
  valueOfText(text, schema, syntaxOf(option))

/** Lists are written with commas or as JSON, an empty text is an empty list; objects are written as JSON. */
const syntaxOf = (option: string): TextSyntax => ({
  itemsIn: (text) => (text === '' ? [] : text.split(',')),
  exception: (text, schema) => {
    if (text === 'null' && isNullable(schema)) return { value: null }
    const isJson = schema.type === 'object' || (schema.type === 'array' && text.startsWith('['))
    return isJson ? { value: jsonIn(text, option) } : null
  },
  unreadable: (text, { type }) => {
    if (type === 'boolean') throw new UsageError(`--${option} is true or false, not "${text}".`)
    // The API has the better message for a number that is not an integer.
    if (type === 'integer') return valueOfText(text, { type: 'number' }, syntaxOf(option))
    throw new UsageError(`--${option} takes a number, not "${text}".`)
  },
})

function jsonIn(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${option} takes JSON, and this is none: ${text}`)
  }
}
