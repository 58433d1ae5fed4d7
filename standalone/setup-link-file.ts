// The link of the first run, kept in the data folder for whoever cannot see what the start has printed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ownerOnlyFile = 0o600
const ownerOnlyFolder = 0o700

/**
 * Returns the file's path. Without a link, which is when there is an account, the file goes. Null where there is no such
 * file: where everything else is given, the folder may be missing, and one that cannot be written to is no reason to end.
 */
export function keepSetupLink(folder: string, link: string | null): string | null {
  const path = join(resolve(folder), 'setup-link')
  try {
    rmSync(path, { force: true })
    if (link === null) return null
    mkdirSync(resolve(folder), { recursive: true, mode: ownerOnlyFolder })
    writeFileSync(path, `${link}\n`, { mode: ownerOnlyFile, flag: 'wx' })
    return path
  } catch {
    return null
  }
}
