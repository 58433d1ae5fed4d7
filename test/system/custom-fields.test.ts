// Custom fields of a workspace: their definitions, and the values of objects.
// Operations: custom-fields.get, custom-fields.list.
import { expect, test } from 'vitest'
import { findDefinitions } from '../../service/custom-fields/rows.ts'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'
import { customFieldsPerTargetMax } from '#contract/custom-fields.ts'

const path = '/api/v1/custom-fields'

describeModes('custom fields', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const post = (body: object, who = tenant) =>
    who.api('POST', path, { target: 'project', type: 'text', label: 'Field', ...body })
  const create = async (body: object, who = tenant) => must(await post(body, who))
  const patch = (id: string, body: object, headers = {}) => tenant.api('PATCH', `${path}/${id}`, body, headers)
  const keysIn = async (who: Tenant, query = ''): Promise<string[]> =>
    must(await who.api('GET', `${path}${query}`)).data.map(({ key }: { key: string }) => key)

  test('a created field is answered with its Location and version, and can be read there', async () => {
    const answer = await post({ key: 'tier', type: 'select', options: ['gold', 'silver'], label: 'Tier' })

    expect(answer).toMatchObject({
      status: 201,
      body: { object: 'custom_field', key: 'tier', options: ['gold', 'silver'], required: false, archivedAt: null },
    })
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(await tenant.api('GET', answer.headers.get('location')!)).toMatchObject({ status: 200, body: answer.body })
    expect(await tenant.settings('GET', `/custom-fields/${answer.body.id}`)).toMatchObject({ body: answer.body })
  })

  test('a key is unique for its target, archived or not, and free for other targets', async () => {
    const { id } = await create({ key: 'points' })
    must(await tenant.api('DELETE', `${path}/${id}`))

    expect(await post({ key: 'points' })).toMatchObject({
      status: 409,
      body: { code: 'duplicate', field: 'key', existingId: id },
    })
    expect(await post({ key: 'points', target: 'deal' })).toMatchObject({ status: 201 })
  })

  test.each(['Points', '1st', '_a', 'due-date', '', 'ä', 'a'.repeat(41)])('%j is no key', async (key) => {
    expect(await post({ key })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/key' }] } })
  })

  test('options belong to fields that are chosen from, 1 to 100 of them', async () => {
    const options = Array.from({ length: 101 }, (_, n) => `o${n}`)
    const refused = [
      await post({ key: 'o1', type: 'select' }),
      await post({ key: 'o2', type: 'multi_select', options: [] }),
      await post({ key: 'o3', type: 'text', options: ['a'] }),
      await post({ key: 'o4', type: 'select', options }),
      await post({ key: 'o5', type: 'select', options: ['a', 'a'] }),
      await post({ key: 'o6', type: 'select', options: ['x'.repeat(101)] }),
    ]

    for (const { status, body } of refused) {
      expect([status, body.code, body.errors[0].pointer.slice(0, 8)]).toEqual([422, 'validation_failed', '/options'])
    }
    expect(await post({ key: 'o7', type: 'multi_select', options: options.slice(1) })).toMatchObject({ status: 201 })
  })

  test('label, options and required can be changed; key, target and type cannot', async () => {
    const field = await create({ key: 'level', type: 'select', options: ['a'] })

    const changed = must(await patch(field.id, { label: 'Level', options: ['b'], required: true }))
    const same = must(await patch(field.id, { label: 'Level' }))
    const stale = await patch(field.id, { label: 'x' }, { 'if-match': '"1"' })

    expect(changed).toMatchObject({ label: 'Level', options: ['b'], required: true, version: 2 })
    expect(same).toEqual(changed)
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 2 } })
    for (const body of [{ key: 'other' }, { target: 'task' }, { type: 'text' }]) {
      expect(await patch(field.id, body)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ code: 'read_only' }] },
      })
    }
  })

  test('an archived field is listed on request only, cannot be changed, and can be unarchived', async () => {
    const fresh = await system.tenant()
    const { id } = await create({ key: 'old' }, fresh)
    await create({ key: 'new' }, fresh)
    const at = `${path}/${id}`

    const [first, second] = [await fresh.api('DELETE', at), await fresh.api('DELETE', at)]

    expect([first.status, second.status]).toEqual([204, 204])
    expect(await keysIn(fresh)).toEqual(['new'])
    expect(await keysIn(fresh, '?includeArchived=true')).toEqual(['old', 'new'])
    expect(await fresh.api('GET', at)).toMatchObject({ status: 200, body: { version: 2 } })
    expect(await fresh.api('PATCH', at, { label: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    })
    expect(await fresh.api('POST', `${at}/unarchive`)).toMatchObject({ body: { archivedAt: null, version: 3 } })
    expect(await fresh.api('POST', `${at}/unarchive`)).toMatchObject({ body: { archivedAt: null, version: 3 } })
    expect(await keysIn(fresh)).toEqual(['old', 'new'])
  })

  test('the list is filtered by target and comes in pages', async () => {
    const fresh = await system.tenant()
    for (const target of ['project', 'task', 'deal']) {
      for (const key of ['a', 'b']) await create({ key: `${target}_${key}`, target }, fresh)
    }

    const first = must(await fresh.api('GET', `${path}?target=project,deal&limit=3`))
    const rest = must(await fresh.api('GET', `${path}?target=project,deal&limit=3&cursor=${first.page.nextCursor}`))

    expect([...first.data, ...rest.data].map(({ key }) => key)).toEqual(['project_a', 'project_b', 'deal_a', 'deal_b'])
    expect(await fresh.api('GET', `${path}?target=invoice`)).toMatchObject({ status: 400 })
  })

  test('a target has at most 100 fields, archived ones not counted, also when many are created at once', async () => {
    const fresh = await system.tenant()
    const definitions = Array.from({ length: customFieldsPerTargetMax - 2 }, (_, n) => ({
      workspaceId: fresh.workspaceId,
      id: crypto.randomUUID(),
      key: `f${n}`,
      target: 'task',
      type: 'text',
      label: 'Field',
      options: [],
      required: false,
      version: 1,
      createdAt: new Date(),
      updatedAt: new Date(),
      createdBy: {},
      updatedBy: {},
    }))
    await system.db.customField.createMany({ data: definitions })

    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => post({ key: `more${n}`, target: 'task' }, fresh)),
    )

    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(2)
    for (const { status, body } of answers.filter((answer) => !made.includes(answer))) {
      expect([status, body.code, body.limit]).toEqual([409, 'limit_reached', customFieldsPerTargetMax])
    }
    must(await fresh.api('DELETE', `${path}/${made[0]!.body.id}`))
    const last = await create({ key: 'last', target: 'task' }, fresh)
    expect(await fresh.api('POST', `${path}/${made[0]!.body.id}/unarchive`)).toMatchObject({ status: 409 })
    must(await fresh.api('DELETE', `${path}/${last.id}`))
    expect(await fresh.api('POST', `${path}/${made[0]!.body.id}/unarchive`)).toMatchObject({ status: 200 })
  })

  test('values are checked against the definitions of the moment', async () => {
    const fresh = await system.tenant()
    const refusal = (code: string, pointer: string) => ({ status: 422, body: { code, errors: [{ pointer }] } })
    const make = (customFields: object) => fresh.api('POST', '/api/v1/projects', { name: 'Website', customFields })
    expect(await make({ tier: 'gold' })).toMatchObject(refusal('unknown_field', '/customFields/tier'))
    const tier = await create({ key: 'tier', type: 'select', options: ['gold', 'silver'] }, fresh)
    await create({ key: 'lead', type: 'user' }, fresh)
    const [ada] = must(await fresh.settings('GET', '/members')).data

    const project = must(await make({ tier: 'gold', lead: ada.id }))
    must(await fresh.api('PATCH', `${path}/${tier.id}`, { options: ['silver'] }))
    const at = `/api/v1/projects/${project.id}`
    const renamed = must(await fresh.api('PATCH', at, { name: 'Shop', customFields: { tier: 'gold', lead: null } }))

    expect(project.customFields).toEqual({ tier: 'gold', lead: ada.id })
    expect(renamed.customFields).toEqual({ tier: 'gold' })
    expect(await make({ tier: 'gold' })).toMatchObject(refusal('validation_failed', '/customFields/tier'))
    expect(await make({ lead: tier.id })).toMatchObject(refusal('reference_not_found', '/customFields/lead'))
    must(await fresh.api('DELETE', `${path}/${tier.id}`))
    expect(must(await fresh.api('GET', at)).customFields).toEqual({ tier: 'gold' })
    expect(await fresh.api('PATCH', at, { customFields: { tier: 'silver' } })).toMatchObject(
      refusal('validation_failed', '/customFields/tier'),
    )
  })

  test('an object shows the values of archived fields, however many there were over the years', async () => {
    const fresh = await system.tenant()
    const { id } = must(await fresh.api('POST', '/api/v1/projects', { name: 'Old' }))
    const customFields = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, 'x']))
    await system.db.project.updateMany({ where: { id }, data: { customFields } })

    expect(await fresh.api('GET', `/api/v1/projects/${id}`)).toMatchObject({ status: 200, body: { customFields } })
  })

  test('every change of a field is in the audit log', async () => {
    const fresh = await system.tenant()
    const { id } = await create({ key: 'seen' }, fresh)
    must(await fresh.api('PATCH', `${path}/${id}`, { label: 'Seen' }))
    must(await fresh.api('DELETE', `${path}/${id}`))
    must(await fresh.api('POST', `${path}/${id}/unarchive`))

    const { data } = must(await fresh.settings('GET', '/audit-entries?limit=4'))

    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'custom-fields.unarchive',
      'custom-fields.archive',
      'custom-fields.update',
      'custom-fields.create',
    ])
    expect(data[2]).toMatchObject({ actor: { id: fresh.keyId }, changes: { label: { from: 'Field', to: 'Seen' } } })
  })

  test('a key without the write scope cannot define fields, and no key sees those of another workspace', async () => {
    const reader = await tenant.key(['workspaces:read'])
    const other = await system.tenant()
    const { id } = await create({ key: 'mine' })

    expect(await post({ key: 'x' }, reader)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await reader.api('GET', `${path}/${id}`)).toMatchObject({ status: 200 })
    expect(await keysIn(other)).toEqual([])
    expect(await other.api('DELETE', `${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await other.api('POST', `${path}/${id}/unarchive`)).toMatchObject({ status: 404 })
  })

  test('definitions of one target are loaded for checking values, archived ones marked', async () => {
    const fresh = await system.tenant()
    const { id } = await create({ key: 'old', target: 'contact' }, fresh)
    must(await fresh.api('DELETE', `${path}/${id}`))
    await create({ key: 'nps', target: 'contact', type: 'number', required: true }, fresh)
    await create({ key: 'elsewhere', target: 'company' }, fresh)

    expect(await findDefinitions(system.db, fresh.workspaceId, 'contact')).toEqual([
      { key: 'nps', type: 'number', options: [], required: true, archived: false },
      { key: 'old', type: 'text', options: [], required: false, archived: true },
    ])
  })
})
