import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { analyzeGrown } from '../../service/background-work.ts'
import { workspaceRow } from '../prisma/rows.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

// The planner learns of an import before autovacuum tells it, and in the embedded database, which has none.
onEachEngine((kind) => {
  test('a table that has grown is analyzed once, and again when it has doubled; not one of another role', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    await db.$executeRaw`ALTER TABLE member SET (autovacuum_enabled = off)`
    const { id } = await db.workspace.create({ data: workspaceRow() })
    const add = async (from: number, to: number) => {
      await addMembers(db, id, from, to)
      await eventually(async () => (await counted(db)).written >= to, 'what was written')
    }
    await add(1, 1_000)
    expect(await analyzeGrown(db)).toEqual([])

    await add(1_001, 4_000)
    if (kind === 'postgres') expect(await analyzedByAnother(db)).toEqual([])

    expect(await eventually(() => analyzed(db), 'a table that has grown')).toEqual(['member'])
    expect(await counted(db)).toMatchObject({ known: 4_000 })
    expect(await analyzeGrown(db)).toEqual([])
    await add(4_001, 9_000)
    expect(await eventually(() => analyzed(db), 'a table that has doubled')).toEqual(['member'])
    expect(await counted(db)).toMatchObject({ known: 9_000 })
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

/** How many rows there are by the counters that tell what has grown, and as the planner knows. */
async function counted(db: Database) {
  const [row] = await db.$queryRaw<{ written: number; known: number }[]>`
    SELECT n_live_tup::int AS written, reltuples::int AS known FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = relid
    WHERE s.relname = 'member'`
  return row!
}

async function addMembers(db: Database, workspaceId: string, from: number, to: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO member (workspace_id, id, name, email, role, status, version, created_at, updated_at, created_by, updated_by)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), 'M', 'm' || n || '@example.com', 'member', 'active', 1, now(), now(), '{}', '{}'
    FROM generate_series(${from}::int, ${to}::int) AS n`
}
