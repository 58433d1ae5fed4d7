// `npm run import`: fills an empty installation, or adds one workspace to an installation.
//
// - A whole installation is written in batches. Each is a transaction that also writes down how far it is, so that an
//   import which was broken off goes on. Until all of it was read back, no process starts on the database.
// - A workspace is written in one transaction, so that processes which run see all of it or nothing.
//
// Triggers do their work as for any other writer: they make the words of searches and the table of external ids. The
// counts of each workspace come last, as they are, when no trigger raises them any more.
import { diskStore } from '../service/files/store.ts'
import type { Session } from '#prisma/sql-session.ts'
import { beginEpoch, receiveWorkspace } from '#prisma/restore.ts'
import { StartupError } from '#runtime/process.ts'
import { assertIntact, filesIn, readManifest, readTable, type Manifest, type TableInArchive } from './archive.ts'
import { assertThere, blobsIn, copyFiles, sizeOf } from './files.ts'
import {
  assertKeys,
  assertOwnSecret,
  beginImport,
  endImport,
  movePosition,
  ownProof,
  readInstallationRow,
  readPosition,
  type Position,
} from './installation.ts'
import { ownMigration, runningProcesses, type Place } from './place.ts'
import type { ProgressReport } from './progress.ts'
import { countRows, insertRows, linkRows, readRows, sumOf } from './rows.ts'
import { resealAll, type Secrets } from './sealed-values.ts'
import { readTables, type Scope, type Table } from './tables.ts'

type Import = {
  readonly place: Place
  readonly folder: string
  readonly manifest: Manifest
  readonly secrets: Secrets
  readonly report: ProgressReport
}

/** Throws a StartupError where the export or the target is not as it must be. */
export async function importFrom(
  place: Place,
  folder: string,
  secrets: Secrets,
  report: ProgressReport,
): Promise<Manifest> {
  const manifest = readManifest(folder)
  if (manifest.migration !== ownMigration())
    throw new StartupError(
      `The export is of version ${manifest.product} with the migration ${manifest.migration}, and this version has ${ownMigration()}: bring the source up to this version and export again, or import with that version and migrate then.`,
    )
  assertKeys(manifest, secrets)
  const moved = { place, folder, manifest, secrets, report }
  await (manifest.workspaceId === null ? importInstallation(moved) : importWorkspace(moved, manifest.workspaceId))
  return manifest
}

async function importInstallation(moved: Import): Promise<void> {
  const { session } = moved.place
  const { exportId, whileRunning } = moved.manifest
  const scope = { workspaceId: null }
  const tables = tablesOf(moved.manifest, await readTables(session, scope))
  const position = await readPosition(session, exportId)
  if (position === null) await assertEmpty(moved.place, tables)
  await assertAllIntact(moved)
  if (position === null) await beginImport(session, exportId)
  await writeFiles(moved)
  await addPartitions(session, moved.manifest)
  await writeTables(moved, tables, position ?? { step: 0, rows: 0 })
  await asOne(session, () => verify(moved, tables, scope))
  await session.transaction(async () => {
    await goOnCounting(session, moved.manifest)
    await seal(moved, tables, scope)
    await ownProof(session, moved.secrets)
    if (whileRunning) await beginEpoch(session)
    await endImport(session)
  })
}

async function importWorkspace(moved: Import, workspaceId: string): Promise<void> {
  const { session } = moved.place
  const scope = { workspaceId }
  const installation = await readInstallationRow(session)
  if (installation === null)
    throw new StartupError('No process has been started on the target: start one, so that it is an installation.')
  assertOwnSecret(installation, moved.secrets)
  const tables = tablesOf(moved.manifest, await readTables(session, scope))
  await assertAbsent(moved, workspaceId)
  await assertAllIntact(moved)
  await announceFiles(moved, workspaceId)
  await writeFiles(moved)
  await session.transaction(async () => {
    await allowAll(session)
    await session.query('DELETE FROM file_blob WHERE workspace_id = $1', [workspaceId])
    for (const step of stepsOf(moved, tables)) {
      moved.report.begin(step.name, step.rows)
      for await (const lines of step.read()) await step.write(lines)
      moved.report.done(`${step.rows} rows`)
    }
    await verify(moved, tables, scope)
    await seal(moved, tables, scope)
    await receiveWorkspace(session, workspaceId)
  })
}

/** The tables of the target, as the export has them. */
function tablesOf({ tables: inArchive }: Manifest, tables: readonly Table[]): Table[] {
  return tables.map((table) => {
    const found = inArchive.find(({ name }) => name === table.name)
    if (found === undefined) throw new Error(`The export has no table ${table.name}`)
    return { ...table, columns: found.columns }
  })
}

async function assertEmpty(place: Place, tables: readonly Table[]): Promise<void> {
  const running = await runningProcesses(place)
  if (running.length > 0)
    throw new StartupError(`Processes use the target (${running.join(', ')}): stop them until the import has ended.`)
  for (const table of tables) {
    const rows = await countRows(place.session, table, { workspaceId: null })
    if (rows > 0)
      throw new StartupError(
        `The target is not empty: its table ${table.name} has ${rows} rows. Import into a database that was only migrated, and on which no process was started, or into a data folder that is not there.`,
      )
  }
}

async function assertAbsent({ place: { session }, folder, manifest }: Import, workspaceId: string): Promise<void> {
  const [same] = await session.query('SELECT FROM workspace WHERE id = $1', [workspaceId])
  if (same !== undefined)
    throw new StartupError(`The target has a workspace ${workspaceId} already: nothing was changed.`)
  for await (const [line = '{}'] of readTable(folder, inArchive(manifest, 'workspace').file ?? '')) {
    const { slug } = JSON.parse(line) as { slug: string }
    const [other] = await session.query('SELECT FROM workspace WHERE slug = $1', [slug])
    if (other !== undefined)
      throw new StartupError(
        `The target has another workspace with the slug ${slug}: give one of the two another slug first.`,
      )
  }
}

async function assertAllIntact({ folder, manifest, report }: Import): Promise<void> {
  report.begin('export', manifest.tables.length)
  for (const table of manifest.tables) {
    await assertIntact(folder, table)
    report.add(1)
  }
  report.done('intact')
}

/** Bytes that no row needs in a day are removed: those of an import that was given up. */
async function announceFiles({ place: { session }, folder }: Import, workspaceId: string): Promise<void> {
  for await (const { id } of blobsIn(folder))
    await session.query(
      `INSERT INTO file_blob (workspace_id, id, removable_at) VALUES ($1, $2, now() + interval '1 day')
       ON CONFLICT (workspace_id, id) DO UPDATE SET removable_at = excluded.removable_at`,
      [workspaceId, id],
    )
}

async function writeFiles({ place, folder, manifest, report }: Import): Promise<void> {
  const { count, bytes } = await sizeOf(blobsIn(folder))
  report.begin('contents of files', bytes)
  if (manifest.files === null) await assertThere(blobsIn(folder), place.files, report)
  else await copyFiles(blobsIn(folder), diskStore(filesIn(folder)), place.files, report)
  report.done(`${count} files, ${bytes} bytes`)
}

/** Those of the source that begin where the target has none. Events of other times are where they find room. */
async function addPartitions(session: Session, { partitions }: Manifest): Promise<void> {
  await session.transaction(async () => {
    for (const { name, bounds } of partitions) {
      const [, from] = /^FOR VALUES FROM \('([\da-f-]{36})'\)/.exec(bounds) ?? []
      if (from === undefined) continue
      const [taken] = await session.query<{ isTaken: boolean }>(isPartitionTaken, [from])
      if (taken?.isTaken === false) await session.query('SELECT add_ledger_partition($1, $2)', [name, bounds])
    }
  })
}

/** Partitions go on from each other, so one that ends later covers it, or a part of it. */
const isPartitionTaken = `
  SELECT EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'event'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO [(]''([0-9a-f-]*)''[)]')::uuid > $1::uuid) AS "isTaken"`

type Step = {
  readonly name: string
  readonly rows: number
  readonly read: () => ReturnType<typeof readTable>
  readonly write: (lines: readonly string[]) => Promise<void>
}

/** All rows of a table, then those that refer to others of it. */
function stepsOf({ place: { session }, folder, manifest, report }: Import, tables: readonly Table[]): Step[] {
  return tables.flatMap((table): Step[] => {
    const { file, rows } = inArchive(manifest, table.name)
    if (file === null) return []
    const step = (name: string, write: typeof insertRows): Step => ({
      name,
      rows,
      read: () => readTable(folder, file),
      write: async (lines) => {
        await write(session, table, lines)
        report.add(lines.length)
      },
    })
    const first = step(table.name, insertRows)
    return table.links.length === 0 ? [first] : [first, step(`${table.name}, references`, linkRows)]
  })
}

/** From the position on. */
async function writeTables(moved: Import, tables: readonly Table[], begun: Position): Promise<void> {
  const { place, report } = moved
  let position = begun
  async function move(to: Position, work: () => Promise<void>): Promise<void> {
    await place.session.transaction(async () => {
      await allowAll(place.session)
      await movePosition(place.session, position, to)
      await work()
    })
    position = to
  }
  for (const [at, step] of stepsOf(moved, tables).entries()) {
    if (at < begun.step) continue
    report.begin(step.name, step.rows)
    let read = 0
    for await (const lines of step.read()) {
      const left = lines.slice(Math.max(0, position.rows - read))
      read += lines.length
      if (left.length > 0) await move({ step: at, rows: read }, () => step.write(left))
    }
    await move({ step: at + 1, rows: 0 }, async () => {})
    report.done(`${step.rows} rows`)
  }
}

/** For this transaction: what was written before a rule, under rules of its time, comes along. */
const allowAll = (session: Session): Promise<void> => session.run(`SET LOCAL moving.import = 'on'`)

const asOne = (session: Session, work: () => Promise<void>): Promise<void> =>
  session.transaction(async () => {
    await session.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await work()
  })

/** Reads all rows back. Within a transaction. */
async function verify({ place: { session }, manifest, report }: Import, tables: readonly Table[], scope: Scope) {
  report.begin(
    'verified',
    manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  )
  for (const table of tables) {
    const { rows, sha256, file } = inArchive(manifest, table.name)
    const found =
      file === null
        ? { rows: await countRows(session, table, scope), sha256 }
        : await sumOf(readRows(session, table, scope), report.add)
    if (found.rows !== rows || found.sha256 !== sha256)
      throw new StartupError(
        `The table ${table.name} is not as in the export: it has ${found.rows} rows for ${rows}, or others. ${remedyOf(scope)}`,
      )
  }
  report.done(`${tables.length} tables are as in the export`)
}

const remedyOf = ({ workspaceId }: Scope): string =>
  workspaceId === null ? 'Make an empty database in place of this one, and import again.' : 'Nothing was changed.'

/** Numbers that were drawn are not drawn again. */
async function goOnCounting(session: Session, { sequences }: Manifest): Promise<void> {
  for (const { table, column, last } of sequences)
    await session.query('SELECT setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint)', [table, column, last])
}

async function seal({ place: { session }, secrets, report }: Import, tables: readonly Table[], scope: Scope) {
  report.begin('sealed secrets', 0)
  const { resealed, unopened } = await resealAll(session, tables, scope, secrets)
  const unreadable = unopened === 0 ? '' : `, ${unopened} open with none of the keys and are left as they are`
  report.done(`${resealed} sealed anew${unreadable}`)
}

function inArchive({ tables }: Manifest, name: string): TableInArchive {
  const found = tables.find((table) => table.name === name)
  if (found === undefined) throw new Error(`The export has no table ${name}`)
  return found
}
