// A caller who goes away before the commit leaves nothing behind, and nothing of it runs on; after the commit the
// change stands.
import { describe, expect, test } from 'vitest'
import { openSession } from '#prisma/sql-session.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { quietExecutor, type QuietExecutor } from './quiet-executor.ts'

const cancelled = { code: 'request_cancelled', status: 499 }
const items = ['a', 'b', 'c'].map((name) => ({ action: 'create', data: { name } }))
const idempotencyKey = 'once'

onEachEngine((kind) => {
  test('after the abort no further statement of a change is carried out, and it is rolled back', async () => {
    await using service = await quietExecutor(kind)
    const { execute, db, notified } = service
    const gone = new AbortController()
    const told: number[] = []
    const onProgress = (done: number) => {
      told.push(done)
      gone.abort()
    }

    const change = execute('projects.batch', { items }, { signal: gone.signal, onProgress, idempotencyKey })

    await expect(change).rejects.toMatchObject(cancelled)
    expect(told).toEqual([1])
    expect([await db.project.count(), await db.event.count(), await db.idempotencyRecord.count()]).toEqual([0, 0, 0])
    expect(notified).toEqual([])
    // The key, the workspace and the connection are free.
    expect(await execute('projects.batch', { items }, { idempotencyKey })).toMatchObject({ replayed: false })
    expect(await db.project.count()).toBe(3)
  })

  test('a change whose caller goes at its very end, before the commit, is rolled back', async () => {
    await using service = await quietExecutor(kind)
    const { execute, db } = service
    const gone = new AbortController()
    const onProgress = (done: number, total: number) => void (done === total && gone.abort())

    // Neither events nor an answer to keep: nothing is sent between the last item and the commit.
    const change = execute('projects.batch', { items: [items[0]] }, { signal: gone.signal, onProgress })

    await expect(change).rejects.toMatchObject(cancelled)
    expect(await db.project.count()).toBe(0)
  })

  test('a change that is committed stands, is told of and answered, whoever has gone', async () => {
    const gone = new AbortController()
    await using service = await quietExecutor(kind, { onNotified: () => gone.abort() })
    const { execute, db, notified } = service

    const { body } = await execute('projects.create', { name: 'x' }, { signal: gone.signal, idempotencyKey })

    expect(await db.project.findFirst()).toMatchObject({ id: body.id })
    expect(notified).toHaveLength(1)
    expect(await execute('projects.create', { name: 'x' }, { idempotencyKey })).toMatchObject({ replayed: true })
  })

  test('a caller who is gone already is given nothing', async () => {
    await using service = await quietExecutor(kind)
    const { execute, db } = service
    const signal = AbortSignal.abort()

    await expect(execute('projects.create', { name: 'x' }, { signal })).rejects.toMatchObject(cancelled)
    await expect(execute('projects.list', {}, { signal })).rejects.toMatchObject(cancelled)
    expect(await db.project.count()).toBe(0)
  })
})

/** Of the database of this test. */
const statesOf = ({ db }: QuietExecutor): Promise<{ pid: number; waits: boolean }[]> => db.$queryRaw`
  SELECT pid, coalesce(wait_event_type = 'Lock', false) AS waits FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' ORDER BY pid`

const isWaiting = async (service: QuietExecutor) => (await statesOf(service)).some(({ waits }) => waits)

async function holding({ url }: QuietExecutor, lock: string, values: readonly unknown[] = []) {
  const other = await openSession({ url: url ?? '' })
  await other.run('BEGIN')
  await other.query(lock, values)
  return { letGo: () => other.run('COMMIT'), [Symbol.asyncDispose]: other.close }
}

describe.skipIf(services().postgres === null)('on postgres', () => {
  test('a change that waits for a row is cancelled there, and its connection serves the next one', async () => {
    await using service = await quietExecutor('postgres', { lockTimeoutMs: 60_000 })
    const { execute, db } = service
    const gone = new AbortController()
    await using row = await holding(service, 'SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE', [
      service.workspaceId,
    ])
    const change = execute('projects.create', { name: 'x' }, { signal: gone.signal, idempotencyKey })
    await eventually(() => isWaiting(service), 'the change to wait')
    const before = await statesOf(service)

    gone.abort()

    await expect(change).rejects.toMatchObject(cancelled)
    // The row is still held: the change was not let through, it has left the queue.
    expect(await statesOf(service)).toEqual(before.map(({ pid }) => ({ pid, waits: false })))
    expect([await db.project.count(), await db.idempotencyRecord.count()]).toEqual([0, 0])
    await row.letGo()
    expect(await execute('projects.create', { name: 'x' }, { idempotencyKey })).toMatchObject({ replayed: false })
    expect((await statesOf(service)).map(({ pid }) => pid)).toEqual(before.map(({ pid }) => pid))
  })

  test.each([
    ['through Prisma', 'webhook', 'webhooks.list' as const],
    ['past it', 'task', 'tasks.list' as const],
  ])('a read %s is cancelled where it runs', async (_way, table, name) => {
    await using service = await quietExecutor('postgres', { lockTimeoutMs: 60_000 })
    const gone = new AbortController()
    await using _table = await holding(service, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    const read = service.execute(name, {}, { signal: gone.signal })
    await eventually(() => isWaiting(service), 'the read to wait')

    gone.abort()

    await expect(read).rejects.toMatchObject(cancelled)
    expect(await isWaiting(service)).toBe(false)
  })
})
