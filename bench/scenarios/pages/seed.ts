// A large table of tasks, made by SQL as fast as it goes: without indexes but the primary key, which are put back as
// the migrations made them. The rows of all workspaces are mixed, as in a real table.
import { statfs } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import type { Database, Query } from '../../product/database.ts'

export type Seeded = { readonly seconds: number; readonly bytes: number; readonly leftOut: readonly string[] }

const chunkRows = 250_000
/** With all indexes, and what the log of a checkpoint takes meanwhile. */
const bytesPerRow = 2_000
/** The indexes for searching take as long as all others together; those that do not make it are left out. */
const indexesWithinMs = 12 * 60_000

export async function seedTasks(database: Database, workspaces: number, rows: number): Promise<Seeded> {
  const startedAt = performance.now()
  const tell = (what: string) => console.error(`${Math.round((performance.now() - startedAt) / 1_000)} s: ${what}`)
  const leftOut = await database.session(async (query) => {
    await assertSpace(query, rows)
    // Foreign keys are not checked: all references exist.
    await query(
      `SET session_replication_role = replica; SET synchronous_commit = off; SET maintenance_work_mem = '1GB'`,
    )
    const indexes = await dropIndexes(query)
    for (let made = 0; made < rows; made += chunkRows) {
      const until = Math.min(rows, made + chunkRows)
      await query(tasksText, [made / workspaces, Math.floor(until / workspaces) - 1])
      tell(`${until.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')} tasks`)
    }
    const missed = await createIndexes(query, indexes, startedAt + indexesWithinMs, tell)
    await query('SET statement_timeout = 0')
    // From here on the table is only read. A vacuum during the measurement would be measured as well.
    await query('ALTER TABLE task SET (autovacuum_enabled = off)')
    await query('VACUUM (ANALYZE) task')
    await query('CHECKPOINT')
    tell('analysed')
    return missed
  })
  const { bytes } = await database.look<{ bytes: number }>(`SELECT pg_total_relation_size('task')::float8 AS bytes`)
  return { seconds: (performance.now() - startedAt) / 1_000, bytes, leftOut }
}

type Index = { readonly name: string; readonly definition: string }

async function dropIndexes(query: Query): Promise<Index[]> {
  const indexes = await query<Index>(`SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = 'public' AND tablename = 'task' AND indexname <> 'task_pkey'
    ORDER BY indexdef LIKE '%USING gin%', indexname`)
  for (const { name } of indexes) await query(`DROP INDEX ${name}`)
  return indexes
}

/** Returns the names of the indexes that there was no time for. */
async function createIndexes(
  query: Query,
  indexes: readonly Index[],
  until: number,
  tell: (what: string) => void,
): Promise<string[]> {
  const missed: string[] = []
  for (const { name, definition } of indexes) {
    const isForSearch = definition.includes('USING gin')
    await query(`SET statement_timeout = ${isForSearch ? Math.max(1, Math.round(until - performance.now())) : 0}`)
    const made = await query(definition).then(
      () => true,
      (error: unknown) => {
        if (isForSearch && (error as { code?: string }).code === timedOut) return false
        throw error
      },
    )
    if (!made) missed.push(name)
    tell(`${name}${made ? '' : ' left out'}`)
  }
  return missed
}

const timedOut = '57014'

/** The free disk space is known only if the server is this machine. */
async function assertSpace(query: Query, rows: number): Promise<void> {
  const [{ folder } = { folder: '' }] = await query<{ folder: string }>(
    `SELECT current_setting('data_directory') AS folder`,
  )
  const disk = await statfs(folder).catch(() => null)
  if (disk === null || disk.bavail * disk.bsize > rows * bytesPerRow) return
  const [needed, free] = [rows * bytesPerRow, disk.bavail * disk.bsize].map((bytes) => Math.ceil(bytes / 2 ** 30))
  throw new Error(`${rows} tasks may need ${needed} GiB, and Postgres has ${free} left: ask for fewer with --rows.`)
}

// Row n of a workspace was created n seconds after the first; it was changed, is called and is due in orders of their
// own.
const tasksText = `
  INSERT INTO task (workspace_id, id, project_id, number, title, description, status, priority, labels, due_date, position,
    completed_at, version, created_at, updated_at, created_by, updated_by)
  SELECT w.id, (lpad(to_hex(1767225600000 + n * 1000), 12, '0') || '7' || substr(mix, 1, 3) || '8' || substr(mix, 4, 15))::uuid,
    w.projects[1 + n % 10], n / 10 + 1, words[1 + n * 7 % 16] || ' ' || words[1 + n / 16 % 16] || ' ' || mix, 'Made for measuring pages.',
    statuses[1 + n % 6], 'none', CASE WHEN n % 3 = 0 THEN ARRAY['bench'] ELSE '{}' END,
    CASE WHEN n % 4 = 0 THEN NULL ELSE date '2026-01-01' + (n * 31 % 365)::int END, n * 1024,
    CASE WHEN n % 6 = 4 THEN created END, 1, created,
    timestamptz '2027-01-01 00:00Z' + n * 7919 % 1000003 * interval '1 second', actor, actor
  FROM generate_series($1::bigint, $2::bigint) n,
    (SELECT workspace_id AS id, array_agg(id ORDER BY id) AS projects FROM project GROUP BY workspace_id) w,
    LATERAL (SELECT md5(n || w.id::text) AS mix, timestamptz '2026-01-01 00:00Z' + n * interval '1 second' AS created) row,
    (SELECT '{"type": "api_key", "id": "bench", "name": "Bench"}'::jsonb AS actor,
      ARRAY['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] AS statuses,
      string_to_array('Call Check Close Draft File Finish Mend Order Paint Plan Print Review Sell Ship Test Write', ' ') AS words) given`
