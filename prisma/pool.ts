// The pool of connections to Postgres: how many, the timeouts, and what ends them all when the database stops
// answering.
import { Pool, type QueryConfig } from 'pg'
import { connectionTo, databaseUnreachable } from './postgres-connection.ts'
import { cancelStatements } from './cancel-statements.ts'
import { openSockets } from './sockets.ts'
import { nameStatements } from './named-statements.ts'
import { openWatch } from './database-watch.ts'

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
  /** For whoever reads a few rows of large tables only: the planner, who may have seen them empty, reads none as a whole. */
  readonly byIndexOnly?: boolean
}
/** Connections of the pool, callers that wait for one, and statements that were cancelled because their caller had gone. */
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
    cancelStatements(client, sockets.make, () => cancelled++)
  })
  pool.query = sentByPromise(pool)
  await pool.query('SELECT 1').catch(async (error: unknown) => {
    await pool.end()
    throw databaseUnreachable(url, error)
  })
  const { isAway, ...watch } = openWatch({
    ...{ config, bytesReceived: sockets.bytesRead, onAway: sockets.shut, onBack: sockets.reopen },
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
 * What the pool's own `query` does. That one is called back by whoever has used the connection before, and would take
 * the statement for that caller's.
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
