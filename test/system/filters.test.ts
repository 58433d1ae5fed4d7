// Filters of lists, on projects and tasks: each against what it says, applied to everything there is.
import { beforeAll, expect, test } from 'vitest'
import { missingId } from '../support/client.ts'
import { describeMode, describeOnce, sharedSystem } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

type Segment = 'projects' | 'tasks'
/** Of a parameter, and what may follow it in the query. */
type Queries = Readonly<Record<string, readonly string[]>>

const text = encodeURIComponent

/** What a parameter says of an object of the list: `status=!active`, `labelsAll=red,blue`, `dueAfter=2026-03-02`. */
function holds(object: Body, [name, value]: [string, string]): boolean {
  const values = value.split(',')
  if (name === 'includeArchived') return value === 'true' || object.archivedAt === null
  if (name === 'ids') return values.includes(object.id)
  // Of every name.
  if (name === 'q') return true
  const [, field, side] = /^(createdAt|updatedAt|dueDate)(After|Before)$/.exec(spelt(name)) ?? []
  if (field !== undefined) {
    const [own, bound] = [object[field], value.toUpperCase().replace('+00:00', 'Z')]
    return own !== null && (side === 'After' ? own > bound : own < bound)
  }
  const shown = [name, `${name}s`, name.replace('All', '')].find((each) => each in object) ?? ''
  const own = new Set<string>([object[shown]].flat())
  if (name.endsWith('All')) return values.every((each) => own.has(each))
  return value.startsWith('!') ? !values.some((each) => own.has(each.slice(1))) : values.some((each) => own.has(each))
}

const spelt = (name: string): string => name.replace(/^(created|updated)/, '$1At').replace(/^due/, 'dueDate')

describeOnce('filters', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { get, post, remove } = callsOf(tenant)
  const known = { ada: '', bob: '', company: '', one: '' }
  const all: Record<Segment, Body[]> = { projects: [], tasks: [] }

  beforeAll(async () => {
    known.ada = (await get('/members')).data[0].id
    const bob = await tenant.settings('POST', '/members', { name: 'Bob', email: 'bob@example.com' })
    known.bob = bob.body.id
    known.company = (await post('/crm-entities', { kind: 'company', name: 'Initech' })).id
    known.one = await fill(known)
    all.projects = (await get('/projects?limit=200&includeArchived=true')).data
    all.tasks = (await get('/tasks?limit=200')).data
  })

  /** The list, its total and the count must all say what the model says. */
  async function agree(segment: Segment, queries: Queries): Promise<void> {
    for (const [name, each] of Object.entries(queries))
      for (const query of each.map((value) => `${name}=${value}`)) {
        const usual = segment === 'tasks' || query.includes('includeArchived') ? '' : '&includeArchived=false'
        const parameters = [...new URLSearchParams(query + usual)]
        const expected = all[segment].filter((object) => parameters.every((said) => holds(object, said)))
        const listed = await get(`/${segment}?limit=200&includeTotal=true&${query}`)
        const counted = await get(`/${segment}/count?${query}`)
        const found = [listed.data.map(({ id }: Body) => id), listed.page.total, counted.total]
        expect([query, ...found]).toEqual([query, expected.map(({ id }) => id), expected.length, expected.length])
      }
  }

  test('each filter of projects matches exactly what it says', async () => {
    const { ada, bob, company } = known
    const times = all.projects.map(({ updatedAt }): string => updatedAt).toSorted()
    const [first, last] = [times[0]!, times.at(-1)!]

    await agree('projects', {
      includeArchived: ['true', 'false'],
      status: ['active', 'active,paused', '!active,!paused', 'active&labels=red'],
      health: ['at_risk', '!at_risk'],
      priority: ['high,low'],
      labels: ['red,blue', '!red,!blue', 'red&labelsAll=blue'],
      labelsAll: ['red,blue'],
      ownerId: [ada, `${ada},${bob}`, `!${ada}`],
      memberId: [bob, `!${bob}`],
      companyId: [company, `!${company}`, missingId],
      dueAfter: ['2026-03-02', '2026-03-01&dueBefore=2026-03-03'],
      dueBefore: ['2026-03-02'],
      externalSource: ['crm,erp', '!crm'],
      updatedAfter: [first.toLowerCase()],
      updatedBefore: [last],
      createdAfter: [`${first}&createdBefore=${last}`, text(first.replace('Z', '+00:00'))],
      ids: [`${all.projects[0].id},${missingId},${all.tasks[0].id}`],
      q: ['PROJECT', 'proj&status=active'],
    })
  })

  test('each filter of tasks matches exactly what it says', async () => {
    const { ada, bob, company, one } = known
    const top = all.tasks.find(({ title }) => title === 'Top').id

    await agree('tasks', {
      status: ['todo,done', '!todo'],
      priority: ['!none'],
      labels: ['red'],
      labelsAll: ['red,blue'],
      projectId: [one, `!${one}`],
      assigneeId: [ada, `${ada},${bob}`, `!${ada},!${bob}`],
      parentTaskId: [top, `!${top}`],
      crmEntityId: [company, `!${company}`],
      dueAfter: ['2026-03-01'],
      dueBefore: ['2026-03-03'],
      externalSource: ['crm'],
      ids: [`${all.tasks[0].id},${all.tasks[1].id}`],
    })
  })

  test.each<[Segment, string[]]>([
    ['projects', ['status', 'health', 'priority', 'ownerId', 'companyId']],
    ['tasks', ['status', 'priority', 'projectId']],
  ])('counts of %s by each field are those of the list, the largest first', async (segment, fields) => {
    const rows = all[segment].filter(({ archivedAt = null, priority }) => archivedAt === null && priority !== 'urgent')
    for (const field of fields) {
      const { total, groups } = await get(`/${segment}/count?groupBy=${field}&priority=!urgent`)

      const tally = [...Map.groupBy(rows, (each) => each[field])].map(([value, of]) => ({ value, count: of.length }))
      expect([total, new Set(groups)]).toEqual([rows.length, new Set(tally)])
      const counts: number[] = groups.map(({ count }: Body) => count)
      expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    }
  })

  test('q matches beginnings of words and parts of the name, a label may hold what filters are written with, and a cursor goes on however they are', async () => {
    const own = callsOf(await system.tenant())
    for (const body of [
      { name: 'Website relaunch', labels: ['Berlin, west'] },
      { name: '100% _done_', description: 'Nothing', labels: ['!urgent', 'web'] },
      { name: 'Größe', description: 'about the Website', labels: ['a\\b'], status: 'active' },
      { name: 'Other', labels: ['web'], status: 'planned' },
    ])
      await own.post('/projects', body)
    const namesIn = (query: string) => own.listed(`/projects?sort=name&${query}`, 'name')
    const [done, size, other, website] = ['100% _done_', 'Größe', 'Other', 'Website relaunch']

    for (const [name, value, ...names] of [
      ['q', 'webs', size, website],
      ['q', 'relaunch website', website],
      ['q', 'bsit', website],
      ['q', 'GRÖSSE', size],
      ['q', 'GRÖ', size],
      ['q', '0%', done],
      ['q', '%%'],
      ['q', '_d', done],
      ['q', `'"\\:*&|!()<->`],
      ['labels', 'Berlin\\, west', website],
      ['labels', 'Berlin\\, west,web', done, other, website],
      ['labels', '\\!urgent', done],
      ['labels', '!!urgent', size, other, website],
      ['labels', 'a\\b', size],
      ['labelsAll', '\\!urgent,web', done],
    ] as const)
      expect([value, await namesIn(`${name}=${text(value)}`)]).toEqual([value, names])
    const { page } = await own.get('/projects?sort=name&status=planned&status=active&limit=1')
    expect(await namesIn(`status[]=planned,active&limit=1&cursor=${page.nextCursor}`)).toEqual([size])
  })

  test('deliveries are listed by event types and patterns; an unknown type or webhook is refused', async () => {
    const own = callsOf(await system.tenant())
    const hook = { name: 'In', url: 'https://hooks.example.com/in', eventTypes: ['projects.*', 'tasks.*'] }
    const { id } = await own.post('/webhooks', hook)
    await own.post(`/webhooks/${id}/pause`)
    const { id: projectId } = await own.post('/projects', { name: 'One' })
    await own.post('/tasks', { projectId, title: 'Two' })
    const kinds = (query: string) => own.listed(`/deliveries?${query}`, 'eventType')

    await expect.poll(() => kinds(`webhookId=${id}`)).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.*')).toEqual(['projects.created'])
    expect(await kinds('eventTypes=tasks.*,projects.created')).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.deleted')).toEqual([])
    for (const unknown of ['projects.creatd', 'projects', 'project.*', 'tasks.*,nothing.*'])
      for (const list of ['deliveries', 'webhooks'])
        expect(told(await own.call('GET', `/${list}?eventTypes=${unknown}`))).toMatch(
          /^400 invalid_parameter eventTypes wrong_format/,
        )
    const ofNone = await own.call('GET', `/deliveries?webhookId=${missingId}`)
    expect(told(ofNone)).toBe('400 invalid_parameter webhookId not_found')
  })

  /** Returns the id of the first project, which has a key. */
  async function fill({ ada, bob, company }: typeof known): Promise<string> {
    const project = async (body: object): Promise<string> => (await post('/projects', { name: 'Project', ...body })).id
    const [crm, erp] = [{ externalSource: 'crm' }, { externalSource: 'erp', externalId: '1' }]
    const named = { name: 'Project one', key: 'ONE', ...crm, externalId: '1', companyId: company }
    const owned = { ownerId: ada, status: 'active', priority: 'high', memberIds: [bob, ada], health: 'at_risk' }
    const one = await project({ ...named, ...owned, labels: ['red', 'blue'], dueDate: '2026-03-02' })
    await project({ status: 'paused', labels: ['red'], ownerId: bob, dueDate: '2026-03-01', ...erp })
    const onTrack = { status: 'active', health: 'on_track', dueDate: '2026-03-03' }
    await project({ ...onTrack, labels: ['blue'], memberIds: [ada] })
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
    const naming = { parentTaskId, blockedByIds: [parentTaskId], crmEntityIds: [company], assigneeIds: [ada, bob] }
    await task({ ...naming, status: 'done', dueDate: '2026-03-01', priority: 'high', ...crm, externalId: 't' })
    await task({ parentTaskId, status: 'todo', assigneeIds: [bob], labels: ['red', 'blue'], dueDate: '2026-03-02' })
    await task({ projectId: another, dueDate: '2026-03-03', priority: 'low' })
    await task({ projectId: deleted, status: 'todo', labels: ['red'] })
    await remove(`/projects/${deleted}`)
    return one
  }
})

describeMode('a filter', 'distributed', () => {
  const { tenant } = sharedSystem('distributed')

  test.each([
    ['projects?status=active,!paused', 'status wrong_format'],
    ['tasks/count?labels=!red,blue', 'labels wrong_format'],
    ['projects?q=%20%20', 'q wrong_format'],
    // Of a key without an owner.
    ['projects?ownerId=me', 'ownerId wrong_format'],
    ['projects/count?memberId=!me', 'memberId wrong_format'],
    ['projects?sort=name,-name', 'sort not_unique'],
    ['projects?fields=name,owner', 'expand required'],
    ['projects?fields=owner,company&expand=company', 'expand required'],
    ['projects?labelsAll=!web', 'labelsAll wrong_format'],
    ['documents?tagsAll=web,!new', 'tagsAll wrong_format'],
    ['projects?status=active&status=!planned', 'status wrong_format'],
    ['projects?createdAfter=2026-02-01T00:00:00Z&createdBefore=2026-01-01T00:00:00Z', 'createdBefore too_small'],
    ['projects?status=active&status=active', 'status not_unique'],
  ])('that nobody can mean is refused by name: GET %s, %s', async (path, refusal) => {
    expect(told(await tenant.api('GET', `/api/v1/${path}`))).toBe(`400 invalid_parameter ${refusal}`)
  })

  test('by an unknown name is answered with the nearest one', async () => {
    expect((await tenant.api('GET', '/api/v1/tasks?asigneeId=me')).body.detail).toContain('Did you mean `assigneeId`?')
  })
})
