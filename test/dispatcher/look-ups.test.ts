// A partition is empty when it is made, and so it is when a dispatcher's statements on it are planned. The plans are
// kept while it grows: none may read more of an index than the rows of its batch.
import { expect, test } from 'vitest'
import { deliveryLoader } from '../../dispatcher/queue/load-delivery.ts'
import { fanOut } from '../../dispatcher/fan-out/fan-out.ts'
import { waitingByIds } from '../../dispatcher/fan-out/rows.ts'
import { recordInterrupted, releaseLeases } from '../../dispatcher/queue/leases.ts'
import { writeResultRows } from '../../dispatcher/results/rows.ts'
import { freshDatabase } from '../support/database.ts'
import { services } from '../support/services.ts'
import { me, result } from './leased.ts'
import { stageOn } from './stage.ts'

type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Identifiers come as the two ends of a span, which leaves out no partition then. */
function widest(types: readonly string[]): string[] {
  const ends = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  let seen = 0
  return types.map((type) => (type === 'uuid' ? `'${ends[seen++ % 2]}'` : 'NULL'))
}

test.skipIf(services().postgres === null)(
  'in a new partition results, leases, loading and fan-out look up each delivery by its key',
  async () => {
    await using database = await freshDatabase('postgres', { connections: 1 })
    const { db } = database
    const rows = await stageOn(db)
    await rows.webhook({ url: 'http://127.0.0.1:1/' })
    const options = { owner: me, maxAttempts: 3, hasCapacity: () => true, hasSlot: () => true }
    const { load } = deliveryLoader(db, me)
    const loaded = async () => {
      const { leased } = await fanOut(db, waitingByIds([await rows.event()]), options)
      const delivery = leased[0] === undefined ? null : await load(leased[0])
      if (delivery === null) throw new Error('Nothing was leased')
      return delivery
    }
    for (const kind of ['delivered', 'retry', 'dead'] as const)
      await writeResultRows(db, me, [result(await loaded(), kind)])
    await releaseLeases(db, me, [await loaded()])
    await recordInterrupted(db, me, [await loaded()])

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
    const scans = nodes.filter(
      (node) => String(node['Relation Name']).startsWith('delivery_') && String(node['Node Type']).endsWith('Scan'),
    )

    // Two of results, loading, leases, interrupted attempts.
    expect(statements).toHaveLength(5)
    expect(scans.length).toBeGreaterThanOrEqual(statements.length)
    for (const { 'Index Cond': by } of scans) expect(by).toMatch(/workspace_id = .*\bid = /)
  },
)
