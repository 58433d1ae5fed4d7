// Secrets that were not given: each is generated at the first run and read from the data folder at every later one.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '#runtime/startup-error.ts'

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
