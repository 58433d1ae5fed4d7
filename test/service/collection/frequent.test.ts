// Pages of what so many objects match that their ids are not collected: complete and in order, wherever they lie.
import { createSecretKey } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { pager } from '../../../service/collection/pagination.ts'
import { openCall, type Call } from '../../../service/execution/call.ts'
import { countHandler, listPage } from '../../../service/collection/read.ts'
import type { Fields } from '../../../service/collection/definition.ts'
import { tasks } from '../../../service/tasks/collection.ts'
import { workspaceRow } from '../../prisma/rows.ts'
import { freshDatabase } from '../../support/database.ts'

/** Half of them have any one mark, which is more than a list collects the ids of. */
const made = 10_400
const limit = 200
const [frequent, rare, nobody] = [uuid(), uuid(), uuid()]
const pages = pager(createSecretKey(Buffer.alloc(32, 1)))

type Page = { readonly data: { readonly id: string }[]; readonly page: { nextCursor: string | null; total?: number } }

describe('what many objects match', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let call: Call
  beforeAll(async () => {
    database = await freshDatabase('pglite')
    call = await fill(database.db)
  }, 120_000)
  afterAll(() => database?.close())

  /** In the order of the numbers in which they were made, which is that of `position` and `title`. */
  const idsWhere = async (condition: Prisma.Sql): Promise<string[]> => {
    const rows = await call.db.$queryRaw<{ id: string }[]>`
      SELECT t.id FROM task t JOIN project p ON p.workspace_id = t.workspace_id AND p.id = t.project_id
      WHERE t.workspace_id = ${call.workspaceId}::uuid AND p.deleted_at IS NULL AND t.deleted_at IS NULL AND ${condition}
      ORDER BY t.number`
    return rows.map(({ id }) => id)
  }
  async function listed(query: Fields): Promise<string[]> {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const input: Fields = { ...query, limit, fields: ['title'], ...(cursor !== null && { cursor }) }
      const { data, page } = (await listPage(tasks, pages, input, call)) as Page
      found.push(...data.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    return found
  }
  const assigned = (to: string): Prisma.Sql =>
    Prisma.sql`EXISTS (SELECT FROM task_assignee l WHERE l.task_id = t.id AND l.member_id = ${to}::uuid)`
  const cases: readonly [string, Fields, Prisma.Sql][] = [
    ['an assignee who has half of them', { assigneeId: [frequent] }, assigned(frequent)],
    [
      'all that such an assignee does not have',
      { assigneeId: [`!${frequent}`] },
      Prisma.sql`NOT ${assigned(frequent)}`,
    ],
    ['an assignee who has few', { assigneeId: [rare] }, assigned(rare)],
    ['all that nobody has', { assigneeId: [`!${nobody}`] }, Prisma.sql`TRUE`],
    ['a word that half of them have', { q: 'report' }, Prisma.sql`t.title LIKE '%report%'`],
    [
      'a frequent word and a frequent assignee',
      { q: 'report', assigneeId: [frequent] },
      Prisma.sql`t.title LIKE '%report%' AND ${assigned(frequent)}`,
    ],
  ]

  test.each(cases)(
    '%s: every page in every order, and the count',
    { timeout: 120_000 },
    async (_, query, condition) => {
      const expected = await idsWhere(condition)

      expect(await listed({ ...query, sort: ['title'] })).toEqual(expected)
      expect(await listed({ ...query, sort: ['-createdAt'] })).toEqual(expected.toReversed())
      expect(await listed({ ...query, sort: ['priority', '-position'] })).toEqual(expected.toReversed())
      const { page } = (await listPage(tasks, pages, { ...query, includeTotal: true, limit: 1 }, call)) as Page
      expect(page.total).toBe(expected.length)
      expect(await countHandler(tasks)(query, call)).toMatchObject({ total: expected.length })
    },
  )

  test('a page that the beginning of the order fills asks the database for no more than that', async () => {
    const statements: string[] = []
    const db = new Proxy(call.db, {
      get: (target, name) =>
        name === '$queryRaw'
          ? async (statement: Prisma.Sql, ...values: unknown[]) => {
              statements.push('sql' in statement ? statement.sql : String(statement))
              return Reflect.apply(target.$queryRaw, target, [statement, ...values])
            }
          : Reflect.get(target, name),
    })

    const query = { q: 'report', sort: ['position'], limit: 20 }
    let cursor: string | null = null
    // Further than what is looked through for one page.
    for (let number = 1; number <= 25; number++) {
      const input: Fields = { ...query, ...(cursor !== null && { cursor }) }
      cursor = ((await listPage(tasks, pages, input, { ...call, db })) as Page).page.nextCursor
    }
    // The word is in the first half.
    await listPage(tasks, pages, { ...query, sort: ['-position'] }, { ...call, db })

    const read = statements.filter((text) => text.startsWith('SELECT t.id AS "id"'))
    expect(read.map((text) => text.includes('OFFSET 0'))).toEqual([...Array.from({ length: 26 }, () => false), true])
  })
})

/**
 * The first half of the tasks has the word, the last half a frequent assignee and a part of both; the last hundred are
 * in a deleted project, and ten are deleted.
 */
async function fill(db: Database): Promise<Call> {
  const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
  const by = { type: 'system', id: 't', name: 'T' }
  const stamps = { version: 1, createdBy: by, updatedBy: by, createdAt: new Date(), updatedAt: new Date() }
  const members = [frequent, rare, nobody].map((id) => ({
    ...stamps,
    workspaceId,
    id,
    name: 'Member',
    email: `${id}@example.com`,
    role: 'member',
    status: 'active',
  }))
  await db.member.createMany({ data: members })
  const [shown, hidden] = [uuid(), uuid()]
  const common = { ...stamps, workspaceId, name: 'Project', status: 'active', priority: 'none', labels: [] }
  await db.project.createMany({
    data: [
      { ...common, id: shown, key: 'SHOWN' },
      { ...common, id: hidden, key: 'HIDDEN', deletedAt: new Date() },
    ],
  })
  await db.$executeRaw`
    INSERT INTO task (workspace_id, id, project_id, number, identifier, title, status, priority, labels, position, custom_fields,
      version, created_at, updated_at, created_by, updated_by, deleted_at)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), CASE WHEN n > ${made - 100} THEN ${hidden}::uuid ELSE ${shown}::uuid END, n,
      'T-' || n, lpad(n::text, 6, '0') || CASE WHEN n <= ${made / 2 + 100} THEN ' report' ELSE ' letter' END, 'todo', 'none', '{}',
      n, '{}', 1, now() + n * interval '1 second', now(), '{}', '{}', CASE WHEN n % 1000 = 0 THEN now() END
    FROM generate_series(1, ${made}::int) AS n`
  await db.$executeRaw`
    INSERT INTO task_assignee (workspace_id, task_id, member_id, position)
    SELECT workspace_id, id, CASE WHEN number > ${made / 2 - 200} THEN ${frequent}::uuid ELSE ${rare}::uuid END, 1
    FROM task WHERE number > ${made / 2 - 200} OR number % 100 = 7`
  const principal = {
    kind: 'api_key' as const,
    id: uuid(),
    name: 'Test',
    workspaceId,
    scopes: [],
    surface: 'http' as const,
    requestId: 'test',
    clientAddress: '127.0.0.1',
    quota: null,
  }
  return openCall(db, principal, { now: new Date(), hasCustomFields: true, quotaRoom: null }).call
}
