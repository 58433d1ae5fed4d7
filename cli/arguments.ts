// The words of a command line, as an operation's input.
import type { Operation } from '#contract/operation.ts'
import { UsageError } from './exit-codes.ts'
import { isFlag, valueOf } from './values.ts'
import { requiredIn, type SchemaNodes } from '#contract/json-schema.ts'

export type Parsed = {
  readonly input: Readonly<Record<string, unknown>>
  readonly workspaceId: string | undefined
  readonly json: boolean
}

/** `--name value`, `--name=value`, and `--name` alone where it is yes or no. Throws a UsageError. */
export function inputOf(operation: Operation, words: readonly string[]): Parsed {
  const given = optionsIn(operation, words)
  assertComplete(operation, given)
  const { workspace, json, ...texts } = Object.fromEntries(given)
  const fields: SchemaNodes = operation.input.properties
  const input = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, valueOf(fields[name] ?? {}, name, text)]),
  )
  return { input, workspaceId: workspace, json: json !== undefined }
}

function optionsIn(operation: Operation, words: readonly string[]): Map<string, string> {
  const options = new Map<string, string>()
  for (let at = 0; at < words.length; at += 1) {
    const [, name, inline] = /^--(\w+)(?:=([^]*))?$/.exec(words[at] ?? '') ?? []
    if (name === undefined) throw new UsageError(`Expected --name value, not "${words[at]}".`)
    if (options.has(name)) throw new UsageError(`--${name} is given twice.`)
    const kind = kindOfOption(operation, name)
    const value = inline ?? followingValue(kind, name, words[at + 1])
    if (kind === 'switch' && inline !== undefined) throw new UsageError(`--${name} takes no value.`)
    if (inline === undefined && value !== undefined) at += 1
    options.set(name, value ?? 'true')
  }
  return options
}

type Kind = 'switch' | 'flag' | 'value'

function kindOfOption({ name, input, tenancy }: Operation, option: string): Kind {
  if (option === 'json') return 'switch'
  if (option === 'workspace') {
    if (tenancy === 'workspace') return 'value'
    throw new UsageError(`${name} acts in no one workspace: leave out --workspace.`)
  }
  const properties: SchemaNodes = input.properties
  if (Object.hasOwn(properties, option)) return isFlag(properties[option] ?? {}) ? 'flag' : 'value'
  throw new UsageError(`${name} has no field ${option}; it has ${Object.keys(properties).join(', ') || 'none'}.`)
}

/** Undefined: the next word is none that belongs to this option. */
function followingValue(kind: Kind, option: string, next: string | undefined): string | undefined {
  if (kind === 'switch') return undefined
  if (kind === 'flag') return next === 'true' || next === 'false' ? next : undefined
  if (next === undefined || next.startsWith('--'))
    throw new UsageError(`--${option} needs a value. One that begins with -- is written --${option}=--…`)
  return next
}

function assertComplete({ name, input, tenancy }: Operation, given: ReadonlyMap<string, string>): void {
  const needed = [...(tenancy === 'workspace' ? ['workspace'] : []), ...requiredIn(input)]
  const missing = needed.filter((option) => !given.has(option)).map((option) => `--${option}`)
  if (missing.length > 0) throw new UsageError(`${name} needs ${missing.join(', ')}.`)
}
