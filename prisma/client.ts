// Opens the database: Postgres over the network, or PGlite (Postgres in this process) in a data folder. Both give the
// same Prisma client. Sessions run in UTC: both adapters write times without an offset and read them as UTC, so with
// any other time zone SQL would see shifted times.
//
// Between Prisma and the driver stand, from the driver upwards:
// - `pool.ts`: the connections, and what ends them when the database does not answer;
// - `route.ts`: whether a pooler is in between, and how the settings of sessions get through it;
// - `statement-sending.ts`: names of statements, and BEGIN with the first statement;
// - `caller-signal.ts`: statements end with their caller;
// - `database-watch.ts`: notices that the database is away or full;
// - `transaction.ts`: one transaction for raw statements and for Prisma's own, ended by its caller, with its commit
//   right behind the last statement;
// - `traced-statements.ts`: the spans of statements, where they are recorded;
// - `direct-statements.ts`: raw statements pass Prisma by and go straight to the driver.
// Raw statements are declared in files called `rows.ts`, with `statements.ts`.
import type { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { openDataFolder, mergingParsersOnce } from './pglite.ts'
import { directClient } from './direct-statements.ts'
import { PrismaClient } from './generated/client.ts'
import { addressParts } from './address.ts'
import { openPool, type PoolUsage, type Postgres } from './pool.ts'
import type { Pooler } from './route.ts'
import { watchStorage } from './database-watch.ts'
import { tracedStatements } from './traced-statements.ts'
import { beginWith, lendingTransactions } from './transaction.ts'
import type { Log } from '#runtime/log.ts'

export type Database = PrismaClient
export type Where = Postgres | { folder: string } | { pglite: PGlite }
export type OpenedDatabase = {
  db: Database
  /** Whether the database is known not to answer: then every statement fails at once. */
  isAway(): boolean
  /** Whether statements have failed lately because its disk is full. Others may succeed. */
  isFull(): boolean
  /** Null for PGlite, which has no connections. */
  poolUsage(): PoolUsage | null
  /** Null where there is none between this process and the database. */
  readonly pooler: Pooler | null
  close(): Promise<void>
}

const [maxWaitMs, maxMs] = [5_000, 15_000]

/** `traced`: statements of calls whose spans are recorded have spans of their own. */
type Tracing = { readonly traced?: boolean }

/** Closing the database also closes a PGlite that was passed in. */
export async function openDatabase(where: Where, { traced = false }: Tracing = {}): Promise<OpenedDatabase> {
  if ('url' in where) return openPostgres(where, traced)
  const pglite = 'pglite' in where ? where.pglite : await openDataFolder(where.folder)
  const driver = new PrismaPGlite(mergingParsersOnce(pglite))
  const { db, isFull, disconnect } = await openClient(traced ? tracedStatements(driver, null) : driver, false)
  const close = () => disconnect().then(() => pglite.close())
  return { db, isAway: () => false, isFull, poolUsage: () => null, pooler: null, close }
}

async function openPostgres(postgres: Postgres, traced: boolean): Promise<OpenedDatabase> {
  const { pool, pooler, schema, isAway, usage, close } = await openPool(postgres)
  const driver = new PrismaPg(pool, { schema })
  const sender = traced ? tracedStatements(driver, addressParts(postgres.url)) : driver
  const { db, isFull, disconnect } = await openClient(sender, true)
  return { db, isAway, isFull, poolUsage: usage, pooler, close: () => disconnect().then(close) }
}

/** Says once that a pooler is in between, and what it costs. */
export function logPooler({ pooler }: Pick<OpenedDatabase, 'pooler'>, log: Pick<Log, 'info'>): void {
  if (pooler !== null)
    log.info({ ...pooler }, 'the database is behind a pooler: transactions bring their settings along')
}

type OpenedClient = { db: Database; isFull(): boolean; disconnect(): Promise<void> }

async function openClient(driver: SqlDriverAdapterFactory, isPipelined: boolean): Promise<OpenedClient> {
  const { factory, isFull } = watchStorage(driver)
  const own = new PrismaClient({
    adapter: lendingTransactions(factory, isPipelined),
    transactionOptions: { maxWait: maxWaitMs, timeout: maxMs },
  })
  const connected = await factory.connect()
  const db = directClient(own, connected)
  beginWith(db, { own, driver: connected, isPipelined, maxWaitMs, maxMs })
  return { db, isFull, disconnect: () => own.$disconnect() }
}
