// Custom fields of a workspace: their definitions, the values of objects, and lists that are narrowed by them.
// Operations: custom-fields.get, custom-fields.list.
import { beforeAll, expect, test } from 'vitest'
import { customFieldsPerTargetMax } from '#contract/custom-fields.ts'
import { describeOnce, must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

const text = encodeURIComponent

const fieldsOf = (tenant: Tenant) => {
  const { call, listed, ...calls } = callsOf(tenant)
  const add = (body: object) =>
    call('POST', '/custom-fields', { target: 'project', type: 'text', label: 'Field', ...body })
  return {
    ...calls,
    call,
    listed,
    add,
    create: async (body: object): Promise<Body> => must(await add(body)),
    relabel: (id: string, body: object) => call('PATCH', `/custom-fields/${id}`, body),
    archive: (id: string) => call('DELETE', `/custom-fields/${id}`),
    unarchive: (id: string) => call('POST', `/custom-fields/${id}/unarchive`),
    keysIn: (query = '') => listed(`/custom-fields?${query}`, 'key'),
  }
}

describeOnce('custom fields', (mode) => {
  const { system } = sharedSystem(mode)

  test('a key is unique for its target, archived or not, and free for other targets', async () => {
    const { create, add, archive } = fieldsOf(await system.tenant())
    const { id } = await create({ key: 'points' })
    must(await archive(id))

    const [again, elsewhere] = [await add({ key: 'points' }), await add({ key: 'points', target: 'deal' })]

    expect(again).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'key', existingId: id } })
    expect(elsewhere.status).toBe(201)
    for (const key of ['Points', '1st', '_a', 'due-date', '', 'ä', 'a'.repeat(41)])
      expect(told(await add({ key }))).toMatch(/^422 validation_failed \/key /)
  })

  test('an archived field is listed on request only and cannot be changed until it is unarchived; all is in the audit log', async () => {
    const tenant = await system.tenant()
    const { create, get, relabel, archive, unarchive, keysIn } = fieldsOf(tenant)
    const { id } = await create({ key: 'old' })
    must(await relabel(id, { label: 'Seen' }))
    await create({ key: 'new' })

    const archived = [await archive(id), await archive(id)]

    expect(archived.map(({ status }) => status)).toEqual([204, 204])
    expect([await keysIn(), await keysIn('includeArchived=true')]).toEqual([['new'], ['old', 'new']])
    expect(await get(`/custom-fields/${id}`)).toMatchObject({ version: 3 })
    expect(told(await relabel(id, { label: 'x' }))).toBe('409 invalid_transition')
    for (const answer of [await unarchive(id), await unarchive(id)])
      expect(answer).toMatchObject({ body: { archivedAt: null, version: 4 } })
    expect(await keysIn()).toEqual(['old', 'new'])
    const { data } = must(await tenant.settings('GET', '/audit-entries?limit=5'))
    const actions = ['unarchive', 'archive', 'create', 'update', 'create'].map((what) => `custom-fields.${what}`)
    expect(data.map(({ action }: Body) => action)).toEqual(actions)
    expect(data[3]).toMatchObject({ actor: { id: tenant.keyId }, changes: { label: { from: 'Field', to: 'Seen' } } })
  })

  test('the list is filtered by target and comes in pages', async () => {
    const { create, get, keysIn } = fieldsOf(await system.tenant())
    for (const target of ['project', 'task', 'deal'])
      for (const key of ['a', 'b']) await create({ key: `${target}_${key}`, target })

    const { data, page } = await get('/custom-fields?target=project,deal&limit=3')
    const rest = await keysIn(`target=project,deal&limit=3&cursor=${page.nextCursor}`)

    const first: string[] = data.map(({ key }: Body) => key)
    expect([...first, ...rest]).toEqual(['project_a', 'project_b', 'deal_a', 'deal_b'])
  })

  test('a target has at most 100 fields, archived ones not counted, also when many are created at once', async () => {
    const tenant = await system.tenant()
    const { create, add, archive, unarchive } = fieldsOf(tenant)
    const { id: first } = await create({ key: 'f1', target: 'task' })
    await system.db.$executeRaw`
      INSERT INTO custom_field SELECT (jsonb_populate_record(f, jsonb_build_object(
        'id', gen_random_uuid(), 'key', 'f' || n))).*
      FROM custom_field f, generate_series(2, ${customFieldsPerTargetMax - 2}::int) n
      WHERE f.workspace_id = ${tenant.workspaceId}::uuid AND f.id = ${first}::uuid`

    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => add({ key, target: 'task' })))

    const [made, other, ...refused] = answers.toSorted((a, b) => a.status - b.status)
    expect([made?.status, other?.status]).toEqual([201, 201])
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 409, body: { code: 'limit_reached', limit: customFieldsPerTargetMax } })
    must(await archive(made?.body.id))
    const last = await create({ key: 'last', target: 'task' })
    expect((await unarchive(made?.body.id)).status).toBe(409)
    must(await archive(last.id))
    expect((await unarchive(made?.body.id)).status).toBe(200)
  })

  // What each type takes, and what stays of what is gone, is seen in test/service/custom-fields/rules.test.ts.
  test('values are checked against the definitions of the moment; those from before are found', async () => {
    const { create, relabel, call, get, listed } = fieldsOf(await system.tenant())
    const make = (customFields: object) => call('POST', '/projects', { name: 'Website', customFields })
    const tier = await create({ key: 'tier', type: 'select', options: ['gold', 'silver'] })
    await create({ key: 'lead', type: 'user' })
    const customFields = { tier: 'gold', lead: (await get('/members')).data[0].id }

    const project = must(await make(customFields))
    must(await relabel(tier.id, { options: ['silver'] }))
    const refused = [await make({ tire: 'gold' }), await make({ tier: 'gold' }), await make({ lead: tier.id })]
    const filters = ['glod', '!glod', 'silver,glod'].map((value) => call('GET', `/projects?customFields.tier=${value}`))

    expect(project.customFields).toEqual(customFields)
    expect(refused.map(told)).toEqual([
      '422 unknown_field /customFields/tire unknown',
      '422 validation_failed /customFields/tier not_in_list',
      '422 reference_not_found /customFields/lead not_found',
    ])
    const errors = [{ parameter: 'customFields.tier', code: 'not_in_list', allowed: ['silver'] }]
    for (const filter of await Promise.all(filters)) expect(filter).toMatchObject({ status: 400, body: { errors } })
    expect(await listed('/projects?customFields.tier=gold', 'id')).toEqual([project.id])
  })

  test('an object shows the values of archived fields, however many there were over the years', async () => {
    const { post, get } = callsOf(await system.tenant())
    const { id } = await post('/projects', { name: 'Old' })
    const customFields = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, 'x']))
    await system.db.project.updateMany({ where: { id }, data: { customFields } })

    expect(await get(`/projects/${id}`)).toMatchObject({ customFields })
  })
})

const link = 'https://example.com/?a=b&c=d'
const ofEachType = [
  { key: 'note', type: 'text' },
  { key: 'size', type: 'number' },
  { key: 'starts', type: 'date' },
  { key: 'paid', type: 'boolean' },
  { key: 'stage', type: 'select', options: ['early', 'late', 'it’s 100%'] },
  { key: 'areas', type: 'multi_select', options: ['north', 'south', 'west'] },
  { key: 'lead', type: 'user' },
  { key: 'link', type: 'url' },
]

describeOnce('lists by custom fields', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, get, post, create, listed } = fieldsOf(tenant)
  let ada: string

  beforeAll(async () => {
    ada = (await get('/members')).data[0].id
    for (const target of ['project', 'task']) for (const field of ofEachType) await create({ ...field, target })
    await create({ key: 'tasks_only', target: 'task' })
    // Another workspace has the same names with other types.
    const other = fieldsOf(await system.tenant())
    for (const { key } of ofEachType) await other.create({ key })
    const texts = Object.fromEntries(ofEachType.map(({ key }) => [key, 'no number']))
    must(await other.call('POST', '/projects', { name: 'Theirs', customFields: texts }))
    const [starts, areas] = ['2026-01-31', ['north', 'south']]
    for (const [name, customFields] of Object.entries({
      a: { note: 'One, two', size: -3, starts, paid: true, stage: 'early', areas, lead: ada, link },
      b: { note: 'other', size: 10.5, starts: '2026-02-01', paid: false, stage: 'late', areas: ['south'] },
      c: { note: '!10', size: 9, stage: 'it’s 100%' },
      d: {},
    })) {
      const { id: projectId } = await post('/projects', { name, customFields })
      await post('/tasks', { projectId, title: name, customFields })
    }
  })

  // An object without a value matches the negation. `ada`: the member’s id, in either case.
  test.each([
    ['note=other', 'b'],
    [`note=${text('other,\\!10,One\\, two')}`, 'abc'],
    [`note[]=${text('\\!10')}&customFields.note[]=${text('One\\, two')}`, 'ac'],
    ['size=9', 'c'],
    ['size=9.0', 'c'],
    ['size=-3,10.5', 'ab'],
    ['size=!9', 'abd'],
    ['size[gte]=9', 'bc'],
    ['size[lte]=9', 'ac'],
    ['size[gte]=-3&customFields.size[lte]=9.5', 'ac'],
    ['starts=2026-02-01', 'b'],
    ['starts[gte]=2026-02-01', 'b'],
    ['starts[lte]=2026-01-31', 'a'],
    ['paid=true', 'a'],
    ['paid=false', 'b'],
    ['paid=true,false', 'ab'],
    ['stage=early,late', 'ab'],
    [`stage=${text('it’s 100%')}`, 'c'],
    ['stage=!early', 'bcd'],
    ['stage=!early,!late', 'cd'],
    ['areas=south', 'ab'],
    ['areas=north,west', 'a'],
    ['areas=west', ''],
    ['areas=!north', 'bcd'],
    [`link=${text(link)}`, 'a'],
    ['lead=ada', 'a'],
    ['lead=ADA', 'a'],
    ['size[gte]=0&customFields.paid=false&q=none', ''],
    ['size[gte]=0&customFields.paid=false', 'b'],
    ['size%5Bgte%5D=9', 'bc'],
  ])('customFields.%s gives "%s", of projects and of tasks', async (given, names) => {
    const rest = given.replace('=ada', `=${ada}`).replace('=ADA', `=${ada.toUpperCase()}`)
    for (const [segment, name] of Object.entries({ projects: 'name', tasks: 'title' })) {
      const found = await listed(`/${segment}?sort=createdAt&customFields.${rest}`, name)
      const { total } = await get(`/${segment}/count?customFields.${rest}`)
      expect([segment, found.join(''), total]).toEqual([segment, names, names.length])
    }
  })

  test.each([
    ['sise=1', 'sise', 'Did you mean `size`?'],
    ['tasks_only=x', 'tasks_only', 'no such custom field'],
    ['size=nine', 'size', 'number'],
    ['size[gte]=1e3', 'size', 'number'],
    ['size[gte]=8&customFields.size[lte]=7', 'size', ''],
    ['size[gte]=1&customFields.size[gte]=2', 'size[gte]', ''],
    ['note[gte]=a', 'note', 'range'],
    ['areas[lte]=a', 'areas', 'range'],
    ['stage=!early,late', 'stage', ''],
    ['starts=tomorrow', 'starts', 'day'],
    ['starts[gte]=2026-02-30', 'starts', 'day'],
    ['starts[lte]=2026', 'starts', 'day'],
    ['paid=yes', 'paid', 'true'],
    ['lead=ada', 'lead', 'member'],
  ])('customFields.%s is refused', async (query, field, detail) => {
    const { status, body } = await call('GET', `/projects?customFields.${query}`)

    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameter', `customFields.${field}`])
    expect(body.detail).toContain(detail)
  })
})
