// What runs for every delivery reads the partition of its event and no other, and none as a whole. Counted by Postgres
// itself: which indexes were looked at, and which tables were read from end to end.
import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { deliveryLoader } from '../../dispatcher/queue/load-delivery.ts'
import { expirer } from '../../dispatcher/queue/postpone-and-expire.ts'
import { beforeAllWebhooks, claimForWebhooks, claimSpan, oldestDueSeconds } from '../../dispatcher/queue/claim-rows.ts'
import { recordInterrupted, releaseLeases } from '../../dispatcher/queue/leases.ts'
import { advanceHeadsAfter } from '../../dispatcher/queue/ordering-rows.ts'
import { writeResultRows } from '../../dispatcher/results/rows.ts'
import { readFeed } from '../../service/ledger/feed.ts'
import { freshDatabase } from '../support/database.ts'
import { onPostgres } from '../support/database-engines.ts'
import { fanOutAs, leasedAgain, me, result } from './leased.ts'
import { keepPartitions, noReceiver, stageOn, type Rows } from './stage.ts'

const dayMs = 86_400_000
const rowsEach = 1_000

onPostgres(() => {
  test('fan-out, loading, leases and results read one partition each, claims ask the index of each', async () => {
    await using database = await freshDatabase('postgres', { connections: 1, byIndexOnly: true })
    const { db } = database
    const rows = await stageOn(db)
    const webhookId = await rows.webhook({ url: noReceiver })
    const now = Date.now()
    for (const days of [0, 20, 40, 60]) await keepPartitions(db, now + days * dayMs)
    const filled = [0, 30, 44, 58].map((days) => now + days * dayMs)
    await fill(rows, webhookId, filled)
    const createdAt = new Date(now + 45 * dayMs)
    const fannedOut = async () => (await fanOutAs(db, me, [await rows.event({ createdAt })])).leased
    const parts = (found: readonly string[]) => [...new Set(found.map((name) => name.replace(/^\w+?_/, '')))]
    const of = async (work: () => Promise<unknown>) => parts(await touched(db, work))
    const [home = ''] = parts(await touched(db, fannedOut))
    const load = deliveryLoader(db, me).load
    const loaded = async () => (await load((await fannedOut())[0]!))!

    expect(home).toMatch(/^\d{8}$/)
    expect(await of(loaded)).toEqual([home])
    for (const kind of ['delivered', 'retry', 'dead'] as const) {
      const delivery = await loaded()
      expect(await of(() => writeResultRows(db, me, [result(delivery, kind)]))).toEqual([home])
    }
    for (const act of [releaseLeases, recordInterrupted]) {
      const keys = [await loaded(), await loaded()]
      expect(await of(() => act(db, me, keys))).toEqual([home])
    }
    const [leased] = await fannedOut()
    expect(await of(() => expirer(db, me)(leased!))).toEqual([home])

    const claimant = { owner: me, takesOver: true }
    const capacity = { free: 10, perWebhook: 10, known: new Map() }
    const all = [
      () => claimSpan(db, claimant, capacity, beforeAllWebhooks),
      () => claimForWebhooks(db, claimant, capacity, [webhookId]),
      () => oldestDueSeconds(db),
      () => advanceHeadsAfter(db, { webhookId: beforeAllWebhooks, key: beforeAllWebhooks }),
      () => readFeed(db, rows.workspaceId, { after: 10, types: ['x'], limit: 10 }),
    ]
    for (const work of all) expect((await touched(db, work)).filter((name) => name.endsWith(wholly))).toEqual([])
  })
})

const wholly = ' (read from end to end)'

/** The partitions whose indexes were used meanwhile, or that were read without one. */
async function touched(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  const before = await scans(db)
  await work()
  const after = await scans(db)
  return after.flatMap(({ name, whole, byIndex }) => {
    const earlier = before.find((one) => one.name === name)
    if (whole > (earlier?.whole ?? 0)) return [name + wholly]
    return byIndex > (earlier?.byIndex ?? 0) ? [name] : []
  })
}

/** There is one connection, whose own counts are told before the next statement. */
async function scans(db: Database) {
  await db.$queryRaw`SELECT 1 AS told FROM pg_stat_force_next_flush()`
  return db.$queryRaw<{ name: string; whole: number; byIndex: number }[]>`
    SELECT relname AS name, seq_scan::int AS whole, coalesce(idx_scan, 0)::int AS "byIndex" FROM pg_stat_user_tables
    WHERE relname ~ '^(event|delivery|attempt)_(first|default|[0-9]+)$'`
}

async function fill({ db, workspaceId }: Rows, webhookId: string, times: readonly number[]): Promise<void> {
  for (const [at, time] of times.entries()) {
    const ids = `lpad(to_hex(${time} + n), 12, '0') || lpad(to_hex(n), 20, '7')`
    await db.$executeRawUnsafe(`
      INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at)
      SELECT '${workspaceId}', (${ids})::uuid, ${at * rowsEach} + n, 'x', gen_random_uuid(), '{}', '{}', to_timestamp(${time} / 1000.0)
      FROM generate_series(1, ${rowsEach}) n`)
    await db.$executeRawUnsafe(`
      INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at)
      SELECT '${workspaceId}', (${ids})::uuid, (${ids})::uuid, 'x', '${webhookId}', 'delivered', 'live', 3, to_timestamp(${time} / 1000.0)
      FROM generate_series(1, ${rowsEach}) n`)
  }
  await db.eventSequence.update({ where: { workspaceId }, data: { last: times.length * rowsEach } })
  await db.$executeRawUnsafe('ANALYZE event, delivery, attempt')
}

// A partition is empty when it is made, and so it is when a dispatcher's statements on it are planned. The plans are
// kept while it grows: none may read more of an index than the rows of its batch.

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Identifiers come as the two ends of a span, which leaves out no partition then. */
function widest(types: readonly string[]): string[] {
  const ends = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  let seen = 0
  return types.map((type) => (type === 'uuid' ? `'${ends[seen++ % 2]}'` : 'NULL'))
}

onPostgres(() => {
  test('in a new partition results, leases, loading and fan-out look up each delivery by its key', async () => {
    await using database = await freshDatabase('postgres', { connections: 1 })
    const { db } = database
    const rows = await stageOn(db)
    await rows.webhook({ url: noReceiver })
    for (const kind of ['delivered', 'retry', 'dead'] as const)
      await writeResultRows(db, me, [result(await leasedAgain(rows), kind)])
    await releaseLeases(db, me, [await leasedAgain(rows)])
    await recordInterrupted(db, me, [await leasedAgain(rows)])

    // What was sent on the only connection, as it is planned for any values.
    const statements = await db.$queryRaw<{ name: string; statement: string; types: string[] }[]>`
      SELECT name, statement, parameter_types::text[] AS types FROM pg_prepared_statements
      WHERE statement ~ '(UPDATE|FROM|JOIN) delivery' AND statement !~ 'pg_prepared_statements'`
    await db.$executeRawUnsafe('SET plan_cache_mode = force_generic_plan')
    const nodes: Plan[] = []
    for (const { name, types } of statements) {
      const explained = await db.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
        `EXPLAIN (FORMAT JSON) EXECUTE ${name}(${widest(types).join(', ')})`,
      )
      nodes.push(...explained.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)))
    }
    const ofDelivery = nodes.filter((node) => String(node['Relation Name']).startsWith('delivery_'))
    const scans = ofDelivery.filter((node) => String(node['Node Type']).endsWith('Scan'))

    // Two of results, loading, leases, interrupted attempts.
    expect(statements).toHaveLength(5)
    expect(scans.length).toBeGreaterThanOrEqual(statements.length)
    for (const { 'Index Cond': by } of scans) expect(by).toMatch(/workspace_id = .*\bid = /)
  })
})
