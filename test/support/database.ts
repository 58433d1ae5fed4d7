// A migrated database of a test's own, made by copying one that was migrated before: a template on Postgres, a dump for
// PGlite. Both are named after the migrations, so they serve later runs too and never an outdated one.
import { hash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { openDatabase, type OpenedDatabase } from '#prisma/client.ts'
import { readMigrations, migrate } from '#prisma/migrate.ts'
import type { Postgres } from '#prisma/pool.ts'
import { createPglite } from '#prisma/pglite.ts'
import { run } from './run-program.ts'
import { services } from './services.ts'
import { watchStatements } from './tenancy/watch-statements.ts'

watchStatements()

export type DatabaseKind = 'postgres' | 'pglite'
export type FreshDatabase = AsyncDisposable & OpenedDatabase & { url?: string }

const templateLockKey = 4_205_117
export const connectionsOfTests = 5
/** Other tests run at the same time: a database that is slow to answer is not away. */
export const silenceOfBusyMachineMs = 20_000
const standard = { connections: connectionsOfTests, silenceMs: silenceOfBusyMachineMs }

type Options = Partial<Omit<Postgres, 'url'>> & { readonly traced?: boolean }

export async function freshDatabase(kind: DatabaseKind, options: Options = {}): Promise<FreshDatabase> {
  if (kind === 'pglite') return disposable(await openDatabase({ pglite: await freshPglite() }, options))
  return opened(await freshPostgres(), options)
}

async function opened({ url, drop }: Made, options: Options = {}): Promise<FreshDatabase> {
  const database = await openDatabase({ url, ...standard, ...options }, options)
  return { ...disposable({ ...database, close: () => database.close().then(drop) }), url }
}

type Made = { url: string; drop(): Promise<void> }

/** Migrated, and not opened by Prisma. */
export async function freshPostgres(): Promise<Made> {
  const template = await templateDatabase()
  return create(async () => `TEMPLATE ${template}`)
}

/** Without any table. In its locale, such as `tr-TR`, or in that of the server. */
export const emptyPostgres = (locale?: string): Promise<Made> =>
  create(async (admin) => (locale === undefined ? '' : inLocale(admin, locale)))

async function create(how: (admin: Client) => Promise<string>): Promise<Made> {
  const name = `wia_test_${randomUUID().replaceAll('-', '')}`
  await administer(async (admin) => admin.query(`CREATE DATABASE ${name} ${await how(admin)}`))
  return { url: urlOf(name), drop: () => dropDatabase(name) }
}

/** Migrated in a database of its own locale, from the first migration to the last. */
export async function localizedDatabase(locale: string): Promise<FreshDatabase> {
  const made = await emptyPostgres(locale)
  await migrate({ url: made.url })
  return opened(made)
}

/** The locale of the operating system; where it has none of this name, that of ICU, which is the database's as well. */
async function inLocale(admin: Client, locale: string): Promise<string> {
  const [fromTemplate, ofSystem] = [`TEMPLATE template0 ENCODING 'UTF8'`, `${locale.replace('-', '_')}.utf8`]
  if (locale === 'C') return `${fromTemplate} LOCALE 'C'`
  const ofThatName = `SELECT 1 FROM pg_collation WHERE collprovider = 'c' AND collname = $1`
  const { rowCount } = await admin.query(ofThatName, [ofSystem])
  return rowCount === 0
    ? `${fromTemplate} LOCALE_PROVIDER icu ICU_LOCALE '${locale}' LOCALE 'C'`
    : `${fromTemplate} LOCALE '${ofSystem}'`
}

/** It clears its buffers one by one when it starts, and holds them as long as nobody collects it: tests need few. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

export async function freshPglite(): Promise<PGlite> {
  return createPglite({ loadDataDir: new Blob([readFileSync(await migratedDump())]), startParams })
}

/** A data folder for a process of its own, which finds nothing left to migrate. */
export async function freshDataFolder(folder: string): Promise<void> {
  const { code, output } = await run(folder, 'tar', ['-xf', await migratedDump(), '--one-top-level=database'], {})
  if (code !== 0) throw new Error(`The dump could not be unpacked: ${output}`)
}

async function migratedDump(): Promise<string> {
  const file = join(tmpdir(), `wia-pglite-${versionOfMigrations()}.tar`)
  if (!existsSync(file)) await dumpMigrated(file)
  return file
}

// Renamed into place, so that nobody reads half of it; two makers make the same.
async function dumpMigrated(file: string): Promise<void> {
  const pglite = await createPglite()
  await migrate({ pglite })
  // Those that a new database would be copied from: a third of all files, which each test's own would read in vain.
  await pglite.exec('UPDATE pg_database SET datistemplate = false WHERE datname <> current_database()')
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`)
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  const half = `${file}.${process.pid}`
  writeFileSync(half, await dump.bytes())
  renameSync(half, file)
}

let template: Promise<string> | null = null
const templateDatabase = (): Promise<string> => (template ??= findOrMakeTemplate())

async function findOrMakeTemplate(): Promise<string> {
  const name = `wia_template_${versionOfMigrations()}`
  await administer(async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [templateLockKey])
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await makeTemplate(admin, name)
  })
  return name
}

// Under its last name only when it is whole: a run that was killed half-way leaves no template.
async function makeTemplate(admin: Client, name: string): Promise<void> {
  const half = `${name}_half`
  await admin.query(`DROP DATABASE IF EXISTS ${half} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${half}`)
  await migrate({ url: urlOf(half) })
  await admin.query(`ALTER DATABASE ${half} RENAME TO ${name}`)
}

async function administer<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: serverUrl() })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

const dropDatabase = async (name: string): Promise<void> =>
  void (await administer((admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))

function versionOfMigrations(): string {
  const migrations = readMigrations().map(({ name, checksum }) => name + checksum)
  return hash('sha256', migrations.join()).slice(0, 12)
}

const urlOf = (database: string): string => Object.assign(new URL(serverUrl()), { pathname: `/${database}` }).href

function serverUrl(): string {
  const { postgres } = services()
  if (postgres === null) throw new Error('This test needs Postgres: skip it where there is none')
  return postgres
}

const disposable = (open: OpenedDatabase): FreshDatabase => ({ ...open, [Symbol.asyncDispose]: open.close })
