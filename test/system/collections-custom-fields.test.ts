// Lists narrowed by a workspace's own fields: each type by what it can be compared with.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeModes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

type Body = Answer['body']

const fieldsOf = [
  { key: 'note', type: 'text' },
  { key: 'size', type: 'number' },
  { key: 'starts', type: 'date' },
  { key: 'paid', type: 'boolean' },
  { key: 'stage', type: 'select', options: ['early', 'late', 'it’s 100%'] },
  { key: 'areas', type: 'multi_select', options: ['north', 'south', 'west'] },
  { key: 'lead', type: 'user' },
  { key: 'link', type: 'url' },
]

describeModes('lists by custom fields', (mode) => {
  let system: System
  let tenant: Tenant
  let ada: string

  beforeAll(async () => {
    system = await startSystem(mode)
    tenant = await system.tenant()
    ada = must(await tenant.settings('GET', '/members')).data[0].id
    for (const target of ['project', 'task']) {
      for (const field of fieldsOf) await define(tenant, { ...field, target })
    }
    await define(tenant, { key: 'tasks_only', type: 'text', target: 'task' })
    // Another workspace has the same names with other types.
    const other = await system.tenant()
    for (const { key } of fieldsOf) await define(other, { key, type: 'text', target: 'project' })
    const texts = Object.fromEntries(fieldsOf.map(({ key }) => [key, 'no number']))
    must(await other.api('POST', '/api/v1/projects', { name: 'Theirs', customFields: texts }))
    for (const [name, customFields] of Object.entries(values())) {
      const project = must(await tenant.api('POST', '/api/v1/projects', { name, customFields }))
      must(await tenant.api('POST', '/api/v1/tasks', { projectId: project.id, title: name, customFields }))
    }
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const define = async (who: Tenant, field: object) =>
    must(await who.api('POST', '/api/v1/custom-fields', { label: 'Field', ...field }))
  const values = (): Record<string, object> => ({
    a: {
      note: 'One, two',
      size: -3,
      starts: '2026-01-31',
      paid: true,
      stage: 'early',
      areas: ['north', 'south'],
      lead: ada,
      link: 'https://example.com/?a=b&c=d',
    },
    b: { note: 'other', size: 10.5, starts: '2026-02-01', paid: false, stage: 'late', areas: ['south'] },
    c: { note: '10', size: 9, stage: 'it’s 100%' },
    d: {},
  })
  const get = (segment: string, query: string) => tenant.api('GET', `/api/v1/${segment}?${query}`)

  test.each([
    ['customFields.note=other', 'b'],
    ['customFields.note=other,10', 'bc'],
    ['customFields.size=9', 'c'],
    ['customFields.size=9.0', 'c'],
    ['customFields.size=-3,10.5', 'ab'],
    ['customFields.size[gte]=9', 'bc'],
    ['customFields.size[lte]=9', 'ac'],
    ['customFields.size[gte]=-3&customFields.size[lte]=9.5', 'ac'],
    ['customFields.starts=2026-02-01', 'b'],
    ['customFields.starts[gte]=2026-02-01', 'b'],
    ['customFields.starts[lte]=2026-01-31', 'a'],
    ['customFields.paid=true', 'a'],
    ['customFields.paid=false', 'b'],
    ['customFields.paid=true,false', 'ab'],
    ['customFields.stage=early,late', 'ab'],
    [`customFields.stage=${encodeURIComponent('it’s 100%')}`, 'c'],
    ['customFields.areas=south', 'ab'],
    ['customFields.areas=north,west', 'a'],
    ['customFields.areas=west', ''],
    [`customFields.link=${encodeURIComponent('https://example.com/?a=b&c=d')}`, 'a'],
    ['customFields.size[gte]=0&customFields.paid=false&q=none', ''],
    ['customFields.size[gte]=0&customFields.paid=false', 'b'],
    ['customFields.size%5Bgte%5D=9', 'bc'],
  ])('%s gives "%s", of projects and of tasks', async (query, names) => {
    for (const [segment, name] of [
      ['projects', 'name'],
      ['tasks', 'title'],
    ] as const) {
      const listed = must(await get(segment, `sort=createdAt&${query}`)).data.map((each: Body) => each[name])
      expect([segment, listed.join('')]).toEqual([segment, names])
      expect(must(await get(`${segment}/count`, query)).total).toBe(names.length)
    }
  })

  test('a member is found in either case of its id', async () => {
    for (const lead of [ada, ada.toUpperCase()])
      expect(must(await get('projects', `customFields.lead=${lead}`)).data).toHaveLength(1)
  })

  test.each([
    ['customFields.sise=1', 'customFields.sise', 'Did you mean `size`?'],
    ['customFields.tasks_only=x', 'customFields.tasks_only', 'no such custom field'],
    ['customFields.size=nine', 'customFields.size', 'number'],
    ['customFields.size[gte]=1e3', 'customFields.size', 'number'],
    ['customFields.note[gte]=a', 'customFields.note', 'range'],
    ['customFields.areas[lte]=a', 'customFields.areas', 'range'],
    ['customFields.starts=tomorrow', 'customFields.starts', 'day'],
    ['customFields.starts[gte]=2026-02-30', 'customFields.starts', 'day'],
    ['customFields.starts[lte]=2026', 'customFields.starts', 'day'],
    ['customFields.paid=yes', 'customFields.paid', 'true'],
    ['customFields.lead=ada', 'customFields.lead', 'member'],
  ])('%s is refused', async (query, parameter, detail) => {
    const { status, body } = await get('projects', query)

    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameter', parameter])
    expect(body.detail).toContain(detail)
  })

  test('an unknown comparison and one without a field are refused', async () => {
    for (const query of ['customFields.size[gt]=1', 'customFields.=1'])
      expect(await get('projects', query)).toMatchObject({ status: 400 })
  })
})
