// Compares the migrations on disk with those that were applied to a database.
import { hash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'

export type Migration = {
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** The first line of the file: whether versions without this migration keep working with it, and why. */
  readonly declaration: string | null
}
export type Applied = {
  readonly name: string
  readonly checksum: string
  readonly finished: boolean
  /** As stored when the migration was applied: all that an older version can know about it. */
  readonly declaration: string | null
}

const migrationsFolder = join(import.meta.dirname, 'migrations')

/** Returns them in the order of their names, which begin with their time of creation. */
export function readMigrations(folder: string = migrationsFolder): readonly Migration[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => readMigration(folder, name))
}

export type History = {
  /** Still to be applied. */
  readonly pending: readonly Migration[]
  /** Applied by a newer version, and compatible with this one. */
  readonly newer: readonly string[]
}

/** Throws a StartupError when this version cannot work with the database. */
export function historyOf(migrations: readonly Migration[], applied: readonly Applied[]): History {
  const byName = new Map(applied.map((one) => [one.name, one]))
  for (const { name, finished } of applied) {
    if (!finished)
      throw new StartupError(
        `Migration ${name} failed half-way on this database. Repair it, then remove its row from _prisma_migrations.`,
      )
  }
  const newer = newerThan(migrations, applied)
  const changed = migrations.find(({ name, checksum }) => byName.has(name) && byName.get(name)?.checksum !== checksum)
  if (changed)
    throw new StartupError(
      `Migration ${changed.name} was changed after it was applied. Restore its file and add a new migration instead.`,
    )
  return { pending: migrations.filter(({ name }) => !byName.has(name)), newer }
}

/** Returns the names that this version does not know. Throws a StartupError when one of them is not compatible. */
export function newerThan(
  migrations: readonly Pick<Migration, 'name'>[],
  applied: readonly Pick<Applied, 'name' | 'declaration'>[],
): readonly string[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !known.has(name))
  const blocking = unknown.filter(({ declaration }) => !declaration?.startsWith('compatible:'))
  if (blocking.length === 0) return unknown.map(({ name }) => name)
  throw new StartupError(
    `The database was migrated by a newer version (${blocking.map(({ name }) => name).join(', ')}), and this one cannot work on it any more. Run the newer version, or restore the backup that was made before its migration.`,
  )
}

function readMigration(folder: string, name: string): Migration {
  const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
  return { name, sql, checksum: hash('sha256', sql), declaration: declarationIn(sql) }
}

const declarationIn = (sql: string): string | null => /^-- ((?:in)?compatible: .+)/.exec(sql)?.[1] ?? null
