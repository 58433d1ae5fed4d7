// The query grammar of lists, on projects and tasks: each filter against what it says, applied to everything there is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v7 as uuid } from 'uuid'
import { scopes, type Scope } from '#contract/scopes.ts'
import { callTool } from '../support/mcp.ts'
import { describeModes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

const missingId = '01999999-0000-7000-8000-000000000000'

type Body = Answer['body']
type Named = { readonly ada: string; readonly bob: string; readonly company: string; readonly one: string }
type Case = readonly [query: string, holds: (object: Body) => boolean]

const timesOf = (objects: readonly Body[]): string[] => {
  const times: string[] = objects.map(({ updatedAt }) => updatedAt)
  return times.toSorted()
}
const has = (list: readonly string[], ...values: string[]): boolean => values.some((value) => list.includes(value))

describeModes('lists', (mode) => {
  let system: System
  let tenant: Tenant
  let named: Named
  let projects: Body[]
  let tasks: Body[]

  beforeAll(async () => {
    system = await startSystem(mode)
    tenant = await system.tenant()
    named = await people()
    await fill()
    projects = must(await get('/projects?limit=200&includeArchived=true')).data
    tasks = must(await get('/tasks?limit=200')).data
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const get = (path: string, who = tenant) => who.api('GET', `/api/v1${path}`)
  const post = async (path: string, body?: object): Promise<Body> =>
    must(await tenant.api('POST', `/api/v1${path}`, body))
  const idsIn = async (path: string, who = tenant): Promise<string[]> =>
    must(await get(path, who)).data.map(({ id }: Body) => id)
  const refusalOf = async (path: string, who = tenant): Promise<string> => {
    const { status, body } = await get(path, who)
    return `${status} ${body.code} ${body.errors?.map(({ parameter, code }: Body) => `${parameter} ${code}`) ?? ''}`
  }

  /** The list, its total and the count must all say what the model says. */
  async function agree(segment: 'projects' | 'tasks', [query, holds]: Case, who = tenant): Promise<void> {
    const all = segment === 'projects' ? projects : tasks
    const archived = query.includes('includeArchived')
    const seen = all.filter((object) => archived || segment === 'tasks' || object.archivedAt === null)
    const expected = seen.filter(holds).map(({ id }) => id)
    const listed = must(await get(`/${segment}?limit=200&includeTotal=true&${query}`, who))
    const counted = must(await get(`/${segment}/count?${query}`, who))
    expect([query, listed.data.map(({ id }: Body) => id)]).toEqual([query, expected])
    expect([query, listed.page.total, counted.total]).toEqual([query, expected.length, expected.length])
  }

  test('each filter of projects matches exactly what it says', async () => {
    const { ada, bob, company } = named
    const [first = '', ...times] = timesOf(projects)
    const [last = ''] = times.slice(-1)
    const cases: Case[] = [
      ['includeArchived=true', () => true],
      ['includeArchived=false', ({ archivedAt }) => archivedAt === null],
      ['status=active', ({ status }) => status === 'active'],
      ['status=active,paused', ({ status }) => has(['active', 'paused'], status)],
      ['status=!active,!paused', ({ status }) => !has(['active', 'paused'], status)],
      ['health=at_risk', ({ health }) => health === 'at_risk'],
      ['health=!at_risk', ({ health }) => health !== 'at_risk'],
      ['priority=high,low', ({ priority }) => has(['high', 'low'], priority)],
      ['labels=red,blue', ({ labels }) => has(labels, 'red', 'blue')],
      ['labels=!red,!blue', ({ labels }) => !has(labels, 'red', 'blue')],
      ['labelsAll=red,blue', ({ labels }) => has(labels, 'red') && has(labels, 'blue')],
      ['labels=red&labelsAll=blue', ({ labels }) => has(labels, 'red') && has(labels, 'blue')],
      [`ownerId=${ada}`, ({ ownerId }) => ownerId === ada],
      [`ownerId=${ada},${bob}`, ({ ownerId }) => has([ada, bob], ownerId)],
      [`ownerId=!${ada}`, ({ ownerId }) => ownerId !== ada],
      [`memberId=${bob}`, ({ memberIds }) => has(memberIds, bob)],
      [`memberId=!${bob}`, ({ memberIds }) => !has(memberIds, bob)],
      [`companyId=${company}`, ({ companyId }) => companyId === company],
      [`companyId=!${company}`, ({ companyId }) => companyId !== company],
      [`companyId=${missingId}`, () => false],
      ['dueAfter=2026-03-02', ({ dueDate }) => dueDate !== null && dueDate > '2026-03-02'],
      ['dueBefore=2026-03-02', ({ dueDate }) => dueDate !== null && dueDate < '2026-03-02'],
      ['dueAfter=2026-03-01&dueBefore=2026-03-03', ({ dueDate }) => dueDate === '2026-03-02'],
      ['externalSource=crm,erp', ({ externalSource }) => has(['crm', 'erp'], externalSource)],
      ['externalSource=!crm', ({ externalSource }) => externalSource !== 'crm'],
      [`updatedAfter=${first}`, ({ updatedAt }) => updatedAt > first],
      [`updatedAfter=${first.toLowerCase()}`, ({ updatedAt }) => updatedAt > first],
      [`updatedBefore=${last}`, ({ updatedAt }) => updatedAt < last],
      [`createdAfter=${first}&createdBefore=${last}`, ({ createdAt }) => createdAt > first && createdAt < last],
      [`createdAfter=${encodeURIComponent(first.replace('Z', '+00:00'))}`, ({ createdAt }) => createdAt > first],
      [`ids=${projects[0].id},${missingId},${tasks[0].id}`, ({ id }) => id === projects[0].id],
      ['q=proj&status=active', ({ status }) => status === 'active'],
      ['q=PROJECT', () => true],
      [
        'status=active&priority=high&labels=red',
        (one) => one.status === 'active' && one.priority === 'high' && has(one.labels, 'red'),
      ],
    ]

    for (const each of cases) await agree('projects', each)
  })

  test('each filter of tasks matches exactly what it says', async () => {
    const { ada, bob, company, one } = named
    const parent = tasks.find(({ parentTaskId }) => parentTaskId !== null)
    const cases: Case[] = [
      ['status=todo,done', ({ status }) => has(['todo', 'done'], status)],
      ['status=!todo', ({ status }) => status !== 'todo'],
      ['priority=!none', ({ priority }) => priority !== 'none'],
      ['labels=red', ({ labels }) => has(labels, 'red')],
      ['labelsAll=red,blue', ({ labels }) => has(labels, 'red') && has(labels, 'blue')],
      [`projectId=${one}`, ({ projectId }) => projectId === one],
      [`projectId=!${one}`, ({ projectId }) => projectId !== one],
      [`assigneeId=${ada}`, ({ assigneeIds }) => has(assigneeIds, ada)],
      [`assigneeId=${ada},${bob}`, ({ assigneeIds }) => has(assigneeIds, ada, bob)],
      [`assigneeId=!${ada},!${bob}`, ({ assigneeIds }) => !has(assigneeIds, ada, bob)],
      [`parentTaskId=${parent.parentTaskId}`, ({ parentTaskId }) => parentTaskId === parent.parentTaskId],
      [`parentTaskId=!${parent.parentTaskId}`, ({ parentTaskId }) => parentTaskId !== parent.parentTaskId],
      [`crmEntityId=${company}`, ({ crmEntityIds }) => has(crmEntityIds, company)],
      [`crmEntityId=!${company}`, ({ crmEntityIds }) => !has(crmEntityIds, company)],
      ['dueAfter=2026-03-01', ({ dueDate }) => dueDate !== null && dueDate > '2026-03-01'],
      ['dueBefore=2026-03-03', ({ dueDate }) => dueDate !== null && dueDate < '2026-03-03'],
      ['externalSource=crm', ({ externalSource }) => externalSource === 'crm'],
      [`ids=${tasks[0].id},${tasks[1].id}`, ({ id }) => has([tasks[0].id, tasks[1].id], id)],
    ]

    for (const each of cases) await agree('tasks', each)
  })

  test('q matches beginnings of words and parts of the name, and takes wildcards literally', async () => {
    const fresh = await system.tenant()
    for (const [name, description] of [
      ['Website relaunch', null],
      ['100% _done_', 'Nothing'],
      ['Größe', 'about the Website'],
      ['Other', null],
    ]) {
      must(await fresh.api('POST', '/api/v1/projects', { name, description }))
    }
    const found = async (q: string): Promise<string[]> =>
      must(await get(`/projects?sort=name&q=${encodeURIComponent(q)}`, fresh)).data.map(({ name }: Body) => name)

    expect(await found('webs')).toEqual(['Größe', 'Website relaunch'])
    expect(await found('relaunch website')).toEqual(['Website relaunch'])
    expect(await found('bsit')).toEqual(['Website relaunch'])
    expect(await found('GRÖSSE')).toEqual(['Größe'])
    expect(await found('GRÖ')).toEqual(['Größe'])
    expect(await found('0%')).toEqual(['100% _done_'])
    expect(await found('%%')).toEqual([])
    expect(await found('_d')).toEqual(['100% _done_'])
    expect(await found(`'"\\:*&|!()<->`)).toEqual([])
  })

  test('`me` is the owner of the key, and is refused to a key without one', async () => {
    const { ada } = named
    const own = await tenant.key(scopes, { ownerId: ada })

    await agree('projects', ['ownerId=me', ({ ownerId }) => ownerId === ada], own)
    await agree('projects', ['memberId=!me', ({ memberIds }) => !has(memberIds, ada)], own)
    await agree('tasks', ['assigneeId=me', ({ assigneeIds }) => has(assigneeIds, ada)], own)
    await agree('tasks', [`assigneeId=me,${named.bob}`, ({ assigneeIds }) => has(assigneeIds, ada, named.bob)], own)
    for (const path of ['/projects?ownerId=me', '/projects/count?memberId=!me', '/tasks?assigneeId=me'])
      expect(await refusalOf(path)).toMatch(/^400 invalid_parameter (ownerId|memberId|assigneeId) wrong_format$/)
  })

  test.each([
    ['/projects?status=active,!paused', '400 invalid_parameter status wrong_format'],
    ['/tasks?labels=!red,blue', '400 invalid_parameter labels wrong_format'],
    ['/tasks/count?labels=!red,blue', '400 invalid_parameter labels wrong_format'],
    ['/projects?limit=0', '400 invalid_parameter limit too_small'],
    ['/projects?limit=201', '400 invalid_parameter limit too_large'],
    ['/projects?limit=ten', '400 invalid_parameter limit wrong_type'],
    ['/projects?limit=1.5', '400 invalid_parameter limit wrong_type'],
    ['/projects?limit=1&limit=2', '400 invalid_parameter limit not_unique'],
    ['/tasks?status=todo&status=todo', '400 invalid_parameter status not_unique'],
    ['/tasks?limit=1&limit=2', '400 invalid_parameter limit not_unique'],
    ['/projects?status=', '400 invalid_parameter status too_short'],
    ['/projects?status=open', '400 invalid_parameter status not_in_list'],
    ['/projects?labels=a,,b', '400 invalid_parameter labels too_short'],
    ['/projects?q=a', '400 invalid_parameter q too_short'],
    ['/projects?q=%20%20', '400 invalid_parameter q wrong_format'],
    ['/projects?ids=1', '400 invalid_parameter ids wrong_format'],
    ['/projects?ownerId=you', '400 invalid_parameter ownerId wrong_format'],
    ['/projects?updatedAfter=yesterday', '400 invalid_parameter updatedAfter wrong_format'],
    ['/projects?dueAfter=2026-02-30', '400 invalid_parameter dueAfter wrong_format'],
    ['/projects?includeTotal=yes', '400 invalid_parameter includeTotal wrong_type'],
    ['/projects?sort=size', '400 invalid_parameter sort not_in_list'],
    ['/projects?sort=name,-name', '400 invalid_parameter sort not_unique'],
    ['/projects?sort=name,dueDate,createdAt,updatedAt', '400 invalid_parameter sort too_long'],
    ['/projects?fields=nmae', '400 invalid_parameter fields not_in_list'],
    ['/projects?expand=tasks', '400 invalid_parameter expand not_in_list'],
    ['/projects?fields=name,owner', '400 invalid_parameter expand required'],
    ['/projects?fields=owner,company&expand=company', '400 invalid_parameter expand required'],
    ['/tasks?fields=project', '400 invalid_parameter expand required'],
    ['/projects?sttaus=active', '400 unknown_parameter sttaus unknown'],
    ['/projects/count?groupBy=name', '400 invalid_parameter groupBy not_in_list'],
    ['/projects/count?limit=1', '400 unknown_parameter limit unknown'],
    ['/tasks?includeArchived=true', '400 unknown_parameter includeArchived unknown'],
    ['/projects?cursor=x', '400 invalid_cursor '],
  ])('GET %s is refused: %s', async (path, refusal) => {
    expect(await refusalOf(path)).toBe(refusal)
  })

  test('more than a hundred ids are refused, and an unknown name is answered with the nearest one', async () => {
    const ids = Array.from({ length: 101 }, () => uuid())

    expect((await get(`/projects?ids=${ids.slice(1).join(',')}`)).status).toBe(200)
    expect(await refusalOf(`/projects?ids=${ids.join(',')}`)).toBe('400 invalid_parameter ids too_long')
    expect((await get('/tasks?asigneeId=me')).body.detail).toContain('Did you mean `assigneeId`?')
  })

  test('a cursor is refused with another filter or order', async () => {
    const cursorOf = async (path: string): Promise<string> => must(await get(path)).page.nextCursor
    const cursor = await cursorOf('/projects?limit=2&status=active,planned&sort=name')
    const query = 'status=active,planned&sort=name'

    const taken = await get(`/projects?limit=3&fields=name&includeTotal=true&${query}&cursor=${cursor}`)
    const refused = [
      `/projects?status=active&sort=name&cursor=${cursor}`,
      `/projects?sort=name&cursor=${cursor}`,
      `/projects?status=active,planned&sort=-name&cursor=${cursor}`,
      `/projects?${query},createdAt&cursor=${cursor}`,
      `/projects?${query}&includeDeleted=true&cursor=${cursor}`,
      `/projects?${query}&customFields.none=1&cursor=${cursor}`,
      `/tasks?sort=-createdAt&cursor=${await cursorOf('/projects?limit=2')}`,
    ]

    expect(taken).toMatchObject({ status: 200, body: { data: [{}, {}, {}] } })
    for (const path of refused) expect(await refusalOf(path)).toBe('400 cursor_mismatch ')
    const other = await system.tenant()
    expect(await refusalOf(`/projects?${query}&cursor=${cursor}`, other)).toBe('400 cursor_mismatch ')
    for (const broken of [`${cursor}x`, cursor.slice(1), cursor.toUpperCase()])
      expect(await refusalOf(`/projects?${query}&cursor=${broken}`)).toBe('400 invalid_cursor ')
  })

  test('fields selects fields, always with id, object, version and what is expanded', async () => {
    const keysOf = async (path: string): Promise<string[]> => Object.keys(must(await get(path)).data[0]).toSorted()

    expect(await keysOf('/projects?fields=name')).toEqual(['id', 'name', 'object', 'version'])
    expect(await keysOf('/tasks?fields=identifier,labels,id')).toEqual([
      'id',
      'identifier',
      'labels',
      'object',
      'version',
    ])
    expect(await keysOf('/projects?fields=name&expand=owner')).toEqual(['id', 'name', 'object', 'owner', 'version'])
    expect(await keysOf('/projects?fields=name,owner&expand=owner')).toEqual([
      'id',
      'name',
      'object',
      'owner',
      'version',
    ])
    expect(await keysOf('/projects')).toEqual(Object.keys(projects[0]).toSorted())
  })

  test('expand puts the related objects beside their ids, in their order', async () => {
    const { ada, bob, company, one } = named
    const task = tasks.find(({ blockedByIds }) => blockedByIds.length > 0)
    const member = (id: string, name: string) => ({
      id,
      object: 'member',
      name,
      email: `${name.toLowerCase()}@example.com`,
    })

    const [project] = must(await get(`/projects?ids=${one}&expand=owner,members,company,taskCounts`)).data
    const [shown] = must(
      await get(`/tasks?ids=${task.id}&expand=project,assignees,parentTask,blockedBy,crmEntities`),
    ).data

    expect(project).toMatchObject({
      owner: member(ada, 'Ada'),
      members: [member(bob, 'Bob'), member(ada, 'Ada')],
      company: { id: company, object: 'crm_entity', kind: 'company', name: 'Initech' },
      taskCounts: { todo: 2, done: 1 },
    })
    expect(shown).toMatchObject({
      project: { id: one, object: 'project', key: 'ONE', status: 'active' },
      assignees: [member(ada, 'Ada'), member(bob, 'Bob')],
      parentTask: { id: task.parentTaskId, object: 'task', identifier: 'ONE-1', status: 'todo' },
      blockedBy: [{ id: task.parentTaskId }],
      crmEntities: [{ id: company, name: 'Initech' }],
    })
    expect(must(await get(`/tasks/${task.id}?expand=project,assignees,parentTask,blockedBy,crmEntities`))).toEqual(
      shown,
    )
  })

  test.each<[string, Scope]>([
    ['/projects?expand=owner', 'members:read'],
    ['/projects?expand=members', 'members:read'],
    ['/projects?expand=company', 'crm-entities:read'],
    ['/projects?expand=taskCounts', 'tasks:read'],
    ['/tasks?expand=project', 'projects:read'],
    ['/tasks?expand=assignees', 'members:read'],
    ['/tasks?expand=crmEntities', 'crm-entities:read'],
  ])('GET %s needs %s, in a list and of one', async (path, scope) => {
    const [segment = '', query = ''] = path.slice(1).split('?')
    const lacking = await tenant.key([`${segment}:read` as Scope])
    const { id } = segment === 'projects' ? projects[0] : tasks[0]

    for (const asked of [path, `/${segment}/${id}?${query}`]) {
      const { status, body } = await get(asked, lacking)
      expect([status, body.code, body.requiredScopes]).toEqual([403, 'insufficient_scope', [scope]])
    }
  })

  test('all scopes that are missing for expansions are named at once', async () => {
    const lacking = await tenant.key(['projects:read'])

    const { body } = await get('/projects?expand=owner,members,company', lacking)

    expect(body.requiredScopes).toEqual(['members:read', 'crm-entities:read'])
  })

  test('deleted objects are left out of expansions', async () => {
    const fresh = await system.tenant()
    const api = async (path: string, body: object) => must(await fresh.api('POST', `/api/v1${path}`, body))
    const member = must(await fresh.settings('POST', '/members', { name: 'Gone', email: 'gone@example.com' }))
    const project = await api('/projects', { name: 'P', ownerId: member.id, memberIds: [member.id] })
    const blocker = await api('/tasks', { projectId: project.id, title: 'Blocker' })
    const task = await api('/tasks', {
      projectId: project.id,
      title: 'T',
      assigneeIds: [member.id],
      parentTaskId: blocker.id,
      blockedByIds: [blocker.id],
    })
    must(await fresh.settings('DELETE', `/members/${member.id}`))
    must(await fresh.api('DELETE', `/api/v1/tasks/${blocker.id}`))

    expect(must(await get(`/projects/${project.id}?expand=owner,members,taskCounts`, fresh))).toMatchObject({
      owner: null,
      members: [],
      taskCounts: { backlog: 1 },
    })
    expect(must(await get(`/tasks/${task.id}?expand=assignees,parentTask,blockedBy`, fresh))).toMatchObject({
      assignees: [],
      parentTask: null,
      blockedBy: [],
    })
  })

  test('includeDeleted shows of a deleted object that it is deleted, and nothing else', async () => {
    const fresh = await system.tenant()
    const make = async (name: string) => must(await fresh.api('POST', '/api/v1/projects', { name, status: 'active' }))
    const [kept, gone] = [await make('Kept'), await make('Gone')]
    must(await fresh.api('DELETE', `/api/v1/projects/${gone.id}`))

    const query = '/projects?sort=createdAt&status=active'
    const all = must(await get(`${query}&includeDeleted=true&includeTotal=true&expand=owner`, fresh))
    const sparse = must(await get(`${query}&includeDeleted=true&fields=name`, fresh))
    const usual = must(await get(`${query}&includeTotal=true`, fresh))

    const tombstone = { id: gone.id, object: 'project', version: 2, deletedAt: expect.any(String) }
    expect(all.data).toEqual([{ ...kept, owner: null }, tombstone])
    expect(all.page.total).toBe(2)
    expect(sparse.data).toEqual([{ id: kept.id, object: 'project', version: 1, name: 'Kept' }, tombstone])
    expect(usual).toMatchObject({ data: [{ id: kept.id }], page: { total: 1 } })
    expect(must(await get('/projects/count', fresh)).total).toBe(1)
  })

  test('of more than a thousand groups the largest are shown, and how many are not, over MCP as well', async () => {
    const who = await system.tenant()
    const { id } = must(
      await who.api('POST', '/api/v1/crm-entities', { kind: 'company', name: 'One', industry: 'Tools' }),
    )
    await system.db.$executeRaw`
      INSERT INTO crm_entity SELECT (jsonb_populate_record(c, jsonb_build_object(
        'id', gen_random_uuid(), 'industry', 'Industry ' || (n / 2)))).*
      FROM crm_entity c, generate_series(2, 2013) n WHERE c.id = ${id}::uuid AND c.workspace_id = ${who.workspaceId}::uuid`

    const { total, groups, moreGroups } = must(await who.api('GET', '/api/v1/crm-entities/count?groupBy=industry'))
    const { structured } = await callTool(who, 'objects.count', { type: 'crm-entities', groupBy: 'industry' })

    expect([total, groups.length, moreGroups]).toEqual([2_013, 1_000, 7])
    expect(groups.every(({ count }: Body) => count === 2)).toBe(true)
    expect(structured).toMatchObject({ total: 2_013, truncated: true })
    expect(structured.groups.length + structured.moreGroups).toBe(1_007)
    expect(must(await who.api('GET', '/api/v1/crm-entities/count'))).toEqual({
      total: 2_013,
      groups: [],
      moreGroups: 0,
    })
  })

  test.each([
    ['projects', ['status', 'health', 'priority', 'ownerId', 'companyId']],
    ['tasks', ['status', 'priority', 'projectId']],
  ])('counts of %s by each field are those of the list', async (segment, fields) => {
    const shown = segment === 'projects' ? projects.filter(({ archivedAt }) => archivedAt === null) : tasks
    for (const field of fields) {
      const { total, groups } = must(await get(`/${segment}/count?groupBy=${field}&priority=!urgent`))
      const rows = shown.filter(({ priority }) => priority !== 'urgent')
      const tally = [...Map.groupBy(rows, (object) => object[field])].map(([value, of]) => ({
        value,
        count: of.length,
      }))
      expect(total).toBe(rows.length)
      expect(groups.toSorted(byValue)).toEqual(tally.toSorted(byValue))
      expect(groups.map(({ count }: Body) => count)).toEqual(
        groups.map(({ count }: Body) => count).toSorted(descending),
      )
    }
  })

  test('the last page has no next page, also when it is exactly full', async () => {
    const last = must(await get(`/projects?limit=${projects.length}&includeArchived=true`))
    const none = await get(`/projects?ids=${missingId}`)

    expect(last.page).toEqual({ limit: projects.length, nextCursor: null, hasMore: false })
    expect(must(none)).toEqual({ data: [], page: { limit: 50, nextCursor: null, hasMore: false } })
    expect(none.headers.get('link')).toBeNull()
    expect(await idsIn('/projects')).toHaveLength(projects.filter(({ archivedAt }) => archivedAt === null).length)
  })

  async function people(): Promise<Named> {
    const [{ id: ada }] = must(await tenant.settings('GET', '/members')).data
    const { id: bob } = must(await tenant.settings('POST', '/members', { name: 'Bob', email: 'bob@example.com' }))
    const company = uuid()
    const by = { type: 'system', id: 'test', name: 'Test' }
    await system.db.crmEntity.create({
      data: {
        workspaceId: tenant.workspaceId,
        id: company,
        kind: 'company',
        name: 'Initech',
        version: 1,
        createdAt: new Date(),
        updatedAt: new Date(),
        createdBy: by,
        updatedBy: by,
      },
    })
    const { id: one } = await post('/projects', {
      name: 'Project one',
      key: 'ONE',
      status: 'active',
      priority: 'high',
      labels: ['red', 'blue'],
      ownerId: ada,
      memberIds: [bob, ada],
      companyId: company,
      dueDate: '2026-03-02',
      health: 'at_risk',
      externalSource: 'crm',
      externalId: '1',
    })
    return { ada, bob, company, one }
  }

  async function fill(): Promise<void> {
    const { ada, bob, company, one } = named
    for (const body of [
      {
        status: 'paused',
        labels: ['red'],
        ownerId: bob,
        dueDate: '2026-03-01',
        externalSource: 'erp',
        externalId: '1',
      },
      { status: 'active', labels: ['blue'], memberIds: [ada], dueDate: '2026-03-03', health: 'on_track' },
      { status: 'completed', priority: 'low', labels: ['green'], externalSource: 'crm', externalId: '2' },
      { status: 'cancelled', priority: 'urgent', health: 'off_track', companyId: company },
      { status: 'active', priority: 'high', labels: ['red'], ownerId: ada, memberIds: [bob] },
      {},
    ]) {
      await post('/projects', { name: 'Project', ...body })
    }
    const archived = await post('/projects', { name: 'Project archived', status: 'active', labels: ['red'] })
    await post(`/projects/${archived.id}/archive`)
    const deleted = await post('/projects', { name: 'Project deleted', status: 'active' })
    const parent = await post('/tasks', { projectId: one, title: 'Top', status: 'todo', labels: ['red'] })
    for (const body of [
      {
        parentTaskId: parent.id,
        blockedByIds: [parent.id],
        crmEntityIds: [company],
        assigneeIds: [ada, bob],
        status: 'done',
        dueDate: '2026-03-01',
        priority: 'high',
      },
      { parentTaskId: parent.id, status: 'todo', assigneeIds: [bob], labels: ['red', 'blue'], dueDate: '2026-03-02' },
      { projectId: await another(), dueDate: '2026-03-03', priority: 'low' },
      { projectId: deleted.id, status: 'todo', labels: ['red'] },
    ]) {
      await post('/tasks', { projectId: one, title: 'Task', ...body })
    }
    must(await tenant.api('DELETE', `/api/v1/projects/${deleted.id}`))
  }

  const another = async (): Promise<string> => (await post('/projects', { name: 'Project of one task' })).id
})

const byValue = (a: Body, b: Body): number => String(a.value).localeCompare(String(b.value))
const descending = (a: number, b: number): number => b - a
