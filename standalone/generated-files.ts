// Files that a start writes to the data folder: secrets that were not given, each generated at the first run and read
// at every later one, and the link of the first run, for readers who cannot see what the start has printed.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '#runtime/process.ts'

const ownerOnlyFile = 0o600
const ownerOnlyFolder = 0o700

/** `path` is the file that holds the secret, null when the environment gave it. */
export type Secret = { readonly value: string; readonly path: string | null }

/** Returns the secret of this name in the data folder. Throws a StartupError when the folder cannot be used. */
export function generatedSecret(folder: string, name: string): Secret {
  const path = join(resolve(folder), name)
  try {
    mkdirSync(resolve(folder), { recursive: true, mode: ownerOnlyFolder })
    if (!existsSync(path))
      writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: ownerOnlyFile, flag: 'wx' })
    return { value: readFileSync(path, 'utf8').trim(), path }
  } catch (cause) {
    throw new StartupError(`The data folder ${resolve(folder)} cannot be used: ${(cause as Error).message}.`, { cause })
  }
}

/** Returns null where there is none so far. */
export function readSecret(folder: string, name: string): string | null {
  const path = join(resolve(folder), name)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

/**
 * Keeps the link and returns the file's path. Without a link, which is when there is an account, the file is deleted.
 * Returns null where there is no such file: where everything else is given, the folder may be missing, and one that
 * cannot be written to is no reason to end.
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
