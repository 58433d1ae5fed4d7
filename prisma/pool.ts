// The pool of connections to Postgres: how many, the timeouts, and what ends them all when the database stops
// answering.
import { Pool, type Client } from 'pg'
import { connectionTo, databaseUnreachable } from './postgres-connection.ts'
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
}
export type OpenedPool = { readonly pool: Pool; isAway(): boolean; close(): Promise<void> }

const connectionsDefault = 10
const statementTimeoutMs = 15_000
const lockTimeoutMsDefault = 5_000
const idleInTransactionMsDefault = 20_000

export async function openPool({ url, connections = connectionsDefault, ...rest }: Postgres): Promise<OpenedPool> {
  const { application, silenceMs, lockTimeoutMs = lockTimeoutMsDefault } = rest
  const { idleInTransactionMs = idleInTransactionMsDefault } = rest
  const config = connectionTo(url, application)
  const sockets = openSockets()
  const pool = new Pool({
    ...config,
    stream: sockets.make,
    max: connections,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // The pool creates the driver's own clients, which its types name by their common interface only.
  pool.on('connect', (client) => nameStatements(client as unknown as Client))
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
  return { pool, isAway, close }
}
