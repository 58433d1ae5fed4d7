// What an integrator relies on when two records of one company or person become one.
// Operations: crm-entities.merge.
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']

describeModes('merged CRM entities', (mode) => {
  const { system } = sharedSystem(mode)
  let tenant: Tenant

  const path = '/api/v1/crm-entities'
  const create = async (segment: string, body: object): Promise<Body> =>
    must(await tenant.api('POST', `/api/v1/${segment}`, body))
  const company = (body: object = {}) => create('crm-entities', { kind: 'company', name: 'Acme', ...body })
  const contact = (body: object = {}) => create('crm-entities', { kind: 'contact', firstName: 'Ada', ...body })
  const deal = (body: object = {}) => create('crm-entities', { kind: 'deal', name: 'Deal', ...body })
  const merge = (id: string, sourceId: string, who = tenant) => who.api('POST', `${path}/${id}/merge`, { sourceId })
  const get = (rest: string, headers = {}) => tenant.api('GET', `/api/v1/${rest}`, undefined, headers)
  const read = async (rest: string): Promise<Body> => must(await get(rest))
  const eventsAfter = async (sequence: number): Promise<Body[]> =>
    must(await tenant.settings('GET', `/events?after=${sequence}&limit=200`)).data

  beforeAll(async () => {
    tenant = await system.tenant()
  })

  test('the survivor takes the values that it lacks, and both objects have an event of the merge', async () => {
    const survivor = await company({ domains: ['one.example'], labels: ['a'] })
    const source = await company({
      name: 'ACME Ltd',
      domains: ['two.example'],
      labels: ['b'],
      industry: 'Tools',
      externalSource: 'crm',
      externalId: 'merge-1',
    })
    const before = await tenant.lastSequence()

    const merged = await merge(survivor.id, source.id)

    expect(merged).toMatchObject({
      status: 200,
      body: {
        id: survivor.id,
        version: 2,
        name: 'Acme',
        industry: 'Tools',
        domains: ['one.example', 'two.example'],
        labels: ['a', 'b'],
        externalSource: 'crm',
        externalId: 'merge-1',
      },
    })
    expect(merged.headers.get('etag')).toBe('"2"')
    expect(await eventsAfter(before)).toMatchObject([
      {
        type: 'crm-entities.merged',
        data: { ...merged.body, mergedFromId: source.id },
        changes: {
          domains: { from: ['one.example'], to: ['one.example', 'two.example'] },
          mergedFromId: { from: null, to: source.id },
        },
      },
      { type: 'crm-entities.deleted', data: { id: source.id, version: 2, mergedIntoId: survivor.id, domains: [] } },
    ])
  })

  test('merging again changes nothing', async () => {
    const [survivor, source] = [await company(), await company()]
    const merged = must(await merge(survivor.id, source.id))
    const before = await tenant.lastSequence()

    const again = await merge(survivor.id, source.id)

    expect(again).toMatchObject({ status: 200, body: merged })
    expect(await eventsAfter(before)).toEqual([])
  })

  test('the id of a merged object leads to the survivor, through any number of merges', async () => {
    const [first, second, third] = [
      await contact({ externalSource: 'crm', externalId: 'gone', lastName: 'One' }),
      await contact({ externalSource: 'erp', externalId: 'x' }),
      await contact({ externalSource: 'erp', externalId: 'y' }),
    ]
    must(await merge(second.id, first.id))
    const last = must(await merge(third.id, second.id))

    const byId = await get(`crm-entities/${first.id}`)
    const byTheirs = await get('crm-entities/by-external-id/crm/gone')

    for (const answer of [byId, byTheirs]) {
      expect(answer).toMatchObject({ status: 200, body: last })
      expect(answer.headers.get('content-location')).toBe(`${path}/${third.id}`)
    }
    expect((await get(`crm-entities/${third.id}`)).headers.get('content-location')).toBeNull()
  })

  test('an ETag or version of the merged object does not count for the survivor', async () => {
    const [survivor, source] = [await company(), await company()]
    must(await tenant.api('PATCH', `${path}/${source.id}`, { industry: 'Tools' }))
    must(await merge(survivor.id, source.id))

    const answer = await get(`crm-entities/${source.id}`, { 'if-none-match': '"2"' })

    expect(answer).toMatchObject({ status: 200, body: { id: survivor.id, version: 2 } })
  })

  test('a merged object cannot be changed, restored or created again', async () => {
    const survivor = await company({ externalSource: 'crm', externalId: 'kept' })
    const source = await company({ externalSource: 'crm', externalId: 'lost' })
    must(await merge(survivor.id, source.id))

    const changed = await tenant.api('PATCH', `${path}/${source.id}`, { name: 'x' })
    const deleted = await tenant.api('DELETE', `${path}/${source.id}`)
    const restored = await tenant.api('POST', `${path}/${source.id}/restore`)
    const put = await tenant.api('PUT', `${path}/by-external-id/crm/lost`, { kind: 'company', name: 'x' })

    expect(changed).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(deleted.status).toBe(204)
    expect(restored).toMatchObject({ status: 409, body: { code: 'invalid_transition', mergedIntoId: survivor.id } })
    expect(put).toMatchObject({ status: 409, body: { code: 'duplicate', existingId: survivor.id } })
    expect(await read(`crm-entities?fields=id&ids=${source.id}`)).toMatchObject({ data: [] })
  })

  test('every object that named the source names the survivor, once, in a new version with an event', async () => {
    const [survivor, source] = [await company(), await company({ name: 'Source' })]
    const person = await contact({ companyId: source.id })
    const below = await company({ name: 'Below', parentCompanyId: source.id })
    const offer = await deal({ companyId: source.id })
    const project = await create('projects', { name: 'Website', companyId: source.id })
    const task = (crmEntityIds: string[]) => create('tasks', { projectId: project.id, title: 'T', crmEntityIds })
    const [one, both] = [await task([source.id]), await task([survivor.id, source.id])]
    const document = await create('documents', { title: 'Guide', content: 'Text', crmEntityId: source.id })
    const comment = await create(`crm-entities/${source.id}/comments`, { body: 'Hm' })
    const before = await tenant.lastSequence()

    must(await merge(survivor.id, source.id))

    const events = (await eventsAfter(before)).slice(2)
    expect(new Map(events.map(({ type, data, changes }) => [data.id, [type, Object.keys(changes)]]))).toEqual(
      new Map([
        [person.id, ['crm-entities.updated', ['companyId']]],
        [below.id, ['crm-entities.updated', ['parentCompanyId']]],
        [offer.id, ['crm-entities.updated', ['companyId']]],
        [project.id, ['projects.updated', ['companyId']]],
        [one.id, ['tasks.updated', ['crmEntityIds']]],
        [both.id, ['tasks.updated', ['crmEntityIds']]],
        [document.id, ['documents.updated', ['crmEntityId']]],
        [comment.id, ['crm-entities.comment_updated', ['subject']]],
      ]),
    )
    for (const { type, data } of events) {
      const at = type.endsWith('comment_updated') ? `crm-entities/${survivor.id}/comments` : type.split('.')[0]
      const { content: _content, ...now } = await read(`${at}/${data.id}`)
      expect(now).toEqual(data)
      expect(now.version).toBe(2)
    }
    expect(await read(`tasks/${both.id}`)).toMatchObject({ crmEntityIds: [survivor.id] })
    const times = events.map(({ data }) => Date.parse(data.updatedAt))
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  })

  test('a deal names the surviving contact once, where the other stood', async () => {
    const [survivor, source, third] = [await contact(), await contact(), await contact()]
    const one = await deal({ contactIds: [source.id, third.id] })
    const both = await deal({ contactIds: [source.id, third.id, survivor.id] })

    must(await merge(survivor.id, source.id))

    expect((await read(`crm-entities/${one.id}`)).contactIds).toEqual([survivor.id, third.id])
    expect((await read(`crm-entities/${both.id}`)).contactIds).toEqual([third.id, survivor.id])
  })

  test('deleted objects name the survivor as well once they are restored', async () => {
    const [survivor, source] = [await company(), await company()]
    const person = await contact({ companyId: source.id })
    must(await tenant.api('DELETE', `${path}/${person.id}`))
    must(await merge(survivor.id, source.id))

    const back = await tenant.api('POST', `${path}/${person.id}/restore`)

    expect(back.body).toMatchObject({ companyId: survivor.id, version: 3 })
  })

  test('a company that is merged with an ancestor takes its place in the tree', async () => {
    const top = await company({ name: 'Top' })
    const source = await company({ name: 'Source', parentCompanyId: top.id })
    const between = await company({ name: 'Between', parentCompanyId: source.id })
    const survivor = await company({ name: 'Survivor', parentCompanyId: between.id })

    const merged = must(await merge(survivor.id, source.id))

    expect(merged.parentCompanyId).toBe(top.id)
    expect((await read(`crm-entities/${between.id}`)).parentCompanyId).toBe(survivor.id)
  })

  test('a company that is merged with a descendant keeps its place in the tree', async () => {
    const survivor = await company({ name: 'Survivor' })
    const between = await company({ name: 'Between', parentCompanyId: survivor.id })
    const source = await company({ name: 'Source', parentCompanyId: between.id })

    const merged = must(await merge(survivor.id, source.id))

    expect(merged.parentCompanyId).toBeNull()
    expect((await read(`crm-entities/${between.id}`)).parentCompanyId).toBe(survivor.id)
  })

  test('a merge that would make the tree too deep is refused and changes nothing', async () => {
    tenant = await system.tenant()
    const chain = [await company({ name: 'Level 1' })]
    while (chain.length < 20) chain.push(await company({ parentCompanyId: chain.at(-1).id }))
    const source = await company({ name: 'Source', domains: ['deep.example'] })
    const below = await company({ name: 'Below', parentCompanyId: source.id })
    const before = await tenant.lastSequence()

    const refused = await merge(chain.at(-1).id, source.id)

    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(await read(`crm-entities/${source.id}`)).toEqual(source)
    expect(await read(`crm-entities/${below.id}`)).toEqual(below)
    expect(await eventsAfter(before)).toEqual([])
  })

  test('only two existing objects of the same kind can be merged, and none with itself', async () => {
    tenant = await system.tenant()
    const [one, person, gone] = [await company(), await contact(), await company()]
    must(await tenant.api('DELETE', `${path}/${gone.id}`))
    const other = await system.tenant()
    const foreign = must(await other.api('POST', path, { kind: 'company', name: 'Foreign' }))

    for (const sourceId of [gone.id, foreign.id]) {
      expect(await merge(one.id, sourceId)).toMatchObject({
        status: 422,
        body: { code: 'reference_not_found', errors: [{ pointer: '/sourceId' }] },
      })
    }
    for (const sourceId of [one.id, person.id]) {
      expect(await merge(one.id, sourceId)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/sourceId' }] },
      })
    }
    for (const id of [gone.id, foreign.id]) expect(await merge(id, one.id)).toMatchObject({ status: 404 })
  })

  test('a merge needs the write and the delete scope', async () => {
    const [survivor, source] = [await company(), await company()]
    const writer = await tenant.key(['crm-entities:write'])

    const refused = await merge(survivor.id, source.id, writer)

    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', requiredScopes: ['crm-entities:delete'] },
    })
    expect((await read(`crm-entities/${source.id}`)).id).toBe(source.id)
  })

  test('of two merges of one source into different survivors at the same time one succeeds', async () => {
    const [one, other, source] = [await company(), await company(), await company()]

    const answers = await Promise.all([merge(one.id, source.id), merge(other.id, source.id)])

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('a source that more than a thousand objects name is merged at once, and all of them follow by themselves', async () => {
    const [survivor, source] = [await company(), await company()]
    const actor = JSON.stringify({ type: 'system', id: 'test', name: 'Test' })
    await system.db.$executeRaw`
      INSERT INTO crm_entity (workspace_id, id, kind, name, first_name, labels, phones, company_id, version, created_at,
        updated_at, created_by, updated_by)
      SELECT ${tenant.workspaceId}::uuid, gen_random_uuid(), 'contact', 'P' || n, 'P' || n, '{}', '{}', ${source.id}::uuid,
        1, now(), now(), ${actor}::jsonb, ${actor}::jsonb
      FROM generate_series(1, 1100) n`
    const before = await tenant.lastSequence()
    const naming = async (id: string) => (await read(`crm-entities/count?companyId=${id}`)).total

    const merged = await merge(survivor.id, source.id)

    expect(merged.status).toBe(200)
    expect(await naming(survivor.id)).toBeGreaterThanOrEqual(1_000)
    expect(await read(`crm-entities/${source.id}`)).toEqual(merged.body)
    await eventually(async () => (await naming(source.id)) === 0 || null, 'all contacts to follow')
    expect(await naming(survivor.id)).toBe(1_100)
    // Beside the events of the two entities.
    expect(await tenant.lastSequence()).toBe(before + 2 + 1_100)
    expect((await read('crm-entities?kind=contact&sort=-updatedAt&limit=1')).data[0]).toMatchObject({
      version: 2,
      updatedBy: { type: 'system' },
    })
  })
})
