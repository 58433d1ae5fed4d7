// What an integrator relies on when reading and writing companies, contacts and deals, and when two records of one
// company or person become one.
// Operations: crm-entities.merge.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeOnce, must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told, toldEach, type Body } from './calls.ts'

const path = '/crm-entities'

const entitiesOf = (tenant: Tenant) => {
  const { call, get, listed, post, ...calls } = callsOf(tenant)
  const make = (body: object) => call('POST', path, body)
  const create =
    (kind: string, needed: object) =>
    (body: object = {}) =>
      post(path, { kind, ...needed, ...body })
  return {
    ...calls,
    call,
    post,
    get,
    make,
    company: create('company', { name: 'Acme' }),
    contact: create('contact', { firstName: 'Ada' }),
    deal: create('deal', { name: 'Deal' }),
    change: (id: string, body: object) => call('PATCH', `${path}/${id}`, body),
    put: (id: string, body: object) => call('PUT', `${path}/by-external-id/crm/${id}`, body),
    batch: async (items: object[]): Promise<Body[]> => (await post(`${path}/batch`, { items })).results,
    namesIn: (query: string) => listed(`${path}?sort=name&${query}`, 'name'),
    merge: (id: string, sourceId: string) => call('POST', `${path}/${id}/merge`, { sourceId }),
  }
}

describeOnce('CRM entities', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, get, post, make, company, contact, deal, change, put, batch, merge, remove, eventsAfter } =
    entitiesOf(tenant)
  const fresh = async () => entitiesOf(await system.tenant())
  const read = (id: string) => get(`${path}/${id}`)

  test('each kind has its own fields and is read as it was created, alone and in a list with its expansions', async () => {
    const own = await fresh()
    const address = { city: 'Berlin', country: 'DE' }
    const acme = await own.company({ domains: ['Acme.example'], address, phones: ['+49 30 1234'] })
    const ada = await own.contact({ firstName: null, emails: ['Ada@acme.example'], companyId: acme.id })
    const amount = { amount: '1250.00', currency: 'EUR' }
    const sale = await own.deal({ name: 'Big one', amount, companyId: acme.id, contactIds: [ada.id] })

    const all = await own.get(`${path}?sort=name&expand=company,contacts,parentCompany`)
    const some = await own.get(`${path}?sort=name&fields=name,stage`)
    const same = await own.change(acme.id, { domains: ['ACME.example'], address: { country: 'DE', city: 'Berlin' } })
    const won = must(await own.change(sale.id, { stage: 'won' }))

    const whole = { street: null, city: 'Berlin', region: null, postalCode: null, country: 'DE' }
    expect(acme).toMatchObject({ object: 'crm_entity', domains: ['acme.example'], address: whole })
    expect(ada).toMatchObject({ name: 'ada@acme.example', firstName: null, companyId: acme.id })
    expect(sale).toMatchObject({ stage: 'new', amount, contactIds: [ada.id], closedAt: null })
    expect(won).toMatchObject({ version: 2, probability: 100, closedAt: won.updatedAt })
    expect(same.body).toEqual(acme)
    expect(Object.keys(ada)).not.toContain('domains')
    for (const entity of [acme, ada, won]) expect(await own.get(`${path}/${entity.id}`)).toEqual(entity)
    const shown = { id: acme.id, object: 'crm_entity', kind: 'company', name: 'Acme' }
    const contacts = [{ id: ada.id, object: 'crm_entity', kind: 'contact', name: 'ada@acme.example' }]
    const expanded = [{ parentCompany: null }, { company: shown }, { company: shown, contacts }]
    expect(all.data).toEqual([acme, ada, sale].map((each, at) => ({ ...each, ...expanded[at] })))
    expect(some.data.map((each: Body) => 'stage' in each)).toEqual([false, false, true])
  })

  test('references must name companies and contacts', async () => {
    const [{ id: companyId }, { id }] = [await company(), await contact()]

    for (const [kind, field, value] of [
      ['deal', 'companyId', id],
      ['deal', 'contactIds', [companyId]],
      ['contact', 'companyId', id],
      ['company', 'parentCompanyId', id],
      ['company', 'ownerId', id],
    ] as const) {
      const named = kind === 'contact' ? { firstName: 'x' } : { name: 'x' }
      expect(told(await make({ kind, ...named, [field]: value }))).toContain(`422 reference_not_found /${field}`)
    }
  })

  test('of creates with the same domain, at the same time or in a batch, exactly one succeeds, and the others name it', async () => {
    const named = (...domains: string[]) => ({ kind: 'company', name: 'A', domains })
    const item = (...domains: string[]) => ({ action: 'create', data: named(...domains) })

    const answers = await Promise.all(['A', 'B', 'C', 'D'].map(() => make(named('contested.example'))))
    const elsewhere = await (await fresh()).make(named('contested.example'))
    const person = { action: 'create', data: { kind: 'contact', firstName: 'Ada' } }
    const results = await batch([item('batch.example'), person, item('own.example', 'batch.example')])

    const [made, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect([made?.status, elsewhere.status]).toEqual([201, 201])
    const duplicate = { code: 'duplicate', existingId: made?.body.id }
    expect(others).toMatchObject(others.map(() => ({ status: 409, body: duplicate })))
    expect(toldEach(results)).toEqual(['201', '201', '409 duplicate /items/2/data/domains/1 not_unique'])
    expect(results[2].problem.existingId).toBe(results[0].data.id)
  })

  test('a domain belongs to one company and an email to one contact, in whichever script, while companies and deals share theirs', async () => {
    const own = await fresh()
    const emails = ['info@bücher.example']
    await own.company({ domains: ['bücher.example'], emails })
    await own.company({ emails })
    await own.deal({ emails, phones: ['+49 30 1234'] })
    const ada = await own.contact({ firstName: null, emails, address: { city: 'Berlin' } })

    const refused = [
      await own.make({ kind: 'company', name: 'x', domains: ['a.example', 'xn--bcher-kva.example'] }),
      await own.make({ kind: 'contact', emails: ['info@xn--bcher-kva.example'] }),
    ]
    const respelt = await own.change(ada.id, { emails: ['info@xn--bcher-kva.example'] })

    expect(refused.map(told)).toEqual(['409 duplicate /domains/1 not_unique', '409 duplicate /emails/0 not_unique'])
    expect(refused[1]?.body.existingId).toBe(ada.id)
    const named = await own.deal({
      companyId: 'domain:xn--bcher-kva.example',
      contactIds: ['email:Info@Bücher.example'],
    })
    expect(named.contactIds).toEqual([ada.id])
    expect(ada).toMatchObject({ name: 'info@bücher.example', emails })
    expect(must(respelt)).toMatchObject({ version: 2, emails: ['info@xn--bcher-kva.example'] })
  })

  test('companies are a tree: no change and no merge closes a circle or makes it too deep, and what is refused changes nothing', async () => {
    const chain = [await company()]
    while (chain.length < 20) chain.push(await company({ parentCompanyId: chain.at(-1).id }))
    const [top, deepest] = [chain[0].id, chain.at(-1).id]
    const source = await company({ name: 'Source', domains: ['deep.example'] })
    const below = await company({ name: 'Below', parentCompanyId: source.id })
    const before = await tenant.lastSequence()

    const refused = [
      await change(top, { parentCompanyId: chain[2].id }),
      await make({ kind: 'company', name: 'Level 21', parentCompanyId: deepest }),
      await merge(deepest, source.id),
    ]

    expect(refused.map(told)).toEqual([
      '422 validation_failed /parentCompanyId wrong_format',
      '422 validation_failed /parentCompanyId too_large',
      '422 validation_failed /parentCompanyId too_large',
    ])
    for (const each of [chain[0], source, below]) expect(await read(each.id)).toEqual(each)
    expect(await tenant.lastSequence()).toBe(before)
  })

  test('domains and emails are found in capitals and small letters, in punycode and in their script, by filters and by search', async () => {
    const own = await fresh()
    await own.company({ domains: ['acme.example', 'MÜNCHEN.example'], emails: ['office@acme.example'] })
    await own.contact({ emails: ['lovelace@acme.example', 'ada@xn--mnchen-3ya.example'] })

    for (const [query, ...names] of [
      ['domain=ACME.example,none.example', 'Acme'],
      ['domain=xn--mnchen-3ya.example', 'Acme'],
      ['domain=!München.example', 'Ada'],
      ['email=Lovelace@acme.example', 'Ada'],
      ['email=Ada@München.example,Office@acme.example', 'Acme', 'Ada'],
      ['q=lovelace@acme', 'Ada'],
      ['q=ada@münchen.example', 'Ada'],
      ['q=acme.ex', 'Acme'],
      ['q=MÜNCHEN.ex', 'Acme'],
      ['q=%25%25'],
    ] as const)
      expect([query, await own.namesIn(query)]).toEqual([query, names])
  })

  test('a telephone number is found in every notation, by the default country that the workspace has now', async () => {
    const own = await fresh()
    const live = (country: string | null) => own.call('PATCH', '/workspaces/current', { defaultCountry: country })
    await own.contact({ firstName: 'Ada', phones: ['+49 30 1234', '+49 30 99 ext. 7'] })
    await own.contact({ firstName: 'Ben', phones: ['030/5678'] })
    await own.company({ name: 'Odd', phones: ['n/a', '110'] })
    await own.deal({ name: 'Sale' })
    const expectFound = async (expected: readonly (readonly [query: string, ...names: string[]])[]) => {
      for (const [query, ...names] of expected) expect([query, await own.namesIn(query)]).toEqual([query, names])
    }

    await expectFound([
      ['phone=%2B49 30 1234', 'Ada'],
      ['phone=+49 30 1234', 'Ada'],
      ['phone=030 1234'],
      ['phone=(030) 5678,110', 'Ben', 'Odd'],
      ['phone=none', 'Sale'],
      ['phone=any', 'Ada', 'Ben', 'Odd'],
    ])
    must(await live('DE'))
    await eventually(async () => (await own.namesIn('phone=%2B49305678')).length === 1, 'the numbers read anew')
    await expectFound([
      ['phone=0301234', 'Ada'],
      ['phone=(030) 1234', 'Ada'],
      ['phone=030 99', 'Ada'],
      ['phone=030 99 x7', 'Ada'],
      ['phone=030 99 x8'],
      ['phone=!110', 'Ada', 'Ben', 'Sale'],
      ['q=%2B49 30 1234', 'Ada'],
      ['q=+49 30 1234', 'Ada'],
      ['q=(030) 12', 'Ada'],
      ['q=030 56', 'Ben'],
      ['q=110', 'Odd'],
      ['q=030'],
    ])
    const found = await own.get('/search?q=030 1234&types=crm-entities')
    expect(found.data.map(({ title }: Body) => title)).toEqual(['Ada'])
    must(await live('AT'))
    await eventually(async () => (await own.namesIn('phone=%2B43305678')).length === 1, 'the numbers read anew')
    await expectFound([['phone=%2B49305678'], ['phone=%2B49301234', 'Ada']])
  })

  test('the numbers of an entity are those that it has now: changed, merged or purged', async () => {
    const own = await fresh()
    const [survivor, source] = [await own.contact({ phones: ['+491'] }), await own.contact({ phones: ['+49301234'] })]
    const gone = await own.contact({ firstName: 'Eve', phones: ['+49305678'] })

    must(await own.change(survivor.id, { phones: ['+49301111'] }))
    expect([await own.namesIn('phone=%2B49301111'), await own.namesIn('phone=%2B491')]).toEqual([['Ada'], []])
    must(await own.merge(survivor.id, source.id))
    expect(await own.namesIn('phone=%2B49301234')).toEqual(['Ada'])
    await own.remove(`${path}/${gone.id}`)
    expect(await own.namesIn('phone=%2B49305678')).toEqual([])
    must(await own.call('POST', `${path}/${gone.id}/restore`))
    expect(await own.namesIn('phone=%2B49305678')).toEqual(['Eve'])
  })

  test.each([
    ['phone=acme', 'phone'],
    ['phone=030 1234 Ada', 'phone'],
    ['phone=1', 'phone'],
    ['phone=!none,!', 'phone'],
  ])('%s is refused by name', async (query, parameter) => {
    const refused = await call('GET', `${path}?${query}`)

    expect(told(refused)).toContain('400 invalid_parameter')
    expect(JSON.stringify(refused.body)).toContain(parameter)
  })

  test('a default country is one of ISO 3166 or none', async () => {
    const own = await fresh()
    const answers = []
    for (const defaultCountry of ['DE', 'UK', 'de', null])
      answers.push(await own.call('PATCH', '/workspaces/current', { defaultCountry }))

    expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 200])
    expect(told(answers[1]!)).toContain('/defaultCountry')
  })

  test('custom fields are those of the kind, and one key may mean different things', async () => {
    const own = await fresh()
    for (const [target, type] of Object.entries({ company: 'number', contact: 'text' }))
      await own.post('/custom-fields', { key: 'score', target, type, label: 'Score' })
    await own.company({ customFields: { score: 7 } })
    await own.contact({ customFields: { score: 'high' } })

    const refused = [
      await own.make({ kind: 'contact', firstName: 'Bob', customFields: { score: 7 } }),
      await own.make({ kind: 'deal', name: 'x', customFields: { score: 1 } }),
      await own.call('GET', `${path}?customFields.score=7`),
    ]

    expect(refused.map(({ body }) => body.code)).toEqual(['validation_failed', 'unknown_field', 'invalid_parameter'])
    expect(await own.namesIn('kind=company&customFields.score[gte]=5')).toEqual(['Acme'])
    expect(await own.namesIn('kind=contact&customFields.score=high')).toEqual(['Ada'])
  })

  test('the survivor takes the values that it lacks, both objects have an event of it, and merging again changes nothing', async () => {
    const survivor = await company({ domains: ['one.example'], labels: ['a'] })
    const theirs = { industry: 'Tools', externalSource: 'crm', externalId: 'merge-1' }
    const source = await company({ name: 'ACME Ltd', domains: ['two.example'], labels: ['b'], ...theirs })
    const before = await tenant.lastSequence()

    const merged = await merge(survivor.id, source.id)
    const events = await eventsAfter(before)
    const again = await merge(survivor.id, source.id)

    const domains = ['one.example', 'two.example']
    expect([merged.status, merged.headers.get('etag')]).toEqual([200, '"2"'])
    expect(merged.body).toMatchObject({ id: survivor.id, name: 'Acme', domains, labels: ['a', 'b'], ...theirs })
    const changes = { domains: { from: ['one.example'], to: domains }, mergedFromId: { from: null, to: source.id } }
    expect(events).toMatchObject([
      { type: 'crm-entities.merged', data: { ...merged.body, mergedFromId: source.id }, changes },
      { type: 'crm-entities.deleted', data: { id: source.id, version: 2, mergedIntoId: survivor.id, domains: [] } },
    ])
    expect([again.status, again.body]).toEqual([200, merged.body])
    expect(await eventsAfter(before)).toHaveLength(2)
  })

  // That it cannot be changed or deleted is seen in random-calls.test.ts.
  test('the id of a merged object leads to the survivor, through any number of merges, and what it was never comes back', async () => {
    const first = await contact({ externalSource: 'crm', externalId: 'gone', lastName: 'One' })
    const second = await contact({ externalSource: 'erp', externalId: 'x' })
    const third = await contact({ externalSource: 'erp', externalId: 'y' })
    must(await merge(second.id, first.id))
    const last = must(await merge(third.id, second.id))

    // Both have a second version: that of the merged object does not count for the survivor.
    const tagged = { 'if-none-match': '"2"' }
    const answers = [
      await call('GET', `${path}/${first.id}`, undefined, tagged),
      await call('GET', `${path}/by-external-id/crm/gone`),
      await call('GET', `${path}/${third.id}`),
    ]
    const restored = await call('POST', `${path}/${second.id}/restore`)
    const created = await put('gone', { kind: 'contact', firstName: 'x' })

    for (const { status, body } of answers) expect([status, body]).toEqual([200, last])
    const located = `/api/v1${path}/${third.id}`
    expect(answers.map(({ headers }) => headers.get('content-location'))).toEqual([located, null, null])
    expect(restored).toMatchObject({ status: 409, body: { code: 'invalid_transition', mergedIntoId: third.id } })
    expect(created).toMatchObject({ status: 200, body: { id: third.id } })
  })

  test('what named the source names the survivor, once and where the other stood, in a new version with an event', async () => {
    const [survivor, source, third] = [await contact(), await contact(), await contact()]
    const { id: projectId } = await post('/projects', { name: 'Website' })
    const task = (crmEntityIds: string[]) => post('/tasks', { projectId, title: 'T', crmEntityIds })
    const [one, both] = [await task([source.id]), await task([survivor.id, source.id])]
    const offer = await deal({ contactIds: [source.id, third.id] })
    const other = await deal({ contactIds: [source.id, third.id, survivor.id] })
    const comment = await post(`${path}/${source.id}/comments`, { body: 'Hm' })
    const before = await tenant.lastSequence()

    must(await merge(survivor.id, source.id))

    const events = (await eventsAfter(before)).slice(2)
    const changed = events.map(({ type, data, changes }) => [data.id, `${type} ${Object.keys(changes).join()}`])
    expect(Object.fromEntries(changed)).toEqual({
      [one.id]: 'tasks.updated crmEntityIds',
      [both.id]: 'tasks.updated crmEntityIds',
      [offer.id]: 'crm-entities.updated contactIds',
      [other.id]: 'crm-entities.updated contactIds',
      [comment.id]: 'crm-entities.comment_updated subject',
    })
    for (const { type, data } of events) {
      const at = type.endsWith('comment_updated') ? `crm-entities/${survivor.id}/comments` : type.split('.')[0]
      expect(await get(`/${at}/${data.id}`)).toEqual({ ...data, version: 2 })
    }
    expect((await get(`/tasks/${both.id}`)).crmEntityIds).toEqual([survivor.id])
    const contacts = [(await read(offer.id)).contactIds, (await read(other.id)).contactIds]
    expect(contacts).toEqual([
      [survivor.id, third.id],
      [third.id, survivor.id],
    ])
    const times = events.map(({ data }) => Date.parse(data.updatedAt))
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  })

  test.each(['ancestor', 'descendant'])(
    'a company that is merged with its %s has the place of the upper one',
    async (what) => {
      const top = await company()
      const upper = await company({ parentCompanyId: top.id })
      const between = await company({ parentCompanyId: upper.id })
      const lower = await company({ parentCompanyId: between.id })
      const [survivor, source] = what === 'ancestor' ? [lower, upper] : [upper, lower]

      const merged = must(await merge(survivor.id, source.id))

      expect([merged.parentCompanyId, (await read(between.id)).parentCompanyId]).toEqual([top.id, survivor.id])
    },
  )

  test('only two existing objects of the same kind can be merged, none with itself, once and by who may delete them', async () => {
    const [one, another, person, gone] = [await company(), await company(), await contact(), await company()]
    await remove(`${path}/${gone.id}`)
    const writer = entitiesOf(await tenant.key(['crm-entities:write']))

    for (const [id, sourceId, refusal] of [
      [one.id, gone.id, '422 reference_not_found /sourceId not_found'],
      [one.id, one.id, '422 validation_failed /sourceId not_in_list'],
      [one.id, person.id, '422 validation_failed /sourceId not_in_list'],
      [gone.id, one.id, '404 not_found'],
    ])
      expect(told(await merge(id, sourceId))).toBe(refusal)
    const { status, body } = await writer.merge(one.id, another.id)
    expect([status, body.code, body.requiredScopes]).toEqual([403, 'insufficient_scope', ['crm-entities:delete']])
    const source = await company()
    const answers = await Promise.all([merge(one.id, source.id), merge(another.id, source.id)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('an object stays of its kind', async () => {
    const { id } = await contact()
    must(await put('4711', { kind: 'contact', firstName: 'Ada' }))

    const turned = [await change(id, { kind: 'deal' }), await put('4711', { kind: 'company', name: 'Ada Ltd' })]

    expect(turned.map(told)).toEqual(['422 validation_failed /kind read_only', '409 invalid_transition'])
    expect(turned[1]?.body).toMatchObject({ from: 'contact', to: 'company', allowed: ['contact'] })
  })
})
