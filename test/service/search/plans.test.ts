// What is searched is found by its indexes, however many objects have the words.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v7 as uuid } from 'uuid'
import { collectionSegments, type CollectionSegment } from '#contract/scopes.ts'
import { eachCollection } from '../../../service/collection-list.ts'
import { searchStatement } from '../../../service/search/query.ts'
import { searchedKindsIn } from '../../../service/search/searched-kinds.ts'
import { services } from '../../support/services.ts'
import { largeTables, type LargeTables } from '../collection/large-tables.ts'

const kinds = searchedKindsIn(eachCollection)

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}
const tables = ['project', 'task', 'crm_entity', 'document']
const indexesIn = (nodes: readonly Plan[]) => nodes.map((node) => node['Index Name'])
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

describe.skipIf(services().postgres === null)('a search of 20,000 objects of each kind', () => {
  let large: LargeTables
  beforeAll(async () => {
    large = await largeTables()
  }, 120_000)
  afterAll(() => large?.[Symbol.asyncDispose]())

  async function planOf(q: string, segments: readonly CollectionSegment[] = collectionSegments): Promise<Plan[]> {
    const statement = searchStatement(kinds, { q }, segments, large.call.workspaceId)
    const [row] = await large.db.$queryRaw<{ 'QUERY PLAN': { Plan: Plan }[] }[]>`
      EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`
    const plan = row?.['QUERY PLAN'][0]?.Plan
    if (plan === undefined) throw new Error('There is no plan')
    return nodesOf(plan)
  }

  // The first two are in every title.
  test.each(['thing', 'th', 'thing 4711', 'thinf 12', 'nowhere', 'ABCDEFGHIJ', 'AAAAAB-7'])(
    'for %s reads no table from end to end, and finds words by their index',
    { timeout: 60_000 },
    async (q) => {
      const nodes = await planOf(q)

      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
      expect(indexesIn(nodes)).toEqual(expect.arrayContaining(tables.map((table) => `${table}_words_idx`)))
    },
  )

  describe('most of them in one workspace', () => {
    beforeAll(() => growDocuments(large), 120_000)

    test.each(['nowhere', '4711', 'noxhere'])(
      'for %s finds words and titles by their indexes alone',
      { timeout: 60_000 },
      async (q) => {
        const nodes = await planOf(q, ['documents'])

        expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
        expect(indexesIn(nodes)).toEqual(expect.arrayContaining(['document_words_idx', 'document_trigrams_idx']))
      },
    )
  })
})

/** To four times as many, in steps that a busy machine takes in time. */
async function growDocuments({ db, call }: LargeTables): Promise<void> {
  const { content: _content, ...first } = await db.document.findFirstOrThrow({
    where: { workspaceId: call.workspaceId },
  })
  const by = {}
  for (let step = 0; step < 15; step += 1) {
    const rows = Array.from({ length: 1_000 }, (_, n) => `Thing ${5_000 + step * 1_000 + n}`)
    await db.document.createMany({
      data: rows.map((title) => ({ ...first, id: uuid(), title, content: title, createdBy: by, updatedBy: by })),
    })
  }
  await db.$executeRaw`ANALYZE document`
}
