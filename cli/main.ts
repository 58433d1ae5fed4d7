// The operator's command line: any operation of the settings API that the operator may call, by its name.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { operations, type OperationName } from '#contract/api.ts'
import { resetAccess } from '#contract/accounts.ts'
import { verifyAuditEntries, cliUserAgent } from '#contract/audit-entries.ts'
import { answersFile } from '#contract/file-answer.ts'
import { isOfOperator, type Input, type Operation } from '#contract/operation.ts'
import { client, requestFor, type Client, type Options } from '#clients/client.ts'
import { follow } from '#clients/follow.ts'
import { readAnswer } from '#clients/typescript/src/answer.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { streamDeliveries } from '#contract/deliveries.ts'
import { resetText, tailDeliveries, verifyAuditLog } from './commands.ts'
import { parseArguments, type ParsedArguments, exitCodes, UsageError } from './arguments.ts'
import { helpOn, overview } from './help.ts'
import { errorMessage, formatAnswer } from './answers.ts'

const settingsOperations = operations.filter(isOfOperator)
const { BASE_URL: baseUrl = 'http://127.0.0.1:8080', OPERATOR_TOKEN: token = '' } = process.env

function assertEnvironment(): void {
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`BASE_URL must be an address such as http://127.0.0.1:8080, not "${baseUrl}".`)
  if (token === '') throw new UsageError('OPERATOR_TOKEN is missing.')
}

type Command = { readonly of: Operation; run(given: ParsedArguments): Promise<number> }
const commands: Readonly<Record<string, Command | undefined>> = {
  'access reset': { of: resetAccess, run: makeResetLink },
  'audit verify': { of: verifyAuditEntries, run: verify },
  'deliveries tail': { of: streamDeliveries.asked, run: tail },
}

/** Returns the exit code. */
async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) return say(overview(settingsOperations))
  const command = commands[`${name} ${args[0]}`]
  const operation = command?.of ?? operationNamed(name)
  if (args.includes('--help')) return say(helpOn(operation))
  const given = parseArguments(operation, command === undefined ? args : args.slice(1))
  assertEnvironment()
  if (answersFile(operation) && process.stdout.isTTY)
    throw new UsageError(`${operation.name} writes a file: add \`> ${operation.name}.gz\`.`)
  try {
    if (command !== undefined) return await command.run(given)
    if (answersFile(operation)) return await writeFile(operation, given)
    const answer = await settingsClient(given).call(operation.name as OperationName, given.input)
    return say(given.json ? prettyJson(answer) : formatAnswer(answer))
  } catch (error) {
    return fail(
      error instanceof ApiError && given.json ? prettyJson(error.problem) : `${errorMessage(error, baseUrl)}\n`,
    )
  }
}

/** To the standard output, as it comes. */
async function writeFile(operation: Operation, given: ParsedArguments): Promise<number> {
  const response = await fetch(requestFor(operation, given.input, optionsOf(given)))
  if (!response.ok || response.body === null) await readAnswer(response)
  else await pipeline(Readable.fromWeb(response.body), process.stdout, { end: false })
  return exitCodes.success
}

function operationNamed(name: string): Operation {
  const found = settingsOperations.find((each) => each.name === name)
  if (found !== undefined) return found
  const ofSameResource = settingsOperations.filter((each) => each.name.split('.')[0] === name.split('.')[0])
  const known = ofSameResource.length === 0 ? '' : ` There are ${ofSameResource.map((each) => each.name).join(', ')}.`
  const elsewhere = operations.some((each) => each.name === name) ? ' It is called with an API key.' : ''
  throw new UsageError(`There is no operation ${name} here.${elsewhere}${known} \`npm run cli\` lists them all.`)
}

async function makeResetLink(given: ParsedArguments): Promise<number> {
  const made = await settingsClient(given).call('accounts.reset-access', given.input as Input<typeof resetAccess>)
  return say(given.json ? prettyJson(made) : resetText(made, baseUrl))
}

async function verify(given: ParsedArguments): Promise<number> {
  const { text, ...result } = await verifyAuditLog(settingsClient(given), given.input)
  const output = given.json ? prettyJson(result) : text
  return result.intact ? say(output) : fail(output)
}

/** Until it is stopped, or refused. */
async function tail(given: ParsedArguments): Promise<number> {
  const followed = follow('deliveries.stream', given.input, optionsOf(given))
  await tailDeliveries(followed, given.json, (line) => say(`${line}\n`))
  return exitCodes.success
}

const settingsClient = (given: ParsedArguments): Client => client(optionsOf(given))

const optionsOf = ({ workspaceId }: ParsedArguments): Options => ({
  baseUrl,
  token,
  audience: 'settings',
  userAgent: cliUserAgent,
  ...(workspaceId !== undefined && { workspaceId }),
})

const prettyJson = (answer: unknown): string => `${JSON.stringify(answer, null, 2)}\n`

function say(text: string): number {
  process.stdout.write(text)
  return exitCodes.success
}

function fail(text: string): number {
  process.stderr.write(text)
  return exitCodes.failed
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = exitCodes.wrongUsage
}
