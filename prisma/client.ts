// Opens the database: Postgres over the network, or PGlite (Postgres in this process) in a data folder. Both give the
// same Prisma client. Sessions run in UTC: both adapters write times without an offset and read them as UTC, so with
// any other time zone SQL would see shifted times.
//
// Between Prisma and the driver stand, from the driver upwards:
// - `pool.ts`: the connections, names of statements, BEGIN with the first statement, and what ends connections when
//   the database does not answer;
// - `caller-signal.ts`: statements end with their caller;
// - `database-watch.ts`: notices that the database is away or full;
// - `transaction.ts`: one transaction for Prisma's own statements and for raw ones, ended by its caller, with its
//   commit right behind the last statement;
// - `direct-statements.ts`: raw statements pass Prisma's planner and go straight to the driver.
// Raw statements are declared in files called `rows.ts`, with `statements.ts`.
import type { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { openDataFolder, mergingParsersOnce } from './pglite.ts'
import { directClient } from './direct-statements.ts'
import { PrismaClient } from './generated/client.ts'
import { openPool, type PoolUsage, type Postgres } from './pool.ts'
import { watchStorage } from './database-watch.ts'
import { withTransactionTracking } from './transaction.ts'

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
  close(): Promise<void>
}

const transactionOptions = { maxWait: 5_000, timeout: 15_000 }

/** Closing the database also closes a PGlite that was passed in. */
export async function openDatabase(where: Where): Promise<OpenedDatabase> {
  if ('url' in where) return openPostgres(where)
  const pglite = 'pglite' in where ? where.pglite : await openDataFolder(where.folder)
  const { db, isFull, disconnect } = await openClient(new PrismaPGlite(mergingParsersOnce(pglite)), false)
  const close = () => disconnect().then(() => pglite.close())
  return { db, isAway: () => false, isFull, poolUsage: () => null, close }
}

async function openPostgres(postgres: Postgres): Promise<OpenedDatabase> {
  const { pool, isAway, usage, close } = await openPool(postgres)
  const { db, isFull, disconnect } = await openClient(new PrismaPg(pool), true)
  return { db, isAway, isFull, poolUsage: usage, close: () => disconnect().then(close) }
}

type OpenedClient = { db: Database; isFull(): boolean; disconnect(): Promise<void> }

async function openClient(driver: SqlDriverAdapterFactory, isPipelined: boolean): Promise<OpenedClient> {
  const { factory, isFull } = watchStorage(driver)
  const own = new PrismaClient({ adapter: withTransactionTracking(factory, isPipelined), transactionOptions })
  return { db: directClient(own, await factory.connect()), isFull, disconnect: () => own.$disconnect() }
}
