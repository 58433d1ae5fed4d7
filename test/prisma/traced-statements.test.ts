// The spans of statements: their names, and that they belong to the call for which they were sent.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { summaryOf } from '#prisma/traced-statements.ts'
import { transact } from '#prisma/transaction.ts'
import { runInSpan, Span, type EndedSpan } from '#runtime/tracing/span.ts'
import { newTraceparent, sampled, spanIdOf } from '#runtime/tracing/trace-context.ts'
import { freshDatabase } from '../support/database.ts'
import { onEachEngine } from '../support/database-engines.ts'

test.each([
  ['SELECT 1 FROM webhook WHERE id = $1 FOR KEY SHARE', 'SELECT webhook'],
  ['SELECT "public"."project"."id" FROM "public"."project" WHERE 1=1', 'SELECT project'],
  ['SELECT t.id FROM task t JOIN project p ON p.id = t.project_id JOIN task o ON true', 'SELECT task SELECT project'],
  ['WITH a AS MATERIALIZED (SELECT id FROM outbox), b AS (DELETE FROM outbox) SELECT * FROM a', 'DELETE outbox'],
  [
    'WITH x AS (UPDATE event_sequence SET last = 1 RETURNING 1) INSERT INTO event SELECT * FROM x',
    'UPDATE event_sequence INSERT event',
  ],
  ['insert into "outbox" (a) values ($1)', 'INSERT outbox'],
  ['COMMIT', 'COMMIT'],
  ['SELECT set_config($1, $2, true)', 'SELECT'],
  ['', 'STATEMENT'],
])('%s is called %s', (sql, name) => {
  expect(summaryOf(sql)).toBe(name)
})

onEachEngine((kind) => {
  test('statements of a sampled call have spans of it, with their text and no value; others have none', async () => {
    await using database = await freshDatabase(kind, { traced: true })
    const { db } = database
    const ended: EndedSpan[] = []
    const call = new Span((span) => void ended.push(span), sampled(newTraceparent()), null, null)

    await db.$queryRaw`SELECT ${'private words'}::text AS untold`
    await runInSpan(call, async () => {
      await db.$queryRaw`SELECT ${'private words'}::text AS told`
      await transact(
        db,
        (tx) => tx.$executeRaw`UPDATE webhook SET name = ${'private words'} WHERE workspace_id = ${uuid()}::uuid`,
      )
      await db.project.findMany({ where: { name: 'private words' } })
      await expect(db.$queryRaw`SELECT 1 FROM no_such_table`).rejects.toThrow()
    })

    expect(ended.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['UPDATE webhook', 'SELECT project', 'SELECT no_such_table']),
    )
    expect(ended.every(({ parentId, kind: of }) => parentId === spanIdOf(call.traceparent) && of === 'client')).toBe(
      true,
    )
    expect(ended.find(({ name }) => name === 'SELECT no_such_table')).toMatchObject({
      error: '42P01',
      attributes: { 'db.system.name': 'postgresql', 'db.response.status_code': '42P01' },
    })
    expect(ended.filter(({ error }) => error !== null)).toHaveLength(1)
    const told = JSON.stringify(ended)
    expect(told).toContain('AS told')
    expect(told).not.toMatch(/untold|private words/)
  })
})
