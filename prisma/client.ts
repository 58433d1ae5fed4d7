// One way to open the database: Postgres over the network, or PGlite (Postgres in this process) in a data folder.
// Everything behind it sees the same Prisma client. Sessions run in UTC: both adapters write times without an offset
// and read them as UTC, so any other time zone would shift every time that SQL itself looks at.
import type { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { openDataFolder } from './data-folder.ts'
import { PrismaClient } from './generated/client.ts'
import { connectionTo, databaseAway } from './postgres.ts'
import { noting } from './transaction.ts'

export type Database = PrismaClient
export type Where = { url: string; connections?: number } | { folder: string } | { pglite: PGlite }
export type OpenedDatabase = { db: Database; close(): Promise<void> }

const connectionsDefault = 10
const namedStatementsMax = 200
const statementTimeoutMs = 15_000
const idleInTransactionTimeoutMs = 20_000
const transactionOptions = { maxWait: 5_000, timeout: 15_000 }

/** A PGlite that is handed over is closed with the database. */
export async function openDatabase(where: Where): Promise<OpenedDatabase> {
  if ('url' in where) return openPostgres(where.url, where.connections ?? connectionsDefault)
  const pglite = 'pglite' in where ? where.pglite : await openDataFolder(where.folder)
  const db = new PrismaClient({ adapter: noting(new PrismaPGlite(pglite)), transactionOptions })
  return { db, close: () => closeBoth(db, () => pglite.close()) }
}

async function openPostgres(url: string, connections: number): Promise<OpenedDatabase> {
  const pool = new Pool({
    ...connectionTo(url),
    max: connections,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  await pool.query('SELECT 1').catch(async (error: unknown) => {
    await pool.end()
    throw databaseAway(url, error)
  })
  const db = new PrismaClient({
    adapter: noting(new PrismaPg(pool, { statementNameGenerator: statementNames() })),
    transactionOptions,
  })
  return { db, close: () => closeBoth(db, () => pool.end()) }
}

async function closeBoth(db: Database, closeDriver: () => Promise<void>): Promise<void> {
  await db.$disconnect()
  await closeDriver()
}

/**
 * Statements with a name are parsed and planned once a connection, not once a call. The number of names is bounded: the
 * texts that Prisma makes for lists of different lengths are without end, and the server keeps each that has a name.
 */
function statementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size >= namedStatementsMax) return ''
    names.set(sql, `s${names.size}`)
    return `s${names.size - 1}`
  }
}
