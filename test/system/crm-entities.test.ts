// What an integrator relies on when reading and writing companies, contacts and deals, and when two records of one
// company or person become one.
// Operations: crm-entities.merge.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeMode, describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']

const path = '/api/v1/crm-entities'

const entitiesOf = (tenant: Tenant) => {
  const post = (body: object) => tenant.api('POST', path, body)
  const create =
    (kind: string, needed: object) =>
    async (body: object = {}): Promise<Body> =>
      must(await post({ kind, ...needed, ...body }))
  return {
    post,
    company: create('company', { name: 'Acme' }),
    contact: create('contact', { firstName: 'Ada' }),
    deal: create('deal', { name: 'Deal' }),
    patch: (id: string, body: object) => tenant.api('PATCH', `${path}/${id}`, body),
    get: async (rest: string): Promise<Body> => must(await tenant.api('GET', path + rest)),
    namesIn: async (query: string): Promise<string[]> =>
      must(await tenant.api('GET', `${path}?sort=name&${query}`)).data.map(({ name }: Body) => name),
  }
}

describeModes('CRM entities', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { post, company, contact, deal, patch } = entitiesOf(tenant)
  const fresh = async () => entitiesOf(await system.tenant())

  test('each kind has its own fields and is read as it was created, alone and in a list with its expansions', async () => {
    const own = await fresh()
    const acme = await own.company({
      domains: ['Acme.example'],
      address: { city: 'Berlin', country: 'DE' },
      phones: ['+49 30 1234'],
    })
    const ada = await own.contact({ firstName: null, emails: ['Ada@acme.example'], companyId: acme.id })
    const amount = { amount: '1250.00', currency: 'EUR' }
    const sale = await own.deal({ name: 'Big one', amount, companyId: acme.id, contactIds: [ada.id] })

    const all = await own.get('?sort=name&expand=company,contacts,parentCompany')
    const some = await own.get('?sort=name&fields=name,stage')

    expect(acme).toMatchObject({
      object: 'crm_entity',
      domains: ['acme.example'],
      parentCompanyId: null,
      address: { street: null, city: 'Berlin', region: null, postalCode: null, country: 'DE' },
    })
    expect(ada).toMatchObject({ name: 'ada@acme.example', firstName: null, companyId: acme.id })
    expect(sale).toMatchObject({ stage: 'new', probability: 10, amount, contactIds: [ada.id], closedAt: null })
    expect(Object.keys(ada)).not.toContain('domains')
    for (const entity of [acme, ada, sale]) expect(await own.get(`/${entity.id}`)).toEqual(entity)
    const shown = { id: acme.id, object: 'crm_entity', kind: 'company', name: 'Acme' }
    const contacts = [{ id: ada.id, object: 'crm_entity', kind: 'contact', name: 'ada@acme.example' }]
    expect(all.data).toEqual([
      { ...acme, parentCompany: null },
      { ...ada, company: shown },
      { ...sale, company: shown, contacts },
    ])
    expect(some.data.map((each: Body) => 'stage' in each)).toEqual([false, false, true])
    expect((await own.get(`/${sale.id}?expand=contacts`)).contacts).toEqual(contacts)
  })

  test('an update that changes nothing keeps the version, in whatever order and case values are sent', async () => {
    const { id } = await company({ domains: ['same.example'], address: { street: 'Ring 1', city: 'Berlin' } })

    const same = await patch(id, { domains: ['SAME.example'], address: { city: 'Berlin', street: 'Ring 1' } })
    const other = await patch(id, { address: { city: 'Bonn' } })

    expect(same.body.version).toBe(1)
    expect(other.body).toMatchObject({ version: 2, address: { street: 'Ring 1', city: 'Bonn' } })
  })

  test('references must name companies and contacts', async () => {
    const [{ id: companyId }, { id: contactId }] = [await company(), await contact()]

    for (const body of [
      { kind: 'deal', name: 'x', companyId: contactId },
      { kind: 'deal', name: 'x', contactIds: [companyId] },
      { kind: 'contact', firstName: 'x', companyId: contactId },
      { kind: 'company', name: 'x', parentCompanyId: contactId },
      { kind: 'company', name: 'x', ownerId: contactId },
    ])
      expect(await post(body)).toMatchObject({ status: 422, body: { code: 'reference_not_found' } })
  })

  test('a duplicate domain or email is refused with the id of its holder, deleted ones included', async () => {
    const first = await company({ domains: ['first.example'] })
    const gone = await contact({ emails: ['first@example.com'] })
    const second = await company({ domains: ['second.example'] })
    must(await tenant.api('DELETE', `${path}/${gone.id}`))

    const byDomain = await patch(second.id, { domains: ['second.example', 'First.example'] })
    const byEmail = await post({ kind: 'contact', emails: ['FIRST@example.com'] })
    const elsewhere = await (await fresh()).company({ domains: ['first.example'] })

    expect(byDomain).toMatchObject({
      status: 409,
      body: {
        code: 'duplicate',
        field: 'domains',
        existingId: first.id,
        errors: [{ pointer: '/domains/1', code: 'not_unique' }],
      },
    })
    expect(byEmail).toMatchObject({
      status: 409,
      body: { code: 'duplicate', field: 'emails', existingId: gone.id, hint: expect.stringContaining('restore') },
    })
    expect(elsewhere.version).toBe(1)
  })

  test('of creates with the same domain at the same time exactly one succeeds, and the others name it', async () => {
    const domains = ['contested.example']

    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => post({ kind: 'company', name, domains })))

    const [made, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect(made?.status).toBe(201)
    for (const answer of others)
      expect(answer).toMatchObject({ status: 409, body: { code: 'duplicate', existingId: made?.body.id } })
  })

  test('companies are a tree: a circle is refused, and a tree that is too deep', async () => {
    const chain = [await company()]
    while (chain.length < 20) chain.push(await company({ parentCompanyId: chain.at(-1).id }))

    const circle = await patch(chain[0].id, { parentCompanyId: chain[2].id })
    const deep = await post({ kind: 'company', name: 'Level 21', parentCompanyId: chain.at(-1).id })

    for (const answer of [circle, deep])
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/parentCompanyId' }] },
      })
  })

  test('a deal that is won, reopened and lost is kept with what its stage says; another move is refused', async () => {
    const { id } = await deal()

    const won = must(await patch(id, { stage: 'won' }))
    const refused = await patch(id, { stage: 'lost' })
    const opened = must(await patch(id, { stage: 'proposal' }))
    const lost = must(await patch(id, { stage: 'lost', lostReason: 'Too dear' }))

    expect(won).toMatchObject({ probability: 100, closedAt: won.updatedAt })
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'won', to: 'lost' } })
    expect(opened).toMatchObject({ probability: 50, closedAt: null })
    expect(lost).toMatchObject({ probability: 0, lostReason: 'Too dear', closedAt: lost.updatedAt })
  })

  test('lists are filtered by kind, stage, company, domain, email and search text, and counted by groups', async () => {
    const own = await fresh()
    const acme = await own.company({ domains: ['acme.example'], industry: 'Tools' })
    await own.company({ name: 'Bolt', parentCompanyId: acme.id })
    await own.contact({ emails: ['lovelace@acme.example'], companyId: acme.id })
    await own.deal({ stage: 'won', companyId: acme.id })
    const groupsOf = async (query: string) => (await own.get(`/count?groupBy=${query}`)).groups

    for (const [query, names] of [
      ['kind=company', ['Acme', 'Bolt']],
      ['kind=!company', ['Ada', 'Deal']],
      ['stage=won,lost', ['Deal']],
      [`companyId=${acme.id}`, ['Ada', 'Deal']],
      [`parentCompanyId=${acme.id}`, ['Bolt']],
      ['domain=ACME.example,none.example', ['Acme']],
      ['email=Lovelace@acme.example', ['Ada']],
      ['email=!lovelace@acme.example&kind=contact', []],
      ['q=lovelace@acme', ['Ada']],
      ['q=acme.ex', ['Acme']],
      ['q=%25%25', []],
    ] as const)
      expect([query, await own.namesIn(query)]).toEqual([query, names])
    expect(await own.get('/count?groupBy=kind')).toMatchObject({
      total: 4,
      groups: [{ value: 'company', count: 2 }, {}, {}],
    })
    expect(await groupsOf('stage&kind=deal')).toEqual([{ value: 'won', count: 1 }])
    expect(await groupsOf('industry&kind=company')).toEqual(
      expect.arrayContaining([
        { value: 'Tools', count: 1 },
        { value: null, count: 1 },
      ]),
    )
  })

  test('custom fields are those of the kind, and one key may mean different things', async () => {
    const other = await system.tenant()
    const own = entitiesOf(other)
    for (const [target, type] of Object.entries({ company: 'number', contact: 'text' }))
      must(await other.settings('POST', '/custom-fields', { key: 'score', target, type, label: 'Score' }))
    await own.company({ customFields: { score: 7 } })
    await own.contact({ customFields: { score: 'high' } })

    const wrong = await own.post({ kind: 'contact', firstName: 'Bob', customFields: { score: 7 } })

    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/customFields/score' }] } })
    expect(await own.namesIn('kind=company&customFields.score[gte]=5')).toEqual(['Acme'])
    expect(await own.namesIn('kind=contact&customFields.score=high')).toEqual(['Ada'])
    expect(await other.api('GET', `${path}?customFields.score=7`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter' },
    })
    expect(await own.post({ kind: 'deal', name: 'x', customFields: { score: 1 } })).toMatchObject({ status: 422 })
  })

  test('a batch takes all kinds, and fails an item alone', async () => {
    const domains = ['batch.example']
    const items = [
      { kind: 'company', name: 'In batch', domains },
      { kind: 'contact', firstName: 'Ada' },
      { kind: 'company', name: 'Twin', domains },
      { kind: 'deal', name: 'x', emails: [] },
    ].map((data) => ({ action: 'create', data }))

    const { results } = must(await tenant.api('POST', `${path}/batch`, { items }))

    expect(results).toMatchObject([
      { status: 201 },
      { status: 201 },
      { status: 409, problem: { code: 'duplicate', existingId: results[0].data.id } },
      { status: 422, problem: { errors: [{ pointer: '/items/3/data/emails' }] } },
    ])
  })
})

describeMode('what a kind takes', 'standalone', () => {
  const { tenant } = sharedSystem('standalone')
  const { post, company, contact, patch } = entitiesOf(tenant)

  test('fields of another kind are refused by name, in an update as well, and so is another kind', async () => {
    const { id } = await contact()
    const put = (body: object) => tenant.api('PUT', `${path}/by-external-id/crm/4711`, body)
    must(await put({ kind: 'contact', firstName: 'Ada' }))

    const made = await post({ kind: 'company', name: 'Acme', stage: 'won' })
    const changed = await patch(id, { domains: ['acme.example'] })
    const turned = [await patch(id, { kind: 'deal' }), await put({ kind: 'company', name: 'Ada Ltd' })]

    expect(made).toMatchObject({
      status: 422,
      body: { code: 'unknown_field', errors: [{ pointer: '/stage', detail: expect.stringContaining('deal') }] },
    })
    expect(changed).toMatchObject({ status: 422, body: { code: 'unknown_field', errors: [{ pointer: '/domains' }] } })
    expect(turned).toMatchObject([
      { status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/kind', code: 'read_only' }] } },
      { status: 409, body: { code: 'invalid_transition', from: 'contact', to: 'company', allowed: ['contact'] } },
    ])
  })

  test('a code that is no country is refused with the one that is meant, however the address is written', async () => {
    const address = { country: 'UK' }
    const data = { kind: 'company', name: 'Acme', address }
    const { id } = await company()
    const items = [{ action: 'upsert', externalSource: 'erp', externalId: 'uk', data }]

    const answers = [
      await post(data),
      await patch(id, { address }),
      await tenant.api('PUT', `${path}/by-external-id/erp/uk`, data),
    ]
    const { results } = must(await tenant.api('POST', `${path}/batch`, { items }))

    for (const errors of [...answers.map(({ body }) => body.errors), results[0].problem.errors])
      expect(errors).toMatchObject([
        { pointer: expect.stringMatching(/\/address\/country$/), detail: expect.stringContaining('send GB') },
      ])
  })
})

describeModes('merged CRM entities', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { company, contact, deal, patch } = entitiesOf(tenant)
  const create = async (segment: string, body: object): Promise<Body> =>
    must(await tenant.api('POST', `/api/v1/${segment}`, body))
  const merge = (id: string, sourceId: string, who = tenant) => who.api('POST', `${path}/${id}/merge`, { sourceId })
  const get = (rest: string, headers = {}) => tenant.api('GET', `/api/v1/${rest}`, undefined, headers)
  const read = async (rest: string): Promise<Body> => must(await get(rest))
  const eventsAfter = async (sequence: number): Promise<Body[]> =>
    must(await tenant.settings('GET', `/events?after=${sequence}&limit=200`)).data

  test('the survivor takes the values that it lacks, both objects have an event of it, and merging again changes nothing', async () => {
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
    const after = await tenant.lastSequence()
    expect(await merge(survivor.id, source.id)).toMatchObject({ status: 200, body: merged.body })
    expect(await tenant.lastSequence()).toBe(after)
  })

  test('the id of a merged object leads to the survivor, through any number of merges', async () => {
    const first = await contact({ externalSource: 'crm', externalId: 'gone', lastName: 'One' })
    const second = await contact({ externalSource: 'erp', externalId: 'x' })
    const third = await contact({ externalSource: 'erp', externalId: 'y' })
    must(await merge(second.id, first.id))
    const last = must(await merge(third.id, second.id))

    const byId = await get(`crm-entities/${first.id}`)
    const byTheirs = await get('crm-entities/by-external-id/crm/gone')

    for (const answer of [byId, byTheirs]) {
      expect(answer).toMatchObject({ status: 200, body: last })
      expect(answer.headers.get('content-location')).toBe(`${path}/${third.id}`)
    }
    expect((await get(`crm-entities/${third.id}`)).headers.get('content-location')).toBeNull()
    // Both have a second version: that of the merged object does not count for the survivor.
    const unchanged = await get(`crm-entities/${first.id}`, { 'if-none-match': '"2"' })
    expect(unchanged).toMatchObject({ status: 200, body: { id: third.id, version: 2 } })
  })

  test('a merged object cannot be changed, restored or created again', async () => {
    const survivor = await company({ externalSource: 'crm', externalId: 'kept' })
    const source = await company({ externalSource: 'crm', externalId: 'lost' })
    must(await merge(survivor.id, source.id))

    const answers = [
      await patch(source.id, { name: 'x' }),
      await tenant.api('DELETE', `${path}/${source.id}`),
      await tenant.api('POST', `${path}/${source.id}/restore`),
      await tenant.api('PUT', `${path}/by-external-id/crm/lost`, { kind: 'company', name: 'x' }),
    ]

    expect(answers).toMatchObject([
      { status: 404, body: { code: 'not_found' } },
      { status: 204 },
      { status: 409, body: { code: 'invalid_transition', mergedIntoId: survivor.id } },
      { status: 409, body: { code: 'duplicate', existingId: survivor.id } },
    ])
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

  test.each(['ancestor', 'descendant'])(
    'a company that is merged with its %s has the place of the upper one',
    async (what) => {
      const top = await company({ name: 'Top' })
      const upper = await company({ name: 'Upper', parentCompanyId: top.id })
      const between = await company({ name: 'Between', parentCompanyId: upper.id })
      const lower = await company({ name: 'Lower', parentCompanyId: between.id })
      const [survivor, source] = what === 'ancestor' ? [lower, upper] : [upper, lower]

      const merged = must(await merge(survivor.id, source.id))

      expect(merged.parentCompanyId).toBe(top.id)
      expect((await read(`crm-entities/${between.id}`)).parentCompanyId).toBe(survivor.id)
    },
  )

  test('a merge that would make the tree too deep is refused and changes nothing', async () => {
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

  test('only two existing objects of the same kind can be merged, none with itself, by who may delete them', async () => {
    const [one, person, gone] = [await company(), await contact(), await company()]
    must(await tenant.api('DELETE', `${path}/${gone.id}`))
    const other = await system.tenant()
    const foreign = must(await other.api('POST', path, { kind: 'company', name: 'Foreign' }))

    for (const [sourceId, code] of [
      [gone.id, 'reference_not_found'],
      [foreign.id, 'reference_not_found'],
      [one.id, 'validation_failed'],
      [person.id, 'validation_failed'],
    ])
      expect(await merge(one.id, sourceId)).toMatchObject({
        status: 422,
        body: { code, errors: [{ pointer: '/sourceId' }] },
      })
    for (const id of [gone.id, foreign.id]) expect(await merge(id, one.id)).toMatchObject({ status: 404 })
    const writer = await tenant.key(['crm-entities:write'])
    expect(await merge(one.id, (await company()).id, writer)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', requiredScopes: ['crm-entities:delete'] },
    })
  })

  test('of two merges of one source into different survivors at the same time one succeeds', async () => {
    const [one, other, source] = [await company(), await company(), await company()]

    const answers = await Promise.all([merge(one.id, source.id), merge(other.id, source.id)])

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('a source that more than a thousand objects name is merged at once, and all of them follow by themselves', async () => {
    const [survivor, source] = [await company(), await company()]
    const { id } = await contact({ companyId: source.id })
    await system.db.$executeRaw`
      INSERT INTO crm_entity SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
      FROM crm_entity c, generate_series(2, 1100) n WHERE c.id = ${id}::uuid AND c.workspace_id = ${tenant.workspaceId}::uuid`
    const before = await tenant.lastSequence()
    const naming = async (companyId: string) => (await read(`crm-entities/count?companyId=${companyId}`)).total

    const merged = must(await merge(survivor.id, source.id))

    expect(await naming(survivor.id)).toBeGreaterThanOrEqual(1_000)
    expect(await read(`crm-entities/${source.id}`)).toEqual(merged)
    await eventually(async () => (await naming(source.id)) === 0, 'all contacts to follow')
    expect(await naming(survivor.id)).toBe(1_100)
    // Beside the events of the two entities.
    expect(await tenant.lastSequence()).toBe(before + 2 + 1_100)
  })
})
