// The program: finds out which command or operation is meant, where and as whom it is called, and says what came of it.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { operations, type OperationName } from '#contract/api.ts'
import { cliUserAgent } from '#contract/audit-entries.ts'
import { answersBytes, answersFile } from '#contract/file-answer.ts'
import { isOfOperator, type Audience, type Operation } from '#contract/operation.ts'
import { client, requestFor, type Options } from '#clients/client.ts'
import { readAnswer } from '#clients/typescript/src/answer.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { accessVariables, callOptions, choiceNote, findAccess } from './access.ts'
import { errorMessage, formatAnswer, prettyJson } from './answers.ts'
import { exitCodes, optionIn, parseArguments, parseCommand, UsageError } from './arguments.ts'
import type { Access, Command, Console, ParsedArguments } from './command.ts'
import { completeCommand, completions, completionScript, shells, type Shell } from './completion.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { commandHelp, helpOn, overview } from './help.ts'
import { listen } from './listen.ts'
import { logsTail } from './logs.ts'
import { operatorCommands } from './commands.ts'
import { readProfiles } from './profiles.ts'
import { trigger } from './trigger.ts'
import { login, logout, profileCommands, secretIsNoArgument, whoami } from './sign-in.ts'

type Environment = Console['environment']
type Program = { readonly name: string; readonly version: string; readonly environment: Environment }

/** The package has this name; from the sources it is run by npm. */
export const packagedName = 'workspace'

const completion: Command = {
  name: 'completion',
  summary: 'Print the completion of a shell',
  description: `Completes commands, options, values and profiles of \`${packagedName}\`, the program of the package. The first line of the script says where to put it.`,
  operands: [{ name: 'shell', meaning: 'Which shell.', choices: shells }],
  audiences: null,
  examples: ['completion bash'],
  run: async ({ operands: [shell] }, { say }) => say(completionScript(shell as Shell, packagedName)),
}

const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  ...profileCommands,
  importCommand,
  exportCommand,
  listen,
  trigger,
  logsTail,
  completion,
  ...operatorCommands,
]

/** Sets the exit code of the process. */
export async function runProgram(name: string, version: string): Promise<void> {
  const program = { name, version, environment: process.env }
  // Who reads the output may have seen enough of it, as `head` has.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
  try {
    process.exitCode = await run(program, process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = exitCodes.wrongUsage
  }
}

/** Returns the exit code. */
async function run(program: Program, words: readonly string[]): Promise<number> {
  const [name, ...args] = words
  if (name === completeCommand) return complete(program, args)
  if (name === '--version') return say(`${program.version}\n`)
  if (name === undefined || ['--help', '-h', 'help'].includes(name))
    return say(overview(callable(program, args), commands, program.name))
  const command = commandIn(words)
  if (command !== undefined) return runCommand(program, command, words.slice(command.name.split(' ').length))
  const operation = operationNamed(name, program, args)
  if (args.includes('--help')) return say(helpOn(operation, program.name, isOperators(program, operation, args)))
  const console = consoleOf(program, optionIn(args, 'profile'), callersOf(operation))
  const given = parseArguments(operation, args, isOperators(program, operation, args))
  const access = console.access()
  if (answersBytes(operation) && process.stdout.isTTY)
    throw new UsageError(`${operation.name} writes a file: add \`> ${operation.name}.gz\`.`)
  return told(given, access, async () => {
    const options = callOptions(access, given.workspaceId, console.userAgent)
    if (answersFile(operation)) return writeFile(operation, given, options)
    const answer = await client(options).call(operation.name as OperationName, given.input)
    return say(given.json ? prettyJson(answer) : formatAnswer(answer, fieldsIn(given)))
  })
}

/** What `--fields` chooses, in its order. */
const fieldsIn = ({ input: { fields } }: ParsedArguments): string[] | undefined =>
  Array.isArray(fields) ? fields.map(String) : undefined

const commandIn = ([first, second]: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name === first || name === `${first} ${second}`)

async function runCommand(program: Program, command: Command, args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return say(commandHelp(command, program.name))
  const { audiences } = command
  const console = consoleOf(program, optionIn(args, 'profile'), audiences ?? [])
  const isBound = audiences?.includes('api') !== false || accessOrNone(program, args, audiences)?.workspaceId != null
  const given = parsedFor(command, args, !isBound)
  if (audiences === null) return command.run(given, console)
  const access = console.access()
  return told(given, access, () => command.run(given, console))
}

/** Who gives a secret as an argument is told why that is not taken. */
function parsedFor(command: Command, args: readonly string[], needsWorkspace: boolean): ParsedArguments {
  try {
    return parseCommand(command, args, needsWorkspace)
  } catch (error) {
    if (command !== login || !(error instanceof UsageError)) throw error
    throw new UsageError(`${error.message} ${secretIsNoArgument}`)
  }
}

/** What the API refuses, and that it does not answer, in words or as it is. */
async function told(given: ParsedArguments, { baseUrl }: Access, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UsageError) throw error
    return fail(
      error instanceof ApiError && given.json ? prettyJson(error.problem) : `${errorMessage(error, baseUrl)}\n`,
    )
  }
}

/** To the standard output, as it comes. */
async function writeFile(operation: Operation, { input }: ParsedArguments, options: Options): Promise<number> {
  const response = await fetch(requestFor(operation, input, options))
  if (!response.ok || response.body === null) await readAnswer(response)
  else await pipeline(Readable.fromWeb(response.body), process.stdout, { end: false })
  return exitCodes.success
}

function consoleOf(
  { name, version, environment }: Program,
  profile: string | undefined,
  audiences: readonly Audience[],
) {
  let isNoted = false
  const console: Console = {
    program: name,
    userAgent: `${cliUserAgent}/${version}`,
    environment,
    access() {
      const access = findAccess(environment, profile, audiences)
      if (access === null) throw new UsageError(missingSecret(name, audiences))
      if (audiences.includes(access.audience)) {
        const note = isNoted ? null : choiceNote(environment, access, audiences)
        isNoted = true
        if (note !== null) console.note(`${note}\n`)
        return access
      }
      const isKey = access.audience === 'api'
      throw new UsageError(
        `Use ${isKey ? 'the operator token, not an API key' : 'an API key, not the operator token'}.`,
      )
    },
    stopped() {
      const controller = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
      return controller.signal
    },
    say,
    note: (text) => void process.stderr.write(text),
    fail,
  }
  return console
}

function missingSecret(program: string, audiences: readonly Audience[]): string {
  const [first = 'api', ...others] = audiences.toSorted().toReversed()
  const names = [first, ...others].map((audience) => accessVariables[audience][0])
  return `${names[0]} is missing. Set ${names.join(' or ')}, or run \`${program} login\`.`
}

/** Without a word about what is wrong with it: for help and completion. */
function accessOrNone(
  { environment }: Program,
  args: readonly string[],
  audiences: readonly Audience[],
): Access | null {
  try {
    return findAccess(environment, optionIn(args, 'profile'), audiences)
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}

/** A member's session is not for the command line. */
const callersOf = (operation: Operation): Audience[] => [
  ...(operation.audiences.includes('api') ? (['api'] as const) : []),
  ...(isOfOperator(operation) ? (['settings'] as const) : []),
]

/** As whom operations can be called: a key and the operator's token may both be there. */
const callersThere = (program: Program, args: readonly string[]): Audience[] =>
  (['api', 'settings'] as const).filter((each) => accessOrNone(program, args, [each])?.audience === each)

/** All, where it is not known as whom they would be called. */
function callable(program: Program, args: readonly string[]): Operation[] {
  const there = callersThere(program, args)
  return operations.filter((operation) => {
    const callers = callersOf(operation)
    return there.length === 0 ? callers.length > 0 : callers.some((each) => there.includes(each))
  })
}

/** Must it name its workspace? With a key it need not, and a profile may name one for all calls. */
function isOperators(program: Program, operation: Operation, args: readonly string[]): boolean {
  const access = accessOrNone(program, args, callersOf(operation))
  if (access === null) return isOfOperator(operation)
  return access.audience === 'settings' && access.workspaceId === null
}

function operationNamed(name: string, program: Program, args: readonly string[]): Operation {
  const offered = callable(program, args)
  const found = offered.find((each) => each.name === name)
  if (found !== undefined) return found
  const ofSameResource = offered.filter((each) => each.name.split('.')[0] === name.split('.')[0])
  const known = ofSameResource.length === 0 ? '' : ` There are ${ofSameResource.map((each) => each.name).join(', ')}.`
  const isElsewhere = operations.some((each) => each.name === name)
  const other = callersThere(program, args).includes('api') ? 'the operator token' : 'an API key'
  const elsewhere = isElsewhere ? ` Use ${other}.` : ''
  throw new UsageError(
    `There is no operation ${name} here.${elsewhere}${known} \`${listingCommand(program.name)}\` lists them all.`,
  )
}

const listingCommand = (program: string): string => program.replace(/ --$/, '')

function complete(program: Program, [shell = '', ...words]: readonly string[]): number {
  const profileNames = (): string[] => {
    try {
      return readProfiles(program.environment).profiles.map(({ name }) => name)
    } catch {
      return []
    }
  }
  const vocabulary = { commands, operations: callable(program, words), profileNames }
  return say(completions(shell as Shell, words, vocabulary))
}

function say(text: string): number {
  process.stdout.write(text)
  return exitCodes.success
}

function fail(text: string): number {
  process.stderr.write(text)
  return exitCodes.failed
}
