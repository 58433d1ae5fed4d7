// Callers who go away, and calls that wait for what others hold. Before the commit a cancelled change leaves nothing
// behind and nothing of it runs on, after it the change stands; who waits acts on what is there then, and not for ever.
import { expect, test } from 'vitest'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { holdLock, isWaiting } from '../../support/database-locks.ts'
import { eventually } from '../../support/eventually.ts'
import { type QuietExecutor, sharedExecutor } from './quiet-executor.ts'

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

/** What another service process does in the middle of a change. */
const lockWorkspace = ({ url, workspaceId }: Pick<QuietExecutor, 'url' | 'workspaceId'>) =>
  holdLock(url, 'SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE', [workspaceId])

onPostgres(() => {
  const newExecutor = sharedExecutor('postgres', { lockTimeoutMs: 60_000 })

  test('a change that waits for a row is cancelled there, and its connection serves the next one', async () => {
    const service = await newExecutor()
    const { execute, db } = service
    const gone = new AbortController()
    await using lock = await lockWorkspace(service)
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

  test('a new object that waited while the first required custom field was made has to give it', async () => {
    const service = await newExecutor()
    const { execute, db, workspaceId } = service
    await using other = await lockWorkspace(service)

    const refusal = expect(execute('projects.create', { name: 'Late' })).rejects.toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ pointer: '/customFields/tier', code: 'required' }] },
    })
    await eventually(() => isWaiting(db), 'the new project to wait')
    const requiredField = `
      INSERT INTO custom_field (workspace_id, id, key, label, target, type, options, required, version, created_at,
        updated_at, created_by, updated_by)
      VALUES ($1, gen_random_uuid(), 'tier', 'Tier', 'project', 'text', '{}', true, 1, now(), now(), '{}', '{}')`
    await other.query(requiredField, [workspaceId])
    await other.letGo()

    await refusal
    expect(await db.project.count({ where: { workspaceId } })).toBe(0)
  })

  test('what is purged while it is being restored is not found, and no event says otherwise', async () => {
    const { execute, db, url, workspaceId } = await newExecutor()
    const { id } = (await execute('projects.create', { name: 'Gone' })).body
    await execute('projects.delete', { id })
    // The purge holds no lock of the workspace.
    await using purge = await holdLock(url, 'DELETE FROM project WHERE id = $1', [id])

    const refusal = expect(execute('projects.restore', { id })).rejects.toMatchObject({ code: 'not_found' })
    await eventually(() => isWaiting(db), 'the restore to wait for the row')
    await purge.letGo()

    await refusal
    expect(await db.event.count({ where: { workspaceId, type: { endsWith: '.restored' } } })).toBe(0)
  })

  test('a read that the database does not finish in time is refused with a hint and nothing of it runs on; a change is not', async () => {
    const { execute, db, url } = await newExecutor({ readTimeoutSeconds: 0.05 })
    const unbound = await newExecutor({ readTimeoutSeconds: 0.001 })
    expect((await unbound.execute('projects.create', { name: 'Slow' })).body).toMatchObject({ name: 'Slow' })
    // Waiting for this lock is what takes the statements so long.
    await using other = await holdLock(url, 'LOCK TABLE project IN ACCESS EXCLUSIVE MODE')

    const members = { hint: expect.stringContaining('Ask for less') }
    for (const read of [execute('projects.list', {}), execute('search.query', { q: 'word' })])
      await expect(read).rejects.toMatchObject({ code: 'query_too_costly', status: 503, members })

    const running = await db.$queryRaw`
      SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`
    expect(running).toEqual([])
    await other.letGo()
    expect((await execute('projects.list', {})).body.data).toEqual([])
  })

  test('changes that wait for their workspace hold one connection, however many they are', async () => {
    const service = await newExecutor()
    const { execute, db } = service
    await using lock = await lockWorkspace(service)

    const changes = Array.from({ length: 20 }, (_, n) => execute('projects.create', { name: `p${n}` }))
    await eventually(() => isWaiting(db), 'a change to wait')
    await Promise.all(Array.from({ length: 10 }, () => execute('projects.list', {})))

    expect((await connectionsOf(service)).filter(({ waits }) => waits)).toHaveLength(1)
    await lock.letGo()
    expect(await Promise.all(changes)).toHaveLength(20)
  })

  const newHasty = sharedExecutor('postgres', { lockTimeoutMs: 50 })

  test('a change whose workspace stays locked is told to come again, with an Idempotency-Key as without', async () => {
    const service = await newHasty()
    await using lock = await lockWorkspace(service)
    const create = (more = {}) => service.execute('projects.create', { name: 'late' }, more)
    const refused = { code: 'unavailable', status: 503, members: { retryAfterSeconds: 1 } }

    for (const more of [{}, { idempotencyKey }]) await expect(create(more)).rejects.toMatchObject(refused)

    await lock.letGo()
    expect(await create({ idempotencyKey })).toMatchObject({ replayed: false })
  })
})
