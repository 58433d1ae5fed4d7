// Opens PGlite in a folder. PGlite does not keep a second process out, and two at once destroy the data. So the process
// holds SQLite's lock on a file beside the folder: the operating system releases it however the process ends.
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PGlite } from '@electric-sql/pglite'
import { StartupError } from '#runtime/process.ts'
import { createPglite } from './pglite.ts'

const ownerOnlyFolder = 0o700
const ownerOnlyFile = 0o600
/** Files that this process creates from then on are accessible to their owner only. */
const ownerOnlyMask = 0o077

/** Throws a StartupError when the folder cannot be opened or another process has it open. */
export async function openDataFolder(folder: string): Promise<PGlite> {
  process.umask(ownerOnlyMask)
  mkdirSync(folder, { recursive: true, mode: ownerOnlyFolder })
  const release = lockFolder(folder)
  try {
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

/** PGlite lets everybody read the files that it starts with, and some that it creates, whatever the umask is. */
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
