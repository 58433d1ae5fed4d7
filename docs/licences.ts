// Every package of the production tree must have a licence that asks for no more than its notice. Part of `npm run
// verify`; it reads the lockfile, so that it judges what is installed and not what was meant.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = { readonly license?: string; readonly dev?: boolean }

const accepted = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT and ISC',
  'MIT/X11',
  'Unlicense',
])

/** Returns a sentence for each package whose licence is not accepted. */
export function licenceMistakes(packages: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { license = 'none' }]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), license }))
    .filter(({ license }) => !accepted.has(license))
    .map(({ name, license }) => `${name} has the licence ${license}, which is not on the list in docs/licences.ts`)
}

if (import.meta.main) {
  const lockfile = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, Locked> }
  const mistakes = licenceMistakes(packages)
  for (const mistake of mistakes) console.error(mistake)
  console.log(`${Object.keys(packages).length} packages, ${mistakes.length} licence mistakes`)
  if (mistakes.length > 0) process.exitCode = 1
}
