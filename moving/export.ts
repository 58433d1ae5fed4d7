// `npm run export`: an installation, or one workspace of it, as a folder. All rows are of one moment: one transaction
// reads them. An export that was broken off goes on: a table that is in the folder is compared with the database, and
// written anew where it is another one now.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readInstallationRow, type InstallationRow } from './installation.ts'
import type { Session } from '#prisma/sql-session.ts'
import { StartupError } from '#runtime/process.ts'
import { diskStore } from '../service/files/store.ts'
import {
  fileOf,
  filesIn,
  formatVersion,
  prepareFolder,
  writeManifest,
  writeProgress,
  writeTable,
  type Manifest,
  type Progress,
  type TableInArchive,
} from './archive.ts'
import { blobsIn, copyFiles, sizeOf } from './files.ts'
import { ownMigration, runningProcesses, type Place } from './place.ts'
import type { ProgressReport } from './progress.ts'
import { countRows, readRows, sumOf, type Lines, type Sum } from './rows.ts'
import { keysNeeded } from './sealed-values.ts'
import type { ExportOptions } from './settings.ts'
import { readTables, type Scope, type Table } from './tables.ts'

/** The export is for its owner alone, also what is in its folders. */
const ownerOnlyMask = 0o077

/** Throws a StartupError where the source is not as it must be. */
export async function exportTo(...given: Parameters<typeof write>): Promise<Manifest> {
  const mask = process.umask(ownerOnlyMask)
  try {
    return await write(...given)
  } finally {
    process.umask(mask)
  }
}

async function write(place: Place, options: ExportOptions, report: ProgressReport): Promise<Manifest> {
  const { session } = place
  const { folder, workspaceId, whileRunning } = options
  const running = await runningProcesses(place)
  if (workspaceId === null && running.length > 0 && !whileRunning) throw stillRunning(running)
  const taken = await session.transaction(async () => {
    await session.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const scope = { workspaceId }
    if (workspaceId !== null) await assertSuspended(session, workspaceId)
    const installation = await readInstallationRow(session)
    const progress = progressOf(prepareFolder(folder), scope, installation, folder)
    writeProgress(folder, progress)
    const tables = await readTables(session, scope)
    return {
      ...progress,
      tables: await writeTables(session, { folder, scope, tables, progress }, report),
      sealedProof: installation?.proof ?? null,
      sealedWith: await keysNeeded(session, tables, scope),
      partitions: await session.query<Manifest['partitions'][number]>(partitionsOfEvents),
      sequences: workspaceId === null ? await readSequences(session) : [],
    }
  })
  const manifest: Manifest = {
    format: formatVersion,
    product: productVersion(),
    migration: ownMigration(),
    ...taken,
    whileRunning: workspaceId === null && running.length > 0,
    files: options.withFiles ? await writeFiles(place, folder, report) : null,
  }
  writeManifest(folder, manifest)
  return manifest
}

const stillRunning = (names: readonly string[]): StartupError =>
  new StartupError(
    `Processes use this database (${names.join(', ')}): stop them, so that the export has all that was done. With --while-running it is of this moment, and the target begins a new epoch, as after a restore from a backup.`,
  )

/** Callers are refused, and nothing is lost that somebody was told to be done. */
async function assertSuspended(session: Session, workspaceId: string): Promise<void> {
  const [found] = await session.query<{ suspended: boolean }>(
    'SELECT suspended_at IS NOT NULL AS suspended FROM workspace WHERE id = $1',
    [workspaceId],
  )
  if (found === undefined) throw new StartupError(`There is no workspace ${workspaceId} in this installation.`)
  if (!found.suspended)
    throw new StartupError(
      `The workspace ${workspaceId} is in use: suspend it first (npm run cli -- workspaces.update --id ${workspaceId} --suspended true), so that the export has all that was done in it.`,
    )
}

function progressOf(
  begun: Progress | null,
  { workspaceId }: Scope,
  installation: InstallationRow | null,
  folder: string,
): Progress {
  const identity = installation?.identity ?? null
  if (begun === null)
    return {
      exportId: randomUUID(),
      startedAt: new Date().toISOString(),
      installation: identity,
      workspaceId,
      tables: [],
    }
  if (begun.installation === identity && begun.workspaceId === workspaceId) return begun
  throw new StartupError(`The folder ${folder} holds a part of another export: name another one.`)
}

type Writing = {
  readonly folder: string
  readonly scope: Scope
  readonly tables: readonly Table[]
  readonly progress: Progress
}

async function writeTables(
  session: Session,
  { folder, scope, tables, progress }: Writing,
  report: ProgressReport,
): Promise<TableInArchive[]> {
  const written: TableInArchive[] = []
  for (const table of tables) {
    const { name, columns, isDerived } = table
    const rows = await countRows(session, table, scope)
    if (isDerived) {
      written.push({ name, columns, rows, sha256: '', file: null })
      continue
    }
    report.begin(name, rows)
    const read = (): Lines => reported(readRows(session, table, scope), report)
    const before = progress.tables.find((each) => each.name === name)
    const kept = before !== undefined && isSame(before, await sumOf(read()))
    const sum = kept ? before : await writeTable(folder, name, read())
    written.push({ name, columns, rows: sum.rows, sha256: sum.sha256, file: fileOf(name) })
    writeProgress(folder, { ...progress, tables: written })
    report.done(`${sum.rows} rows${kept ? ', as before' : ''}`)
  }
  return written
}

const isSame = (one: Sum, other: Sum): boolean => one.rows === other.rows && one.sha256 === other.sha256

async function* reported(lines: Lines, report: ProgressReport): Lines {
  for await (const some of lines) {
    yield some
    report.add(some.length)
  }
}

const partitionsOfEvents = `
  SELECT substr(c.relname, length('event_') + 1) AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'event'::regclass ORDER BY 1`

async function readSequences(session: Session): Promise<Manifest['sequences']> {
  const found = await session.query<{ table: string; column: string; sequence: string }>(
    `SELECT c.relname::text AS table, a.attname::text AS column,
       pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND c.relkind = 'r'
       AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL`,
  )
  const drawn: Manifest['sequences'][number][] = []
  for (const { table, column, sequence } of found) {
    const [state] = await session.query<{ last: string | null }>(
      `SELECT CASE WHEN is_called THEN last_value END::text AS last FROM ${sequence}`,
    )
    if (state?.last) drawn.push({ table, column, last: state.last })
  }
  return drawn
}

async function writeFiles({ files }: Place, folder: string, report: ProgressReport): Promise<Manifest['files']> {
  const size = await sizeOf(blobsIn(folder))
  report.begin('contents of files', size.bytes)
  await copyFiles(blobsIn(folder), files, diskStore(filesIn(folder)), report)
  report.done(`${size.count} files, ${size.bytes} bytes`)
  return size
}

const productVersion = (): string =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }).version
