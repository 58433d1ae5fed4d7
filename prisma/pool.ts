// The connections of this process to a Postgres: how many, and how long each may take for what.
import { Pool, type Client } from 'pg'
import { connectionTo, databaseAway } from './postgres.ts'
import { nameStatements } from './statements.ts'

export type Postgres = {
  readonly url: string
  readonly connections?: number
  /** Stands in the server's list of connections. */
  readonly application?: string
}

const connectionsDefault = 10
const statementTimeoutMs = 15_000
const lockTimeoutMs = 5_000
const idleInTransactionTimeoutMs = 20_000

export async function openPool({ url, connections = connectionsDefault, application }: Postgres): Promise<Pool> {
  const pool = new Pool({
    ...connectionTo(url, application),
    max: connections,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // The pool makes the driver's own clients and types them as what they have in common.
  pool.on('connect', (client) => nameStatements(client as unknown as Client))
  await pool.query('SELECT 1').catch(async (error: unknown) => {
    await pool.end()
    throw databaseAway(url, error)
  })
  return pool
}
