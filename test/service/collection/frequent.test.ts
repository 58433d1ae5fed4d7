// Pages of what so many objects match that their ids are not collected: complete and in order, wherever they lie.
import { createSecretKey } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { pager } from '../../../service/collection/pagination.ts'
import { openCall, type Call } from '../../../service/execution/call.ts'
import { countHandler, listPage } from '../../../service/collection/read.ts'
import type { Fields } from '../../../service/collection/definition.ts'
import { tasks } from '../../../service/tasks/collection.ts'
import { memberRow, projectRow, workspaceRow } from '../../prisma/rows.ts'
import { onPostgres, sharedDatabase } from '../../support/database-engines.ts'
import { principalWith } from '../../support/principal-headers.ts'

/** Half of them have any one mark, which is more than a list collects the ids of. */
const made = 10_400
const [frequent, rare, nobody] = [uuid(), uuid(), uuid()]
const pages = pager(createSecretKey(Buffer.alloc(32, 1)))

type Page = { readonly data: { readonly id: string }[]; readonly page: { nextCursor: string | null; total?: number } }

const pageOf = async (call: Call, query: Fields, cursor: string | null): Promise<Page> =>
  (await listPage(tasks, pages, { ...query, ...(cursor !== null && { cursor }) }, call)) as Page

async function listed(call: Call, query: Fields): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const { data, page }: Page = await pageOf(call, { ...query, limit: 200, fields: ['title'] }, cursor)
    found.push(...data.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

/** In the order of the numbers in which they were made, which is that of `position` and `title`. */
async function idsWhere({ db, workspaceId }: Call, condition: Prisma.Sql): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM task t JOIN project p ON p.workspace_id = t.workspace_id AND p.id = t.project_id
    WHERE t.workspace_id = ${workspaceId}::uuid AND p.deleted_at IS NULL AND t.deleted_at IS NULL AND ${condition}
    ORDER BY t.number`
  return rows.map(({ id }) => id)
}
const assigned = (to: string): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM task_assignee l WHERE l.task_id = t.id AND l.member_id = ${to}::uuid)`
const reports = Prisma.sql`t.title LIKE '%report%'`

onPostgres(() => {
  const database = sharedDatabase('postgres')
  let call: Call
  beforeAll(async () => {
    call = await fill(database.db)
  })

  test.each<[string, Fields, string[], Prisma.Sql]>([
    ['an assignee who has half', { assigneeId: [frequent] }, ['-createdAt'], assigned(frequent)],
    [
      'all that such an assignee does not have',
      { assigneeId: [`!${frequent}`] },
      ['priority', '-position'],
      Prisma.sql`NOT ${assigned(frequent)}`,
    ],
    ['an assignee who has few', { assigneeId: [rare] }, ['priority', '-position'], assigned(rare)],
    ['all that nobody has', { assigneeId: [`!${nobody}`] }, ['-createdAt'], Prisma.sql`TRUE`],
    ['a word that half of them have', { q: 'report' }, ['priority', '-position'], reports],
    [
      'a frequent word and a frequent assignee',
      { q: 'report', assigneeId: [frequent] },
      ['-createdAt'],
      Prisma.sql`${reports} AND ${assigned(frequent)}`,
    ],
  ])('%s: every page from either end, and the count', async (_, query, backwards, condition) => {
    const expected = await idsWhere(call, condition)

    expect(await listed(call, { ...query, sort: ['title'] })).toEqual(expected)
    expect(await listed(call, { ...query, sort: backwards })).toEqual(expected.toReversed())
    expect((await pageOf(call, { ...query, includeTotal: true, limit: 1 }, null)).page.total).toBe(expected.length)
    expect(await countHandler(tasks)(query, call)).toMatchObject({ total: expected.length })
  })

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
    const watched = { ...call, db }

    const query = { q: 'report', sort: ['position'], limit: 20 }
    let cursor: string | null = null
    // Further than what is looked through for one page.
    for (let number = 1; number <= 25; number++) cursor = (await pageOf(watched, query, cursor)).page.nextCursor
    // The word is in the first half.
    await pageOf(watched, { ...query, sort: ['-position'] }, null)

    const read = statements.filter((text) => text.startsWith('SELECT t.id AS "id"'))
    expect(read.map((text) => text.includes('OFFSET 0'))).toEqual([
      ...Array.from({ length: 25 }, () => false),
      false,
      true,
    ])
  })
})

/**
 * The first half of the tasks has the word, the last half a frequent assignee and a part of both; the last hundred are
 * in a deleted project, and ten are deleted.
 */
async function fill(db: Database): Promise<Call> {
  const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
  await db.member.createMany({ data: [frequent, rare, nobody].map((id) => ({ ...memberRow(workspaceId), id })) })
  const [shown, hidden] = [uuid(), uuid()]
  await db.project.create({ data: projectRow(workspaceId, { id: shown, key: 'SHOWN' }) })
  await db.project.create({ data: projectRow(workspaceId, { id: hidden, key: 'HIDDEN', deletedAt: new Date() }) })
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
  // As a database does by itself some time later: else each statement is planned for tables without rows.
  await db.$executeRaw`ANALYZE task, task_assignee, task_search, project, member`
  const principal = principalWith({ workspaceId })
  return openCall(db, principal, { now: new Date(), hasCustomFields: true, quotaRoom: null }).call
}
