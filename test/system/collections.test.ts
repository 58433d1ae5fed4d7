// The query grammar of lists, on projects and tasks: each filter against what it says, applied to everything there is.
import { missingId } from '../support/client.ts'
import { beforeAll, expect, test } from 'vitest'
import type { Scope } from '#contract/scopes.ts'
import { callTool } from '../support/mcp.ts'
import { describeMode, describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']
type Segment = 'projects' | 'tasks'
type Case = readonly [query: string, holds: (object: Body) => boolean]

const has = (list: readonly string[], ...values: string[]): boolean => values.some((value) => list.includes(value))

function listsOf(tenant: Tenant) {
  const get = (path: string, who = tenant) => who.api('GET', `/api/v1${path}`)
  return {
    get,
    post: async (path: string, body?: object): Promise<Body> => must(await tenant.api('POST', `/api/v1${path}`, body)),
    data: async (path: string): Promise<Body[]> => must(await get(path)).data,
    refusalOf: async (path: string, who = tenant): Promise<string> => {
      const { status, body } = await get(path, who)
      const errors = body.errors?.map(({ parameter, code }: Body) => `${parameter} ${code}`) ?? ''
      return `${status} ${body.code} ${errors}`
    },
  }
}

describeModes('lists', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { get, post, data } = listsOf(tenant)
  const known = { ada: '', bob: '', company: '', one: '' }
  const all: Record<Segment, Body[]> = { projects: [], tasks: [] }

  beforeAll(async () => {
    known.ada = must(await tenant.settings('GET', '/members')).data[0].id
    known.bob = must(await tenant.settings('POST', '/members', { name: 'Bob', email: 'bob@example.com' })).id
    known.company = (await post('/crm-entities', { kind: 'company', name: 'Initech' })).id
    known.one = await fill(known)
    all.projects = await data('/projects?limit=200&includeArchived=true')
    all.tasks = await data('/tasks?limit=200')
  })

  /** The list, its total and the count must all say what the model says. */
  async function agree(segment: Segment, cases: readonly Case[]): Promise<void> {
    for (const [query, holds] of cases) {
      const archived = segment === 'tasks' || query.includes('includeArchived')
      const seen = all[segment].filter((object) => archived || object.archivedAt === null)
      const expected = seen.filter(holds).map(({ id }) => id)
      const listed = must(await get(`/${segment}?limit=200&includeTotal=true&${query}`))
      const counted = must(await get(`/${segment}/count?${query}`))
      const found = [listed.data.map(({ id }: Body) => id), listed.page.total, counted.total]
      expect([query, ...found]).toEqual([query, expected, expected.length, expected.length])
    }
  }

  test('each filter of projects matches exactly what it says', async () => {
    const { ada, bob, company } = known
    const times = all.projects.map(({ updatedAt }): string => updatedAt).toSorted()
    const [first, last] = [times[0]!, times.at(-1)!]

    await agree('projects', [
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
      [`updatedAfter=${first.toLowerCase()}`, ({ updatedAt }) => updatedAt > first],
      [`updatedBefore=${last}`, ({ updatedAt }) => updatedAt < last],
      [`createdAfter=${first}&createdBefore=${last}`, ({ createdAt }) => createdAt > first && createdAt < last],
      [`createdAfter=${encodeURIComponent(first.replace('Z', '+00:00'))}`, ({ createdAt }) => createdAt > first],
      [`ids=${all.projects[0].id},${missingId},${all.tasks[0].id}`, ({ id }) => id === all.projects[0].id],
      ['q=proj&status=active', ({ status }) => status === 'active'],
      ['q=PROJECT', () => true],
      ['status=active&labels=red', ({ status, labels }) => status === 'active' && has(labels, 'red')],
    ])
  })

  test('each filter of tasks matches exactly what it says', async () => {
    const { ada, bob, company, one } = known
    const top = all.tasks.find(({ title }) => title === 'Top').id

    await agree('tasks', [
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
      [`parentTaskId=${top}`, ({ parentTaskId }) => parentTaskId === top],
      [`parentTaskId=!${top}`, ({ parentTaskId }) => parentTaskId !== top],
      [`crmEntityId=${company}`, ({ crmEntityIds }) => has(crmEntityIds, company)],
      [`crmEntityId=!${company}`, ({ crmEntityIds }) => !has(crmEntityIds, company)],
      ['dueAfter=2026-03-01', ({ dueDate }) => dueDate !== null && dueDate > '2026-03-01'],
      ['dueBefore=2026-03-03', ({ dueDate }) => dueDate !== null && dueDate < '2026-03-03'],
      ['externalSource=crm', ({ externalSource }) => externalSource === 'crm'],
      [`ids=${all.tasks[0].id},${all.tasks[1].id}`, ({ id }) => has([all.tasks[0].id, all.tasks[1].id], id)],
    ])
  })

  test.each<[Segment, string[]]>([
    ['projects', ['status', 'health', 'priority', 'ownerId', 'companyId']],
    ['tasks', ['status', 'priority', 'projectId']],
  ])('counts of %s by each field are those of the list, the largest first', async (segment, fields) => {
    const rows = all[segment].filter(
      ({ archivedAt, priority }) => (archivedAt ?? null) === null && priority !== 'urgent',
    )
    for (const field of fields) {
      const { total, groups } = must(await get(`/${segment}/count?groupBy=${field}&priority=!urgent`))

      const tally = [...Map.groupBy(rows, (object) => object[field])].map(([value, of]) => ({
        value,
        count: of.length,
      }))
      expect(total).toBe(rows.length)
      expect(new Set(groups)).toEqual(new Set(tally))
      const counts: number[] = groups.map(({ count }: Body) => count)
      expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    }
  })

  test('q matches beginnings of words and parts of the name, and takes wildcards literally', async () => {
    const fresh = await system.tenant()
    for (const body of [
      { name: 'Website relaunch' },
      { name: '100% _done_', description: 'Nothing' },
      { name: 'Größe', description: 'about the Website' },
      { name: 'Other' },
    ])
      must(await fresh.api('POST', '/api/v1/projects', body))

    for (const [q, names] of [
      ['webs', ['Größe', 'Website relaunch']],
      ['relaunch website', ['Website relaunch']],
      ['bsit', ['Website relaunch']],
      ['GRÖSSE', ['Größe']],
      ['GRÖ', ['Größe']],
      ['0%', ['100% _done_']],
      ['%%', []],
      ['_d', ['100% _done_']],
      [`'"\\:*&|!()<->`, []],
    ] as const) {
      const found = must(await get(`/projects?sort=name&q=${encodeURIComponent(q)}`, fresh)).data
      expect([q, found.map(({ name }: Body) => name)]).toEqual([q, names])
    }
  })

  test('expand puts the related objects beside their ids, in their order', async () => {
    const { ada, bob, company, one } = known
    const blocked = all.tasks.find(({ blockedByIds }) => blockedByIds.length > 0)
    const member = (id: string, name: string) => ({
      id,
      object: 'member',
      name,
      email: `${name.toLowerCase()}@example.com`,
    })
    const parts = 'expand=project,assignees,parentTask,blockedBy,crmEntities'

    const [project] = await data(`/projects?ids=${one}&expand=owner,members,company,taskCounts`)
    const [shown] = await data(`/tasks?ids=${blocked.id}&${parts}`)

    expect(project).toMatchObject({
      owner: member(ada, 'Ada'),
      members: [member(bob, 'Bob'), member(ada, 'Ada')],
      company: { id: company, object: 'crm_entity', kind: 'company', name: 'Initech' },
      taskCounts: { todo: 2, done: 1 },
    })
    expect(shown).toMatchObject({
      project: { id: one, object: 'project', key: 'ONE', status: 'active' },
      assignees: [member(ada, 'Ada'), member(bob, 'Bob')],
      parentTask: { id: blocked.parentTaskId, object: 'task', identifier: 'ONE-1', status: 'todo' },
      blockedBy: [{ id: blocked.parentTaskId }],
      crmEntities: [{ id: company, name: 'Initech' }],
    })
    expect(must(await get(`/tasks/${blocked.id}?${parts}`))).toEqual(shown)
  })

  test('deleted objects are left out of expansions', async () => {
    const fresh = await system.tenant()
    const make = async (path: string, body: object) => must(await fresh.api('POST', `/api/v1${path}`, body)).id
    const member = must(await fresh.settings('POST', '/members', { name: 'Gone', email: 'gone@example.com' })).id
    const projectId = await make('/projects', { name: 'P', ownerId: member, memberIds: [member] })
    const blocker = await make('/tasks', { projectId, title: 'Blocker' })
    const naming = { assigneeIds: [member], parentTaskId: blocker, blockedByIds: [blocker] }
    const task = await make('/tasks', { projectId, title: 'T', ...naming })
    must(await fresh.settings('DELETE', `/members/${member}`))
    must(await fresh.api('DELETE', `/api/v1/tasks/${blocker}`))

    const project = must(await get(`/projects/${projectId}?expand=owner,members,taskCounts`, fresh))
    const shown = must(await get(`/tasks/${task}?expand=assignees,parentTask,blockedBy`, fresh))

    expect(project).toMatchObject({ owner: null, members: [], taskCounts: { backlog: 1 } })
    expect(shown).toMatchObject({ assignees: [], parentTask: null, blockedBy: [] })
  })

  test('includeDeleted shows of a deleted object that it is deleted, and nothing else', async () => {
    const fresh = await system.tenant()
    const make = async (name: string) => must(await fresh.api('POST', '/api/v1/projects', { name, status: 'active' }))
    const [kept, gone] = [await make('Kept'), await make('Gone')]
    must(await fresh.api('DELETE', `/api/v1/projects/${gone.id}`))
    const list = async (query: string) =>
      must(await get(`/projects?sort=createdAt&status=active&includeTotal=true&${query}`, fresh))

    const whole = await list('includeDeleted=true&expand=owner')
    const sparse = await list('includeDeleted=true&fields=name')
    const usual = await list('')

    const tombstone = { id: gone.id, object: 'project', version: 2, deletedAt: expect.any(String) }
    expect(whole).toMatchObject({ data: [{ ...kept, owner: null }, {}], page: { total: 2 } })
    expect(whole.data[1]).toEqual(tombstone)
    expect(sparse.data).toEqual([{ id: kept.id, object: 'project', version: 1, name: 'Kept' }, tombstone])
    expect(usual).toMatchObject({ data: [{ id: kept.id }], page: { total: 1 } })
    expect(must(await get('/projects/count', fresh)).total).toBe(1)
  })

  /** Returns the id of the first project, which has a key. */
  async function fill({ ada, bob, company }: typeof known): Promise<string> {
    const project = async (body: object): Promise<string> => (await post('/projects', { name: 'Project', ...body })).id
    const crm = { externalSource: 'crm' }
    const one = await project({
      ...crm,
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
      externalId: '1',
    })
    const erp = { externalSource: 'erp', externalId: '1' }
    await project({ status: 'paused', labels: ['red'], ownerId: bob, dueDate: '2026-03-01', ...erp })
    await project({
      status: 'active',
      labels: ['blue'],
      memberIds: [ada],
      dueDate: '2026-03-03',
      health: 'on_track',
    })
    await project({ status: 'completed', priority: 'low', labels: ['green'], ...crm, externalId: '2' })
    await project({ status: 'cancelled', priority: 'urgent', health: 'off_track', companyId: company })
    await project({ status: 'active', priority: 'high', labels: ['red'], ownerId: ada, memberIds: [bob] })
    const another = await project({})
    const archived = await project({ status: 'active', labels: ['red'] })
    await post(`/projects/${archived}/archive`)
    const deleted = await project({ status: 'active' })

    const task = async (body: object): Promise<string> =>
      (await post('/tasks', { projectId: one, title: 'Task', ...body })).id
    const parentTaskId = await task({ title: 'Top', status: 'todo', labels: ['red'] })
    const naming = { blockedByIds: [parentTaskId], crmEntityIds: [company], assigneeIds: [ada, bob] }
    await task({
      parentTaskId,
      ...naming,
      status: 'done',
      dueDate: '2026-03-01',
      priority: 'high',
      ...crm,
      externalId: 't',
    })
    await task({ parentTaskId, status: 'todo', assigneeIds: [bob], labels: ['red', 'blue'], dueDate: '2026-03-02' })
    await task({ projectId: another, dueDate: '2026-03-03', priority: 'low' })
    await task({ projectId: deleted, status: 'todo', labels: ['red'] })
    must(await tenant.api('DELETE', `/api/v1/projects/${deleted}`))
    return one
  }
})

describeMode('what a list is asked', 'distributed', () => {
  const { system, tenant } = sharedSystem('distributed')
  const { get, post, data, refusalOf } = listsOf(tenant)
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    for (const status of ['active', 'planned', 'active', 'planned'])
      ids['projects'] = (await post('/projects', { name: status, status })).id
    ids['tasks'] = (await post('/tasks', { projectId: ids['projects'], title: 'Task' })).id
  })

  test.each([
    ['/projects?status=active,!paused', 'invalid_parameter status wrong_format'],
    ['/tasks/count?labels=!red,blue', 'invalid_parameter labels wrong_format'],
    ['/projects?limit=ten', 'invalid_parameter limit wrong_type'],
    ['/projects?limit=1.5', 'invalid_parameter limit wrong_type'],
    ['/projects?labels=a,,b', 'invalid_parameter labels too_short'],
    ['/projects?q=%20%20', 'invalid_parameter q wrong_format'],
    // Of a key without an owner.
    ['/projects?ownerId=me', 'invalid_parameter ownerId wrong_format'],
    ['/projects/count?memberId=!me', 'invalid_parameter memberId wrong_format'],
    ['/projects?includeTotal=yes', 'invalid_parameter includeTotal wrong_type'],
    ['/projects?sort=name,-name', 'invalid_parameter sort not_unique'],
    ['/projects?fields=name,owner', 'invalid_parameter expand required'],
    ['/projects?fields=owner,company&expand=company', 'invalid_parameter expand required'],
    ['/projects?cursor=x', 'invalid_cursor '],
  ])('GET %s is refused: %s', async (path, refusal) => {
    expect(await refusalOf(path)).toBe(`400 ${refusal}`)
  })

  test('an unknown name is answered with the nearest one', async () => {
    expect((await get('/tasks?asigneeId=me')).body.detail).toContain('Did you mean `assigneeId`?')
  })

  test('a cursor is refused with another filter or order, in another list or workspace, and where it was changed', async () => {
    const query = 'status=active,planned&sort=name'
    const { nextCursor: cursor } = must(await get(`/projects?limit=2&${query}`)).page

    const taken = await get(`/projects?limit=3&fields=name&includeTotal=true&${query}&cursor=${cursor}`)

    expect(taken).toMatchObject({ status: 200, body: { data: [{}, {}] } })
    for (const other of [
      'projects?status=active&sort=name',
      'projects?sort=name',
      'projects?status=active,planned&sort=-name',
      `projects?${query},createdAt`,
      `projects?${query}&includeDeleted=true`,
      `projects?${query}&customFields.none=1`,
      'documents?sort=title',
    ])
      expect(await refusalOf(`/${other}&cursor=${cursor}`)).toBe('400 cursor_mismatch ')
    expect(await refusalOf(`/projects?${query}&cursor=${cursor}`, await system.tenant())).toBe('400 cursor_mismatch ')
    for (const broken of [`${cursor}x`, cursor.slice(1), cursor.toUpperCase()])
      expect(await refusalOf(`/projects?${query}&cursor=${broken}`)).toBe('400 invalid_cursor ')
  })

  test.each([
    ['/projects?fields=name', 'name'],
    ['/tasks?fields=identifier,labels,id', 'identifier labels'],
    ['/projects?fields=name&expand=owner', 'name owner'],
    ['/projects?fields=name,owner&expand=owner', 'name owner'],
  ])('%s selects %s, always with id, object and version', async (path, fields) => {
    const [first] = await data(path)

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
    const lacking = await tenant.key([`${segment}:read` as Scope])

    for (const path of [`/${segment}`, `/${segment}/${ids[segment]}`]) {
      const { status, body } = await get(`${path}?expand=${expand}`, lacking)
      expect([status, body.code, body.requiredScopes]).toEqual([403, 'insufficient_scope', missing])
    }
  })

  test('of more than a thousand groups the largest are shown, and how many are not, over MCP as well', async () => {
    const who = await system.tenant()
    const company = { kind: 'company', name: 'One', industry: 'Tools' }
    const { id } = must(await who.api('POST', '/api/v1/crm-entities', company))
    await system.db.$executeRaw`
      INSERT INTO crm_entity SELECT (jsonb_populate_record(c, jsonb_build_object(
        'id', gen_random_uuid(), 'industry', 'Industry ' || (n / 2)))).*
      FROM crm_entity c, generate_series(2, 2013) n WHERE c.id = ${id}::uuid AND c.workspace_id = ${who.workspaceId}::uuid`

    const { total, groups, moreGroups } = must(await get('/crm-entities/count?groupBy=industry', who))
    const { structured } = await callTool(who, 'objects.count', { type: 'crm-entities', groupBy: 'industry' })

    expect([total, groups.length, moreGroups]).toEqual([2_013, 1_000, 7])
    expect(groups.every(({ count }: Body) => count === 2)).toBe(true)
    expect(structured).toMatchObject({ total: 2_013, truncated: true })
    expect(structured.groups.length + structured.moreGroups).toBe(1_007)
    const ungrouped = must(await get('/crm-entities/count', who))
    expect(ungrouped).toEqual({ total: 2_013, groups: [], moreGroups: 0 })
  })

  test('a list of nothing is an empty page of 50, without a link to another', async () => {
    const none = await get(`/projects?ids=${missingId}`)

    expect(none.body).toEqual({ data: [], page: { limit: 50, nextCursor: null, hasMore: false } })
    expect(none.headers.get('link')).toBeNull()
  })
})
