// One way to open the database: Postgres over the network, or PGlite (Postgres in this process) in a data folder.
// Everything behind it sees the same Prisma client. Sessions run in UTC: both adapters write times without an offset
// and read them as UTC, so any other time zone would shift every time that SQL itself looks at.
import type { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { openDataFolder } from './data-folder.ts'
import { PrismaClient } from './generated/client.ts'
import { openPool, type Postgres } from './pool.ts'
import { noting } from './transaction.ts'

export type Database = PrismaClient
export type Where = Postgres | { folder: string } | { pglite: PGlite }
export type OpenedDatabase = {
  db: Database
  /** Whether it is known not to answer: then every statement is refused at once. */
  isAway(): boolean
  close(): Promise<void>
}

const transactionOptions = { maxWait: 5_000, timeout: 15_000 }

/** A PGlite that is handed over is closed with the database. */
export async function openDatabase(where: Where): Promise<OpenedDatabase> {
  if ('url' in where) return openPostgres(where)
  const pglite = 'pglite' in where ? where.pglite : await openDataFolder(where.folder)
  const db = new PrismaClient({ adapter: noting(new PrismaPGlite(pglite)), transactionOptions })
  return { db, isAway: () => false, close: () => closeBoth(db, () => pglite.close()) }
}

async function openPostgres(postgres: Postgres): Promise<OpenedDatabase> {
  const { pool, isAway, close } = await openPool(postgres)
  const db = new PrismaClient({ adapter: noting(new PrismaPg(pool)), transactionOptions })
  return { db, isAway, close: () => closeBoth(db, close) }
}

async function closeBoth(db: Database, closeDriver: () => Promise<void>): Promise<void> {
  await db.$disconnect()
  await closeDriver()
}
