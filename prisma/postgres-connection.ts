// The connection options for Postgres, and the error when it cannot be reached. The URL may hold a password, which no
// message shows.
import type { ClientConfig } from 'pg'
import { StartupError } from '#runtime/process.ts'

const connectTimeoutMs = 5_000

// Statements here are short. Compiling one takes longer than it does, even where the planner fears the worst.
// A row found by an index costs little more than the next one, as on any disk of today: where the planner fears otherwise it
// sorts a whole workspace to find the first page.
const settings = ['-c TimeZone=UTC', '-c jit=off', '-c random_page_cost=1.1']

/** `application` is what the server's list of connections shows, unless the address names another. */
export function connectionTo(
  url: string,
  application = 'workspace-integration-api',
  more: readonly string[] = [],
): ClientConfig {
  const inUtc = new URL(url)
  if (!inUtc.searchParams.has('application_name')) inUtc.searchParams.set('application_name', application)
  const options = [inUtc.searchParams.get('options'), ...settings, ...more].filter((option) => option !== null)
  inUtc.searchParams.set('options', options.join(' '))
  return { connectionString: inUtc.href, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true }
}

export function databaseUnreachable(url: string, error: unknown): StartupError {
  return new StartupError(`The database at ${hostAndName(url)} cannot be used: ${reasonOf(error)}.`, { cause: error })
}

function hostAndName(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${host === '' ? (searchParams.get('host') ?? 'localhost') : host}${pathname}`
}

// A host name with two addresses fails with an AggregateError that has no message.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
