// PGlite in a folder. Nothing in PGlite keeps a second process out, and two at once destroy the data. The guard is
// SQLite's lock on a file beside the folder: the system drops it when the process ends, however it ends.
import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { PGlite } from '@electric-sql/pglite'
import { StartupError } from '#runtime/process.ts'
import { createPglite } from './pglite.ts'

const ownerOnlyFolder = 0o700

export async function openDataFolder(folder: string): Promise<PGlite> {
  mkdirSync(folder, { recursive: true, mode: ownerOnlyFolder })
  const release = holdAlone(folder)
  try {
    return releasedWhenClosed(await createPglite({ dataDir: folder }), release)
  } catch (error) {
    release()
    throw new StartupError(`The data folder ${folder} cannot be opened: ${String(error)}.`, { cause: error })
  }
}

function holdAlone(folder: string): () => void {
  const lock = new DatabaseSync(`${folder.replace(/\/+$/, '')}.lock`, { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new StartupError(`The data folder ${folder} is in use by another process.`, { cause: error })
  }
  return () => lock.close()
}

function releasedWhenClosed(pglite: PGlite, release: () => void): PGlite {
  const close = pglite.close.bind(pglite)
  pglite.close = () => close().finally(release)
  return pglite
}
