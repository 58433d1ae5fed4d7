// Every filter with every sort, on tables that are large: an index leads to the rows, whatever the workspace's share.
import { beforeAll, afterAll, expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { conditionsFor } from '../../../service/collection/filters.ts'
import type { Collection, Fields } from '../../../service/collection/definition.ts'
import { keysOf, pageOf } from '../../../service/collection/pagination.ts'
import { withHidden, selectStatement } from '../../../service/collection/rows.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { largeTables, type LargeTables } from './large-tables.ts'

const largeRows = 10_000
const shown = new Set(['limit', 'cursor', 'sort', 'fields', 'expand', 'includeTotal'])

onPostgres(() => {
  let large: LargeTables
  beforeAll(async () => {
    large = await largeTables()
  }, 120_000)
  afterAll(() => large?.[Symbol.asyncDispose]())

  test.each(['projects', 'tasks', 'crm-entities', 'documents'])(
    'no list of %s reads a large table from end to end, and without a filter each page comes in its order out of an index',
    { timeout: 120_000 },
    async (segment) => {
      const collection = large.collections[segment]!
      const operation = operationNamed(`${segment}.list`)

      const scans: string[] = []
      const sorted: string[] = []
      for (const [name, filter] of filtersOf(operation, large)) {
        for (const sort of sortsOf(operation)) {
          const plan = await planOf(large, collection, filter, sort)
          scans.push(...scannedTables(large, plan).map((table) => `${name}, ${sort}: ${table}`))
          if (name === 'none' && rowsOf(plan).some((node) => node['Node Type'] === 'Sort')) sorted.push(sort)
        }
      }

      expect({ scans, sorted }).toEqual({ scans: [], sorted: [] })
    },
  )
})

/** One filter at a time, each with a value that rows have; and none. */
function filtersOf({ input }: Operation, { sampleOf }: LargeTables): [string, Fields][] {
  const names = Object.keys(input.properties).filter((name) => !shown.has(name))
  return [
    ['none', {}],
    ...names.map((name): [string, Fields] => [name, { [name]: sampleOf(name, input.properties[name]) }]),
  ]
}

const sortsOf = ({ input }: Operation): string[] =>
  (input.properties['sort'] as unknown as { items: { enum: string[] } }).items.enum

/** The large tables that the plan reads without an index. */
const scannedTables = ({ rows }: LargeTables, plan: Plan): string[] =>
  nodesOf(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan' && (rows[node['Relation Name'] ?? ''] ?? 0) > largeRows)
    .map((node) => node['Relation Name'] ?? '')

async function planOf(large: LargeTables, collection: Collection, filter: Fields, sort: string): Promise<Plan> {
  const keys = keysOf(collection.sorts, [sort])
  const { all } = await conditionsFor(collection, filter, large.call)
  const paging = { limit: 50, field: '', descending: false, after: null, query: '' }
  const [row] = await large.db.$queryRaw<{ 'QUERY PLAN': { Plan: Plan }[] }[]>`
    EXPLAIN (FORMAT JSON) ${selectStatement(withHidden(collection), pageOf(all, keys, paging))}`
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error('There is no plan')
  return plan
}

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Parent Relationship'?: string
  readonly Plans?: readonly Plan[]
}
/** Without what is read for each row, such as its links. */
const rowsOf = (plan: Plan): Plan[] =>
  plan['Parent Relationship'] === 'SubPlan' ? [] : [plan, ...(plan.Plans ?? []).flatMap(rowsOf)]
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
