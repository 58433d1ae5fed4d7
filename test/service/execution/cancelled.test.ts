// A caller who goes away before the commit leaves nothing behind, and nothing of it runs on; after the commit the
// change stands.
import { expect, test } from 'vitest'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { holdLock, isWaiting } from '../../support/database-locks.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedExecutor, type QuietExecutor } from './quiet-executor.ts'

const cancelled = { code: 'request_cancelled', status: 499 }
const items = ['a', 'b', 'c'].map((name) => ({ action: 'create', data: { name } }))
const idempotencyKey = 'once'

const countsIn = ({ db, workspaceId }: QuietExecutor): Promise<number[]> => {
  const where = { workspaceId }
  return Promise.all([db.project.count({ where }), db.event.count({ where }), db.idempotencyRecord.count({ where })])
}

onEachEngine((kind) => {
  const newExecutor = sharedExecutor(kind)

  test('after the abort no further statement of a change is carried out, and it is rolled back', async () => {
    const service = await newExecutor()
    const { execute, notified } = service
    const gone = new AbortController()
    const told: number[] = []
    const onProgress = (done: number) => {
      told.push(done)
      gone.abort()
    }

    const change = execute('projects.batch', { items }, { signal: gone.signal, onProgress, idempotencyKey })

    await expect(change).rejects.toMatchObject(cancelled)
    expect(told).toEqual([1])
    expect(await countsIn(service)).toEqual([0, 0, 0])
    expect(notified).toEqual([])
    // The key, the workspace and the connection are free.
    expect(await execute('projects.batch', { items }, { idempotencyKey })).toMatchObject({ replayed: false })
    expect(await countsIn(service)).toEqual([3, 3, 1])
  })

  test('a change whose caller goes at its very end, before the commit, is rolled back', async () => {
    const service = await newExecutor()
    const gone = new AbortController()
    const onProgress = (done: number, total: number) => void (done === total && gone.abort())

    // Neither events nor an answer to keep: nothing is sent between the last item and the commit.
    const change = service.execute('projects.batch', { items: [items[0]] }, { signal: gone.signal, onProgress })

    await expect(change).rejects.toMatchObject(cancelled)
    expect(await countsIn(service)).toEqual([0, 0, 0])
  })

  test('a change that is committed stands, is told of and answered, whoever has gone', async () => {
    const gone = new AbortController()
    const service = await newExecutor({ onNotified: () => gone.abort() })
    const create = (signal?: AbortSignal) =>
      service.execute('projects.create', { name: 'x' }, { signal, idempotencyKey })

    const { body } = await create(gone.signal)

    expect(await countsIn(service)).toEqual([1, 1, 1])
    expect(service.notified).toHaveLength(1)
    expect(await create()).toEqual({ body, replayed: true })
  })

  test('a caller who is gone already is given nothing', async () => {
    const service = await newExecutor()
    const signal = AbortSignal.abort()

    for (const [name, input] of [['projects.create', { name: 'x' }] as const, ['projects.list', {}] as const])
      await expect(service.execute(name, input, { signal })).rejects.toMatchObject(cancelled)
    expect(await countsIn(service)).toEqual([0, 0, 0])
  })
})

const connectionsOf = ({ db }: QuietExecutor): Promise<{ pid: number; waits: boolean }[]> => db.$queryRaw`
  SELECT pid, coalesce(wait_event_type = 'Lock', false) AS waits FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' ORDER BY pid`

onPostgres(() => {
  const newExecutor = sharedExecutor('postgres', { lockTimeoutMs: 60_000 })

  test('a change that waits for a row is cancelled there, and its connection serves the next one', async () => {
    const service = await newExecutor()
    const { execute, db, workspaceId, url } = service
    const gone = new AbortController()
    const row = 'SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE'
    await using lock = await holdLock(url, row, [workspaceId])
    const change = execute('projects.create', { name: 'x' }, { signal: gone.signal, idempotencyKey })
    await eventually(() => isWaiting(db), 'the change to wait')
    const before = await connectionsOf(service)

    gone.abort()

    await expect(change).rejects.toMatchObject(cancelled)
    // The row is still held: the change was not let through, it has left the queue.
    expect(await connectionsOf(service)).toEqual(before.map(({ pid }) => ({ pid, waits: false })))
    expect(await countsIn(service)).toEqual([0, 0, 0])
    await lock.letGo()
    expect(await execute('projects.create', { name: 'x' }, { idempotencyKey })).toMatchObject({ replayed: false })
    expect(await connectionsOf(service)).toEqual(
      expect.arrayContaining(before.map(({ pid }) => ({ pid, waits: false }))),
    )
  })

  test.each([
    ['through Prisma', 'webhook', 'webhooks.list' as const],
    ['past it', 'task', 'tasks.list' as const],
  ])('a read %s is cancelled where it runs', async (_way, table, name) => {
    const { execute, db, url } = await newExecutor()
    const gone = new AbortController()
    await using _table = await holdLock(url, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    const read = execute(name, {}, { signal: gone.signal })
    await eventually(() => isWaiting(db), 'the read to wait')

    gone.abort()

    await expect(read).rejects.toMatchObject(cancelled)
    expect(await isWaiting(db)).toBe(false)
  })
})
