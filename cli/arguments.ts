// Parses the arguments of the command line: of an operation into its input, by the operation's schema; of a command by
// its own options, and by the schema of the operation that it stands on.
import type { Operation } from '#contract/operation.ts'
import { isNullable, requiredIn, type SchemaNode, type SchemaNodes } from '#contract/json-schema.ts'
import { valueOfText, type TextSyntax } from '#contract/text-values.ts'
import type { Command, CommandOption, ParsedArguments } from './command.ts'

/** The exit codes, for scripts. */
export const exitCodes = {
  success: 0,
  /** Refused by the API, not reached, or found broken. */
  failed: 1,
  /** Nothing was sent: the arguments or the environment are wrong. */
  wrongUsage: 2,
  /** Ended by Ctrl-C before it was done. */
  interrupted: 130,
} as const

/** The arguments or the environment are wrong; the message says how to correct them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Syntax = {
  /** What is typed before the arguments. */
  readonly name: string
  readonly operands: Command['operands']
  readonly options: readonly CommandOption[]
  readonly operation: Operation | undefined
  readonly ownFields: readonly string[]
  /** Must each call name its workspace? Keys and profiles may be bound to one. */
  readonly needsWorkspace: boolean
}

/** Takes `--name value`, `--name=value`, and `--name` alone for booleans. Throws a UsageError. */
export const parseArguments = (operation: Operation, args: readonly string[], needsWorkspace = true): ParsedArguments =>
  parse({ name: operation.name, operands: [], options: [], operation, ownFields: [], needsWorkspace }, args)

/** Takes the operands of a command, then options as above. Names may be written in kebab case. Throws a UsageError. */
export function parseCommand(command: Command, args: readonly string[], needsWorkspace: boolean): ParsedArguments {
  const { name, operands = [], options = [], ownFields = [] } = command
  const operation = command.operation?.(args.slice(0, operands.length))
  return parse({ name, operands, options, operation, ownFields, needsWorkspace }, args)
}

/** The value of an option, before it is known what else there is. */
export function optionIn(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  const found = args[at]
  return found?.includes('=') === true ? found.slice(found.indexOf('=') + 1) : args[at + 1 || args.length]
}

function parse(syntax: Syntax, args: readonly string[]): ParsedArguments {
  const { operands = [] } = syntax
  const given = args.slice(0, operands.length)
  for (const [at, { name, choices }] of operands.entries()) {
    const text = given[at]
    if (text === undefined || text.startsWith('--')) throw new UsageError(`${syntax.name} needs <${name}>.`)
    if (choices !== undefined && !choices.includes(text))
      throw new UsageError(`<${name}> is one of ${choices.join(', ')}, not "${text}".`)
  }
  const found = optionsIn(syntax, args.slice(operands.length))
  assertComplete(syntax, found)
  const fields: SchemaNodes = syntax.operation?.input.properties ?? {}
  const own = new Set(syntax.options.map(({ name }) => name))
  const input = [...found].filter(([name]) => !own.has(name) && !isOfEveryCommand(name))
  return {
    input: Object.fromEntries(input.map(([name, [text = '']]) => [name, parseValue(fields[name] ?? {}, name, text)])),
    workspaceId: found.get('workspace')?.[0],
    profile: found.get('profile')?.[0],
    json: found.has('json'),
    operands: given,
    options: new Map([...found].filter(([name]) => own.has(name))),
  }
}

/** The options of every command and operation, beside `--help`. */
export const generalOptions = ['workspace', 'profile', 'json'] as const
const isOfEveryCommand = (name: string): boolean => (generalOptions as readonly string[]).includes(name)

function optionsIn(syntax: Syntax, args: readonly string[]): Map<string, string[]> {
  const options = new Map<string, string[]>()
  for (let at = 0; at < args.length; at += 1) {
    const [, typed, inline] = /^--(\w[\w-]*)(?:=([^]*))?$/.exec(args[at] ?? '') ?? []
    if (typed === undefined) throw new UsageError(`Expected --name value, not "${shownArgument(args[at])}".`)
    const { name, kind, repeats } = optionNamed(syntax, typed)
    const before = options.get(name)
    if (before !== undefined && !repeats) throw new UsageError(`--${typed} is given twice.`)
    const value = inline ?? followingValue(kind, typed, args[at + 1])
    if (kind === 'switch' && inline !== undefined) throw new UsageError(`--${typed} takes no value.`)
    if (inline === undefined && value !== undefined) at += 1
    options.set(name, [...(before ?? []), value ?? (kind === 'flag' ? 'true' : '')])
  }
  return options
}

/** A secret among the arguments is not repeated on the screen. */
const shownArgument = (text = ''): string => (/^ws[a-z]*_/.test(text) ? '…' : text)

type OptionKind = 'switch' | 'flag' | 'value'
type FoundOption = { readonly name: string; readonly kind: OptionKind; readonly repeats: boolean }

const camel = (name: string): string => name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function optionNamed({ name, options, operation, ownFields }: Syntax, typed: string): FoundOption {
  const own = options.find((option) => option.name === kebab(typed))
  if (own !== undefined)
    return { name: own.name, kind: own.value === undefined ? 'switch' : 'value', repeats: own.repeats === true }
  if (typed === 'json') return { name: typed, kind: 'switch', repeats: false }
  if (typed === 'profile') return { name: typed, kind: 'value', repeats: false }
  if (typed === 'workspace') {
    if (operation?.tenancy !== 'none') return { name: typed, kind: 'value', repeats: false }
    throw new UsageError(`${name} acts in no one workspace: leave out --workspace.`)
  }
  const properties: SchemaNodes = operation?.input.properties ?? {}
  const field = [typed, camel(typed)].find((each) => Object.hasOwn(properties, each) && !ownFields.includes(each))
  if (field !== undefined)
    return { name: field, kind: isFlag(properties[field] ?? {}) ? 'flag' : 'value', repeats: false }
  const fields = Object.keys(properties).filter((each) => !ownFields.includes(each))
  const known = [...options.map((option) => option.name), ...fields]
  throw new UsageError(`${name} has no field ${typed}; it has ${known.join(', ') || 'none'}.`)
}

/** Returns undefined when the next argument does not belong to this option. */
function followingValue(kind: OptionKind, option: string, next: string | undefined): string | undefined {
  if (kind === 'switch') return undefined
  if (kind === 'flag') return next === 'true' || next === 'false' ? next : undefined
  if (next === undefined || next.startsWith('--'))
    throw new UsageError(`--${option} needs a value. One that begins with -- is written --${option}=--…`)
  return next
}

function assertComplete({ name, operation, ownFields, needsWorkspace }: Syntax, found: ReadonlyMap<string, unknown>) {
  if (operation === undefined) return
  const { input, tenancy } = operation
  const required = requiredIn(input).filter((field) => !ownFields.includes(field))
  const needed = [...(needsWorkspace && tenancy === 'workspace' ? ['workspace'] : []), ...required]
  const missing = needed.filter((option) => !found.has(option)).map((option) => `--${option}`)
  if (missing.length > 0) throw new UsageError(`${name} needs ${missing.join(', ')}.`)
}

/** Returns the schema of the values other than null. */
export function withoutNull(schema: SchemaNode): SchemaNode {
  const [first] = schema.anyOf ?? []
  return first === undefined ? schema : withoutNull(first)
}

export const isFlag = (schema: SchemaNode): boolean => withoutNull(schema).type === 'boolean'

/** The values that an option may have; those of its items, for a list. */
export function choicesOf(schema: SchemaNode): readonly unknown[] {
  const { enum: choices = [], items } = withoutNull(schema)
  return items === undefined ? choices : choicesOf(items)
}

/**
 * Reads the text of one option as the type that its schema has. Everything else about the value is left to the API.
 * Throws a UsageError when the text is not such a value.
 */
export const parseValue = (schema: SchemaNode, option: string, text: string): unknown =>
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
