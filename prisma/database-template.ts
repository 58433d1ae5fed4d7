// The template of a new data folder: an empty database with all migrations applied. `npm ci` makes it
// (make-template.ts), and the first start copies it, which saves seconds. Its name has a hash of the migrations and the
// version of PGlite, so an outdated template is never used. Without a template the first start makes the database.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const migrationsFolder = join(import.meta.dirname, 'migrations')
const templatesFolder = join(import.meta.dirname, 'generated')
export const templatePrefix = 'database-'

/** Returns where the template of these migrations and of the installed PGlite is, or is to be. */
export function templateFolder(templates: string = templatesFolder, migrations: string = migrationsFolder): string {
  const pglite = join(dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))), '../package.json')
  const hash = createHash('sha256').update((JSON.parse(readFileSync(pglite, 'utf8')) as { version: string }).version)
  const files = readdirSync(migrations, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sql'))
  for (const path of files.toSorted()) hash.update(`\n${path}\n`).update(readFileSync(join(migrations, path)))
  return join(templates, templatePrefix + hash.digest('hex').slice(0, 16))
}

/** Fills an empty folder from the template, whole or not at all, however the process ends. */
export function fillFromTemplate(folder: string, template: string = templateFolder()): void {
  if (readdirSync(folder).length > 0 || !existsSync(template)) return
  const half = `${folder}.new`
  rmSync(half, { recursive: true, force: true })
  cpSync(template, half, { recursive: true })
  rmSync(folder, { recursive: true })
  renameSync(half, folder)
}
