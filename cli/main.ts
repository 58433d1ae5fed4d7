// The operator's command line: any operation of the settings API by its name.
import { operations, type OperationName } from '#contract/api.ts'
import { verifyAuditEntries } from '#contract/audit-entries.ts'
import type { Operation } from '#contract/operation.ts'
import { cliUserAgent } from '#contract/cli-user-agent.ts'
import { ApiError, client, type Client } from '#clients/client.ts'
import { inputOf, type Parsed } from './arguments.ts'
import { verdictOnAuditLog } from './audit.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import { helpOn, overview } from './help.ts'
import { saidOf } from './error-message.ts'
import { shown } from './output.ts'

const offered = operations.filter(({ audiences }) => audiences.includes('settings'))
const { BASE_URL: baseUrl = 'http://127.0.0.1:8080', OPERATOR_TOKEN: token = '' } = process.env

function assertEnvironment(): void {
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`BASE_URL must be an address such as http://127.0.0.1:8080, not "${baseUrl}".`)
  if (token === '') throw new UsageError('OPERATOR_TOKEN is missing.')
}

/** Gives the exit code. */
async function run([name, ...words]: readonly string[]): Promise<number> {
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) return say(overview(offered))
  const isVerdict = name === 'audit' && words[0] === 'verify'
  const operation = isVerdict ? verifyAuditEntries : operationNamed(name)
  if (words.includes('--help')) return say(helpOn(operation))
  const given = inputOf(operation, isVerdict ? words.slice(1) : words)
  assertEnvironment()
  try {
    if (isVerdict) return await verify(given)
    const answer = await settingsIn(given).call(operation.name as OperationName, given.input)
    return say(given.json ? raw(answer) : shown(answer))
  } catch (error) {
    return fail(error instanceof ApiError && given.json ? raw(error.problem) : `${saidOf(error, baseUrl)}\n`)
  }
}

function operationNamed(name: string): Operation {
  const found = offered.find((each) => each.name === name)
  if (found !== undefined) return found
  const near = offered.filter((each) => each.name.split('.')[0] === name.split('.')[0])
  const have = near.length === 0 ? '' : ` There are ${near.map((each) => each.name).join(', ')}.`
  const elsewhere = operations.some((each) => each.name === name) ? ' It is called with an API key.' : ''
  throw new UsageError(`There is no operation ${name} here.${elsewhere}${have} \`npm run cli\` lists them all.`)
}

async function verify(given: Parsed): Promise<number> {
  const { text, ...result } = await verdictOnAuditLog(settingsIn(given), given.input)
  const said = given.json ? raw(result) : text
  return result.intact ? say(said) : fail(said)
}

function settingsIn({ workspaceId }: Parsed): Client {
  return client({
    ...{ baseUrl, token, audience: 'settings', userAgent: cliUserAgent },
    ...(workspaceId !== undefined && { workspaceId }),
  })
}

const raw = (answer: unknown): string => `${JSON.stringify(answer, null, 2)}\n`

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
