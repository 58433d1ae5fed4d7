// Secrets that an installation makes for itself at its first run and finds again at every other.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '#runtime/process.ts'

const ownerOnly = 0o600
const ownerOnlyFolder = 0o700

/** `path` is null where it comes from the environment. */
export type OwnSecret = { readonly value: string; readonly path: string | null }

/** The secret of this name in the data folder. */
export function ownSecret(folder: string, name: string): OwnSecret {
  const path = join(resolve(folder), name)
  try {
    mkdirSync(resolve(folder), { recursive: true, mode: ownerOnlyFolder })
    if (!existsSync(path))
      writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: ownerOnly, flag: 'wx' })
    return { value: readFileSync(path, 'utf8').trim(), path }
  } catch (cause) {
    throw new StartupError(`The data folder ${resolve(folder)} cannot be used: ${(cause as Error).message}.`, { cause })
  }
}
