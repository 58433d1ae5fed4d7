// Former identifiers of a task still lead to it: after its project got a new key, after it moved, after both. Each new
// identifier is a change of the task like any other, with an event.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

type Body = Answer['body']

/** So many change with the key itself; the others follow. */
const atOnce = 100

describeModes('identifiers of tasks', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const ask = (method: string, path: string, body?: object, headers?: Record<string, string>, who = tenant) =>
    who.api(method, `/api/v1${path}`, body, headers)
  const get = async (path: string): Promise<Body> => must(await ask('GET', path))
  const newProject = async (key?: string): Promise<Body> =>
    must(await ask('POST', '/projects', { name: 'Website', ...(key !== undefined && { key }) }))
  const newTask = async (projectId: string): Promise<Body> =>
    must(await ask('POST', '/tasks', { projectId, title: 'Paint' }))
  const rekey = (id: string, key: string) => ask('PATCH', `/projects/${id}`, { key })
  const byIdentifier = async (identifier: string): Promise<string> => (await get(`/tasks/${identifier}`)).id

  /** As many as that, in one statement. */
  async function manyTasks({ id: projectId }: Body, count: number): Promise<void> {
    const { workspaceId } = tenant
    const { id } = await newTask(projectId)
    await system.db.$executeRaw`
      INSERT INTO task (workspace_id, id, project_id, number, title, status, priority, labels, position, version,
        created_at, updated_at, created_by, updated_by)
      SELECT workspace_id, gen_random_uuid(), project_id, n, 'Task ' || n, status, priority, labels, n, 1, created_at,
        updated_at, created_by, updated_by
      FROM task, generate_series(2, ${count}::int) AS n
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`
    await system.db.project.update({
      where: { workspaceId_id: { workspaceId, id: projectId } },
      data: { lastTaskNumber: count },
    })
  }

  async function tasksOf({ id }: Body, more = ''): Promise<Body[]> {
    const all: Body[] = []
    for (let cursor = ''; ;) {
      const { data, page } = await get(`/tasks?projectId=${id}&sort=updatedAt&limit=200${more}${cursor}`)
      all.push(...data)
      if (page.nextCursor === null) return all
      cursor = `&cursor=${page.nextCursor}`
    }
  }

  test('a new key of the project changes each of its tasks: version, updatedAt, ETag and event', async () => {
    const project = await newProject('KCA')
    const [one, two] = [await newTask(project.id), await newTask(project.id)]
    const since = await tenant.lastSequence()

    must(await rekey(project.id, 'KCB'))

    const { status, body } = await ask('GET', `/tasks/${one.id}`, undefined, { 'if-none-match': '"1"' })
    expect([status, body.identifier, body.version]).toEqual([200, 'KCB-1', 2])
    const changed = await get(`/tasks?updatedAfter=${two.updatedAt}&sort=updatedAt&projectId=${project.id}`)
    expect(changed.data.map(({ identifier }: Body) => identifier)).toEqual(['KCB-1', 'KCB-2'])
    const { data: events } = await get(`/events?after=${since}`)
    expect(events.map(({ type, resource }: Body) => [type, resource.id, resource.version])).toEqual([
      ['projects.updated', project.id, 2],
      ['tasks.updated', one.id, 2],
      ['tasks.updated', two.id, 2],
    ])
    expect(events[1]).toMatchObject({
      data: body,
      changes: { identifier: { from: 'KCA-1', to: 'KCB-1' } },
      actor: { id: tenant.keyId },
    })
  })

  test('every identifier that a task has had leads to it: read, in search and in lists', async () => {
    const [from, to] = [await newProject('OLD'), await newProject('TARGET')]
    const task = await newTask(from.id)
    must(await rekey(from.id, 'NEW'))
    must(await ask('PATCH', `/tasks/${task.id}`, { projectId: to.id }))
    must(await rekey(from.id, 'NEWER'))
    must(await rekey(to.id, 'GOAL'))

    for (const identifier of ['OLD-1', 'NEW-1', 'NEWER-1', 'TARGET-1', 'goal-1']) {
      expect([identifier, await byIdentifier(identifier)]).toEqual([identifier, task.id])
      const [found] = (await get(`/search?q=${identifier}`)).data
      expect([identifier, found]).toMatchObject([identifier, { id: task.id, identifier: 'GOAL-1' }])
      expect((await get(`/tasks?q=${identifier}`)).data).toMatchObject([{ id: task.id }])
    }
    expect((await get('/search?q=old')).data[0]).toMatchObject({ type: 'projects', id: from.id, identifier: 'NEWER' })
  })

  test('a read by identifier has the Content-Location of the task and is never 304', async () => {
    const project = await newProject()
    const task = await newTask(project.id)

    const answer = await ask('GET', `/tasks/${task.identifier}`, undefined, { 'if-none-match': '"1"' })

    expect([answer.status, answer.body]).toEqual([200, task])
    expect(answer.headers.get('content-location')).toBe(`/api/v1/tasks/${task.id}`)
    expect(await ask('GET', `/tasks/${task.identifier}?expand=project`)).toMatchObject({
      body: { project: { key: project.key } },
    })
  })

  test('an identifier that no task of the workspace has had is not found; a malformed one is refused', async () => {
    const other = await system.tenant()
    const project = await newProject('MINE')
    const task = await newTask(project.id)
    must(await rekey(project.id, 'STILL'))

    for (const path of ['/tasks/MINE-1', '/tasks/STILL-1'])
      expect(await ask('GET', path, undefined, {}, other)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const path of ['/tasks/MINE-2', '/tasks/NONE-1', '/tasks/MINE-9999999999'])
      expect(await ask('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const path of ['/tasks/MINE-0', '/tasks/MINE', '/tasks/1'])
      expect(await ask('GET', path)).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } })
    must(await ask('DELETE', `/tasks/${task.id}`))
    expect((await ask('GET', '/tasks/MINE-1')).status).toBe(404)
    expect((await other.api('GET', '/api/v1/search?q=MINE-1')).body.data).toEqual([])
  })

  test('a former key that tasks have had is refused to other projects, by name and with a hint', async () => {
    const [project, other] = [await newProject('TAKEN'), await newProject('OTHER')]
    await newTask(project.id)
    must(await rekey(project.id, 'LATER'))

    const item = { action: 'create', data: { name: 'Third', key: 'TAKEN' } }
    const refusals = [
      (await ask('POST', '/projects', { name: 'Third', key: 'TAKEN' })).body,
      (await rekey(other.id, 'TAKEN')).body,
      must(await ask('POST', '/projects/batch', { items: [item] })).results[0].problem,
    ]

    for (const body of refusals)
      expect(body).toMatchObject({
        status: 409,
        code: 'duplicate',
        field: 'key',
        existingId: project.id,
        hint: expect.stringContaining('had this key before'),
      })
    const stranger = await system.tenant()
    expect((await stranger.api('POST', '/api/v1/projects', { name: 'x', key: 'TAKEN' })).status).toBe(201)
  })

  test('a key made from a name is never one that tasks have had', async () => {
    const project = await newProject('ZEB')
    await newTask(project.id)
    must(await rekey(project.id, 'HORSE'))

    const { key } = must(await ask('POST', '/projects', { name: 'Zebra' }))

    expect([key, (await get('/tasks/ZEB-1')).identifier]).toEqual(['ZEBR', 'HORSE-1'])
  })

  test('the project itself may take its former key back, and a key that no task has had is free at once', async () => {
    const [project, empty] = [await newProject('THERE'), await newProject('EMPTY')]
    const task = await newTask(project.id)

    must(await rekey(project.id, 'BACK'))
    must(await rekey(project.id, 'THERE'))
    must(await rekey(empty.id, 'FULL'))

    expect((await get(`/tasks/${task.id}`)).identifier).toBe('THERE-1')
    expect(await byIdentifier('BACK-1')).toBe(task.id)
    expect((await ask('POST', '/projects', { name: 'x', key: 'EMPTY' })).status).toBe(201)
    expect((await ask('POST', '/projects', { name: 'x', key: 'BACK' })).status).toBe(409)
  })

  test('of many tasks those not changed yet show the former identifier with the former version; all are changed', async () => {
    const count = atOnce + 550
    const project = await newProject('MANY')
    await manyTasks(project, count)
    const before = await tasksOf(project)
    const since = await tenant.lastSequence()

    must(await rekey(project.id, 'LOTS'))
    const meanwhile = await tasksOf(project)
    const isDone = async () => {
      const all = await tasksOf(project)
      return all.every(({ identifier }) => identifier.startsWith('LOTS-')) ? all : null
    }
    const after = await eventually(isDone, 'all tasks bear the new key')

    expect(before.map(({ identifier }) => identifier)).toEqual(expect.arrayContaining(['MANY-1', `MANY-${count}`]))
    for (const { identifier, number, version } of meanwhile)
      expect([`MANY-${number} 1`, `LOTS-${number} 2`]).toContain(`${identifier} ${version}`)
    expect(meanwhile.filter(({ version }) => version === 2).length).toBeGreaterThanOrEqual(atOnce)
    expect(after.map(({ version }) => version)).toEqual(after.map(() => 2))
    const events = await eventsAfter(since)
    expect(events.slice(1).map(({ data }) => data.number)).toEqual(Array.from({ length: count }, (_, n) => n + 1))
    const times = after.map(({ updatedAt }) => updatedAt)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => (a < b ? -1 : 1)))
    expect(events.slice(1).map(({ occurredAt }) => occurredAt)).toEqual(times)
    expect(await byIdentifier(`MANY-${count}`)).toBe(after.at(-1).id)
  }, 30_000)

  async function eventsAfter(sequence: number): Promise<Body[]> {
    const { data, lastSequence, hasMore } = await get(`/events?after=${sequence}&limit=200`)
    return hasMore ? [...data, ...(await eventsAfter(lastSequence))] : data
  }

  test('keys that are changed in a batch reach the tasks as well, also when one is changed twice', async () => {
    const [one, two] = [await newProject('BATCHA'), await newProject('BATCHB')]
    const tasks = [await newTask(one.id), await newTask(two.id)]
    const to = (id: string, key: string) => ({ action: 'update', id, data: { key } })

    const items = [to(one.id, 'BATCHC'), to(two.id, 'BATCHD'), to(one.id, 'BATCHE')]
    const { results } = must(await ask('POST', '/projects/batch', { items }))

    expect(results.map(({ status }: Body) => status)).toEqual([200, 200, 200])
    const identifiers = async () => Promise.all(tasks.map(async ({ id }) => (await get(`/tasks/${id}`)).identifier))
    await eventually(async () => (await identifiers()).join() === 'BATCHE-1,BATCHD-1', 'both tasks bear the new keys')
    expect(await Promise.all(['BATCHA-1', 'BATCHC-1', 'BATCHE-1'].map(byIdentifier))).toEqual(
      Array.from({ length: 3 }, () => tasks[0].id),
    )
  })

  test('a task that was deleted when the key changed gets the new one when it is restored', async () => {
    const project = await newProject('GONE')
    const task = await newTask(project.id)
    must(await ask('DELETE', `/tasks/${task.id}`))
    must(await rekey(project.id, 'CAME'))

    const restored = must(await ask('POST', `/tasks/${task.id}/restore`))

    expect(restored).toMatchObject({ identifier: 'CAME-1', version: 3 })
    expect([await byIdentifier('GONE-1'), await get(`/tasks/${task.id}`)]).toEqual([task.id, restored])
  })

  test('tasks of a project that is deleted meanwhile get their identifiers when it is restored', async () => {
    const count = atOnce + 20
    const project = await newProject('AWAY')
    await manyTasks(project, count)
    const item = [
      { action: 'update', id: project.id, data: { key: 'HOME' } },
      { action: 'delete', id: project.id },
    ]
    must(await ask('POST', '/projects/batch', { items: item }))

    must(await ask('POST', `/projects/${project.id}/restore`))

    const isDone = async () => (await tasksOf(project)).every(({ identifier }) => identifier.startsWith('HOME-'))
    expect(await eventually(isDone, 'all tasks bear the new key')).toBe(true)
  })
})
