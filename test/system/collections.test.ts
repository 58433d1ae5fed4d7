// What a list shows, and what it is asked: expansions, selected fields, deleted objects, cursors, groups.
import { beforeAll, expect, test } from 'vitest'
import type { Scope } from '#contract/scopes.ts'
import { missingId } from '../support/client.ts'
import { callTool } from '../support/mcp.ts'
import { describeMode, describeOnce, must, sharedSystem } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

describeOnce('lists', (mode) => {
  const { system } = sharedSystem(mode)

  test('expand puts the related objects beside their ids, in their order, and leaves out deleted and hidden ones', async () => {
    const tenant = await system.tenant()
    const { get, post, remove } = callsOf(tenant)
    const ada: string = (await get('/members')).data[0].id
    const bob: string = must(await tenant.settings('POST', '/members', { name: 'Bob', email: 'bob@example.com' })).id
    const company = await post('/crm-entities', { kind: 'company', name: 'Initech' })
    const naming = { ownerId: bob, memberIds: [bob, ada], companyId: company.id }
    const { id: projectId } = await post('/projects', { name: 'P', key: 'ONE', status: 'active', ...naming })
    const task = (body: object) => post('/tasks', { projectId, ...body })
    const { id: parentTaskId } = await task({ title: 'Top', status: 'todo' })
    const away = await post('/projects', { name: 'Away' })
    const { id: hidden } = await task({ title: 'Hidden', projectId: away.id })
    const blockedByIds = [hidden, parentTaskId]
    const links = { parentTaskId, blockedByIds, crmEntityIds: [company.id], assigneeIds: [ada, bob] }
    const { id: taskId } = await task({ title: 'T', status: 'done', ...links })
    const read = async () => [
      (await get(`/projects?ids=${projectId}&expand=owner,members,company,taskCounts`)).data[0],
      (await get(`/tasks?ids=${taskId}&${parts}`)).data[0],
    ]
    const parts = 'expand=project,assignees,parentTask,blockedBy,crmEntities'

    const [project, shown] = await read()
    const one = await get(`/tasks/${taskId}?${parts}`)
    must(await tenant.settings('DELETE', `/members/${bob}`))
    for (const path of [`/projects/${away.id}`, `/tasks/${parentTaskId}`]) await remove(path)
    const [projectThen, shownThen] = await read()

    const byAda = { id: ada, object: 'member', name: 'Ada', email: 'ada@example.com' }
    const byBob = { id: bob, object: 'member', name: 'Bob', email: 'bob@example.com' }
    expect(project).toMatchObject({
      owner: byBob,
      members: [byBob, byAda],
      company: { id: company.id, object: 'crm_entity', kind: 'company', name: 'Initech' },
      taskCounts: { todo: 1, done: 1 },
    })
    expect(shown).toMatchObject({
      project: { id: projectId, object: 'project', key: 'ONE', status: 'active' },
      assignees: [byAda, byBob],
      parentTask: { id: parentTaskId, object: 'task', identifier: 'ONE-1', status: 'todo' },
      blockedBy: [{ id: hidden }, { id: parentTaskId }],
      crmEntities: [{ id: company.id, name: 'Initech' }],
    })
    expect(one).toEqual(shown)
    expect(projectThen).toMatchObject({ owner: null, members: [byAda], taskCounts: { done: 1 } })
    expect(shownThen).toMatchObject({ assignees: [byAda], parentTask: null, blockedByIds, blockedBy: [] })
  })

  test('includeDeleted shows of a deleted object that it is deleted, and nothing else', async () => {
    const { get, post, remove } = callsOf(await system.tenant())
    const make = (name: string) => post('/projects', { name, status: 'active' })
    const [kept, gone] = [await make('Kept'), await make('Gone')]
    await remove(`/projects/${gone.id}`)
    const list = (query: string) => get(`/projects?sort=createdAt&status=active&includeTotal=true&${query}`)

    const whole = await list('includeDeleted=true&expand=owner')
    const sparse = await list('includeDeleted=true&fields=name')
    const usual = await list('')

    const tombstone = { id: gone.id, object: 'project', version: 2, externalIds: [], deletedAt: expect.any(String) }
    expect(whole).toMatchObject({ data: [{ ...kept, owner: null }, {}], page: { total: 2 } })
    expect(whole.data[1]).toEqual(tombstone)
    expect(sparse.data).toEqual([{ id: kept.id, object: 'project', version: 1, name: 'Kept' }, tombstone])
    expect(usual).toMatchObject({ data: [{ id: kept.id }], page: { total: 1 } })
    expect((await get('/projects/count')).total).toBe(1)
  })
})

describeMode('what a list is asked', 'distributed', () => {
  const { system, tenant } = sharedSystem('distributed')
  const { call, get, post } = callsOf(tenant)
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    for (const status of ['active', 'planned', 'active', 'planned'])
      ids['projects'] = (await post('/projects', { name: status, status })).id
    ids['tasks'] = (await post('/tasks', { projectId: ids['projects'], title: 'Task' })).id
  })

  test('a cursor goes on with other fields and sizes, and is refused with whatever else changes what is listed', async () => {
    const query = '/projects?status=active,planned&sort=name'
    const { nextCursor: cursor } = (await get(`${query}&limit=2`)).page

    const taken = await get(`${query}&limit=3&fields=name&includeTotal=true&cursor=${cursor}`)

    expect(taken.data).toHaveLength(2)
    for (const other of [
      '/projects?sort=name',
      `${query},createdAt`,
      `${query}&includeDeleted=true`,
      `${query}&customFields.none=1`,
    ])
      expect(told(await call('GET', `${other}&cursor=${cursor}`)), other).toBe('400 cursor_mismatch')
    expect(told(await call('GET', `${query}&cursor=${cursor}x`))).toBe('400 invalid_cursor')
  })

  test.each([
    ['/projects?fields=name', 'name'],
    ['/tasks?fields=identifier,labels,id', 'identifier labels'],
    ['/projects?fields=name&expand=owner', 'name owner'],
    ['/projects?fields=name,owner&expand=owner', 'name owner'],
  ])('%s selects %s, always with id, object and version', async (path, fields) => {
    const [first] = (await get(path)).data

    expect(Object.keys(first).toSorted()).toEqual(['id', 'object', 'version', ...fields.split(' ')].toSorted())
  })

  test.each<[string, string, ...Scope[]]>([
    ['projects', 'owner', 'members:read'],
    ['projects', 'company', 'crm-entities:read'],
    ['projects', 'taskCounts', 'tasks:read'],
    ['projects', 'owner,members,company', 'members:read', 'crm-entities:read'],
    ['tasks', 'project', 'projects:read'],
    ['tasks', 'assignees', 'members:read'],
    ['tasks', 'crmEntities', 'crm-entities:read'],
  ])('%s with %s need %s, in a list and of one', async (segment, expand, ...missing) => {
    const lacking = callsOf(await tenant.key([`${segment}:read` as Scope]))

    for (const path of [`/${segment}`, `/${segment}/${ids[segment]}`]) {
      const { status, body } = await lacking.call('GET', `${path}?expand=${expand}`)
      expect([status, body.code, body.requiredScopes]).toEqual([403, 'insufficient_scope', missing])
    }
  })

  test('of more than a thousand groups the largest are shown, and how many are not, over MCP as well', async () => {
    const who = await system.tenant()
    const own = callsOf(who)
    const { id } = await own.post('/crm-entities', { kind: 'company', name: 'One', industry: 'Tools' })
    await system.db.$executeRaw`
      INSERT INTO crm_entity SELECT (jsonb_populate_record(c, jsonb_build_object(
        'id', gen_random_uuid(), 'industry', 'Industry ' || (n / 2)))).*
      FROM crm_entity c, generate_series(2, 2013) n WHERE c.id = ${id}::uuid AND c.workspace_id = ${who.workspaceId}::uuid`

    const { total, groups, moreGroups } = await own.get('/crm-entities/count?groupBy=industry')
    const { structured } = await callTool(who, 'objects.count', { type: 'crm-entities', groupBy: 'industry' })

    expect([total, groups.length, moreGroups]).toEqual([2_013, 1_000, 7])
    expect(groups.every(({ count }: Body) => count === 2)).toBe(true)
    expect(structured).toMatchObject({ total: 2_013, truncated: true })
    expect(structured.groups.length + structured.moreGroups).toBe(1_007)
    expect(await own.get('/crm-entities/count')).toEqual({ total: 2_013, groups: [], moreGroups: 0 })
  })

  test('a list of nothing is an empty page of 50, without a link to another', async () => {
    const none = await call('GET', `/projects?ids=${missingId}`)

    expect(none.body).toEqual({ data: [], page: { limit: 50, nextCursor: null, hasMore: false } })
    expect(none.headers.get('link')).toBeNull()
  })
})
