// What an integrator relies on when reading and writing tasks.
// Operations: projects.list-tasks.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const missingId = '01999999-0000-7000-8000-000000000000'
const statuses = ['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const

type Body = Answer['body']

describeModes('tasks', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const post = (path: string, body?: object) => tenant.api('POST', `/api/v1${path}`, body)
  const get = (path: string) => tenant.api('GET', `/api/v1${path}`)
  const patch = (id: string, body: object) => tenant.api('PATCH', `/api/v1/tasks/${id}`, body)
  const remove = (path: string) => tenant.api('DELETE', `/api/v1${path}`)
  const newProject = async (body: object = {}): Promise<Body> =>
    must(await post('/projects', { name: 'Website', ...body }))
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

  test('a created task can be read at its Location, with the defaults of a task', async () => {
    const project = await newProject({ key: 'DEF' })

    const answer = await post('/tasks', { projectId: project.id, title: 'Paint' })

    expect(answer).toMatchObject({
      status: 201,
      body: {
        object: 'task',
        number: 1,
        identifier: 'DEF-1',
        status: 'backlog',
        priority: 'none',
        position: 1_024,
        version: 1,
        completedAt: null,
        createdBy: { type: 'api_key', id: tenant.keyId },
      },
    })
    expect(answer.headers.get('location')).toBe(`/api/v1/tasks/${answer.body.id}`)
    expect(must(await tenant.api('GET', answer.headers.get('location')!))).toEqual(answer.body)
  })

  test('numbers of tasks in a project have no gaps and no repeats, also when many are created at once', async () => {
    const [one, other] = [await newProject({ key: 'ONE' }), await newProject({ key: 'OTHER' })]

    const made: Body[] = await Promise.all(
      Array.from({ length: 30 }, (_, n) => newTask(n % 3 === 0 ? other.id : one.id)),
    )

    for (const [project, count] of [[one, 20] as const, [other, 10] as const]) {
      const own = made.filter(({ projectId }) => projectId === project.id).toSorted((a, b) => a.number - b.number)
      expect(own.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, n) => n + 1))
      expect(own.map(({ identifier }) => identifier)).toEqual(own.map(({ number }) => `${project.key}-${number}`))
    }
  })

  test('a refused task uses no number', async () => {
    const { id } = await newProject()
    await newTask(id)

    expect((await post('/tasks', { projectId: id, title: 'x', assigneeIds: [missingId] })).status).toBe(422)

    expect((await newTask(id)).number).toBe(2)
  })

  test('a task that is moved gets the next number of the other project, and leaves its old one unused', async () => {
    const [from, to] = [await newProject({ key: 'FROM' }), await newProject({ key: 'TO' })]
    await newTask(to.id)
    const task = await newTask(from.id, { position: 7 })

    const moved = must(await patch(task.id, { projectId: to.id }))

    expect(moved).toMatchObject({ number: 2, identifier: 'TO-2', position: 7, version: 2 })
    expect(must(await get(`/tasks/${task.id}`))).toEqual(moved)
    expect((await newTask(from.id)).number).toBe(2)
  })

  test('a new task comes last, unless a position is given', async () => {
    const { id } = await newProject()

    const positions = [await newTask(id), await newTask(id, { position: -3.5 }), await newTask(id)].map(
      ({ position }) => position,
    )

    expect(positions[1]).toBe(-3.5)
    expect(positions[2]).toBeGreaterThan(positions[0])
  })

  test('while the project is archived every write is refused and reads are not', async () => {
    const [project, open] = [await newProject(), await newProject()]
    const task = await newTask(project.id, { externalSource: 'crm', externalId: 'archived-1' })
    const gone = await newTask(project.id, { externalSource: 'crm', externalId: 'archived-2' })
    const elsewhere = await newTask(open.id)
    must(await remove(`/tasks/${gone.id}`))
    must(await post(`/projects/${project.id}/archive`))
    const before = await tenant.lastSequence()

    const refused: Answer[] = [
      await post('/tasks', { projectId: project.id, title: 'x' }),
      await patch(task.id, { title: 'x' }),
      await patch(task.id, { projectId: open.id }),
      await patch(elsewhere.id, { projectId: project.id }),
      await remove(`/tasks/${task.id}`),
      await post(`/tasks/${gone.id}/restore`),
      await tenant.api('PUT', '/api/v1/tasks/by-external-id/crm/archived-1', { projectId: project.id, title: 'x' }),
      await remove('/tasks/by-external-id/crm/archived-1'),
    ]
    const batch = must(await post('/tasks/batch', { items: [{ action: 'update', id: task.id, data: { title: 'x' } }] }))

    expect(refused.map(({ status, body }) => `${status} ${body?.code}`)).toEqual(
      refused.map(() => '409 project_archived'),
    )
    expect(batch.results).toMatchObject([{ status: 409, problem: { code: 'project_archived' } }])
    expect(must(await get(`/tasks/${task.id}`))).toEqual(task)
    expect(await tenant.lastSequence()).toBe(before)
    must(await post(`/projects/${project.id}/unarchive`))
    expect(must(await patch(task.id, { title: 'x' })).version).toBe(2)
    expect((await newTask(project.id)).number).toBe(3)
  })

  test('tasks of a deleted project are hidden in every read, and are restored unchanged with it', async () => {
    const fresh = await system.tenant()
    const api = async (method: string, path: string, body?: object) => await fresh.api(method, `/api/v1${path}`, body)
    const [project, other] = [
      must(await api('POST', '/projects', { name: 'Hidden' })),
      must(await api('POST', '/projects', { name: 'Other' })),
    ]
    const hidden = must(
      await api('POST', '/tasks', {
        projectId: project.id,
        title: 'Needle in the hay',
        externalSource: 'crm',
        externalId: '1',
      }),
    )
    const seen = must(
      await api('POST', '/tasks', {
        projectId: other.id,
        title: 'Seen',
        parentTaskId: hidden.id,
        blockedByIds: [hidden.id],
      }),
    )
    must(await api('DELETE', `/projects/${project.id}`))

    const listed = must(await api('GET', '/tasks?includeDeleted=true&includeTotal=true'))
    const expanded = must(await api('GET', `/tasks/${seen.id}?expand=parentTask,blockedBy`))
    const refused = [
      await api('GET', `/tasks/${hidden.id}`),
      await api('PATCH', `/tasks/${hidden.id}`, { title: 'x' }),
      await api('DELETE', `/tasks/${hidden.id}`),
      await api('POST', `/tasks/${hidden.id}/restore`),
      await api('GET', '/tasks/by-external-id/crm/1'),
      await api('DELETE', '/tasks/by-external-id/crm/1'),
      await api('GET', `/projects/${project.id}/tasks`),
    ]

    expect(listed.data.map(({ id }: Body) => id)).toEqual([seen.id])
    expect(listed.page.total).toBe(1)
    expect(must(await api('GET', '/tasks/count?groupBy=projectId'))).toEqual({
      total: 1,
      groups: [{ value: other.id, count: 1 }],
      moreGroups: 0,
    })
    expect(must(await api('GET', `/tasks?ids=${hidden.id},${seen.id}`)).data).toHaveLength(1)
    expect(must(await api('GET', '/tasks?q=needle')).data).toEqual([])
    expect(expanded).toMatchObject({ parentTaskId: hidden.id, parentTask: null, blockedBy: [] })
    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(refused.map(() => '404 not_found'))
    const taken = await api('PUT', '/tasks/by-external-id/crm/1', { projectId: other.id, title: 'Twin' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'externalId' } })

    must(await api('POST', `/projects/${project.id}/restore`))
    expect(must(await api('GET', `/tasks/${hidden.id}`))).toEqual(hidden)
    expect(must(await api('GET', `/tasks/${seen.id}?expand=parentTask`)).parentTask.id).toBe(hidden.id)
  })

  test('a tree of tasks is at most five deep, from whichever end it grows', async () => {
    const { id } = await newProject()
    const five = await newBranch(id, 5)
    const [top] = await newBranch(id, 2)

    const below = await post('/tasks', { projectId: id, title: 'Sixth', parentTaskId: five[4].id })
    const above = await patch(five[0].id, { parentTaskId: top.id })
    const within = await patch(top.id, { parentTaskId: five[3].id })

    for (const refused of [below, above, within]) {
      expect(refused).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/parentTaskId', code: 'too_large' }] },
      })
    }
    expect((await patch(top.id, { parentTaskId: five[2].id })).status).toBe(200)
  })

  test('a task cannot be its own parent or ancestor', async () => {
    const { id } = await newProject()
    const [first, second, third] = await newBranch(id, 3)

    for (const parentTaskId of [first.id, second.id, third.id]) {
      expect(await patch(first.id, { parentTaskId })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/parentTaskId' }] },
      })
    }
  })

  test('of two moves at the same time that would close a circle one is refused', async () => {
    const { id } = await newProject()

    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await newTask(id), await newTask(id)]
      const answers = await Promise.all([
        patch(one.id, { parentTaskId: other.id }),
        patch(other.id, { parentTaskId: one.id }),
      ])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
    }
  })

  test('a task cannot block itself, and its blockers are kept in order', async () => {
    const { id } = await newProject()
    const [task, one, two] = [await newTask(id), await newTask(id), await newTask(id)]

    const refused = await patch(task.id, { blockedByIds: [one.id, task.id] })
    const taken = must(await patch(task.id, { blockedByIds: [two.id, one.id] }))
    const turned = must(await patch(task.id, { blockedByIds: [one.id, two.id] }))

    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/blockedByIds' }] } })
    expect(taken.blockedByIds).toEqual([two.id, one.id])
    expect(turned).toMatchObject({ blockedByIds: [one.id, two.id], version: 3 })
    expect(must(await get(`/tasks/${task.id}`))).toEqual(turned)
  })

  test('tasks never block each other in a circle, by whichever way the last link is written', async () => {
    const { id: projectId } = await newProject()
    const external = { externalSource: 'erp', externalId: `circle-${projectId}` }
    const [first, second, third] = [
      await newTask(projectId, external),
      await newTask(projectId),
      await newTask(projectId),
    ]
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

    const errors = [{ pointer: '/blockedByIds', code: 'wrong_format', detail: 'Would wait for itself.' }]
    for (const answer of [...single, overDeleted])
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', errors } })
    expect(batch.body.results[0]).toMatchObject({ status: 422, problem: { code: 'validation_failed' } })
    expect((await get(`/tasks/${first.id}`)).body).toMatchObject({ blockedByIds: [], version: 1 })
    // A diamond is no circle.
    const fourth = await newTask(projectId, { blockedByIds: [first.id, second.id, third.id] })
    expect((await patch(fourth.id, { blockedByIds: [third.id, first.id] })).status).toBe(200)
  })

  test('of two changes at the same time by which two tasks would block each other one is refused', async () => {
    const { id } = await newProject()
    for (let round = 0; round < 3; round += 1) {
      const [one, other] = [await newTask(id), await newTask(id)]
      const answers = await Promise.all([
        patch(one.id, { blockedByIds: [other.id] }),
        patch(other.id, { blockedByIds: [one.id] }),
      ])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
    }
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

    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/blockedByIds', code: 'too_large' }] } })
    expect((await post('/tasks', { projectId, title: 'Last', blockedByIds: [chain.at(-1).id] })).status).toBe(201)
  })

  test.each(['missing', 'foreign', 'deleted'])('a reference to a %s object is refused by name', async (how) => {
    const project = await newProject()
    const [owner] = must(await tenant.settings('GET', '/members')).data
    const stranger = how === 'foreign' ? await system.tenant() : tenant
    const bad = await namesOf(how, stranger)

    const answer = await post('/tasks', {
      projectId: project.id,
      title: 'x',
      assigneeIds: [owner.id, bad.member],
      parentTaskId: bad.task,
      blockedByIds: [bad.task],
    })
    const elsewhere = await post('/tasks', { projectId: bad.project, title: 'x' })

    expect(answer).toMatchObject({ status: 422, body: { code: 'reference_not_found' } })
    expect(answer.body.errors.map(({ pointer }: Body) => pointer).toSorted()).toEqual([
      '/assigneeIds/1',
      '/blockedByIds/0',
      '/parentTaskId',
    ])
    expect(elsewhere).toMatchObject({
      status: 422,
      body: { code: 'reference_not_found', errors: [{ pointer: '/projectId', code: 'not_found' }] },
    })
  })

  test('a reference to a task that was deleted later may stay, and is left out of expansions', async () => {
    const { id } = await newProject()
    const other = await newTask(id)
    const task = await newTask(id, { parentTaskId: other.id, blockedByIds: [other.id] })
    must(await remove(`/tasks/${other.id}`))

    const changed = must(await patch(task.id, { title: 'Other', blockedByIds: [other.id] }))

    expect(changed).toMatchObject({ parentTaskId: other.id, blockedByIds: [other.id], version: 2 })
    expect(must(await get(`/tasks/${task.id}?expand=parentTask,blockedBy`))).toMatchObject({
      parentTask: null,
      blockedBy: [],
    })
  })

  test('an id is the same in upper and lower case', async () => {
    const { id } = await newProject()
    const other = await newTask(id)
    const capital = (text: string) => text.toUpperCase()

    const task = await newTask(capital(id), { parentTaskId: capital(other.id), blockedByIds: [capital(other.id)] })
    const same = must(await patch(capital(task.id), { projectId: capital(id), blockedByIds: [capital(other.id)] }))
    const twice = await patch(task.id, { blockedByIds: [other.id, capital(other.id)] })
    const missing = await patch(task.id, { blockedByIds: [other.id, capital(missingId)] })
    const found = await idsIn(`/tasks?ids=${capital(task.id)}&projectId=${capital(id)}`)

    expect(task).toMatchObject({ projectId: id, parentTaskId: other.id, blockedByIds: [other.id], number: 2 })
    expect(same).toEqual(task)
    expect(twice).toMatchObject({ status: 422, body: { errors: [{ pointer: '/blockedByIds', code: 'not_unique' }] } })
    expect(missing).toMatchObject({ status: 422, body: { errors: [{ pointer: '/blockedByIds/1' }] } })
    expect(found).toEqual([task.id])
  })

  test('other notations of a UUID are refused', async () => {
    const { id } = await newProject()
    const wrong = (place: object) =>
      expect.arrayContaining([expect.objectContaining({ ...place, code: 'wrong_format' })])

    for (const spelling of [`urn:uuid:${id}`, `{${id}}`, id.replaceAll('-', '')]) {
      expect(await get(`/projects/${encodeURIComponent(spelling)}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', errors: wrong({ parameter: 'id' }) },
      })
      expect(await post('/tasks', { projectId: spelling, title: 'x' })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: wrong({ pointer: '/projectId' }) },
      })
    }
  })

  test('open statuses may change to any, closed ones to open ones only, and done sets completedAt', async () => {
    const { id } = await newProject()
    const ended = new Set<string>(['done', 'cancelled'])

    for (const from of statuses) {
      const task = await newTask(id, { status: from })
      expect(task.completedAt !== null).toBe(from === 'done')
      for (const to of ended.has(from) ? statuses.filter((status) => ended.has(status) && status !== from) : []) {
        expect(await patch(task.id, { status: to })).toMatchObject({
          status: 409,
          body: { code: 'invalid_transition', from, to, allowed: statuses.slice(0, 4) },
        })
      }
      const next = ended.has(from) ? 'todo' : 'done'
      const changed = must(await patch(task.id, { status: next }))
      expect(changed.completedAt).toBe(next === 'done' ? changed.updatedAt : null)
    }
  })

  test('a task may be done while its sub-tasks are open', async () => {
    const { id } = await newProject()
    const [parent] = await newBranch(id, 2)

    expect(must(await patch(parent.id, { status: 'done' })).status).toBe('done')
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
    expect(await get(`/projects/${missingId}/tasks`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await get(`/projects/${project.id}/tasks?projectId=${other.id}`)).toMatchObject({
      status: 400,
      body: { code: 'unknown_parameter' },
    })
  })

  /** Ids of objects that a task of `tenant` cannot name. */
  async function namesOf(how: string, who: Tenant): Promise<{ project: string; task: string; member: string }> {
    if (how === 'missing') return { project: missingId, task: missingId, member: missingId }
    const project = must(await who.api('POST', '/api/v1/projects', { name: 'Theirs' }))
    const task = must(await who.api('POST', '/api/v1/tasks', { projectId: project.id, title: 'Theirs' }))
    const member = must(await who.settings('POST', '/members', { name: 'Theirs', email: `${how}-${mode}@example.com` }))
    if (how === 'deleted') {
      must(await who.api('DELETE', `/api/v1/tasks/${task.id}`))
      must(await who.api('DELETE', `/api/v1/projects/${project.id}`))
      must(await who.settings('DELETE', `/members/${member.id}`))
    }
    return { project: project.id, task: task.id, member: member.id }
  }
})
