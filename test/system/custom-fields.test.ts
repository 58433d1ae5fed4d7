// Custom fields of a workspace: their definitions, the values of objects, and lists that are narrowed by them.
// Operations: custom-fields.get, custom-fields.list.
import { beforeAll, expect, test } from 'vitest'
import { customFieldsPerTargetMax } from '#contract/custom-fields.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']

const path = '/api/v1/custom-fields'

const fieldsOf = (tenant: Tenant) => {
  const post = (body: object) => tenant.api('POST', path, { target: 'project', type: 'text', label: 'Field', ...body })
  const act = (method: string, id: string, action = '', body?: object) =>
    tenant.api(method, `${path}/${id}${action}`, body)
  return {
    post,
    create: async (body: object): Promise<Body> => must(await post(body)),
    get: (id: string) => act('GET', id),
    patch: (id: string, body: object) => act('PATCH', id, '', body),
    archive: (id: string) => act('DELETE', id),
    unarchive: (id: string) => act('POST', id, '/unarchive'),
    list: async (query = ''): Promise<Body> => must(await tenant.api('GET', `${path}?${query}`)),
  }
}
const keysIn = ({ data }: Body): string[] => data.map(({ key }: Body) => key)

describeModes('custom fields', (mode) => {
  const { system } = sharedSystem(mode)

  test('a key is unique for its target, archived or not, and free for other targets', async () => {
    const { create, post, archive } = fieldsOf(await system.tenant())
    const { id } = await create({ key: 'points' })
    must(await archive(id))

    expect(await post({ key: 'points' })).toMatchObject({
      status: 409,
      body: { code: 'duplicate', field: 'key', existingId: id },
    })
    expect(await post({ key: 'points', target: 'deal' })).toMatchObject({ status: 201 })
    for (const key of ['Points', '1st', '_a', 'due-date', '', 'ä', 'a'.repeat(41)])
      expect(await post({ key }), key).toMatchObject({ status: 422, body: { errors: [{ pointer: '/key' }] } })
  })

  test('an archived field is listed on request only, cannot be changed, and can be unarchived', async () => {
    const { create, get, patch, archive, unarchive, list } = fieldsOf(await system.tenant())
    const { id } = await create({ key: 'old' })
    await create({ key: 'new' })

    const archived = [await archive(id), await archive(id)]

    expect(archived.map(({ status }) => status)).toEqual([204, 204])
    expect(keysIn(await list())).toEqual(['new'])
    expect(keysIn(await list('includeArchived=true'))).toEqual(['old', 'new'])
    expect(await get(id)).toMatchObject({ status: 200, body: { version: 2 } })
    expect(await patch(id, { label: 'x' })).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
    for (const answer of [await unarchive(id), await unarchive(id)])
      expect(answer).toMatchObject({ body: { archivedAt: null, version: 3 } })
    expect(keysIn(await list())).toEqual(['old', 'new'])
  })

  test('the list is filtered by target and comes in pages', async () => {
    const { create, list } = fieldsOf(await system.tenant())
    for (const target of ['project', 'task', 'deal'])
      for (const key of ['a', 'b']) await create({ key: `${target}_${key}`, target })

    const first = await list('target=project,deal&limit=3')
    const rest = await list(`target=project,deal&limit=3&cursor=${first.page.nextCursor}`)

    expect([...keysIn(first), ...keysIn(rest)]).toEqual(['project_a', 'project_b', 'deal_a', 'deal_b'])
  })

  test('a target has at most 100 fields, archived ones not counted, also when many are created at once', async () => {
    const tenant = await system.tenant()
    const { create, post, archive, unarchive } = fieldsOf(tenant)
    const { id: first } = await create({ key: 'f1', target: 'task' })
    await system.db.$executeRaw`
      INSERT INTO custom_field SELECT (jsonb_populate_record(f, jsonb_build_object(
        'id', gen_random_uuid(), 'key', 'f' || n))).*
      FROM custom_field f, generate_series(2, ${customFieldsPerTargetMax - 2}::int) n
      WHERE f.workspace_id = ${tenant.workspaceId}::uuid AND f.id = ${first}::uuid`

    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => post({ key, target: 'task' })))

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

  test('values are checked against the definitions of the moment', async () => {
    const tenant = await system.tenant()
    const { create, patch, archive } = fieldsOf(tenant)
    const refusal = (code: string, pointer: string) => ({ status: 422, body: { code, errors: [{ pointer }] } })
    const make = (customFields: object) => tenant.api('POST', '/api/v1/projects', { name: 'Website', customFields })
    expect(await make({ tier: 'gold' })).toMatchObject(refusal('unknown_field', '/customFields/tier'))
    const tier = await create({ key: 'tier', type: 'select', options: ['gold', 'silver'] })
    await create({ key: 'lead', type: 'user' })
    const [ada] = must(await tenant.settings('GET', '/members')).data

    const project = must(await make({ tier: 'gold', lead: ada.id }))
    must(await patch(tier.id, { options: ['silver'] }))
    const at = `/api/v1/projects/${project.id}`
    const renamed = must(await tenant.api('PATCH', at, { name: 'Shop', customFields: { tier: 'gold', lead: null } }))

    expect(project.customFields).toEqual({ tier: 'gold', lead: ada.id })
    expect(renamed.customFields).toEqual({ tier: 'gold' })
    expect(await make({ tier: 'gold' })).toMatchObject(refusal('validation_failed', '/customFields/tier'))
    expect(await make({ lead: tier.id })).toMatchObject(refusal('reference_not_found', '/customFields/lead'))
    must(await archive(tier.id))
    expect(must(await tenant.api('GET', at)).customFields).toEqual({ tier: 'gold' })
    expect(await tenant.api('PATCH', at, { customFields: { tier: 'silver' } })).toMatchObject(
      refusal('validation_failed', '/customFields/tier'),
    )
  })

  test('an object shows the values of archived fields, however many there were over the years', async () => {
    const tenant = await system.tenant()
    const { id } = must(await tenant.api('POST', '/api/v1/projects', { name: 'Old' }))
    const customFields = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, 'x']))
    await system.db.project.updateMany({ where: { id }, data: { customFields } })

    expect(await tenant.api('GET', `/api/v1/projects/${id}`)).toMatchObject({ status: 200, body: { customFields } })
  })

  test('every change of a field is in the audit log', async () => {
    const tenant = await system.tenant()
    const { create, patch, archive, unarchive } = fieldsOf(tenant)
    const { id } = await create({ key: 'seen' })
    must(await patch(id, { label: 'Seen' }))
    must(await archive(id))
    must(await unarchive(id))

    const { data } = must(await tenant.settings('GET', '/audit-entries?limit=4'))

    expect(data).toMatchObject([
      { action: 'custom-fields.unarchive' },
      { action: 'custom-fields.archive' },
      {
        action: 'custom-fields.update',
        actor: { id: tenant.keyId },
        changes: { label: { from: 'Field', to: 'Seen' } },
      },
      { action: 'custom-fields.create' },
    ])
  })
})

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

describeModes('lists by custom fields', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let ada: string

  beforeAll(async () => {
    ada = must(await tenant.settings('GET', '/members')).data[0].id
    const { create } = fieldsOf(tenant)
    for (const target of ['project', 'task']) for (const field of ofEachType) await create({ ...field, target })
    await create({ key: 'tasks_only', target: 'task' })
    // Another workspace has the same names with other types.
    const other = await system.tenant()
    for (const { key } of ofEachType) await fieldsOf(other).create({ key })
    const texts = Object.fromEntries(ofEachType.map(({ key }) => [key, 'no number']))
    must(await other.api('POST', '/api/v1/projects', { name: 'Theirs', customFields: texts }))
    const link = 'https://example.com/?a=b&c=d'
    const [starts, areas] = ['2026-01-31', ['north', 'south']]
    for (const [name, customFields] of Object.entries({
      a: { note: 'One, two', size: -3, starts, paid: true, stage: 'early', areas, lead: ada, link },
      b: { note: 'other', size: 10.5, starts: '2026-02-01', paid: false, stage: 'late', areas: ['south'] },
      c: { note: '10', size: 9, stage: 'it’s 100%' },
      d: {},
    })) {
      const { id: projectId } = must(await tenant.api('POST', '/api/v1/projects', { name, customFields }))
      must(await tenant.api('POST', '/api/v1/tasks', { projectId, title: name, customFields }))
    }
  })
  const get = (segment: string, query: string) => tenant.api('GET', `/api/v1/${segment}?${query}`)

  test.each([
    ['note=other', 'b'],
    ['note=other,10', 'bc'],
    ['size=9', 'c'],
    ['size=9.0', 'c'],
    ['size=-3,10.5', 'ab'],
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
    [`stage=${encodeURIComponent('it’s 100%')}`, 'c'],
    ['areas=south', 'ab'],
    ['areas=north,west', 'a'],
    ['areas=west', ''],
    [`link=${encodeURIComponent('https://example.com/?a=b&c=d')}`, 'a'],
    ['size[gte]=0&customFields.paid=false&q=none', ''],
    ['size[gte]=0&customFields.paid=false', 'b'],
    ['size%5Bgte%5D=9', 'bc'],
  ])('customFields.%s gives "%s", of projects and of tasks', async (rest, names) => {
    const query = `customFields.${rest}`
    for (const [segment, name] of Object.entries({ projects: 'name', tasks: 'title' })) {
      const listed = must(await get(segment, `sort=createdAt&${query}`)).data.map((each: Body) => each[name])
      const { total } = must(await get(`${segment}/count`, query))
      expect([segment, listed.join(''), total]).toEqual([segment, names, names.length])
    }
  })

  test('a member is found in either case of its id', async () => {
    for (const lead of [ada, ada.toUpperCase()])
      expect(must(await get('projects', `customFields.lead=${lead}`)).data).toMatchObject([{ name: 'a' }])
  })

  test.each([
    ['sise=1', 'sise', 'Did you mean `size`?'],
    ['tasks_only=x', 'tasks_only', 'no such custom field'],
    ['size=nine', 'size', 'number'],
    ['size[gte]=1e3', 'size', 'number'],
    ['note[gte]=a', 'note', 'range'],
    ['areas[lte]=a', 'areas', 'range'],
    ['starts=tomorrow', 'starts', 'day'],
    ['starts[gte]=2026-02-30', 'starts', 'day'],
    ['starts[lte]=2026', 'starts', 'day'],
    ['paid=yes', 'paid', 'true'],
    ['lead=ada', 'lead', 'member'],
  ])('customFields.%s is refused', async (query, field, detail) => {
    const { status, body } = await get('projects', `customFields.${query}`)

    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameter', `customFields.${field}`])
    expect(body.detail).toContain(detail)
  })

  test('an unknown comparison and one without a field are refused', async () => {
    for (const query of ['customFields.size[gt]=1', 'customFields.=1'])
      expect(await get('projects', query)).toMatchObject({ status: 400 })
  })
})
