import { expect, test } from 'vitest'
import { deleteOutdatedAnswers } from '../../service/execution/idempotency.ts'
import { freshDatabase, type DatabaseKind } from '../support/database.ts'
import { analyzeGrown } from '../../service/background-work.ts'
import type { Database } from '#prisma/client.ts'
import { workspaceRow } from '../prisma/rows.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'

test('kept answers are deleted when their time is over, and not before', async () => {
  await using database = await freshDatabase('pglite')
  const now = new Date()
  const record = (key: string, ageHours: number) => ({
    callerId: 'c',
    workspaceId: 'w',
    operation: 'projects.create',
    key,
    fingerprint: Buffer.alloc(32),
    createdAt: new Date(now.getTime() - ageHours * 3_600_000),
  })
  await database.db.idempotencyRecord.createMany({
    data: [record('young', 23), record('old', 25), record('older', 100)],
  })

  expect(await deleteOutdatedAnswers(database.db, now)).toBe(2)
  expect(await database.db.idempotencyRecord.findMany({ select: { key: true } })).toEqual([{ key: 'young' }])
})

// The planner learns of an import before autovacuum tells it, and in the embedded database, which has none.

const kinds: DatabaseKind[] = services().postgres === null ? ['pglite'] : ['pglite', 'postgres']

test.each(kinds)('a table that has grown is analyzed once, and again when it has doubled, on %s', async (kind) => {
  await using database = await freshDatabase(kind)
  const { db } = database
  await db.$executeRaw`ALTER TABLE member SET (autovacuum_enabled = off)`
  const { id } = await db.workspace.create({ data: workspaceRow() })
  await addMembers(db, id, 1, 1_000)
  await eventually(async () => (await written(db)) >= 1_000, 'what was written')
  expect(await analyzeGrown(db)).toEqual([])

  await addMembers(db, id, 1_001, 4_000)

  expect(await eventually(() => analyzed(db), 'a table that has grown')).toEqual(['member'])
  expect(await known(db)).toBe(4_000)
  expect(await analyzeGrown(db)).toEqual([])
  await addMembers(db, id, 4_001, 9_000)
  expect(await eventually(() => analyzed(db), 'a table that has doubled')).toEqual(['member'])
  expect(await known(db)).toBe(9_000)
})

test.skipIf(services().postgres === null)('what belongs to another role is left alone', async () => {
  await using database = await freshDatabase('postgres')
  const { db } = database
  await db.$executeRaw`ALTER TABLE member SET (autovacuum_enabled = off)`
  const { id } = await db.workspace.create({ data: workspaceRow() })
  await addMembers(db, id, 1, 4_000)
  await eventually(async () => (await written(db)) >= 4_000, 'what was written')
  const role = `reader_${id.replaceAll('-', '')}`
  await db.$executeRawUnsafe(`CREATE ROLE ${role}`)

  const asReader = db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(`SET LOCAL ROLE ${role}`)
    const grown = await analyzeGrown(tx)
    await tx.$executeRawUnsafe('RESET ROLE')
    return grown
  })

  expect(await asReader).toEqual([])
  await db.$executeRawUnsafe(`DROP ROLE ${role}`)
  expect(await eventually(() => analyzed(db), 'a table that has grown')).toEqual(['member'])
})

/** What a session has written is counted a moment later. */
const analyzed = async (db: Database): Promise<string[] | null> => {
  const names = await analyzeGrown(db)
  return names.length === 0 ? null : names
}

/** How many rows there are by the counters that tell what has grown. */
async function written(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ rows: number }[]>`
    SELECT n_live_tup::int AS rows FROM pg_stat_user_tables WHERE relname = 'member'`
  return row?.rows ?? 0
}

async function known(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<
    { rows: number }[]
  >`SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'member'`
  return row?.rows ?? 0
}

async function addMembers(db: Database, workspaceId: string, from: number, to: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO member (workspace_id, id, name, email, role, status, version, created_at, updated_at, created_by, updated_by)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), 'M', 'm' || n || '@example.com', 'member', 'active', 1, now(), now(), '{}', '{}'
    FROM generate_series(${from}::int, ${to}::int) AS n`
}
