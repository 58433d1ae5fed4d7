// The migrations on disk, those that a database has seen, and what follows from the two. Pure but for the reading.
import { hash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'

export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string }
export type Applied = { readonly name: string; readonly checksum: string; readonly finished: boolean }

const migrationsFolder = join(import.meta.dirname, 'migrations')

/** In the order of their names, which begin with the time of their making. */
export function readMigrations(folder: string = migrationsFolder): readonly Migration[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => migration(folder, name))
}

/** What is left to apply. Throws where the database's history is not a beginning of ours. */
export function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): readonly Migration[] {
  const byName = new Map(applied.map((one) => [one.name, one]))
  const known = new Set(migrations.map(({ name }) => name))
  for (const { name, finished } of applied) {
    if (!finished)
      throw new StartupError(
        `Migration ${name} failed half-way on this database. Repair it, then remove its row from _prisma_migrations.`,
      )
    if (!known.has(name))
      throw new StartupError(
        `The database has migration ${name}, which this version does not know. Run a newer version.`,
      )
  }
  const changed = migrations.find(({ name, checksum }) => byName.has(name) && byName.get(name)?.checksum !== checksum)
  if (changed)
    throw new StartupError(
      `Migration ${changed.name} was changed after it was applied. Restore its file and add a new migration instead.`,
    )
  return migrations.filter(({ name }) => !byName.has(name))
}

function migration(folder: string, name: string): Migration {
  const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
  return { name, sql, checksum: hash('sha256', sql) }
}
