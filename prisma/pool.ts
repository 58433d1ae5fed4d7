// The pool of connections to Postgres. It adds to the driver's pool what the driver leaves to its users:
// - settings of each session (UTC, time limits, costs), behind a pooler too (`route.ts`);
// - names for statements, and fewer round trips (`statement-sending.ts`);
// - the end of a statement whose caller has gone (`caller-signal.ts`);
// - the end of all connections as soon as the database stops answering (`database-watch.ts`).

import { Pool, type Client, type ClientBase, type QueryConfig } from 'pg'
import { cancelStatements } from './caller-signal.ts'
import { openWatch } from './database-watch.ts'
import { hostAndName, schemaIn } from './address.ts'
import { findRoute, tracksNames, type Pooler, type Route } from './route.ts'
import { sessionSettings } from './session-settings.ts'
import { nameStatements, sendInTransactions } from './statement-sending.ts'
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
export type OpenedPool = {
  readonly pool: Pool
  readonly pooler: Pooler | null
  /** Where its tables are. */
  readonly schema: string
  isAway(): boolean
  usage(): PoolUsage
  close(): Promise<void>
}

const connectionsDefault = 10
const statementTimeoutMs = 15_000
const lockTimeoutMsDefault = 5_000
const idleInTransactionMsDefault = 20_000
/**
 * The watch needs a session of the pooler's. Those of others may all wait for locks, and then it waits behind them for
 * no longer than they do.
 */
const pooledSilenceMs = 1_000

export async function openPool({ url, connections = connectionsDefault, ...rest }: Postgres): Promise<OpenedPool> {
  const { application, lockTimeoutMs = lockTimeoutMsDefault } = rest
  const { idleInTransactionMs = idleInTransactionMsDefault, byIndexOnly = false } = rest
  const settings = sessionSettings(url, {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs),
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
    ...(byIndexOnly && { enable_seqscan: 'off' }),
  })
  const { route, client: first } = await findRoute(url, settings, application)
  if (route.schema === null) {
    await first.end()
    throw missingSchema(url)
  }
  const isPooled = route.pooler !== null
  const sockets = openSockets()
  let cancelled = 0
  const pool = openConnections(route, connections, sockets.make, () => cancelled++)
  const { silenceMs = isPooled ? lockTimeoutMs + pooledSilenceMs : undefined } = rest
  const { isAway, ...watch } = openWatch({
    config: route.config,
    first,
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
  return { pool, pooler: route.pooler, schema: route.schema, isAway, usage, close }
}

function missingSchema(url: string): StartupError {
  const named = schemaIn(url)
  const which =
    named === null ? 'None of the schemas in the search path of this role exists' : `There is no schema "${named}"`
  return new StartupError(
    `${which} in the database at ${hostAndName(url)}, or this role may not use it. Run "npm run migrate" with the same "schema" in DATABASE_URL first, and with DATABASE_APP_ROLE where it connects as another role.`,
  )
}

function openConnections(route: Route, max: number, makeSocket: () => Socket, onCancel: () => void): Pool {
  const withoutNames = new WeakSet<ClientBase>()
  // Poolers are updated and set anew while this process runs: each connection asks.
  const onConnect = async (client: Client) => {
    if (!(await tracksNames(client))) withoutNames.add(client)
  }
  const pool = new Pool({
    ...route.config,
    stream: makeSocket,
    // A statement is sent without waiting for the answer to the one before.
    pipeline: true,
    max,
    // The driver awaits it, which its types do not tell.
    ...(route.pooler !== null && { onConnect: onConnect as unknown as (client: ClientBase) => void }),
  })
  // A connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    if (!withoutNames.has(client)) nameStatements(client)
    sendInTransactions(client, route)
    cancelStatements(client, makeSocket, onCancel)
  })
  pool.query = sentByPromise(pool)
  return pool
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
