// The help texts: the overview, and one for each operation and command, derived from what they are declared as.
import { exampleBody } from '#contract/openapi/examples.ts'
import { descriptionOf } from '#contract/openapi/descriptions.ts'
import { isOfOperator, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { choicesOf, exitCodes, isFlag, withoutNull } from './arguments.ts'
import { accessVariables, defaultUrl } from './access.ts'
import type { Command } from './command.ts'
import { isNullable, requiredIn, type SchemaNode } from '#contract/json-schema.ts'
import { exampleId, exampleInPath } from '#contract/example-values.ts'

/** What is typed before the words where the sources run. */
const fromSources = 'npm run cli --'

export const overview = (
  operations: readonly Operation[],
  commands: readonly Command[] = [],
  program = fromSources,
): string => `Usage: ${program} <command or operation> [--<field> <value>]…
       ${program} <command or operation> --help

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(nameWidth)} ${summary}`).join('\n')}

Operations:
${operations.map(({ name, summary }) => `  ${name.padEnd(nameWidth)} ${summary}`).join('\n')}

Where and as whom: --profile, or the environment, or the profile that \`${program} login\` made.
  ${accessVariables.url.join(' or ')}: the installation; default ${defaultUrl}
  ${accessVariables.api[0]} or ${accessVariables.settings[0]}: an API key, or the operator token
  ${accessVariables.workspace[0]}: the workspace, unless --workspace names it; ${accessVariables.profile[0]}: a profile
${syntaxNote(program)}
Exit codes: ${exitCodes.success} done; ${exitCodes.failed} rejected, not reached, or found broken; ${exitCodes.wrongUsage} not sent, since the command line or the environment is wrong; ${exitCodes.interrupted} interrupted.
`

const nameWidth = 28

const syntaxNote = (program: string): string => `
--name=value is --name value; names may be written in-kebab-case. Lists are written with commas ('' is an empty one) or
as JSON, objects as JSON; what is yes or no stands alone, or with =false. With --json the output is the API's own JSON,
errors too, on standard error:
  ${program.replace('npm run', 'npm run --silent')} <operation> --json
`

const generalHelp: readonly (readonly [option: string, meaning: string])[] = [
  ['--profile <name>', 'The profile to use.'],
  ['--json', 'The response as the API returns it.'],
]
const workspaceHelp = (isRequired: boolean): readonly [string, string] => [
  '--workspace <id>',
  isRequired ? 'Where to do it. Required.' : 'Where to do it. Required where the key is bound to no workspace.',
]

/** `isOperators`: the operator's token is bound to no workspace. */
export function helpOn(operation: Operation, program = fromSources, isOperators = isOfOperator(operation)): string {
  const { name, summary, description, input, tenancy } = operation
  const required = requiredIn(input)
  const options = [
    ...(tenancy === 'workspace' ? [workspaceHelp(isOperators)] : []),
    ...Object.entries(input.properties).map(([option, schema]) =>
      optionHelp(option, schema, required.includes(option)),
    ),
    ...generalHelp,
  ]
  return `${name}: ${summary}

${description}

${optionLines(options)}

Example:
  ${exampleOf(operation, program)}
`
}

export function commandHelp(command: Command, program: string): string {
  const { name, summary, description, operands = [], options = [], ownFields = [], audiences, examples } = command
  const operation = command.operation?.(operands.map(() => ''))
  const fields = Object.entries(operation?.input.properties ?? {}).filter(([field]) => !ownFields.includes(field))
  const isCalled = audiences !== null || name === 'login'
  const lines = [
    ...operands.map(({ name: operand, meaning, choices }): readonly [string, string] => [
      `<${operand}>`,
      choices === undefined ? meaning : `${meaning} One of ${choices.join(', ')}.`,
    ]),
    ...options.map(({ name: option, value, meaning, choices }): readonly [string, string] => [
      `--${option}${value === undefined ? '' : ` <${choices?.join('|') ?? value}>`}`,
      meaning,
    ]),
    ...fields.map(([field, schema]) => optionHelp(field, schema, requiredIn(operation?.input ?? {}).includes(field))),
    ...(isCalled && operation?.tenancy !== 'none' ? [workspaceHelp(audiences?.includes('api') === false)] : []),
    ...generalHelp,
  ]
  const usage = [program, name, ...operands.map(({ name: operand }) => `<${operand}>`), '[options]'].join(' ')
  return `${name}: ${summary}

${usage}

${description}

${optionLines(lines)}

Examples:
${examples.map((example) => `  ${program} ${example}`).join('\n')}
`
}

function optionLines(options: readonly (readonly [option: string, meaning: string])[]): string {
  const width = Math.max(...options.map(([option]) => option.length))
  return options.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`.trimEnd()).join('\n')
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

function placeholderOf(schema: SchemaNode): string {
  const { type, format = '', enum: choices, items } = withoutNull(schema)
  if (choices !== undefined) return choices.length > choicesMax ? 'word' : choices.join('|')
  if (type === 'array') return `${placeholderOf(items ?? {})},…`
  if (type === 'object') return 'json'
  return type === 'integer' || type === 'number' ? 'number' : (placeholderByFormat[format] ?? 'text')
}

/** Returns a command that can be pasted, with the values of the example in the API's description. */
export function exampleOf(operation: Operation, program = fromSources): string {
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
