// A ledger without partitions, with rows in it, is migrated while old processes go on.
import { v7 as uuid } from 'uuid'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { deliveryId } from '#contract/internal/webhook-request.ts'
import { openDatabase } from '#prisma/client.ts'
import { migrate, readMigrations } from '#prisma/migrate.ts'
import { openSession, type Session } from '#prisma/sql-session.ts'
import { readPartitions } from '../../service/ledger/partitions.ts'
import { emptyPostgres } from '../support/database.ts'
import { onPostgres } from '../support/database-engines.ts'
import { isWaiting } from '../support/database-locks.ts'
import { eventually } from '../support/eventually.ts'

const migrations = readMigrations()
const firstAt = migrations.findIndex(({ name }) => name.endsWith('_ledger_bound'))
const before = migrations.slice(0, firstAt)
const [workspaceId, webhookId] = [uuid(), uuid()]

onPostgres(() => {
  test('while an old process holds rows the migrator tries again; then all rows are there, and what is prepared goes on working', async () => {
    const { url, drop } = await emptyPostgres()
    await using undo = new AsyncDisposableStack()
    undo.defer(drop)
    await migrate({ url }, before)
    const session = await openSession({ url })
    undo.defer(session.close)
    const watching = await openDatabase({ url })
    undo.defer(watching.close)
    await insertAll(session, 3)
    const filesBefore = await indexFiles(session)
    const old = new Client({ connectionString: url })
    await old.connect()
    undo.defer(() => old.end())
    const prepared = (id: string) => ({
      name: 'one',
      text: 'UPDATE delivery SET tries = tries + 1 WHERE workspace_id = $1 AND id = $2 RETURNING *',
      values: [workspaceId, id],
    })
    const [first] = await session.query<{ id: string }>('SELECT id FROM delivery LIMIT 1')
    const id = first?.id ?? ''
    await old.query('BEGIN')
    await old.query(prepared(id))

    const migrated = migrate({ url })
    await eventually(() => isWaiting(watching.db), 'the migrator to wait for a lock')
    await eventually(async () => !(await isWaiting(watching.db)), 'the migrator to let others pass')
    await old.query('COMMIT')
    await migrated

    expect((await old.query(prepared(id))).rows).toMatchObject([{ id, tries: 3 }])
    await insertOne(session, 4)
    expect(await countsIn(session)).toEqual({ events: 4, deliveries: 4, attempts: 4, strayed: 0 })
    // None of them is built anew; migrations since then have added others.
    expect(await indexFiles(session)).toEqual(expect.arrayContaining([...filesBefore]))
    const { db } = watching
    expect(await readPartitions(db)).toMatchObject([{ name: 'first' }])
    expect(await db.delivery.count({ where: { workspaceId, webhookId } })).toBe(4)
    await db.event.deleteMany({ where: { workspaceId } })
    expect(await countsIn(session)).toEqual({ events: 0, deliveries: 0, attempts: 0, strayed: 0 })
  })
})

async function insertAll(session: Session, count: number): Promise<void> {
  await session.query(
    `INSERT INTO workspace (id, name, slug, time_zone, default_currency, sandbox, require_ip_allowlist, require_expiry,
                            allow_unbound_keys, version, created_at, updated_at)
     VALUES ($1, 'Acme', 'acme', 'UTC', 'EUR', false, false, false, false, 1, now(), now())`,
    [workspaceId],
  )
  await session.query(
    `INSERT INTO webhook (workspace_id, id, name, url, events, payload, status, version, created_at, updated_at, header_names,
                          created_by, updated_by)
     VALUES ($1, $2, 'Receiver', 'https://example.com/', '{*}', 'full', 'active', 1, now(), now(), '{}', '{}', '{}')`,
    [workspaceId, webhookId],
  )
  for (let n = 1; n <= count; n++) await insertOne(session, n)
}

/** As the release before wrote them. */
async function insertOne(session: Session, sequence: number): Promise<void> {
  const eventId = uuid()
  const id = deliveryId(eventId, webhookId)
  await session.query(
    `INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at)
     VALUES ($1, $2, $3, 'projects.created', $2, '{}', '{}', now())`,
    [workspaceId, eventId, sequence],
  )
  await session.query(
    `INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, tries, created_at)
     VALUES ($1, $2, $3, 'projects.created', $4, 'delivered', 'live', 3, 1, now()) ON CONFLICT DO NOTHING`,
    [workspaceId, id, eventId, webhookId],
  )
  await session.query(
    `INSERT INTO attempt (workspace_id, delivery_id, number, trigger, started_at, duration_ms, url, payload, request_headers,
                          truncated, outcome)
     VALUES ($1, $2, 1, 'automatic', now(), 1, '', 'full', '{}', false, 'success')`,
    [workspaceId, id],
  )
}

async function countsIn(session: Session) {
  const [counts] = await session.query<Record<string, number>>(`
    SELECT (SELECT count(*) FROM event)::int AS events, (SELECT count(*) FROM delivery)::int AS deliveries,
           (SELECT count(*) FROM attempt)::int AS attempts, (SELECT count(*) FROM event_default)::int AS strayed`)
  return counts
}

/** Of the indexes of what was there: one that is made anew has another file. */
/** But for the index of a later migration, which is new. */
async function indexFiles(session: Session): Promise<readonly number[]> {
  const rows = await session.query<{ file: number }>(`
    SELECT i.relfilenode::int8::int AS file FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relname ~ '^(event|delivery|attempt)(_first)?$' AND t.relkind = 'r' AND i.relname !~ 'resource_id' ORDER BY 1`)
  return rows.map(({ file }) => file)
}
