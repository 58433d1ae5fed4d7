// The pool of connections to Postgres. It adds to the driver's pool what the driver leaves to its users:
// - settings of each session (UTC, time limits, costs), and an error at the start that names the server, not the
// password;
// - names for statements, so that the server parses each of them once per connection;
// - the end of a statement whose caller has gone (`caller-signal.ts`);
// - the end of all connections as soon as the database stops answering (`database-watch.ts`).

import { Pool, type QueryConfig, type ClientConfig, type Client } from 'pg'
import { cancelStatements } from './caller-signal.ts'
import { openWatch } from './database-watch.ts'
import { StartupError } from '#runtime/process.ts'
import { Socket } from 'node:net'

export type Postgres = {
  readonly url: string
  readonly connections?: number
  /** The name that the server's list of connections shows. */
  readonly application?: string
  /** How long a statement waits for rows that others have locked. */
  readonly lockTimeoutMs?: number
  /** After so long without an answer the database counts as away. */
  readonly silenceMs?: number
  /** After so long without a statement a transaction is ended by the server, and its locks are released. */
  readonly idleInTransactionMs?: number
  /**
   * For a process that reads few rows of large tables: the planner, which may have seen them empty, reads none as a
   * whole.
   */
  readonly byIndexOnly?: boolean
}
/**
 * Connections of the pool, callers that wait for one, and statements that were cancelled because their caller had gone.
 */
export type PoolUsage = {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
  readonly cancelled: number
}
export type OpenedPool = { readonly pool: Pool; isAway(): boolean; usage(): PoolUsage; close(): Promise<void> }

const connectionsDefault = 10
const statementTimeoutMs = 15_000
const lockTimeoutMsDefault = 5_000
const idleInTransactionMsDefault = 20_000

export async function openPool({ url, connections = connectionsDefault, ...rest }: Postgres): Promise<OpenedPool> {
  const { application, silenceMs, lockTimeoutMs = lockTimeoutMsDefault } = rest
  const { idleInTransactionMs = idleInTransactionMsDefault, byIndexOnly = false } = rest
  const config = connectionTo(url, application, byIndexOnly ? ['-c enable_seqscan=off'] : [])
  const sockets = openSockets()
  const pool = new Pool({
    ...config,
    stream: sockets.make,
    // A statement is sent without waiting for the answer to the one before.
    pipeline: true,
    max: connections,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  })
  let cancelled = 0
  // A connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    nameStatements(client)
    sendBeginWithNext(client)
    cancelStatements(client, sockets.make, () => cancelled++)
  })
  pool.query = sentByPromise(pool)
  await pool.query('SELECT 1').catch(async (error: unknown) => {
    await pool.end()
    throw databaseUnreachable(url, error)
  })
  const { isAway, ...watch } = openWatch({
    config,
    bytesReceived: sockets.bytesRead,
    onAway: sockets.shut,
    onBack: sockets.reopen,
    ...(silenceMs !== undefined && { silenceMs }),
  })
  const close = async () => {
    await watch.close()
    await pool.end()
  }
  const usage = (): PoolUsage => {
    const { totalCount, idleCount: idle, waitingCount: waiting } = pool
    return { inUse: totalCount - idle, idle, waiting, cancelled }
  }
  return { pool, isAway, usage, close }
}

/**
 * Does what the pool's own `query` does. That one is called back in the context of the connection's former user, and
 * the statement would pass for one of that caller's.
 */
const sentByPromise = (pool: Pool): Pool['query'] =>
  (async (config: QueryConfig) => {
    const client = await pool.connect()
    try {
      const result = await client.query(config)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }) as Pool['query']

const connectTimeoutMs = 5_000

/**
 * Statements here are short: compiling one takes longer than running it, even where the planner expects the worst. A
 * row found by an index costs little more than the next one, as on any disk of today: a planner that expects otherwise
 * sorts a whole workspace to find the first page.
 */
const settings = ['-c TimeZone=UTC', '-c jit=off', '-c random_page_cost=1.1']

/**
 * The driver's options. `application` is what the server's list of connections shows, unless the address names another.
 */
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

/** The URL may hold a password, which the message does not show. */
export function databaseUnreachable(url: string, error: unknown): StartupError {
  return new StartupError(`The database at ${hostAndName(url)} cannot be used: ${reasonOf(error)}.`, { cause: error })
}

function hostAndName(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${host === '' ? (searchParams.get('host') ?? 'localhost') : host}${pathname}`
}

/** A host name with two addresses fails with an AggregateError that has no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

export const namedStatementsMax = 200

type Query = (config: unknown, ...rest: unknown[]) => unknown

/**
 * Gives statements names, so that the server parses each once per connection and not at every call. The server keeps a
 * named statement until it is closed, and their number is unbounded (lists of any length, filters, limits). So a
 * connection keeps the most recently used ones and closes the others. A name is never reused, so it never stands for
 * two texts.
 */
function nameStatements(client: Client): void {
  const nameOf = statementNames((name) => closeStatement(client, name))
  const query = client.query.bind(client) as Query
  // The overloads of `query` differ in their results only, which are returned unchanged.
  client.query = ((config: unknown, ...rest: unknown[]) => {
    // It was made for this statement alone, and the driver copies it.
    if (isNameable(config)) config.name = nameOf(config.text)
    return query(config, ...rest)
  }) as Client['query']
}

/** Scripts and the driver's own statements are plain strings and stay unnamed. */
const isNameable = (config: unknown): config is QueryConfig =>
  typeof config === 'object' && config !== null && 'text' in config && !('submit' in config)

const nothing = { rows: [], fields: [], rowCount: 0 }

/** Sends BEGIN together with the first statement of the transaction, which saves a round trip. */
function sendBeginWithNext(client: Client): void {
  const query = client.query.bind(client) as Query
  let isHeld = false
  client.query = ((config: unknown, ...rest: unknown[]) => {
    if (isNameable(config) && config.text === 'BEGIN') {
      isHeld = true
      return Promise.resolve(nothing)
    }
    if (!isHeld) return query(config, ...rest)
    isHeld = false
    const { stream } = client.connection
    stream.cork()
    const begun = query('BEGIN') as Promise<unknown>
    // Without a transaction the statements behind it must not run: the connection is closed.
    begun.catch((error: unknown) => stream.destroy(error as Error))
    const result = query(config, ...rest)
    stream.uncork()
    return result
  }) as Client['query']
}

/** Returns the name for a text. `forget` is called with each name that falls out of the bound. */
function statementNames(forget: (name: string) => void): (text: string) => string {
  // Least recently used first.
  const names = new Map<string, string>()
  let made = 0
  return (text) => {
    const name = names.get(text) ?? `s${made++}`
    names.delete(text)
    names.set(text, name)
    for (const [oldest, forgotten] of names) {
      if (names.size <= namedStatementsMax) break
      names.delete(oldest)
      forget(forgotten)
    }
    return name
  }
}

/** The server's answer comes with that of the next statement. Closing an unknown name is not an error. */
function closeStatement({ connection }: Client, name: string): void {
  // The driver's own cache of parsed statements, which its types leave out.
  const { parsedStatements } = connection as unknown as { readonly parsedStatements: Record<string, string> }
  delete parsedStatements[name]
  connection.close({ type: 'S', name }, true)
}

type Sockets = {
  /** Makes a socket for the driver, which connects it. */
  readonly make: () => Socket
  /** The bytes that have come so far on the open sockets. */
  readonly bytesRead: () => number
  /** Destroys the open sockets and every new one until `reopen`. */
  shut(): void
  reopen(): void
}

/** An error like those of the system: by that the driver's adapter recognizes a lost connection. */
const away = (): Error =>
  Object.assign(new Error('The database does not answer'), { code: 'ECONNRESET', syscall: 'read', errno: -104 })

/** Keeps every socket, so that what waits for an answer fails at once when the database stops answering. */
function openSockets(): Sockets {
  const open = new Set<Socket>()
  let isShut = false

  function make(): Socket {
    const socket = new Socket()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // The driver adds its listeners after this function has returned.
    if (isShut) process.nextTick(() => socket.destroy(away()))
    return socket
  }
  function shut(): void {
    isShut = true
    for (const socket of open) socket.destroy(away())
  }
  const bytesRead = () => open.values().reduce((sum, socket) => sum + socket.bytesRead, 0)
  const reopen = () => {
    isShut = false
  }
  return { make, bytesRead, shut, reopen }
}
