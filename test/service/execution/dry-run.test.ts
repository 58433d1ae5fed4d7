// A dry run answers as the change would and leaves nothing behind. Progress is told in either.
import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { quietExecutor, type QuietExecutor } from './quiet-executor.ts'

/** The content of every table. */
async function contentOf(db: Database): Promise<unknown> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`
  const contents = tables.map(
    ({ name }) =>
      Prisma.sql`SELECT ${name} AS name, array_agg(t::text ORDER BY t::text) AS rows FROM ${Prisma.raw(name)} t`,
  )
  return db.$queryRaw(Prisma.join(contents, ' UNION ALL '))
}

async function given({ execute }: QuietExecutor) {
  const { body: project } = await execute('projects.create', { name: 'Website', key: 'WEB' })
  const { body: task } = await execute('tasks.create', { projectId: project.id, title: 'First' })
  return { project, task }
}

const dryRun = true

onEachEngine((kind) => {
  test('answers as if done, and no table holds anything of it', async () => {
    await using service = await quietExecutor(kind)
    const { execute, db, notified } = service
    const { project, task } = await given(service)
    const before = await contentOf(db)
    const known = notified.length
    const idempotencyKey = 'once'

    const created = await execute(
      'tasks.create',
      { projectId: project.id, title: 'Second' },
      { dryRun, idempotencyKey },
    )
    const updated = await execute('tasks.update', { id: task.id, title: 'Changed', expectedVersion: 1 }, { dryRun })
    const deleted = await execute('projects.delete', { id: project.id }, { dryRun })
    const key = await execute(
      'webhooks.create',
      { name: 'w', url: 'https://example.com', eventTypes: ['*'] },
      { dryRun },
    )

    expect(created.body).toMatchObject({ identifier: 'WEB-2', title: 'Second', version: 1 })
    expect(updated.body).toMatchObject({ id: task.id, title: 'Changed', version: 2 })
    expect(deleted.body).toBeNull()
    expect(key.body).toMatchObject({ name: 'w' })
    expect(await contentOf(db)).toEqual(before)
    expect(notified).toHaveLength(known)
    // The key of the dry run is free, and so is the number.
    const made = await execute('tasks.create', { projectId: project.id, title: 'Third' }, { idempotencyKey })
    expect(made).toMatchObject({ replayed: false, body: { identifier: 'WEB-2' } })
    // What a key has kept is not answered to a dry run.
    const again = await execute('tasks.create', { projectId: project.id, title: 'Third' }, { dryRun, idempotencyKey })
    expect(again).toMatchObject({ replayed: false, body: { identifier: 'WEB-3' } })
  })

  test('is refused as the change would be', async () => {
    await using service = await quietExecutor(kind)
    const { execute, db } = service
    const { task } = await given(service)
    const before = await contentOf(db)
    const refusal = (input: object, more = {}) =>
      execute('tasks.update', input, { dryRun, ...more }).catch(({ code }: { code: string }) => code)

    expect(await refusal({ id: task.id, title: '' })).toBe('validation_failed')
    expect(await refusal({ id: task.id, title: 'x', expectedVersion: 7 })).toBe('version_mismatch')
    expect(await refusal({ id: task.id, parentTaskId: task.id })).toBe('validation_failed')
    expect(await contentOf(db)).toEqual(before)
  })

  test('of a batch tells its progress, with items that were refused, and nothing of it stays', async () => {
    await using service = await quietExecutor(kind)
    const { execute, db } = service
    await given(service)
    const before = await contentOf(db)
    const told: number[][] = []
    const onProgress = (done: number, total: number) => void told.push([done, total])
    const items = ['a', '', 'c'].map((name) => ({ action: 'create', data: { name } }))

    const { body } = await execute('projects.batch', { items }, { dryRun, onProgress })

    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([201, 422, 201])
    expect(told).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    await expect(execute('projects.batch', { items, atomic: true }, { onProgress })).rejects.toMatchObject({
      code: 'batch_failed',
    })
    expect(told).toHaveLength(6)
    expect(await contentOf(db)).toEqual(before)
  })

  test('an idempotency key counts for any change that is given one', async () => {
    await using service = await quietExecutor(kind)
    const { execute, db } = service
    const { task } = await given(service)
    const update = () => execute('tasks.update', { id: task.id, title: 'Changed' }, { idempotencyKey: 'once' })

    const first = await update()
    const second = await update()

    expect(second).toEqual({ body: first.body, replayed: true })
    expect(await db.task.findFirst()).toMatchObject({ version: 2 })
  })
})
