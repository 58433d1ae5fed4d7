// What an integrator relies on when reading and writing tasks; more of archived and deleted projects, and of moves, is
// seen in random-calls.test.ts. Former identifiers of a task still lead to it.
// Operations: projects.list-tasks.
import { describe, expect, test } from 'vitest'
import { missingId } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { describeOnce, must, sharedSystem } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

/** So many identifiers change with the key itself; the others follow. */
const atOnce = 100

describeOnce('tasks', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, get, post, remove, listed, eventsAfter } = callsOf(tenant)

  const patch = (id: string, body: object) => call('PATCH', `/tasks/${id}`, body)
  const change = async (id: string, body: object): Promise<Body> => must(await patch(id, body))
  const newProject = (body: object = {}) => post('/projects', { name: 'Website', ...body })
  const newTask = (projectId: string, body: object = {}) => post('/tasks', { projectId, title: 'Paint', ...body })
  const idsIn = (path: string) => listed(path, 'id')

  /** A task under a task under a task: the first is the top. */
  const newBranch = async (projectId: string, length: number): Promise<Body[]> => {
    const branch: Body[] = []
    while (branch.length < length) branch.push(await newTask(projectId, { parentTaskId: branch.at(-1)?.id ?? null }))
    return branch
  }

  test('numbers of tasks in a project have no gaps and no repeats: many are created at once, and some are refused', async () => {
    const [one, other] = [await newProject({ key: 'MANYA' }), await newProject({ key: 'MANYB' })]
    const refused = () => call('POST', '/tasks', { projectId: one.id, title: 'x', assigneeIds: [missingId] })

    const [made, refusals] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, (_, n) => newTask(n % 3 === 0 ? other.id : one.id))),
      Promise.all([refused(), refused(), refused()]),
    ])

    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422])
    const numbered = (key: string, count: number) => Array.from({ length: count }, (_, n) => `${key}-${n + 1}`)
    const identifiers = new Set(made.map(({ identifier }) => identifier))
    expect(identifiers).toEqual(new Set([...numbered('MANYA', 20), ...numbered('MANYB', 10)]))
  })

  test('a new task comes last, unless a position is given, and its blockers are kept in order', async () => {
    const { id } = await newProject()

    const [one, two, task] = [await newTask(id), await newTask(id, { position: -3.5 }), await newTask(id)]
    const taken = await change(task.id, { blockedByIds: [two.id, one.id] })
    const turned = await change(task.id, { blockedByIds: [one.id, two.id] })

    expect([two.position, task.position > one.position]).toEqual([-3.5, true])
    expect(taken.blockedByIds).toEqual([two.id, one.id])
    expect(turned).toMatchObject({ blockedByIds: [one.id, two.id], version: 3 })
    expect(await get(`/tasks/${task.id}`)).toEqual(turned)
  })

  test('a tree of tasks is at most five deep, from whichever end it grows, and has no circle', async () => {
    const { id } = await newProject()
    const five = await newBranch(id, 5)
    const [top] = await newBranch(id, 2)

    const tooDeep = [
      await call('POST', '/tasks', { projectId: id, title: 'Sixth', parentTaskId: five[4].id }),
      await patch(five[0].id, { parentTaskId: top.id }),
      await patch(top.id, { parentTaskId: five[3].id }),
    ]

    expect(tooDeep.map(told)).toEqual(tooDeep.map(() => '422 validation_failed /parentTaskId too_large'))
    expect((await patch(top.id, { parentTaskId: five[2].id })).status).toBe(200)
    for (const { id: parentTaskId } of five.slice(0, 3))
      expect(told(await patch(five[0].id, { parentTaskId }))).toMatch(/^422 validation_failed \/parentTaskId /)
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

  test('tasks never block each other in a circle, by whichever way the last link is written', async () => {
    const { id: projectId } = await newProject()
    const external = { externalSource: 'erp', externalId: `circle-${projectId}` }
    const first = await newTask(projectId, external)
    const second = await newTask(projectId, { blockedByIds: [first.id] })
    const third = await newTask(projectId, { blockedByIds: [second.id] })
    const blockedByIds = [third.id]
    const items = [{ action: 'update', id: first.id, data: { blockedByIds } }]

    const refused = [
      await patch(first.id, { blockedByIds }),
      await call('PUT', `/tasks/by-external-id/erp/circle-${projectId}`, { projectId, title: 'Paint', blockedByIds }),
    ]
    const { results } = await post('/tasks/batch', { items })
    await remove(`/tasks/${second.id}`)
    refused.push(await patch(first.id, { blockedByIds }))
    await post(`/tasks/${second.id}/restore`)

    expect(refused.map(told)).toEqual(refused.map(() => '422 validation_failed /blockedByIds wrong_format'))
    expect(results).toMatchObject([{ status: 422, problem: { code: 'validation_failed' } }])
    expect(await get(`/tasks/${first.id}`)).toMatchObject({ blockedByIds: [], version: 1 })
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
    while (chain.length < 4) chain.push(await newTask(projectId, { blockedByIds: [chain.at(-1).id] }))
    const last = () => call('POST', '/tasks', { projectId, title: 'Last', blockedByIds: [chain.at(-1).id] })

    const refused = await last()
    await boundOf('10000')

    expect(told(refused)).toBe('422 validation_failed /blockedByIds too_large')
    expect((await last()).status).toBe(201)
  })

  test('a reference to a deleted or hidden object is refused by name, like one to an object that is not there, unless it stood before', async () => {
    const [project, gone] = [await newProject(), await newProject()]
    const [owner] = await idsIn('/members')
    const [task, hidden] = [await newTask(project.id), await newTask(gone.id)]
    const before = await newTask(project.id, { parentTaskId: task.id, blockedByIds: [task.id] })
    const member = must(await tenant.settings('POST', '/members', { name: 'Gone', email: `gone-${mode}@example.com` }))
    for (const path of [`/tasks/${task.id}`, `/projects/${gone.id}`]) await remove(path)
    must(await tenant.settings('DELETE', `/members/${member.id}`))
    const naming = { assigneeIds: [owner, member.id], parentTaskId: hidden.id, blockedByIds: [task.id, missingId] }

    const { body } = await call('POST', '/tasks', { projectId: project.id, title: 'x', ...naming })
    const elsewhere = await call('POST', '/tasks', { projectId: gone.id, title: 'x' })
    const changed = await change(before.id, { title: 'Other', blockedByIds: [task.id] })

    const places = ['/assigneeIds/1', '/blockedByIds/0', '/blockedByIds/1', '/parentTaskId']
    expect([body.code, body.errors.map(({ pointer }: Body) => pointer).toSorted()]).toEqual([
      'reference_not_found',
      places,
    ])
    expect(told(elsewhere)).toBe('422 reference_not_found /projectId not_found')
    expect(changed).toMatchObject({ parentTaskId: task.id, blockedByIds: [task.id], version: 2 })
  })

  test('an id is the same in upper and lower case, and in other notations of a UUID refused', async () => {
    const { id } = await newProject()
    const other = await newTask(id)
    const capital = (text: string) => text.toUpperCase()

    const task = await newTask(capital(id), { parentTaskId: capital(other.id), blockedByIds: [capital(other.id)] })
    const same = await change(capital(task.id), { projectId: capital(id) })

    expect(task).toMatchObject({ projectId: id, parentTaskId: other.id, blockedByIds: [other.id], number: 2 })
    expect(same).toEqual(task)
    expect(await idsIn(`/tasks?ids=${capital(task.id)}&projectId=${capital(id)}`)).toEqual([task.id])
    for (const spelling of [`urn:uuid:${id}`, `{${id}}`, id.replaceAll('-', '')]) {
      const inPath = await call('GET', `/projects/${encodeURIComponent(spelling)}`)
      const inBody = await call('POST', '/tasks', { projectId: spelling, title: 'x' })

      expect(told(inPath)).toMatch(/^400 invalid_parameter .*\bid wrong_format$/)
      expect(told(inBody)).toMatch(/^422 validation_failed .*\/projectId wrong_format$/)
    }
  })

  test('the tasks of a project are the list of tasks filtered by project, with the same cursors', async () => {
    const [project, other] = [await newProject(), await newProject()]
    for (let n = 0; n < 5; n += 1) await newTask(project.id, { priority: n % 2 === 0 ? 'high' : 'low' })
    await newTask(other.id)
    const path = `/projects/${project.id}/tasks`
    const query = 'priority=high,low&sort=-createdAt&expand=project'

    const [short, long] = [await get(`${path}?${query}`), await get(`/tasks?projectId=${project.id}&${query}`)]
    const { page } = await get(`${path}?limit=2`)
    const rest = await idsIn(`${path}?limit=10&cursor=${page.nextCursor}`)

    expect(short).toEqual(long)
    expect(short.data).toHaveLength(5)
    expect(rest).toEqual(long.data.slice(2).map(({ id }: Body) => id))
    expect(told(await call('GET', `/projects/${missingId}/tasks`))).toBe('404 not_found')
    expect(told(await call('GET', `${path}?projectId=${other.id}`))).toMatch(/^400 unknown_parameter /)
  })

  describe('identifiers', () => {
    const rekey = (id: string, key: string) => call('PATCH', `/projects/${id}`, { key })
    const byIdentifier = async (identifier: string): Promise<string> => (await get(`/tasks/${identifier}`)).id

    test('a new key of the project changes each of its tasks: version, updatedAt, ETag and event; a read by identifier is never 304', async () => {
      const project = await newProject({ key: 'KCA' })
      const [one, two] = [await newTask(project.id), await newTask(project.id)]
      const since = await tenant.lastSequence()

      must(await rekey(project.id, 'KCB'))

      const { status, body } = await call('GET', `/tasks/${one.id}`, undefined, { 'if-none-match': '"1"' })
      expect([status, body.identifier, body.version]).toEqual([200, 'KCB-1', 2])
      const byName = await call('GET', '/tasks/KCB-1', undefined, { 'if-none-match': '"2"' })
      expect([byName.status, byName.body]).toEqual([200, body])
      expect(byName.headers.get('content-location')).toBe(`/api/v1/tasks/${one.id}`)
      expect(await get('/tasks/KCB-1?expand=project')).toMatchObject({ project: { key: 'KCB' } })
      const changed = `/tasks?updatedAfter=${two.updatedAt}&sort=updatedAt&projectId=${project.id}`
      expect(await listed(changed, 'identifier')).toEqual(['KCB-1', 'KCB-2'])
      const events = await eventsAfter(since)
      expect(events.map(({ type, resource }) => [type, resource.id, resource.version])).toEqual([
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
      await change(task.id, { projectId: to.id })
      must(await rekey(from.id, 'NEWER'))
      must(await rekey(to.id, 'GOAL'))

      for (const identifier of ['OLD-1', 'NEW-1', 'NEWER-1', 'TARGET-1', 'goal-1']) {
        expect([identifier, await byIdentifier(identifier)]).toEqual([identifier, task.id])
        const [found] = (await get(`/search?q=${identifier}`)).data
        expect([identifier, found]).toMatchObject([identifier, { id: task.id, identifier: 'GOAL-1' }])
        expect([identifier, await idsIn(`/tasks?q=${identifier}`)]).toEqual([identifier, [task.id]])
      }
      const [found] = (await get('/search?q=old')).data
      expect(found).toMatchObject({ type: 'projects', id: from.id, identifier: 'NEWER' })
    })

    test('an identifier that no task of the workspace has had is not found; a malformed one is refused', async () => {
      const other = callsOf(await system.tenant())
      const project = await newProject({ key: 'MINE' })
      const task = await newTask(project.id)
      must(await rekey(project.id, 'STILL'))
      const answers = async (paths: string[], { call: ask } = { call }) =>
        (await Promise.all(paths.map((path) => ask('GET', `/tasks/${path}`)))).map(told)

      expect(await answers(['MINE-1', 'STILL-1'], other)).toEqual(['404 not_found', '404 not_found'])
      const unknown = ['MINE-2', 'NONE-1', 'MINE-9999999999']
      expect(await answers(unknown)).toEqual(unknown.map(() => '404 not_found'))
      const malformed = ['MINE-0', 'MINE', '1']
      expect(await answers(malformed)).toEqual(malformed.map(() => '400 invalid_parameter id wrong_format'))
      await remove(`/tasks/${task.id}`)
      expect(await answers(['MINE-1'])).toEqual(['404 not_found'])
      expect((await other.get('/search?q=MINE-1')).data).toEqual([])
    })

    test('a former key that tasks have had is refused to other projects by name, and made of no name of theirs', async () => {
      const [project, other] = [await newProject({ key: 'ZEB' }), await newProject({ key: 'OTHER' })]
      await newTask(project.id)
      must(await rekey(project.id, 'LATER'))

      const item = { action: 'create', data: { name: 'Third', key: 'ZEB' } }
      const refusals = [
        (await call('POST', '/projects', item.data)).body,
        (await rekey(other.id, 'ZEB')).body,
        (await post('/projects/batch', { items: [item] })).results[0].problem,
      ]
      const made = await post('/projects', { name: 'Zebra' })

      const hint = expect.stringContaining('had this key before')
      for (const body of refusals)
        expect(body).toMatchObject({ status: 409, code: 'duplicate', field: 'key', existingId: project.id, hint })
      expect([made.key, (await get('/tasks/ZEB-1')).identifier]).toEqual(['ZEBR', 'LATER-1'])
      const stranger = callsOf(await system.tenant())
      expect(await stranger.post('/projects', item.data)).toMatchObject({ key: 'ZEB' })
    })

    test('the project itself may take its former key back, and a key that no task has had is free at once', async () => {
      const [project, empty] = [await newProject({ key: 'THERE' }), await newProject({ key: 'EMPTY' })]
      const task = await newTask(project.id)

      must(await rekey(project.id, 'BACK'))
      must(await rekey(project.id, 'THERE'))
      must(await rekey(empty.id, 'FULL'))

      expect((await get(`/tasks/${task.id}`)).identifier).toBe('THERE-1')
      expect(await byIdentifier('BACK-1')).toBe(task.id)
      expect(await newProject({ key: 'EMPTY' })).toMatchObject({ key: 'EMPTY' })
      expect((await call('POST', '/projects', { name: 'x', key: 'BACK' })).status).toBe(409)
    })

    // How many at once, and what the others show meanwhile, is seen in test/service/tasks/rekey.test.ts.
    test('a task, or its project, that was deleted when the key changed gets its new identifier when it is restored', async () => {
      const [project, away] = [await newProject({ key: 'GONE' }), await newProject({ key: 'AWAY' })]
      const task = await newTask(project.id)
      const data = { projectId: away.id, title: 'Task' }
      const items = Array.from({ length: atOnce }, () => ({ action: 'create', data }))
      for (const some of [items, items.slice(80)]) await post('/tasks/batch', { items: some })
      await remove(`/tasks/${task.id}`)
      must(await rekey(project.id, 'CAME'))
      const rekeyed = { action: 'update', id: away.id, data: { key: 'HOME' } }
      await post('/projects/batch', { items: [rekeyed, { action: 'delete', id: away.id }] })

      const restored = await post(`/tasks/${task.id}/restore`)
      await post(`/projects/${away.id}/restore`)

      expect(restored).toMatchObject({ identifier: 'CAME-1', version: 3 })
      expect([await byIdentifier('GONE-1'), await get(`/tasks/${task.id}`)]).toEqual([task.id, restored])
      await eventually(async () => {
        const identifiers = await listed(`/tasks?projectId=${away.id}&limit=200`, 'identifier')
        return identifiers.length === 120 && identifiers.every((each) => each.startsWith('HOME-'))
      }, 'all tasks bear the new key')
    })

    test('keys that are changed in a batch reach the tasks as well, also when one is changed twice', async () => {
      const [one, two] = [await newProject({ key: 'BATCHA' }), await newProject({ key: 'BATCHB' })]
      const tasks = [await newTask(one.id), await newTask(two.id)]
      const to = (id: string, key: string) => ({ action: 'update', id, data: { key } })

      const items = [to(one.id, 'BATCHC'), to(two.id, 'BATCHD'), to(one.id, 'BATCHE')]
      const { results } = await post('/projects/batch', { items })

      expect(results.map(({ status }: Body) => status)).toEqual([200, 200, 200])
      const identifiers = () => listed(`/tasks?ids=${tasks.map(({ id }) => id).join()}&sort=createdAt`, 'identifier')
      await eventually(async () => (await identifiers()).join() === 'BATCHE-1,BATCHD-1', 'both tasks bear the new keys')
      const led = await Promise.all(['BATCHA-1', 'BATCHC-1', 'BATCHE-1'].map(byIdentifier))
      expect(new Set(led)).toEqual(new Set([tasks[0].id]))
    })
  })
})
