// PGlite: Postgres in this process, in memory or in a data folder.

import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PGlite, type PGliteOptions, type QueryOptions, type Transaction } from '@electric-sql/pglite'
import { StartupError } from '#runtime/process.ts'
import type { Prisma } from './generated/client.ts'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

const ownerOnlyFolder = 0o700
const ownerOnlyFile = 0o600
/** Files that this process creates from then on are accessible to their owner only. */
const ownerOnlyMask = 0o077

/**
 * PGlite does not keep a second process out, and two at once destroy the data. So the process holds SQLite's lock on a
 * file beside the folder: the operating system releases it however the process ends. Throws a StartupError when the
 * folder cannot be opened or another process has it open. `fill` may put a database into a folder that is empty.
 */
export async function openDataFolder(folder: string, fill: (folder: string) => void = () => {}): Promise<PGlite> {
  process.umask(ownerOnlyMask)
  mkdirSync(folder, { recursive: true, mode: ownerOnlyFolder })
  const release = lockFolder(folder)
  try {
    fill(folder)
    const pglite = await createPglite({ dataDir: folder })
    restrictToOwner(folder)
    return afterClosing(pglite, () => {
      restrictToOwner(folder)
      release()
    })
  } catch (error) {
    release()
    throw new StartupError(`The data folder ${folder} cannot be opened: ${String(error)}.`, { cause: error })
  }
}

/** PGlite lets all users read the files that it starts with, and some that it creates, whatever the umask is. */
function restrictToOwner(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? ownerOnlyFolder : ownerOnlyFile)
  }
}

function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(`${folder.replace(/\/+$/, '')}.lock`, { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new StartupError(`The data folder ${folder} is in use by another process.`, { cause: error })
  }
  return () => lock.close()
}

function afterClosing(pglite: PGlite, then: () => void): PGlite {
  const close = pglite.close.bind(pglite)
  pglite.close = () => close().finally(then)
  return pglite
}

/**
 * A quarter of Postgres' own default, which is for a server: 110 MB less of this process. The operating system caches
 * the files anyway; reading a table that is larger takes a tenth more.
 */
const smallBuffers = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

/** With the extensions that the migrations need. A data folder or dump made with them opens only with them. */
export const createPglite = (
  options: Pick<PGliteOptions, 'dataDir' | 'loadDataDir' | 'startParams'> = {},
): Promise<PGlite> => PGlite.create({ startParams: smallBuffers, ...options, extensions: { btree_gin, pg_trgm } })

/**
 * PGlite as Prisma's adapter calls it. The adapter brings the same parsers with every query, and each time PGlite
 * merges them with three hundred of its own, which takes longer than a small query. Here they are merged with the first
 * one.
 */
export function mergingParsersOnce(pglite: PGlite): PGlite {
  let merged: QueryOptions['parsers']

  const queryIn =
    (session: Pick<Transaction, 'query'>): Transaction['query'] =>
    (sql, values, { parsers, ...options } = {}) => {
      if (parsers !== merged) pglite.parsers = { ...pglite.parsers, ...parsers }
      merged = parsers
      return session.query(sql, values, options)
    }

  const transaction: PGlite['transaction'] = (work) => pglite.transaction((tx) => work({ ...tx, query: queryIn(tx) }))
  return Object.assign(Object.create(pglite), { query: queryIn(pglite), exec: pglite.exec.bind(pglite), transaction })
}

/** A Postgres server does this by itself. Without it tables grow, and the planner uses old statistics. */
export const vacuum = (db: Pick<Prisma.TransactionClient, '$executeRaw'>): Promise<number> =>
  db.$executeRaw`VACUUM ANALYZE`

/** Resolves once the database answers. */
export async function answer(db: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<void> {
  await db.$queryRaw`SELECT 1`
}
