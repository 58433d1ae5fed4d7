// The operator's command line: any operation of the settings API by its name.
import { operations, type OperationName } from '#contract/api.ts'
import { verifyAuditEntries } from '#contract/audit-entries.ts'
import type { Operation } from '#contract/operation.ts'
import { cliUserAgent } from '#contract/principal.ts'
import { ApiError, client, type Client } from '#clients/client.ts'
import { inputOf } from './arguments.ts'
import { verdictOnAuditLog } from './audit.ts'

const offered = operations.filter(({ audiences }) => audiences.includes('settings'))

function usage(): string {
  const lines = offered.map(({ name, summary }) => `  ${name.padEnd(24)} ${summary}`)
  return `Usage: npm run cli -- <operation> [--workspace <id>] [--<field> <value>]…
       npm run cli -- audit verify --workspace <id>

${lines.join('\n')}

BASE_URL (default http://127.0.0.1:8080) and OPERATOR_TOKEN come from the environment.
Lists are written with commas, objects as JSON.
`
}

async function main([name, ...words]: readonly string[]): Promise<void> {
  if (name === 'audit' && words[0] === 'verify') return verify(words.slice(1))
  const operation = offered.find((each) => each.name === name)
  if (operation === undefined)
    return fail(name === undefined ? usage() : `There is no operation ${name}.\n\n${usage()}`)
  const { input, workspaceId } = inputOf(operation, words)
  const answer = await settingsFor(operation, workspaceId).call(operation.name as OperationName, input)
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
}

async function verify(words: readonly string[]): Promise<void> {
  const { input, workspaceId } = inputOf(verifyAuditEntries, words)
  const { intact, text } = await verdictOnAuditLog(settingsFor(verifyAuditEntries, workspaceId), input)
  if (intact) process.stdout.write(text)
  else fail(text)
}

function settingsFor({ name, tenancy }: Operation, workspaceId: string | undefined): Client {
  const { BASE_URL: baseUrl = 'http://127.0.0.1:8080', OPERATOR_TOKEN: token } = process.env
  if (token === undefined) throw new Error('OPERATOR_TOKEN is missing.')
  if (tenancy === 'workspace' && workspaceId === undefined) throw new Error(`${name} needs --workspace.`)
  return client({
    ...{ baseUrl, token, audience: 'settings', userAgent: cliUserAgent },
    ...(workspaceId !== undefined && { workspaceId }),
  })
}

/** Of a connection that could not be made, only the cause says why. */
function saidOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error.message
  return `${process.env['BASE_URL'] ?? 'http://127.0.0.1:8080'} does not answer: ${error.cause.message || 'no connection'}`
}

function fail(text: string): void {
  process.stderr.write(text)
  process.exitCode = 1
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof ApiError) fail(`${JSON.stringify(error.problem, null, 2)}\n`)
  else fail(`${saidOf(error)}\n`)
}
