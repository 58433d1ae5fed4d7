// What is listed and searched on tables that are large: 20,000 rows of each kind in four workspaces, one of which has
// 20,000 documents alone. An index leads to the rows, whatever the workspace's share.
import type { TSchema } from 'typebox'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { collectionSegments, type CollectionSegment } from '#contract/scopes.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Collection, Fields } from '../../../service/collection/definition.ts'
import { conditionsFor } from '../../../service/collection/filters.ts'
import { keysOf, pageOf } from '../../../service/collection/pagination.ts'
import { selectStatement, withHidden } from '../../../service/collection/rows.ts'
import { matching } from '../../../service/collection/text-matching.ts'
import { eachCollection } from '../../../service/collections.ts'
import { crmEntities } from '../../../service/crm-entities/collection.ts'
import { documents } from '../../../service/documents/collection.ts'
import { openCall, type Call } from '../../../service/execution/call.ts'
import { projects } from '../../../service/projects/collection.ts'
import { searchStatement, searchedKindsIn } from '../../../service/search/rows.ts'
import { tasks } from '../../../service/tasks/collection.ts'
import { workspaceRow } from '../../prisma/rows.ts'
import { freshDatabase, type FreshDatabase } from '../../support/database.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { principalWith } from '../../support/principal-headers.ts'
import { sample } from '../../support/sample-value.ts'

const rowsEach = 5_000
const kinds = searchedKindsIn(eachCollection)
const collections = { projects, tasks, 'crm-entities': crmEntities, documents } as object as Record<string, Collection>
const searched = ['project', 'task', 'crm_entity', 'document']
const links = ['task_assignee', 'project_member', 'crm_domain']
const large = new Set([...searched, ...links])
const filled = [...links, ...searched.flatMap((each) => [each, `${each}_search`])]

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Parent Relationship'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
/** Without what is read for each row, such as its links. */
const rowsOf = (plan: Plan): Plan[] =>
  plan['Parent Relationship'] === 'SubPlan' ? [] : [plan, ...(plan.Plans ?? []).flatMap(rowsOf)]
/** Rows of tables: those that an index alone is asked for are not read. */
const rowsRead = (node: Plan): number =>
  node['Relation Name'] === undefined
    ? 0
    : node['Actual Loops'] *
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0))
/** More than a search ever reads of one table by one way, and fewer than the workspace has. */
const rowsReadMax = 10_500

async function planOf(db: Database, statement: Prisma.Sql, options = Prisma.sql`ANALYZE, VERBOSE,`): Promise<Plan> {
  const [row] = await db.$queryRaw<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`EXPLAIN (${options} FORMAT JSON) ${statement}`
  if (row === undefined) throw new Error('There is no plan')
  return row['QUERY PLAN'][0].Plan
}
const nodesOfSearch = async (
  { db, workspaceId }: Pick<Call, 'workspaceId'> & { readonly db: Database },
  q: string,
  segments: readonly CollectionSegment[] = collectionSegments,
): Promise<Plan[]> => nodesOf(await planOf(db, searchStatement(kinds, { q }, segments, workspaceId)))

onPostgres(() => {
  let database: FreshDatabase
  let db: Database
  /** In a workspace like the others, and in the one with many documents. */
  let [call, most]: Call[] = []
  beforeAll(async () => {
    database = await freshDatabase('postgres')
    ;({ db } = database)
    for (const table of filled) await db.$executeRawUnsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
    const made: Call[] = []
    for (let at = 0; at < 4; at++) {
      const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
      await fill(db, workspaceId)
      const known = { now: new Date(), hasCustomFields: true, quotaRoom: null }
      made.push(openCall(db, principalWith({ workspaceId }), known).call)
    }
    ;[call, most] = made.slice(1)
    await addDocuments(db, most!.workspaceId, rowsEach + 1, 4 * rowsEach)
  }, 120_000)
  afterAll(() => database?.close())
  const analyze = () => db.$executeRawUnsafe(`ANALYZE ${filled.join()}`)

  // Before ANALYZE the planner takes each workspace for small.
  describe.each(['before', 'after'])('of 20,000 documents of one workspace, %s ANALYZE', (when) => {
    beforeAll(async () => {
      if (when === 'after') await analyze()
    }, 120_000)

    test.each(['thing', 'text', 'thing text 7', 'th', '7', 'hing', 'nowhere', '4711', 'noxhere', 'a b', 'thinf'])(
      'a search for %s reads a bounded number of rows, and works the words of none out',
      async (q) => {
        const nodes = await nodesOfSearch({ db, workspaceId: most!.workspaceId }, q, ['documents'])

        const read = nodes.filter((node) => rowsRead(node) > rowsReadMax)
        // Titles are short: looking through those of a workspace once costs as much as asking their index.
        expect(read.filter((node) => when === 'after' || node['Relation Name'] !== 'document')).toEqual([])
        expect(read.length).toBeLessThanOrEqual(2)
        expect(JSON.stringify(nodes)).not.toContain('search_words(')
      },
    )

    const documentsWhere = (selected: Prisma.Sql, condition: Prisma.Sql | undefined, more = Prisma.empty) =>
      Prisma.sql`SELECT ${selected} FROM document t
        WHERE t.workspace_id = ${most!.workspaceId}::uuid AND ${condition} ${more}`
    const pageWhere = (condition: Prisma.Sql | undefined) =>
      documentsWhere(Prisma.sql`t.id`, condition, Prisma.sql`ORDER BY t.created_at DESC, t.id DESC LIMIT 51`)

    test('for a list, too: of what is frequent or misspelt it looks at the rows on the way', async () => {
      const [rare, frequent] = [await matching(documents, most!, '4711'), await matching(documents, most!, 'thing')]
      const misspelt = pageWhere((await matching(documents, most!, 'thinf')).all)

      expect([rare.onTheWay, typeof frequent.onTheWay]).toEqual([undefined, 'object'])
      for (const [page, rowsMax] of [
        [pageWhere(rare.all), 100],
        [pageWhere(frequent.onTheWay), 100],
        [misspelt, 1_000],
      ] as const)
        expect(nodesOf(await planOf(db, page)).filter((node) => rowsRead(node) > rowsMax)).toEqual([])
      expect(await db.$queryRaw(misspelt)).toHaveLength(51)
    })

    test('a count of what is frequent takes the words from their index at once, and reads the rows once', async () => {
      const count = documentsWhere(Prisma.sql`count(*)`, (await matching(documents, most!, 'thing')).all)

      expect(await db.$queryRaw(count)).toEqual([{ count: 20_000n }])
      const scans = nodesOf(await planOf(db, count)).filter((node) => rowsRead(node) > 1)
      const loops = scans.map((node) => `${node['Relation Name']}: ${node['Actual Loops']}`)
      expect(loops.toSorted()).toEqual(['document: 1', 'document_search: 1'])
    })
  })

  describe('of all kinds', () => {
    beforeAll(analyze, 120_000)

    // The first two are in every title.
    test.each(['thing', 'th', 'thing 4711', 'thinf 12', 'nowhere', 'ABCDEFGHIJ', 'AAAAAB-7'])(
      'a search for %s in all kinds reads no table from end to end, and finds words by their index',
      async (q) => {
        const nodes = await nodesOfSearch({ db, workspaceId: call!.workspaceId }, q)

        expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
        const indexes = nodes.map((node) => node['Index Name'])
        expect(indexes).toEqual(expect.arrayContaining(searched.map((table) => `${table}_search_words_idx`)))
      },
    )

    test.each(Object.entries(collections))(
      'no list of %s reads a large table from end to end, and without a filter each page comes in its order out of an index',
      async (segment, collection) => {
        const operation = operationNamed(`${segment}.list`)

        const scans: string[] = []
        const sorted: string[] = []
        for (const [name, filter] of filtersOf(operation)) {
          for (const sort of sortsOf(operation)) {
            const { all } = await conditionsFor(collection, filter, call!)
            const paging = { limit: 50, field: '', descending: false, after: null, query: '' }
            const page = pageOf(all, keysOf(collection.sorts, [sort]), paging)
            const plan = await planOf(db, selectStatement(withHidden(collection), page), Prisma.empty)
            for (const { 'Node Type': type, 'Relation Name': table = '' } of nodesOf(plan))
              if (type === 'Seq Scan' && large.has(table)) scans.push(`${name}, ${sort}: ${table}`)
            if (name === 'none' && rowsOf(plan).some((node) => node['Node Type'] === 'Sort')) sorted.push(sort)
          }
        }

        expect({ scans, sorted }).toEqual({ scans: [], sorted: [] })
      },
    )
  })

  test('a word that none of 150 long documents has is not looked for in them', async () => {
    await using other = await freshDatabase('postgres')
    const { id: workspaceId } = await other.db.workspace.create({ data: workspaceRow() })
    await other.db.$executeRaw`
      INSERT INTO document (workspace_id, id, title, content, tags, status, word_count, checksum, version, created_at, updated_at, created_by, updated_by)
      SELECT ${workspaceId}::uuid, gen_random_uuid(), 'Page ' || n, words.text, '{}', 'draft', 1, '', 1, now(), now(), '{}', '{}'
      FROM generate_series(1, 150) n, (SELECT string_agg(md5(k::text), ' ') AS text FROM generate_series(1, 1000) k) words`

    const nodes = await nodesOfSearch({ db: other.db, workspaceId }, 'nowhere', ['documents'])

    expect(JSON.stringify(nodes)).not.toContain('search_words(')
  })
})

const samples: Readonly<Record<string, unknown>> = {
  q: 'thing 12',
  ids: [uuid()],
  labels: ['l7'],
  labelsAll: ['l7'],
  tags: ['l7'],
  tagsAll: ['l7'],
  folder: ['handbook'],
  domain: ['thing12.example'],
  email: ['nobody@thing12.example'],
  amountAbove: '10',
  amountBelow: '10',
  customFields: { size: { eq: ['7'], gte: '1', lte: '9' } },
}
/** What a filter needs beside it. */
const beside: Readonly<Record<string, Fields>> = {
  externalId: { externalSource: ['erp'] },
  amountAbove: { amountCurrency: ['EUR'] },
  amountBelow: { amountCurrency: ['EUR'] },
}
const shown = new Set(['limit', 'cursor', 'sort', 'fields', 'expand', 'includeTotal'])

/** One filter at a time, each with a value that rows have; and none. */
function filtersOf({ input: { properties } }: Operation): [string, Fields][] {
  const valueOf = (name: string, schema: TSchema) => samples[name] ?? (name.endsWith('Id') ? [uuid()] : sample(schema))
  const filters = Object.entries(properties).filter(([name]) => !shown.has(name))
  return [
    ['none', {}],
    ...filters.map(([name, schema]): [string, Fields] => [name, { ...beside[name], [name]: valueOf(name, schema) }]),
  ]
}

const sortsOf = ({ input }: Operation): string[] =>
  (input.properties['sort'] as unknown as { items: { enum: string[] } }).items.enum

/** Names that most workspaces share, values that repeat, links to a handful of members. */
async function fill(db: Database, workspaceId: string): Promise<void> {
  const ws = `'${workspaceId}'::uuid`
  const by = `'{"type":"system","id":"t","name":"T"}'::jsonb`
  const times = `now() - n * interval '1 minute', now() - n * interval '1 minute', ${by}, ${by}`
  const stamps = 'version, created_at, updated_at, created_by, updated_by'
  const series = `generate_series(1, ${rowsEach}) AS n`
  const statements = [
    `INSERT INTO custom_field (workspace_id, id, key, target, type, label, options, required, ${stamps})
     SELECT ${ws}, gen_random_uuid(), 'size', target, 'number', 'Size', '{}', false, 1, now(), now(), ${by}, ${by}
     FROM unnest(ARRAY['project', 'task', 'company', 'contact', 'deal']) AS target`,
    `INSERT INTO member (workspace_id, id, name, email, role, status, ${stamps})
     SELECT ${ws}, gen_random_uuid(), 'M' || n, 'm' || n || '@example.com', 'member', 'active', 1, ${times}
     FROM generate_series(1, 50) AS n`,
    `INSERT INTO crm_entity (workspace_id, id, kind, name, labels, phones, custom_fields, ${stamps})
     SELECT ${ws}, gen_random_uuid(), 'company', 'Thing ' || n, ARRAY['l' || n % 50], '{}',
       jsonb_build_object('size', n % 20), 1, ${times} FROM ${series}`,
    `INSERT INTO crm_domain (workspace_id, domain, crm_entity_id, position)
     SELECT ${ws}, replace(lower(name), ' ', '') || '.example', id, 1 FROM crm_entity WHERE workspace_id = ${ws}`,
    `INSERT INTO project (workspace_id, id, key, name, status, priority, labels, due_date, custom_fields, ${stamps})
     SELECT ${ws}, gen_random_uuid(), translate(lpad(n::text, 6, '0'), '0123456789', 'ABCDEFGHIJ'), 'Thing ' || n,
       'active', 'none', ARRAY['l' || n % 50], current_date + n % 100, jsonb_build_object('size', n % 20), 1, ${times}
     FROM ${series}`,
    `INSERT INTO task (workspace_id, id, project_id, number, title, status, priority, labels, due_date, position,
       custom_fields, ${stamps})
     SELECT ${ws}, gen_random_uuid(), (SELECT id FROM project WHERE workspace_id = ${ws} ORDER BY id OFFSET n % 20 LIMIT 1),
       n, 'Thing ' || n, 'todo', 'none', ARRAY['l' || n % 50], current_date + n % 100, n,
       jsonb_build_object('size', n % 20), 1, ${times} FROM ${series}`,
    `INSERT INTO task_assignee (workspace_id, task_id, member_id, position)
     SELECT ${ws}, t.id, m.id, 1 FROM (SELECT id, number FROM task WHERE workspace_id = ${ws}) t
     JOIN (SELECT id, row_number() OVER () AS n FROM member WHERE workspace_id = ${ws}) m ON m.n = t.number % 50 + 1`,
    `INSERT INTO project_member (workspace_id, project_id, member_id, position)
     SELECT ${ws}, p.id, m.id, 1 FROM (SELECT id, row_number() OVER () AS n FROM project WHERE workspace_id = ${ws}) p
     JOIN (SELECT id, row_number() OVER () AS n FROM member WHERE workspace_id = ${ws}) m ON m.n = p.n % 50 + 1`,
  ]
  for (const statement of statements) await db.$executeRawUnsafe(statement)
  await addDocuments(db, workspaceId, 1, rowsEach)
}

/** The planner guesses how many rows there are from their length: they are as long as real ones. */
const author = JSON.stringify({ type: 'user', id: uuid(), name: 'Ada Lovelace' })

async function addDocuments(db: Database, workspaceId: string, from: number, to: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO document (workspace_id, id, title, content, tags, status, word_count, checksum, version, created_at,
      updated_at, created_by, updated_by)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), 'Thing ' || n, 'Text ' || n, ARRAY['l' || n % 50], 'draft', 2, 'c', 1,
      now() - n * interval '1 minute', now() - n * interval '1 minute', ${author}::jsonb, ${author}::jsonb
    FROM generate_series(${from}::int, ${to}::int) AS n`
}
