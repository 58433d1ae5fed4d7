// The address of a Postgres, DATABASE_URL: what of it the driver is given, and what an error may tell of it.

import type { ClientConfig } from 'pg'
import { StartupError } from '#runtime/process.ts'
import { asOptions, type SessionSettings } from './session-settings.ts'

export const connectTimeoutMs = 5_000
const defaultPort = 5_432

/**
 * The driver's options. `application` is what the server's list of connections shows, unless the address names another.
 * `settings` are null behind a pooler, which refuses them: then those of the address are left out as well.
 */
export function connectionTo(
  url: string,
  settings: SessionSettings | null,
  application = 'workspace-integration-api',
): ClientConfig {
  const address = new URL(url)
  const { searchParams } = address
  if (!searchParams.has('application_name')) searchParams.set('application_name', application)
  if (settings === null) {
    for (const name of ['options', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      searchParams.delete(name)
  } else {
    const options = [searchParams.get('options'), asOptions(settings)].filter((each) => each !== null)
    searchParams.set('options', options.join(' '))
  }
  return {
    connectionString: address.href,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // Over TLS, where the server offers it: then nobody in between can pass the proof of the password on.
    enableChannelBinding: searchParams.get('channel_binding') !== 'disable',
  }
}

/** The schema that the address names. Null where the role's search path decides, which means `public` by default. */
export const schemaIn = (url: string): string | null => new URL(url).searchParams.get('schema')

/** The URL may hold a password, which the message does not show. */
export function databaseUnreachable(url: string, error: unknown): StartupError {
  return new StartupError(`The database at ${hostAndName(url)} cannot be used: ${reasonOf(error)}.`, { cause: error })
}

export function hostAndName(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${host === '' ? (searchParams.get('host') ?? 'localhost') : host}${pathname}`
}

export type AddressParts = { readonly host: string; readonly port: number; readonly name: string }

/** The same, apart. */
export function addressParts(url: string): AddressParts {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  return { host, port: Number(port || defaultPort), name: pathname.slice(1) }
}

/** A host name with two addresses fails with an AggregateError that has no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
