// The operator's command line: any operation of the settings API by its name.
import { operations, type OperationName } from '#contract/api.ts'
import { ApiError, client } from '#clients/client.ts'
import { inputOf } from './arguments.ts'

const offered = operations.filter(({ audiences }) => audiences.includes('settings'))

function usage(): string {
  const lines = offered.map(({ name, summary }) => `  ${name.padEnd(24)} ${summary}`)
  return `Usage: npm run cli -- <operation> [--workspace <id>] [--<field> <value>]…

${lines.join('\n')}

BASE_URL (default http://127.0.0.1:8080) and OPERATOR_TOKEN come from the environment.
Lists are written with commas, objects as JSON.
`
}

async function main([name, ...words]: readonly string[]): Promise<void> {
  const operation = offered.find((each) => each.name === name)
  if (operation === undefined)
    return fail(name === undefined ? usage() : `There is no operation ${name}.\n\n${usage()}`)
  const { BASE_URL: baseUrl = 'http://127.0.0.1:8080', OPERATOR_TOKEN: token } = process.env
  if (token === undefined) return fail('OPERATOR_TOKEN is missing.\n')
  const { input, workspaceId } = inputOf(operation, words)
  if (operation.tenancy === 'workspace' && workspaceId === undefined)
    return fail(`${operation.name} needs --workspace.\n`)
  const settings = client({ baseUrl, token, audience: 'settings', ...(workspaceId !== undefined && { workspaceId }) })
  const answer = await settings.call(operation.name as OperationName, input)
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
}

function fail(text: string): void {
  process.stderr.write(text)
  process.exitCode = 1
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof ApiError) fail(`${JSON.stringify(error.problem, null, 2)}\n`)
  else fail(`${error instanceof Error ? error.message : String(error)}\n`)
}
