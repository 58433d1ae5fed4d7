// The help texts: the overview, and one for each operation, derived from the contract.
import { exampleBody } from '#contract/openapi/examples.ts'
import { descriptionOf } from '#contract/openapi/descriptions.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { exitCodes, isFlag, withoutNull } from './arguments.ts'
import { isNullable, requiredIn, type SchemaNode } from '#contract/json-schema.ts'
import { exampleId, exampleInPath } from '#contract/example-values.ts'

const program = 'npm run cli --'

export const overview = (
  operations: readonly Operation[],
): string => `Usage: ${program} <operation> [--<field> <value>]…
       ${program} <operation> --help
       ${program} access reset --email <e-mail>
       ${program} audit verify --workspace <id>
       ${program} deliveries tail --workspace <id>

${operations.map(({ name, summary }) => `  ${name.padEnd(28)} ${summary}`).join('\n')}

BASE_URL (default http://127.0.0.1:8080) and OPERATOR_TOKEN come from the environment.
${syntaxNote}
Exit codes: ${exitCodes.success} done; ${exitCodes.failed} refused, not reached, or found broken; ${exitCodes.wrongUsage} not called, since the command line or the environment is wrong.
`

const syntaxNote = `--name=value is --name value. Lists are written with commas ('' is an empty one) or as JSON, objects as JSON; what
is yes or no stands alone, or with =false. With --json the answer is the API's own JSON, refusals on standard error too:
  npm run --silent cli -- <operation> --json
`

export function helpOn(operation: Operation): string {
  const { name, summary, description, input, tenancy } = operation
  const required = requiredIn(input)
  const options = [
    ...(tenancy === 'workspace' ? [['--workspace <id>', 'Where to do it. Required.'] as const] : []),
    ...Object.entries(input.properties).map(([option, schema]) =>
      optionHelp(option, schema, required.includes(option)),
    ),
    ['--json', 'The answer as the API gives it.'] as const,
  ]
  const width = Math.max(...options.map(([option]) => option.length))
  return `${name}: ${summary}

${description}

${options.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`.trimEnd()).join('\n')}

Example:
  ${exampleOf(operation)}
`
}

function optionHelp(option: string, schema: SchemaNode, required: boolean): readonly [option: string, meaning: string] {
  const { description = descriptionOf(option), default: value } = schema
  const choices = choicesOf(schema)
  const notes = [
    description,
    required && 'Required.',
    choices.length > choicesMax && `Choices: ${choices.join(', ')}.`,
    value !== undefined && `Default: ${JSON.stringify(value)}.`,
    isNullable(schema) && '`null` clears it.',
  ]
  const placeholder = isFlag(schema) ? '' : ` <${placeholderOf(schema)}>`
  return [`--${option}${placeholder}`, notes.filter(Boolean).join(' ')]
}

const choicesMax = 8
const placeholderByFormat: Readonly<Record<string, string>> = {
  uuid: 'id',
  'task-ref': 'id|identifier|own-id',
  'project-ref': 'id|key|own-id',
  'member-ref': 'id|email|me',
  'key-ref': 'id|me',
  'company-ref': 'id|own-id|domain',
  'contact-ref': 'id|own-id|email',
  'crm-entity-ref': 'id|own-id|domain|email',
  'document-ref': 'id|own-id',
  'comment-ref': 'id|own-id',
  'date-time': 'time',
  date: 'day',
}

/** For a list, those of its items. */
function choicesOf(schema: SchemaNode): readonly unknown[] {
  const { enum: choices = [], items } = withoutNull(schema)
  return items === undefined ? choices : choicesOf(items)
}

function placeholderOf(schema: SchemaNode): string {
  const { type, format = '', enum: choices, items } = withoutNull(schema)
  if (choices !== undefined) return choices.length > choicesMax ? 'word' : choices.join('|')
  if (type === 'array') return `${placeholderOf(items ?? {})},…`
  if (type === 'object') return 'json'
  return type === 'integer' || type === 'number' ? 'number' : (placeholderByFormat[format] ?? 'text')
}

/** Returns a command that can be pasted, with the values of the example in the API's description. */
export function exampleOf(operation: Operation): string {
  const inPath = parameterNames(pathOf(operation)).map((name): [string, unknown] => [
    name,
    exampleInPath(operation.name, name),
  ])
  const workspace: [string, unknown][] =
    operation.tenancy === 'workspace' ? [['workspace', exampleId('workspaceId')]] : []
  const given = [...workspace, ...inPath, ...Object.entries(exampleBody(operation))]
  return [program, operation.name, ...given.map(([name, value]) => optionText(name, value))].join(' ')
}

function optionText(option: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? `--${option}` : `--${option}=false`
  return `--${option} ${shellQuoted(argumentText(value))}`
}

function argumentText(value: unknown): string {
  if (typeof value === 'string') return value
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(','))
  return isPlainList ? value.join(',') : JSON.stringify(value)
}

const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
