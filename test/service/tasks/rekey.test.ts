// What is left to do of a project's new key, a batch at a time: in a service that does nothing by itself.
import { expect, test } from 'vitest'
import { rekeyWaiting } from '../../../service/tasks/rekey.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { sharedService, type WorkspaceInService } from '../quiet-service.ts'

const atOnce = 100

onEachEngine((kind) => {
  const newWorkspace = sharedService(kind)

  /** A project with more tasks than are changed at once, and its key changed. */
  async function rekeyed(service: WorkspaceInService, more: number): Promise<string> {
    const { body: project } = await service.call('POST', '/projects', { name: 'Large', key: 'OLD' })
    const data = { projectId: project.id, title: 'Task' }
    const items = (count: number) => Array.from({ length: count }, () => ({ action: 'create', data }))
    for (const count of [atOnce, more]) await service.call('POST', '/tasks/batch', { items: items(count) })
    expect(await service.call('PATCH', `/projects/${project.id}`, { key: 'NEW' })).toMatchObject({ status: 200 })
    return project.id
  }
  /** How many tasks bear which key, and in which version. */
  const tally = ({ db, workspaceId }: WorkspaceInService) =>
    db.$queryRaw`SELECT split_part(identifier, '-', 1) AS key, version, count(*)::int AS count FROM task
      WHERE workspace_id = ${workspaceId}::uuid GROUP BY 1, 2 ORDER BY 1`
  /** How many there are, each of a moment after that of the one before. */
  async function eventsOf({ db, workspaceId }: WorkspaceInService): Promise<number> {
    const where = { workspaceId, type: 'tasks.updated' }
    const times = (await db.event.findMany({ where, orderBy: { sequence: 'asc' } })).map((event) => +event.occurredAt)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
    return times.length
  }

  test('the first hundred change with the key; the others a batch at a time, but for one that is changed before its turn', async () => {
    const service = await newWorkspace()
    const { db, workspaceId } = service
    const id = await rekeyed(service, 25)
    const key = (name: string, version: number, count: number) => ({ key: name, version, count })
    expect(await tally(service)).toEqual([key('NEW', 2, atOnce), key('OLD', 1, 25)])

    const { body: last } = await service.call('GET', `/tasks/NEW-${atOnce + 25}`)
    const { body: changed } = await service.call('PATCH', `/tasks/${last.id}`, { title: 'Changed' })
    expect([last.identifier, last.version]).toEqual([`OLD-${atOnce + 25}`, 1])
    expect(changed).toMatchObject({ projectId: id, identifier: `NEW-${atOnce + 25}`, version: 2 })

    expect(await rekeyWaiting(changeDeps(db), 20)).toBe(1)
    expect(await tally(service)).toEqual([key('NEW', 2, atOnce + 21), key('OLD', 1, 4)])
    expect(await rekeyWaiting(changeDeps(db), 20)).toBe(1)
    expect(await tally(service)).toEqual([key('NEW', 2, atOnce + 25)])
    expect(await rekeyWaiting(changeDeps(db), 20)).toBe(0)
    expect(await db.project.findFirst({ where: { workspaceId, id } })).toMatchObject({ rekeyedThrough: null })
    expect((await service.call('GET', `/tasks/${last.id}`)).body).toEqual(changed)
    expect(await eventsOf(service)).toBe(atOnce + 25)
  })

  test('several services at once share what there is to do: each task changes once', async () => {
    const service = await newWorkspace()
    await rekeyed(service, 30)

    for (let round = 0; round < 2; round += 1)
      await Promise.all([1, 2, 3].map(() => rekeyWaiting(changeDeps(service.db), 10)))

    expect(await tally(service)).toEqual([{ key: 'NEW', version: 2, count: atOnce + 30 }])
    expect(await eventsOf(service)).toBe(atOnce + 30)
  })

  test('what older versions write without an identifier gets one from the database', async () => {
    const service = await newWorkspace()
    const { db, workspaceId } = service
    const make = async (key: string) => (await service.call('POST', '/projects', { name: key, key })).body.id
    const [from, to] = [await make('FROM'), await make('TARGET')]
    const { body: task } = await service.call('POST', '/tasks', { projectId: from, title: 'Task' })
    const shown = async (identifier: string) => (await service.call('GET', `/tasks/${identifier}`)).body.identifier

    await db.$executeRaw`
      INSERT INTO task (workspace_id, id, project_id, number, title, status, priority, labels, position, version,
        created_at, updated_at, created_by, updated_by)
      SELECT workspace_id, gen_random_uuid(), project_id, 2, title, status, priority, labels, position, 1, created_at,
        updated_at, created_by, updated_by
      FROM task WHERE workspace_id = ${workspaceId}::uuid`
    await db.$executeRaw`UPDATE task SET project_id = ${to}::uuid, number = 7
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${task.id}::uuid`

    expect([await shown('FROM-2'), await shown('TARGET-7')]).toEqual(['FROM-2', 'TARGET-7'])
  })
})
