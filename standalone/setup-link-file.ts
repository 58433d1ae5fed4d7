// The link of the first run, kept in the data folder for whoever cannot see what the start has printed.
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ownerOnly = 0o600

/** Returns the file's path. Without a link, which is when there is an account, the file goes. */
export function keepSetupLink(folder: string, link: string | null): string {
  const path = join(resolve(folder), 'setup-link')
  rmSync(path, { force: true })
  if (link !== null) writeFileSync(path, `${link}\n`, { mode: ownerOnly, flag: 'wx' })
  return path
}
