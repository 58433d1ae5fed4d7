// PGlite: Postgres in this process, in memory or in a data folder.

import { chmodSync, mkdirSync, readFileSync, readdirSync, statfsSync } from 'node:fs'
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
    assertDatabase(folder)
    const pglite = await createPglite({ dataDir: folder })
    restrictToOwner(folder)
    return afterClosing(pglite, () => {
      restrictToOwner(folder)
      release()
    })
  } catch (error) {
    release()
    if (error instanceof StartupError) throw error
    throw new StartupError(notOpened(folder, error as NodeJS.ErrnoException), { cause: error })
  }
}

const versionFile = 'PG_VERSION'
/** The Postgres that PGlite is. */
const postgresVersion = '18'

/** In a folder without this file PGlite makes a database anew, over what is left of the one that was there. */
function assertDatabase(folder: string): void {
  const entries = readdirSync(folder)
  if (entries.length === 0 || entries.includes(versionFile)) return
  throw new StartupError(
    `The data folder ${folder} holds something that is no database (it has no ${versionFile}), and was not changed. ${remedy}`,
  )
}

/** Too little for PGlite's log: it then stops without a reason. */
const roomMin = 64 * 1024 * 1024

/** PGlite itself says only that it has stopped. */
function notOpened(folder: string, { code, message }: NodeJS.ErrnoException): string {
  const { bavail, bsize } = statfsSync(folder)
  if (code !== undefined) return `The data folder ${folder} cannot be opened: ${message}.`
  if (bavail * bsize < roomMin)
    return `The data folder ${folder} cannot be opened, since its disk is full: make room and start again.`
  const made = readFileSync(join(folder, versionFile), 'utf8').trim()
  const what =
    made === postgresVersion
      ? 'is damaged'
      : `says that Postgres ${made} made it, and this version reads ${postgresVersion}`
  return `The database in the data folder ${folder} ${what}. ${remedy} PGlite says: ${message}`
}

const remedy =
  'Move the folder away and put the same one of a backup in its place (docs/operating/restoring.md), or start without it: the database is then made anew, and is empty.'

/** PGlite lets all users read the files that it starts with, and some that it creates, whatever the umask is. */
function restrictToOwner(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? ownerOnlyFolder : ownerOnlyFile)
  }
}

export class FolderInUse extends StartupError {}

function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(`${folder.replace(/\/+$/, '')}.lock`, { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new FolderInUse(`The data folder ${folder} is in use by another process.`, { cause: error })
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
