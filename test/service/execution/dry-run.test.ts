// A dry run answers as the change would and leaves nothing behind. Progress is told in either.
import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { sharedExecutor } from './quiet-executor.ts'

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

const dryRun = true

onEachEngine((kind) => {
  const newExecutor = sharedExecutor(kind)

  async function given() {
    const service = await newExecutor()
    const { execute, db } = service
    const { body: project } = await execute('projects.create', { name: 'Website', key: 'WEB' })
    const { body: task } = await execute('tasks.create', { projectId: project.id, title: 'First' })
    return { ...service, project, task, before: await contentOf(db), known: service.notified.length }
  }

  test('answers as if done, and no table holds anything of it', async () => {
    const { execute, db, notified, project, task, before, known } = await given()
    const idempotencyKey = 'once'
    const create = (title: string, more: object) => execute('tasks.create', { projectId: project.id, title }, more)
    const webhook = { name: 'w', url: 'https://example.com', eventTypes: ['*'] }

    const answers = [
      await create('Second', { dryRun, idempotencyKey }),
      await execute('tasks.update', { id: task.id, title: 'Changed', expectedVersion: 1 }, { dryRun }),
      await execute('projects.delete', { id: project.id }, { dryRun }),
      await execute('webhooks.create', webhook, { dryRun }),
    ]

    expect(answers.map(({ body }) => body)).toMatchObject([
      { identifier: 'WEB-2', title: 'Second', version: 1 },
      { id: task.id, title: 'Changed', version: 2 },
      null,
      { name: 'w' },
    ])
    expect(await contentOf(db)).toEqual(before)
    expect(notified).toHaveLength(known)
    // The key of the dry run is free, and so is the number. What a key has kept is not answered to a dry run.
    const made = await create('Third', { idempotencyKey })
    expect(made).toMatchObject({ replayed: false, body: { identifier: 'WEB-2' } })
    const again = await create('Third', { dryRun, idempotencyKey })
    expect(again).toMatchObject({ replayed: false, body: { identifier: 'WEB-3' } })
  })

  test('is refused as the change would be', async () => {
    const { execute, db, task, before } = await given()

    for (const [input, code] of [
      [{ title: '' }, 'validation_failed'],
      [{ title: 'x', expectedVersion: 7 }, 'version_mismatch'],
      [{ parentTaskId: task.id }, 'validation_failed'],
    ] as const)
      await expect(execute('tasks.update', { id: task.id, ...input }, { dryRun })).rejects.toMatchObject({ code })
    expect(await contentOf(db)).toEqual(before)
  })

  test('of a batch tells its progress, with items that were refused, and nothing of it stays', async () => {
    const { execute, db, before } = await given()
    const told: number[][] = []
    const onProgress = (done: number, total: number) => void told.push([done, total])
    const items = ['a', '', 'c'].map((name) => ({ action: 'create', data: { name } }))

    const { body } = await execute('projects.batch', { items }, { dryRun, onProgress })
    const refused = execute('projects.batch', { items, atomic: true }, { onProgress })

    await expect(refused).rejects.toMatchObject({ code: 'batch_failed' })
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([201, 422, 201])
    const progress = [1, 2, 3].map((done) => [done, 3])
    expect(told).toEqual([...progress, ...progress])
    expect(await contentOf(db)).toEqual(before)
  })
})
