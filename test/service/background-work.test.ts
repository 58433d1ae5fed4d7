import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { analyzeGrown } from '../../service/background-work.ts'
import { deleteOutdatedAnswers } from '../../service/execution/idempotency.ts'
import { workspaceRow } from '../prisma/rows.ts'
import { freshDatabase } from '../support/database.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { eventually } from '../support/eventually.ts'

test('kept answers are deleted when their time is over, and not before', async () => {
  await using database = await freshDatabase('pglite')
  const { db } = database
  const now = new Date()
  const record = (key: string, ageHours: number) => {
    const createdAt = new Date(now.getTime() - ageHours * 3_600_000)
    const of = { callerId: 'c', workspaceId: 'w', operation: 'projects.create' }
    return { ...of, key, fingerprint: Buffer.alloc(32), createdAt }
  }
  await db.idempotencyRecord.createMany({ data: [record('young', 23), record('old', 25), record('older', 100)] })

  expect(await deleteOutdatedAnswers(db, now)).toBe(2)
  expect(await db.idempotencyRecord.findMany({ select: { key: true } })).toEqual([{ key: 'young' }])
})

// The planner learns of an import before autovacuum tells it, and in the embedded database, which has none.
onEachEngine((kind) => {
  test('a table that has grown is analyzed once, and again when it has doubled; not one of another role', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    await db.$executeRaw`ALTER TABLE member SET (autovacuum_enabled = off)`
    const { id } = await db.workspace.create({ data: workspaceRow() })
    await addMembers(db, id, 1, 1_000)
    await eventually(async () => (await written(db)) >= 1_000, 'what was written')
    expect(await analyzeGrown(db)).toEqual([])

    await addMembers(db, id, 1_001, 4_000)
    await eventually(async () => (await written(db)) >= 4_000, 'what was written')
    if (kind === 'postgres') expect(await analyzedByAnother(db)).toEqual([])

    expect(await eventually(() => analyzed(db), 'a table that has grown')).toEqual(['member'])
    expect(await known(db)).toBe(4_000)
    expect(await analyzeGrown(db)).toEqual([])
    await addMembers(db, id, 4_001, 9_000)
    expect(await eventually(() => analyzed(db), 'a table that has doubled')).toEqual(['member'])
    expect(await known(db)).toBe(9_000)
  })
})

/** As a role that owns no table. */
async function analyzedByAnother(db: Database): Promise<string[]> {
  const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`
  await db.$executeRawUnsafe(`CREATE ROLE ${role}`)
  const grown = await db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(`SET LOCAL ROLE ${role}`)
    return analyzeGrown(tx)
  })
  await db.$executeRawUnsafe(`DROP ROLE ${role}`)
  return grown
}

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
  const [row] = await db.$queryRaw<{ rows: number }[]>`
    SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'member'`
  return row?.rows ?? 0
}

async function addMembers(db: Database, workspaceId: string, from: number, to: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO member (workspace_id, id, name, email, role, status, version, created_at, updated_at, created_by, updated_by)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), 'M', 'm' || n || '@example.com', 'member', 'active', 1, now(), now(), '{}', '{}'
    FROM generate_series(${from}::int, ${to}::int) AS n`
}
