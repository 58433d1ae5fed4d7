// What is searched is found by its indexes, however many objects have the words.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectionSegments, type CollectionSegment } from '#contract/scopes.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { eachCollection } from '../../../service/collections.ts'
import { documents } from '../../../service/documents/collection.ts'
import { matching } from '../../../service/collection/text-matching.ts'
import { searchStatement, searchedKindsIn } from '../../../service/search/operations.ts'
import { workspaceRow } from '../../prisma/rows.ts'
import { freshDatabase } from '../../support/database.ts'
import { services } from '../../support/services.ts'
import { largeTables, type LargeTables } from '../collection/large-tables.ts'

const kinds = searchedKindsIn(eachCollection)

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}
const tables = ['project', 'task', 'crm_entity', 'document']
const indexesIn = (nodes: readonly Plan[]) => nodes.map((node) => node['Index Name'])
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
/** More than a search ever reads of one table by one way, and fewer than the workspace has. */
const rowsReadMax = 10_500
/** Rows of tables: those that an index alone is asked for are not read. */
const rowsRead = (node: Plan): number =>
  node['Relation Name'] === undefined
    ? 0
    : node['Actual Loops'] *
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0))

describe.skipIf(services().postgres === null)('a search of 20,000 objects of each kind', () => {
  let large: LargeTables
  beforeAll(async () => {
    large = await largeTables()
  }, 120_000)
  afterAll(() => large?.[Symbol.asyncDispose]())

  // The first two are in every title.
  test.each(['thing', 'th', 'thing 4711', 'thinf 12', 'nowhere', 'ABCDEFGHIJ', 'AAAAAB-7'])(
    'for %s reads no table from end to end, and finds words by their index',
    { timeout: 60_000 },
    async (q) => {
      const nodes = await planOf(large, q)

      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
      expect(indexesIn(nodes)).toEqual(expect.arrayContaining(tables.map((table) => `${table}_search_words_idx`)))
    },
  )
})

// Before ANALYZE the planner takes each workspace for small.
describe.skipIf(services().postgres === null).each(['before', 'after'])(
  'a search of 20,000 documents of one workspace, %s ANALYZE',
  (when) => {
    let large: LargeTables
    beforeAll(async () => {
      large = await largeTables({ analyze: when === 'after', most: 20_000 })
    }, 120_000)
    afterAll(() => large?.[Symbol.asyncDispose]())

    test.each(['thing', 'text', 'thing text 7', 'th', '7', 'hing', 'nowhere', '4711', 'noxhere', 'a b', 'thinf'])(
      'for %s reads a bounded number of rows, and works the words of none out',
      { timeout: 60_000 },
      async (q) => {
        const nodes = await planOf(large, q, ['documents'])

        const read = nodes.filter((node) => rowsRead(node) > rowsReadMax)
        // Titles are short: looking through those of a workspace once costs as much as asking their index.
        expect(read.filter((node) => when === 'after' || node['Relation Name'] !== 'document')).toEqual([])
        expect(read.length).toBeLessThanOrEqual(2)
        expect(JSON.stringify(nodes)).not.toContain('search_words(')
      },
    )

    test('for a list, too: of what is frequent it looks at the rows on the way', { timeout: 60_000 }, async () => {
      const rare = await matching(documents, large.call, '4711')
      const frequent = await matching(documents, large.call, 'thing')

      expect([rare.onTheWay, typeof frequent.onTheWay]).toEqual([undefined, 'object'])
      for (const condition of [rare.all, frequent.onTheWay]) {
        const page = Prisma.sql`SELECT t.id FROM document t
          WHERE t.workspace_id = ${large.call.workspaceId}::uuid AND ${condition} ORDER BY t.created_at DESC, t.id DESC LIMIT 51`
        const nodes = await explained(large, page)
        expect(nodes.filter((node) => rowsRead(node) > 100)).toEqual([])
      }
    })

    test('what is misspelt is listed where many titles are similar, without a look at each', async () => {
      const misspelt = await matching(documents, large.call, 'thinf')

      const page = Prisma.sql`SELECT t.id FROM document t
        WHERE t.workspace_id = ${large.call.workspaceId}::uuid AND ${misspelt.all} ORDER BY t.created_at DESC, t.id DESC LIMIT 51`
      expect(await large.db.$queryRaw(page)).toHaveLength(51)
      expect((await explained(large, page)).filter((node) => rowsRead(node) > 1_000)).toEqual([])
    })

    test('a count of what is frequent takes the words from their index at once', async () => {
      const frequent = await matching(documents, large.call, 'thing')

      const count = Prisma.sql`SELECT count(*) FROM document t
        WHERE t.workspace_id = ${large.call.workspaceId}::uuid AND ${frequent.all}`
      expect(await large.db.$queryRaw(count)).toEqual([{ count: 20_000n }])
      const words = (await explained(large, count)).filter((node) => node['Relation Name'] === 'document_search')
      expect(words.map((node) => node['Actual Loops'])).toEqual([1])
    })
  },
)

test.skipIf(services().postgres === null)(
  'a word that none of 150 long documents has is not looked for in them',
  { timeout: 60_000 },
  async () => {
    await using database = await freshDatabase('postgres')
    const { db } = database
    const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
    await db.$executeRaw`
      INSERT INTO document (workspace_id, id, title, content, tags, status, word_count, checksum, version, created_at, updated_at, created_by, updated_by)
      SELECT ${workspaceId}::uuid, gen_random_uuid(), 'Page ' || n, words.text, '{}', 'draft', 1, '', 1, now(), now(), '{}', '{}'
      FROM generate_series(1, 150) n, (SELECT string_agg(md5(k::text), ' ') AS text FROM generate_series(1, 1000) k) words`

    const nodes = await planOf({ db, call: { workspaceId } }, 'nowhere', ['documents'])

    expect(JSON.stringify(nodes)).not.toContain('search_words(')
  },
)

type Searched = { readonly db: LargeTables['db']; readonly call: Pick<LargeTables['call'], 'workspaceId'> }

const planOf = (
  large: Searched,
  q: string,
  segments: readonly CollectionSegment[] = collectionSegments,
): Promise<Plan[]> => explained(large, searchStatement(kinds, { q }, segments, large.call.workspaceId))

async function explained({ db }: Searched, statement: Prisma.Sql): Promise<Plan[]> {
  const [row] = await db.$queryRaw<{ 'QUERY PLAN': { Plan: Plan }[] }[]>`
    EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) ${statement}`
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error('There is no plan')
  return nodesOf(plan)
}
