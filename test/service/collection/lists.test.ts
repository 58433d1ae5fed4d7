// Lists: cursors and the rows after them, and pages of what more objects match than ids are collected of.
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { pageItemsMax } from '#contract/pagination.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { deriveKey, sign } from '#runtime/sealing-and-signing.ts'
import type { Fields } from '../../../service/collection/definition.ts'
import { countHandler } from '../../../service/collection/count.ts'
import { pager, startOf } from '../../../service/collection/pagination.ts'
import { listPage } from '../../../service/collection/read.ts'
import { type Call, openCall } from '../../../service/execution/call.ts'
import { tasks } from '../../../service/tasks/collection.ts'
import { memberRow, projectRow, workspaceRow } from '../../prisma/rows.ts'
import { onPostgres, sharedDatabase } from '../../support/database-engines.ts'
import { codeOf } from '../../support/faults.ts'
import { principalWith } from '../../support/principal-headers.ts'
import { sharedService } from '../quiet-service.ts'

const key = deriveKey('a secret of at least thirty-two characters', 'cursors')
const pages = pager(key)
const rows = Array.from({ length: 3 }, (_, at) => ({ id: String(at), name: `n${at}` }))

const open = (query: object) => pages.open('projects.list', 'w', query, 'name')
const nameOf = ({ name }: { name: string }) => name
const pageFor = (query: object) => pages.page(rows, open(query), nameOf, (row) => row).page
const cursorFor = (query: object): string => pageFor({ ...query, limit: 2 }).nextCursor ?? ''

test('a page that is not the last has a cursor to its last row, and the last one has none', () => {
  expect(open({ limit: 5, cursor: cursorFor({}) }).after).toMatchObject({ value: 'n1', id: '1' })
  expect(pageFor({ limit: 3 })).toEqual({ limit: 3, nextCursor: null, hasMore: false })
})

test('a cursor of another version is read where it says the same, and refused with what to do where it does not', () => {
  const { query } = open({})
  const made = (content: object): string => sign(key, content)
  const readable = { value: 'n1', id: '1', query, more: 'of a newer version' }

  expect(open({ cursor: made(readable) }).after).toMatchObject({ value: 'n1', id: '1' })
  for (const content of [{}, { id: '1', query }, { value: 7, id: '1', query }])
    expect(codeOf(() => open({ cursor: made(content) }))).toBe('cursor_outdated')
  // A list of a collection, whose values are JSON: one of them, or as many as another version has sorted by.
  const [byName] = [{ sql: 't.name', type: 'text', descending: false }]
  for (const value of ['n1', '["n1","2"]'])
    expect(codeOf(() => startOf([byName as never], open({ cursor: made({ value, id: '1', query }) })))).toBe(
      'cursor_outdated',
    )
})

test('a cursor that was not made here is refused, whatever it is, and so is one with one character changed', () => {
  const made = cursorFor({})
  const changed = fc
    .nat(made.length - 2)
    .map((at) => made.slice(0, at) + (made[at] === 'A' ? 'B' : 'A') + made.slice(at + 1))
  fc.assert(
    fc.property(fc.oneof(fc.string(), changed), (cursor) => {
      expect(codeOf(() => open({ cursor }))).toBe('invalid_cursor')
    }),
  )
})

onPostgres(() => {
  const newWorkspace = sharedService('postgres')

  test('pages of every size leave names for the statements that come after them', async () => {
    const { call, db } = await newWorkspace()
    for (let limit = 1; limit <= pageItemsMax; limit++)
      expect((await call('GET', `/tasks?limit=${limit}`)).status).toBe(200)

    const named = await db.$queryRaw`SELECT name <> '' AS named FROM pg_prepared_statements
      WHERE statement LIKE '%later than all of them%'`

    expect(named).toEqual([{ named: true }])
  })

  test('`updatedBefore` and `updatedAfter` ask when an object was changed last, not when it was made', async () => {
    const { call, db, workspaceId } = await newWorkspace()
    const { body: made } = await call('POST', '/projects', { name: 'a' })
    const { updatedAt } = (await call('PATCH', `/projects/${made.id}`, { name: 'b' })).body
    const createdAt = new Date(Date.parse(updatedAt) - 60_000)
    await db.project.updateMany({ where: { workspaceId }, data: { createdAt } })

    const found = await Promise.all(
      ['updatedBefore', 'createdBefore', 'updatedAfter'].map((name) => call('GET', `/projects?${name}=${updatedAt}`)),
    )

    expect(found.map(({ body }) => body.data.length)).toEqual([0, 1, 0])
  })
})

/** Half of them have any one mark, which is more than a list collects the ids of. */
const made = 10_400
const [frequent, rare, nobody] = [uuid(), uuid(), uuid()]

type Page = { readonly data: { readonly id: string }[]; readonly page: { nextCursor: string | null; total?: number } }

const pageOf = async (call: Call, query: Fields, cursor: string | null): Promise<Page> =>
  (await listPage(tasks, pages, { ...query, ...(cursor !== null && { cursor }) }, call)) as Page

async function listed(call: Call, query: Fields, cursor: string | null = null): Promise<string[]> {
  const { data, page } = await pageOf(call, { ...query, limit: 200, fields: ['title'] }, cursor)
  return [...data.map(({ id }) => id), ...(page.nextCursor === null ? [] : await listed(call, query, page.nextCursor))]
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
const reportsOfFrequent = Prisma.sql`${reports} AND ${assigned(frequent)}`
const byPosition = ['priority', '-position']

onPostgres(() => {
  const database = sharedDatabase('postgres')
  let call: Call
  beforeAll(async () => {
    call = await fill(database.db)
  })

  test.each<[string, Fields, string[], Prisma.Sql]>([
    ['an assignee who has half', { assigneeId: [frequent] }, ['-createdAt'], assigned(frequent)],
    ['all that he does not have', { assigneeId: [`!${frequent}`] }, byPosition, Prisma.sql`NOT ${assigned(frequent)}`],
    ['an assignee who has few', { assigneeId: [rare] }, byPosition, assigned(rare)],
    ['all that nobody has', { assigneeId: [`!${nobody}`] }, ['-createdAt'], Prisma.sql`TRUE`],
    ['a word that half of them have', { q: 'report' }, byPosition, reports],
    ['a frequent word and assignee', { q: 'report', assigneeId: [frequent] }, ['-createdAt'], reportsOfFrequent],
  ])('%s: every page from either end, and the count', async (_, query, backwards, condition) => {
    const expected = await idsWhere(call, condition)

    expect(await listed(call, { ...query, sort: ['title'] })).toEqual(expected)
    expect(await listed(call, { ...query, sort: backwards })).toEqual(expected.toReversed())
    expect((await pageOf(call, { ...query, includeTotal: true, limit: 1 }, null)).page.total).toBe(expected.length)
    expect(await countHandler(tasks)(query, call)).toMatchObject({ total: expected.length })
  })

  /** A call whose pages are told: for each whether it had to collect all that match. */
  function watchedCall() {
    const collected: boolean[] = []
    const queryRaw = async (statement: Prisma.Sql, ...values: unknown[]) => {
      const text = 'sql' in statement ? statement.sql : String(statement)
      if (text.startsWith('SELECT t.id AS "id"')) collected.push(text.includes('OFFSET 0'))
      return Reflect.apply(call.db.$queryRaw, call.db, [statement, ...values])
    }
    const get = (db: Call['db'], name: string) => (name === '$queryRaw' ? queryRaw : Reflect.get(db, name))
    return { collected, watched: { ...call, db: new Proxy(call.db, { get: (db, name) => get(db, String(name)) }) } }
  }

  test('a page that the beginning of the order fills asks the database for no more than that', async () => {
    const { collected, watched } = watchedCall()
    const query = { q: 'report', sort: ['position'], limit: 20 }
    let cursor: string | null = null
    // Further than what is looked through for one page.
    for (let number = 1; number <= 25; number++) cursor = (await pageOf(watched, query, cursor)).page.nextCursor
    // The word is in the first half.
    await pageOf(watched, { ...query, sort: ['-position'] }, null)

    expect(collected).toEqual([...Array<boolean>(26).fill(false), true])
  })

  test.each(['dueDate', '-dueDate'])(
    'of those without a due date, by %s, the first page begins where they are',
    async (sort) => {
      const { collected, watched } = watchedCall()
      const expected = await idsWhere(call, Prisma.sql`t.due_date IS NULL`)
      const query = { dueDate: 'none', sort: [sort], limit: 20 }

      const first = await pageOf(watched, query, null)
      const second = await pageOf(watched, query, first.page.nextCursor)

      const inOrder = sort === 'dueDate' ? expected.toSorted() : expected.toSorted().toReversed()
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(inOrder.slice(0, 40))
      expect(collected).toEqual([false, false])
    },
  )
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
    INSERT INTO task (workspace_id, id, project_id, number, identifier, title, status, priority, labels, position, due_date, custom_fields,
      version, created_at, updated_at, created_by, updated_by, deleted_at)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), CASE WHEN n > ${made - 100} THEN ${hidden}::uuid ELSE ${shown}::uuid END, n,
      'T-' || n, lpad(n::text, 6, '0') || CASE WHEN n <= ${made / 2 + 100} THEN ' report' ELSE ' letter' END, 'todo', 'none', '{}',
      n, CASE WHEN n <= ${made - 1_500} THEN date '2026-01-01' END, '{}', 1, now() + n * interval '1 second', now(), '{}', '{}', CASE WHEN n % 1000 = 0 THEN now() END
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
