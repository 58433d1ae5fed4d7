// The connections of this process to a Postgres: how many, how long each may take for what, and their end when nothing
// comes back on them any more.
import { Pool, type Client } from 'pg'
import { connectionTo, databaseAway } from './postgres.ts'
import { openSockets } from './sockets.ts'
import { nameStatements } from './named-statements.ts'
import { openWatch } from './database-watch.ts'

export type Postgres = {
  readonly url: string
  readonly connections?: number
  /** Stands in the server's list of connections. */
  readonly application?: string
  /** How long a statement waits for rows that others have locked. */
  readonly lockTimeoutMs?: number
  /** Without a word for so long, the database is away. */
  readonly silenceMs?: number
  /** After so long a process that says nothing in the middle of a transaction loses it, and the locks that it holds. */
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
  // The pool makes the driver's own clients and types them as what they have in common.
  pool.on('connect', (client) => nameStatements(client as unknown as Client))
  await pool.query('SELECT 1').catch(async (error: unknown) => {
    await pool.end()
    throw databaseAway(url, error)
  })
  const { isAway, ...watch } = openWatch({
    ...{ config, heard: sockets.bytesRead, onAway: sockets.shut, onBack: sockets.reopen },
    ...(silenceMs !== undefined && { silenceMs }),
  })
  const close = async () => {
    await watch.close()
    await pool.end()
  }
  return { pool, isAway, close }
}
