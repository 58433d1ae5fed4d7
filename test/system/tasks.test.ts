// What an integrator relies on when reading and writing tasks. That those of an archived project are not written, those
// of a deleted one not seen, and those that are moved numbered anew, is seen in random-calls.test.ts.
// Former identifiers of a task still lead to it: after its project got a new key, after it moved, after both. Each new
// identifier is a change of the task like any other, with an event.
// Operations: projects.list-tasks.
import { missingId } from '../support/client.ts'
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

type Body = Answer['body']

/** So many identifiers change with the key itself; the others follow. */
const atOnce = 100

const refusedAt = (pointer: string, more: object = {}) => ({
  status: 422,
  body: { code: 'validation_failed', errors: [{ pointer, ...more }] },
})
const refusal = (status: number, code: string, more: object = {}) => ({ status, body: { code, ...more } })

describeModes('tasks', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const post = (path: string, body?: object) => tenant.api('POST', `/api/v1${path}`, body)
  const get = (path: string) => tenant.api('GET', `/api/v1${path}`)
  const patch = (id: string, body: object) => tenant.api('PATCH', `/api/v1/tasks/${id}`, body)
  const remove = (path: string) => tenant.api('DELETE', `/api/v1${path}`)
  const newProject = async (body: object = {}) => must(await post('/projects', { name: 'Website', ...body }))
  const newTask = async (projectId: string, body: object = {}): Promise<Body> =>
    must(await post('/tasks', { projectId, title: 'Paint', ...body }))
  const idsIn = async (path: string): Promise<string[]> => must(await get(path)).data.map(({ id }: Body) => id)

  /** A task under a task under a task: the first is the top. */
  const newBranch = async (projectId: string, length: number): Promise<Body[]> => {
    const branch: Body[] = []
    for (let n = 0; n < length; n += 1)
      branch.push(await newTask(projectId, { parentTaskId: branch.at(-1)?.id ?? null }))
    return branch
  }

  test('numbers of tasks in a project have no gaps and no repeats: many are created at once, and some are refused', async () => {
    const [one, other] = [await newProject({ key: 'MANYA' }), await newProject({ key: 'MANYB' })]
    const refused = () => post('/tasks', { projectId: one.id, title: 'x', assigneeIds: [missingId] })

    const [made, refusals] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, (_, n) => newTask(n % 3 === 0 ? other.id : one.id))),
      Promise.all([refused(), refused(), refused()]),
    ])

    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422])
    for (const [project, count] of [[one, 20] as const, [other, 10] as const]) {
      const own = made.filter(({ projectId }) => projectId === project.id).toSorted((a, b) => a.number - b.number)
      expect(own.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, n) => n + 1))
      expect(own.map(({ identifier }) => identifier)).toEqual(own.map(({ number }) => `${project.key}-${number}`))
    }
  })

  test('a new task comes last, unless a position is given', async () => {
    const { id } = await newProject()

    const made = [await newTask(id), await newTask(id, { position: -3.5 }), await newTask(id)]
    const positions = made.map(({ position }) => position)

    expect(positions[1]).toBe(-3.5)
    expect(positions[2]).toBeGreaterThan(positions[0])
  })

  test('tasks of a deleted project are hidden from whatever names them, and come back unchanged with it', async () => {
    const [project, other] = [await newProject(), await newProject()]
    const external = { externalSource: 'crm', externalId: `hidden-${project.id}` }
    const hidden = await newTask(project.id, external)
    const seen = await newTask(other.id, { parentTaskId: hidden.id, blockedByIds: [hidden.id] })
    const byTheirs = `/tasks/by-external-id/crm/${external.externalId}`
    const expanded = async () => must(await get(`/tasks/${seen.id}?expand=parentTask,blockedBy`))
    must(await remove(`/projects/${project.id}`))

    const refused = [await get(byTheirs), await remove(byTheirs), await get(`/projects/${project.id}/tasks`)]

    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(refused.map(() => '404 not_found'))
    expect(await idsIn(`/tasks?ids=${hidden.id},${seen.id}`)).toEqual([seen.id])
    expect(await expanded()).toMatchObject({ parentTaskId: hidden.id, parentTask: null, blockedBy: [] })
    must(await post(`/projects/${project.id}/restore`))
    expect(must(await get(`/tasks/${hidden.id}`))).toEqual(hidden)
    expect(await expanded()).toMatchObject({ parentTask: { id: hidden.id }, blockedBy: [{ id: hidden.id }] })
  })

  test('a tree of tasks is at most five deep, from whichever end it grows, has no circle, and may be open below what is done', async () => {
    const { id } = await newProject()
    const five = await newBranch(id, 5)
    const [top] = await newBranch(id, 2)

    const tooDeep = [
      await post('/tasks', { projectId: id, title: 'Sixth', parentTaskId: five[4].id }),
      await patch(five[0].id, { parentTaskId: top.id }),
      await patch(top.id, { parentTaskId: five[3].id }),
    ]

    for (const refused of tooDeep) expect(refused).toMatchObject(refusedAt('/parentTaskId', { code: 'too_large' }))
    expect((await patch(top.id, { parentTaskId: five[2].id })).status).toBe(200)
    for (const { id: parentTaskId } of five.slice(0, 3))
      expect(await patch(five[0].id, { parentTaskId })).toMatchObject(refusedAt('/parentTaskId'))
    const done = must(await patch(five[0].id, { status: 'done' }))
    const allowed = ['backlog', 'todo', 'in_progress', 'blocked']
    const way = { from: 'done', to: 'cancelled', allowed }
    expect(await patch(five[0].id, { status: 'cancelled' })).toMatchObject(refusal(409, 'invalid_transition', way))
    expect([done.completedAt, must(await patch(five[0].id, { status: 'todo' })).completedAt]).toEqual([
      done.updatedAt,
      null,
    ])
  })

  test.each<[string, (id: string) => object]>([
    ['be the parent of each other', (parentTaskId) => ({ parentTaskId })],
    ['block each other', (id) => ({ blockedByIds: [id] })],
  ])('of two changes at the same time by which two tasks would %s one is refused', async (_what, naming) => {
    const { id } = await newProject()

    for (let round = 0; round < 4; round += 1) {
      const [one, other] = [await newTask(id), await newTask(id)]
      const answers = await Promise.all([patch(one.id, naming(other.id)), patch(other.id, naming(one.id))])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
    }
  })

  test('a task cannot block itself, and its blockers are kept in order', async () => {
    const { id } = await newProject()
    const [task, one, two] = [await newTask(id), await newTask(id), await newTask(id)]

    const refused = await patch(task.id, { blockedByIds: [one.id, task.id] })
    const taken = must(await patch(task.id, { blockedByIds: [two.id, one.id] }))
    const turned = must(await patch(task.id, { blockedByIds: [one.id, two.id] }))

    expect(refused).toMatchObject(refusedAt('/blockedByIds'))
    expect(taken.blockedByIds).toEqual([two.id, one.id])
    expect(turned).toMatchObject({ blockedByIds: [one.id, two.id], version: 3 })
    expect(must(await get(`/tasks/${task.id}`))).toEqual(turned)
  })

  test('tasks never block each other in a circle, by whichever way the last link is written', async () => {
    const { id: projectId } = await newProject()
    const external = { externalSource: 'erp', externalId: `circle-${projectId}` }
    const first = await newTask(projectId, external)
    const [second, third] = [await newTask(projectId), await newTask(projectId)]
    must(await patch(second.id, { blockedByIds: [first.id] }))
    must(await patch(third.id, { blockedByIds: [second.id] }))
    const blockedByIds = [third.id]
    const byTheirs = `/tasks/by-external-id/erp/${external.externalId}`
    const items = [{ action: 'update', id: first.id, data: { blockedByIds } }]

    const single = [
      await patch(first.id, { blockedByIds }),
      await tenant.api('PUT', `/api/v1${byTheirs}`, { projectId, title: 'Paint', blockedByIds }),
    ]
    const batch = await post('/tasks/batch', { items })
    must(await remove(`/tasks/${second.id}`))
    const overDeleted = await patch(first.id, { blockedByIds })
    must(await post(`/tasks/${second.id}/restore`))

    const waitsForItself = refusedAt('/blockedByIds', { code: 'wrong_format', detail: 'Would wait for itself.' })
    for (const answer of [...single, overDeleted]) expect(answer).toMatchObject(waitsForItself)
    expect(batch.body.results[0]).toMatchObject({ status: 422, problem: { code: 'validation_failed' } })
    expect((await get(`/tasks/${first.id}`)).body).toMatchObject({ blockedByIds: [], version: 1 })
    // A diamond is no circle.
    const fourth = await newTask(projectId, { blockedByIds: [first.id, second.id, third.id] })
    expect((await patch(fourth.id, { blockedByIds: [third.id, first.id] })).status).toBe(200)
  })

  test('a task waits for so many others at most that no write looks through more', async () => {
    const { id: projectId } = await newProject()
    const boundOf = (max: string) =>
      system.db.$executeRawUnsafe(`CREATE OR REPLACE TRIGGER task_blocker_no_cycle AFTER INSERT ON task_blocker
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_blocker_cycle('${max}')`)
    const chain = [await newTask(projectId)]
    await boundOf('3')
    for (let n = 0; n < 3; n += 1) chain.push(await newTask(projectId, { blockedByIds: [chain.at(-1).id] }))

    const refused = await post('/tasks', { projectId, title: 'Last', blockedByIds: [chain.at(-1).id] })
    await boundOf('10000')

    expect(refused).toMatchObject(refusedAt('/blockedByIds', { code: 'too_large' }))
    expect((await post('/tasks', { projectId, title: 'Last', blockedByIds: [chain.at(-1).id] })).status).toBe(201)
  })

  test('a reference to a deleted object is refused by name, like one to an object that is not there, unless it stood before', async () => {
    const [project, gone] = [await newProject(), await newProject()]
    const [owner] = must(await tenant.settings('GET', '/members')).data
    const task = await newTask(project.id)
    const before = await newTask(project.id, { parentTaskId: task.id, blockedByIds: [task.id] })
    const member = must(await tenant.settings('POST', '/members', { name: 'Gone', email: `gone-${mode}@example.com` }))
    for (const path of [`/tasks/${task.id}`, `/projects/${gone.id}`]) must(await remove(path))
    must(await tenant.settings('DELETE', `/members/${member.id}`))
    const naming = { assigneeIds: [owner.id, member.id], parentTaskId: task.id, blockedByIds: [task.id, missingId] }

    const answer = await post('/tasks', { projectId: project.id, title: 'x', ...naming })
    const elsewhere = await post('/tasks', { projectId: gone.id, title: 'x' })
    const changed = must(await patch(before.id, { title: 'Other', blockedByIds: [task.id] }))

    expect(answer).toMatchObject(refusal(422, 'reference_not_found'))
    const places = ['/assigneeIds/1', '/blockedByIds/0', '/blockedByIds/1', '/parentTaskId']
    expect(answer.body.errors.map(({ pointer }: Body) => pointer).toSorted()).toEqual(places)
    const errors = [{ pointer: '/projectId', code: 'not_found' }]
    expect(elsewhere).toMatchObject(refusal(422, 'reference_not_found', { errors }))
    expect(changed).toMatchObject({ parentTaskId: task.id, blockedByIds: [task.id], version: 2 })
  })

  test('an id is the same in upper and lower case, and in other notations of a UUID refused', async () => {
    const { id } = await newProject()
    const other = await newTask(id)
    const capital = (text: string) => text.toUpperCase()

    const task = await newTask(capital(id), { parentTaskId: capital(other.id), blockedByIds: [capital(other.id)] })
    const same = must(await patch(capital(task.id), { projectId: capital(id) }))

    expect(task).toMatchObject({ projectId: id, parentTaskId: other.id, blockedByIds: [other.id], number: 2 })
    expect(same).toEqual(task)
    expect(await idsIn(`/tasks?ids=${capital(task.id)}&projectId=${capital(id)}`)).toEqual([task.id])
    const code = 'wrong_format'
    for (const spelling of [`urn:uuid:${id}`, `{${id}}`, id.replaceAll('-', '')]) {
      const inPath = await get(`/projects/${encodeURIComponent(spelling)}`)
      const inBody = await post('/tasks', { projectId: spelling, title: 'x' })

      expect([inPath.status, inBody.status]).toEqual([400, 422])
      expect(inPath.body.errors).toContainEqual(expect.objectContaining({ parameter: 'id', code }))
      expect(inBody.body.errors).toContainEqual(expect.objectContaining({ pointer: '/projectId', code }))
    }
  })

  test('the tasks of a project are the list of tasks filtered by project, with the same cursors', async () => {
    const [project, other] = [await newProject(), await newProject()]
    for (let n = 0; n < 5; n += 1) await newTask(project.id, { priority: n % 2 === 0 ? 'high' : 'low' })
    await newTask(other.id)

    const query = 'priority=high,low&sort=-createdAt&expand=project'
    const short = must(await get(`/projects/${project.id}/tasks?${query}`))
    const long = must(await get(`/tasks?projectId=${project.id}&${query}`))
    const page = must(await get(`/projects/${project.id}/tasks?limit=2`))
    const rest = await idsIn(`/projects/${project.id}/tasks?limit=10&cursor=${page.page.nextCursor}`)

    expect(short).toEqual(long)
    expect(short.data).toHaveLength(5)
    expect(rest).toEqual(long.data.slice(2).map(({ id }: Body) => id))
    expect(await get(`/projects/${missingId}/tasks`)).toMatchObject(refusal(404, 'not_found'))
    const twice = await get(`/projects/${project.id}/tasks?projectId=${other.id}`)
    expect(twice).toMatchObject(refusal(400, 'unknown_parameter'))
  })

  describe('identifiers', () => {
    const ask = (method: string, path: string, body?: object, headers?: Record<string, string>, who = tenant) =>
      who.api(method, `/api/v1${path}`, body, headers)
    const read = async (path: string): Promise<Body> => must(await get(path))
    const rekey = (id: string, key: string) => ask('PATCH', `/projects/${id}`, { key })
    const byIdentifier = async (identifier: string): Promise<string> => (await read(`/tasks/${identifier}`)).id

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

    async function tasksOf({ id }: Body, cursor = ''): Promise<Body[]> {
      const { data, page } = await read(`/tasks?projectId=${id}&sort=updatedAt&limit=200${cursor}`)
      return page.nextCursor === null ? data : [...data, ...(await tasksOf({ id }, `&cursor=${page.nextCursor}`))]
    }
    const allBear = async (project: Body, key: string): Promise<Body[] | null> => {
      const all = await tasksOf(project)
      return all.every(({ identifier }) => identifier.startsWith(key)) ? all : null
    }

    test('a new key of the project changes each of its tasks: version, updatedAt, ETag and event; a read by identifier is never 304', async () => {
      const project = await newProject({ key: 'KCA' })
      const [one, two] = [await newTask(project.id), await newTask(project.id)]
      const since = await tenant.lastSequence()

      must(await rekey(project.id, 'KCB'))

      const { status, body } = await ask('GET', `/tasks/${one.id}`, undefined, { 'if-none-match': '"1"' })
      expect([status, body.identifier, body.version]).toEqual([200, 'KCB-1', 2])
      const byName = await ask('GET', '/tasks/KCB-1', undefined, { 'if-none-match': '"2"' })
      expect([byName.status, byName.body]).toEqual([200, body])
      expect(byName.headers.get('content-location')).toBe(`/api/v1/tasks/${one.id}`)
      expect(await read('/tasks/KCB-1?expand=project')).toMatchObject({ project: { key: 'KCB' } })
      const changed = await read(`/tasks?updatedAfter=${two.updatedAt}&sort=updatedAt&projectId=${project.id}`)
      expect(changed.data.map(({ identifier }: Body) => identifier)).toEqual(['KCB-1', 'KCB-2'])
      const { data: events } = await read(`/events?after=${since}`)
      expect(events.map(({ type, resource }: Body) => [type, resource.id, resource.version])).toEqual([
        ['projects.updated', project.id, 2],
        ['tasks.updated', one.id, 2],
        ['tasks.updated', two.id, 2],
      ])
      const changes = { identifier: { from: 'KCA-1', to: 'KCB-1' } }
      expect(events[1]).toMatchObject({ data: body, changes, actor: { id: tenant.keyId } })
    })

    test('every identifier that a task has had leads to it: read, in search and in lists', async () => {
      const [from, to] = [await newProject({ key: 'OLD' }), await newProject({ key: 'TARGET' })]
      const task = await newTask(from.id)
      must(await rekey(from.id, 'NEW'))
      must(await ask('PATCH', `/tasks/${task.id}`, { projectId: to.id }))
      must(await rekey(from.id, 'NEWER'))
      must(await rekey(to.id, 'GOAL'))

      for (const identifier of ['OLD-1', 'NEW-1', 'NEWER-1', 'TARGET-1', 'goal-1']) {
        expect([identifier, await byIdentifier(identifier)]).toEqual([identifier, task.id])
        const [found] = (await read(`/search?q=${identifier}`)).data
        expect([identifier, found]).toMatchObject([identifier, { id: task.id, identifier: 'GOAL-1' }])
        expect((await read(`/tasks?q=${identifier}`)).data).toMatchObject([{ id: task.id }])
      }
      const [found] = (await read('/search?q=old')).data
      expect(found).toMatchObject({ type: 'projects', id: from.id, identifier: 'NEWER' })
    })

    test('an identifier that no task of the workspace has had is not found; a malformed one is refused', async () => {
      const other = await system.tenant()
      const project = await newProject({ key: 'MINE' })
      const task = await newTask(project.id)
      must(await rekey(project.id, 'STILL'))

      for (const path of ['/tasks/MINE-1', '/tasks/STILL-1'])
        expect(await ask('GET', path, undefined, {}, other)).toMatchObject(refusal(404, 'not_found'))
      for (const path of ['/tasks/MINE-2', '/tasks/NONE-1', '/tasks/MINE-9999999999'])
        expect(await get(path)).toMatchObject(refusal(404, 'not_found'))
      for (const path of ['/tasks/MINE-0', '/tasks/MINE', '/tasks/1'])
        expect(await get(path)).toMatchObject(refusal(400, 'invalid_parameter'))
      must(await ask('DELETE', `/tasks/${task.id}`))
      expect((await ask('GET', '/tasks/MINE-1')).status).toBe(404)
      expect((await other.api('GET', '/api/v1/search?q=MINE-1')).body.data).toEqual([])
    })

    test('a former key that tasks have had is refused to other projects by name, and made of no name of theirs', async () => {
      const [project, other] = [await newProject({ key: 'ZEB' }), await newProject({ key: 'OTHER' })]
      await newTask(project.id)
      must(await rekey(project.id, 'LATER'))

      const item = { action: 'create', data: { name: 'Third', key: 'ZEB' } }
      const refusals = [
        (await ask('POST', '/projects', { name: 'Third', key: 'ZEB' })).body,
        (await rekey(other.id, 'ZEB')).body,
        must(await ask('POST', '/projects/batch', { items: [item] })).results[0].problem,
      ]
      const made = must(await ask('POST', '/projects', { name: 'Zebra' }))

      const hint = expect.stringContaining('had this key before')
      for (const body of refusals)
        expect(body).toMatchObject({ status: 409, code: 'duplicate', field: 'key', existingId: project.id, hint })
      expect([made.key, (await read('/tasks/ZEB-1')).identifier]).toEqual(['ZEBR', 'LATER-1'])
      const stranger = await system.tenant()
      expect((await stranger.api('POST', '/api/v1/projects', { name: 'x', key: 'ZEB' })).status).toBe(201)
    })

    test('the project itself may take its former key back, and a key that no task has had is free at once', async () => {
      const [project, empty] = [await newProject({ key: 'THERE' }), await newProject({ key: 'EMPTY' })]
      const task = await newTask(project.id)

      must(await rekey(project.id, 'BACK'))
      must(await rekey(project.id, 'THERE'))
      must(await rekey(empty.id, 'FULL'))

      expect((await read(`/tasks/${task.id}`)).identifier).toBe('THERE-1')
      expect(await byIdentifier('BACK-1')).toBe(task.id)
      expect((await ask('POST', '/projects', { name: 'x', key: 'EMPTY' })).status).toBe(201)
      expect((await ask('POST', '/projects', { name: 'x', key: 'BACK' })).status).toBe(409)
    })

    // How many at once, and what the others show meanwhile, is seen in test/service/tasks/rekey.test.ts.
    test('of many tasks all are changed, one after the other, each with an event of its moment', async () => {
      const count = atOnce + 250
      const project = await newProject({ key: 'MANY' })
      await manyTasks(project, count)
      const since = await tenant.lastSequence()

      must(await rekey(project.id, 'LOTS'))
      const after = await eventually(() => allBear(project, 'LOTS-'), 'all tasks bear the new key')

      const [, ...events] = await eventsAfter(since)
      const times = after.map(({ updatedAt }) => updatedAt)
      expect(after.map(({ version }) => version)).toEqual(after.map(() => 2))
      expect(events.map(({ data }) => data.number)).toEqual(Array.from({ length: count }, (_, n) => n + 1))
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => (a < b ? -1 : 1)))
      expect(events.map(({ occurredAt }) => occurredAt)).toEqual(times)
      expect(await byIdentifier(`MANY-${count}`)).toBe(after.at(-1)?.id)
    }, 30_000)

    async function eventsAfter(sequence: number): Promise<Body[]> {
      const { data, lastSequence, hasMore } = await read(`/events?after=${sequence}&limit=200`)
      return hasMore ? [...data, ...(await eventsAfter(lastSequence))] : data
    }

    test('a task, or its project, that was deleted when the key changed gets its new identifier when it is restored', async () => {
      const count = atOnce + 20
      const [project, away] = [await newProject({ key: 'GONE' }), await newProject({ key: 'AWAY' })]
      const task = await newTask(project.id)
      await manyTasks(away, count)
      must(await ask('DELETE', `/tasks/${task.id}`))
      must(await rekey(project.id, 'CAME'))
      const rekeyed = { action: 'update', id: away.id, data: { key: 'HOME' } }
      must(await ask('POST', '/projects/batch', { items: [rekeyed, { action: 'delete', id: away.id }] }))

      const restored = must(await ask('POST', `/tasks/${task.id}/restore`))
      must(await ask('POST', `/projects/${away.id}/restore`))

      expect(restored).toMatchObject({ identifier: 'CAME-1', version: 3 })
      expect([await byIdentifier('GONE-1'), await read(`/tasks/${task.id}`)]).toEqual([task.id, restored])
      await eventually(() => allBear(away, 'HOME-'), 'all tasks bear the new key')
    })

    test('keys that are changed in a batch reach the tasks as well, also when one is changed twice', async () => {
      const [one, two] = [await newProject({ key: 'BATCHA' }), await newProject({ key: 'BATCHB' })]
      const tasks = [await newTask(one.id), await newTask(two.id)]
      const to = (id: string, key: string) => ({ action: 'update', id, data: { key } })

      const items = [to(one.id, 'BATCHC'), to(two.id, 'BATCHD'), to(one.id, 'BATCHE')]
      const { results } = must(await ask('POST', '/projects/batch', { items }))

      expect(results.map(({ status }: Body) => status)).toEqual([200, 200, 200])
      const identifiers = async () => Promise.all(tasks.map(async ({ id }) => (await read(`/tasks/${id}`)).identifier))
      await eventually(async () => (await identifiers()).join() === 'BATCHE-1,BATCHD-1', 'both tasks bear the new keys')
      const led = await Promise.all(['BATCHA-1', 'BATCHC-1', 'BATCHE-1'].map(byIdentifier))
      expect(new Set(led)).toEqual(new Set([tasks[0].id]))
    })
  })
})
