// How a Postgres is reached: by a session of each connection's own, or through a pooler such as PgBouncer, which runs
// each transaction in whichever of its sessions is free. A pooler refuses the settings of a session, or ignores them in
// silence. So they are not believed to have arrived: the first connection asks, and where they have not, every
// transaction begins with them instead.

import { randomUUID } from 'node:crypto'
import { Client, DatabaseError, type ClientConfig } from 'pg'
import { connectionTo, connectTimeoutMs, databaseUnreachable, hostAndName, schemaIn } from './address.ts'
import { asStatements, settingsInOptions, type SessionSettings } from './session-settings.ts'
import { StartupError } from '#runtime/process.ts'

export type Route = {
  readonly config: ClientConfig
  /** Null where each connection has a session of its own. */
  readonly pooler: Pooler | null
  /** What begins a transaction. Behind a pooler that is several statements. */
  readonly begin: string
  /** Where the tables are. Null if there is no such schema so far, or this role may not use it. */
  readonly schema: string | null
}
/** Some poolers do not keep the prepared statements of their clients apart: then statements have no names. */
export type Pooler = { readonly hasNamedStatements: boolean }

type Found = { readonly route: Route; readonly client: Client }

/** Finds the route to the database at `url`, and returns a first connection as well. Throws a StartupError. */
export async function findRoute(url: string, given: SessionSettings, application?: string): Promise<Found> {
  const wanted = schemaIn(url)
  const settings = wanted === null ? given : { ...given, search_path: await searchPath(url, wanted) }
  const direct = connectionTo(url, settings, application)
  const client = await connected(direct).catch((error: unknown) => {
    if (!mayBeRefusal(error)) throw databaseUnreachable(url, error)
    return null
  })
  if (client !== null) {
    const session = await inTime(client, () => lookAt(client)).catch((error: unknown) => {
      throw databaseUnreachable(url, error)
    })
    await assertNotTooOld(client, session, url)
    if (isOwnSession(client, session, settings))
      return { route: { config: direct, pooler: null, begin: 'BEGIN', schema: schemaOf(session, wanted) }, client }
    await client.end()
  }
  const begin = `BEGIN; ${asStatements({ ...settingsInOptions(url), ...settings })}`
  return throughPooler(url, { config: connectionTo(url, null, application), begin }, wanted)
}

/** The schema, and where the extensions are: a database has each of them once, in any schema. */
async function searchPath(url: string, schema: string): Promise<string> {
  const client = await connected(connectionTo(url, null)).catch((error: unknown) => {
    throw databaseUnreachable(url, error)
  })
  const text = `SELECT DISTINCT nspname AS name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE extname IN ('pg_trgm', 'btree_gin') AND nspname <> $1`
  const { rows } = await inTime(client, () => client.query<{ name: string }>({ text, values: [schema] })).catch(
    (error: unknown) => {
      throw databaseUnreachable(url, error)
    },
  )
  await client.end()
  return [schema, ...rows.map(({ name }) => name)].map((name) => `"${name}"`).join(', ')
}

/** A connection that breaks fails the query that runs; without a listener it would also end the process. */
async function connected(config: ClientConfig): Promise<Client> {
  const client = new Client({ ...config, pipeline: true })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** What poolers answer to settings in the first message: they violate the protocol, or there is no such feature. */
const mayBeRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '08P01' || error.code === '0A000')

/** With all that migrations and statements use. */
export const oldestPostgres = 14

type Session = {
  readonly pid: number
  readonly version: number
  readonly schema: string | null
  readonly settings: Readonly<Record<string, string>>
}

async function lookAt(client: Client): Promise<Session> {
  const { rows } = await client.query<Session>(
    `SELECT pg_backend_pid() AS pid, current_schema() AS schema,
       current_setting('server_version_num')::int / 10000 AS version,
       (SELECT json_object_agg(name, setting) FROM pg_settings WHERE context = 'user') AS settings`,
  )
  const [session] = rows
  if (session === undefined) throw new Error('The database does not say what its session is')
  return session
}

async function assertNotTooOld(client: Client, { version }: Session, url: string): Promise<void> {
  if (version >= oldestPostgres) return
  await client.end()
  throw new StartupError(
    `The database at ${hostAndName(url)} is Postgres ${version}; ${oldestPostgres} or newer is needed.`,
  )
}

/**
 * Whether it is the session that the server announced when the connection was opened, with the settings that were sent
 * then. A pooler announces a number of its own, by which it recognizes who cancels.
 */
function isOwnSession(client: Client, { pid, settings: arrived }: Session, settings: SessionSettings): boolean {
  const { processID } = client as unknown as { readonly processID: number }
  return pid === processID && Object.entries(settings).every(([name, value]) => arrived[name] === value)
}

/** Tables of another schema in the search path would pass for those of the one that was named. */
const schemaOf = ({ schema }: Session, wanted: string | null): string | null =>
  wanted === null || schema === wanted ? schema : null

async function throughPooler(
  url: string,
  { config, begin }: Pick<Route, 'config' | 'begin'>,
  wanted: string | null,
): Promise<Found> {
  const client = await connected(config).catch((error: unknown) => {
    throw databaseUnreachable(url, error)
  })
  try {
    // By itself: a pooler that refuses it hangs up, and what is sent behind it could fail before the refusal is read.
    await inTime(client, () => client.query(begin))
    const [session] = await inTime(client, () => Promise.all([lookAt(client), client.query('COMMIT')]))
    await assertNotTooOld(client, session, url)
    const pooler = { hasNamedStatements: await tracksNames(client) }
    return { route: { config, pooler, begin, schema: schemaOf(session, wanted) }, client }
  } catch (error) {
    client.connection.stream.destroy()
    if (error instanceof StartupError) throw error
    const reason = error instanceof DatabaseError ? error.message : ''
    if (!/pooling|not allowed|not supported/i.test(reason)) throw databaseUnreachable(url, error)
    throw new StartupError(
      `The database at ${hostAndName(url)} is behind a pooler that this process cannot work with: ${reason}. Let it pool by transaction (PgBouncer: pool_mode = transaction), or give DATABASE_URL the address of Postgres itself.`,
      { cause: error },
    )
  }
}

/**
 * Whether statements may have names behind a pooler: it must give each its own name in each session. One that passes
 * them on as they are mixes up the statements of its clients.
 */
export async function tracksNames(client: Client): Promise<boolean> {
  const name = randomUUID()
  const text = 'SELECT FROM pg_prepared_statements WHERE name = $1'
  const [, { rowCount }] = await inTime(client, () => {
    const begun = client.query('BEGIN')
    const probe = client.query({ name, text, values: [name] })
    client.connection.close({ type: 'S', name }, true)
    return Promise.all([begun, probe, client.query('COMMIT')])
  })
  return rowCount === 0
}

/** A pooler may let a statement wait for minutes until it has a session for it. */
async function inTime<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => client.connection.stream.destroy(noAnswer()), connectTimeoutMs)
  return work().finally(() => clearTimeout(timer))
}

/** An error like those of the system: by that the driver's adapter recognizes a lost connection. */
const noAnswer = (): Error =>
  Object.assign(new Error(`no answer within ${connectTimeoutMs / 1_000} seconds`), {
    code: 'ETIMEDOUT',
    syscall: 'read',
    errno: -110,
  })
