// What an integrator relies on when reading and writing companies, contacts and deals.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']

describeModes('CRM entities', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const path = '/api/v1/crm-entities'
  const post = (body: object, who = tenant) => who.api('POST', path, body)
  const create = async (body: object, who = tenant): Promise<Body> => must(await post(body, who))
  const patch = (id: string, body: object, who = tenant) => who.api('PATCH', `${path}/${id}`, body)
  const get = (rest: string, who = tenant) => who.api('GET', path + rest)
  const namesIn = async (query: string, who: Tenant): Promise<string[]> =>
    must(await get(`?sort=name&${query}`, who)).data.map(({ name }: Body) => name)

  test('each kind has its own fields and is read as it was created', async () => {
    const company = await post({
      kind: 'company',
      name: 'Acme',
      domains: ['Acme.example'],
      address: { city: 'Berlin', country: 'DE' },
      phones: ['+49 30 1234'],
    })
    const contact = await post({ kind: 'contact', emails: ['Ada@acme.example'], companyId: company.body.id })
    const deal = await post({
      kind: 'deal',
      name: 'Big one',
      amount: { amount: '1250.00', currency: 'EUR' },
      expectedCloseDate: '2026-12-24',
      companyId: company.body.id,
      contactIds: [contact.body.id],
    })

    expect(company).toMatchObject({
      status: 201,
      body: {
        object: 'crm_entity',
        kind: 'company',
        domains: ['acme.example'],
        parentCompanyId: null,
        address: { street: null, city: 'Berlin', region: null, postalCode: null, country: 'DE' },
      },
    })
    expect(contact.body).toMatchObject({ name: 'ada@acme.example', firstName: null, companyId: company.body.id })
    expect(deal.body).toMatchObject({ stage: 'new', probability: 10, contactIds: [contact.body.id], closedAt: null })
    expect(Object.keys(contact.body)).not.toContain('domains')
    for (const { headers, body } of [company, contact, deal]) {
      expect(must(await tenant.api('GET', headers.get('location')!))).toEqual(body)
    }
  })

  test('fields of another kind are refused by name, in an update as well', async () => {
    const { id } = await create({ kind: 'contact', firstName: 'Ada' })

    const made = await post({ kind: 'company', name: 'Acme', stage: 'won' })
    const changed = await patch(id, { domains: ['acme.example'] })

    expect(made).toMatchObject({
      status: 422,
      body: { code: 'unknown_field', errors: [{ pointer: '/stage', detail: expect.stringContaining('deal') }] },
    })
    expect(changed).toMatchObject({ status: 422, body: { code: 'unknown_field', errors: [{ pointer: '/domains' }] } })
    expect(await patch(id, { kind: 'deal' })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/kind', code: 'read_only' }] },
    })
  })

  test('a code that is no country is refused with the one that is meant, however the address is written', async () => {
    const uk = { kind: 'company', name: 'Acme', address: { country: 'UK' } }
    const { id } = await create({ kind: 'company', name: 'Acme' })
    const own = { externalSource: 'erp', externalId: 'uk' }

    const answers = [
      await post(uk),
      await patch(id, { address: uk.address }),
      await tenant.api('PUT', `${path}/by-external-id/erp/uk`, uk),
    ]
    const batch = await tenant.api('POST', `${path}/batch`, {
      items: [
        { action: 'upsert', ...own, data: uk },
        { action: 'upsert', ...own, data: { ...uk, address: { country: 'GB' } } },
      ],
    })

    for (const { status, body } of answers) {
      expect([status, body.errors]).toMatchObject([
        422,
        [{ pointer: '/address/country', detail: expect.stringContaining('send GB') }],
      ])
    }
    expect(batch.body.results).toMatchObject([{ status: 422 }, { status: 201, data: { address: { country: 'GB' } } }])
  })

  test('an update that changes nothing keeps the version, in whatever order and case values are sent', async () => {
    const { id } = await create({
      kind: 'company',
      name: 'Same',
      domains: ['same.example'],
      address: { street: 'Ring 1', city: 'Berlin' },
    })

    const same = await patch(id, { domains: ['SAME.example'], address: { city: 'Berlin', street: 'Ring 1' } })
    const other = await patch(id, { address: { city: 'Bonn' } })

    expect(same.body.version).toBe(1)
    expect(other.body).toMatchObject({ version: 2, address: { street: 'Ring 1', city: 'Bonn' } })
  })

  test('references must name companies and contacts of the same workspace', async () => {
    const company = await create({ kind: 'company', name: 'Acme' })
    const contact = await create({ kind: 'contact', firstName: 'Ada' })
    const foreign = await create({ kind: 'company', name: 'Foreign' }, await system.tenant())

    for (const body of [
      { kind: 'deal', name: 'x', companyId: contact.id },
      { kind: 'deal', name: 'x', contactIds: [company.id] },
      { kind: 'contact', firstName: 'x', companyId: foreign.id },
      { kind: 'company', name: 'x', parentCompanyId: contact.id },
      { kind: 'company', name: 'x', ownerId: contact.id },
    ]) {
      expect(await post(body)).toMatchObject({ status: 422, body: { code: 'reference_not_found' } })
    }
  })

  test('a duplicate domain or email is refused with the id of its holder, deleted ones included', async () => {
    const company = await create({ kind: 'company', name: 'First', domains: ['first.example'] })
    const contact = await create({ kind: 'contact', emails: ['first@example.com'] })
    const second = await create({ kind: 'company', name: 'Second', domains: ['second.example'] })
    must(await tenant.api('DELETE', `${path}/${contact.id}`))

    expect(await patch(second.id, { domains: ['second.example', 'First.example'] })).toMatchObject({
      status: 409,
      body: {
        code: 'duplicate',
        field: 'domains',
        existingId: company.id,
        errors: [{ pointer: '/domains/1', code: 'not_unique' }],
      },
    })
    expect(await post({ kind: 'contact', emails: ['FIRST@example.com'] })).toMatchObject({
      status: 409,
      body: { code: 'duplicate', field: 'emails', existingId: contact.id, hint: expect.stringContaining('restore') },
    })
    expect(
      (await create({ kind: 'company', name: 'Elsewhere', domains: ['first.example'] }, await system.tenant())).version,
    ).toBe(1)
  })

  test('of creates with the same domain at the same time exactly one succeeds, and the others name it', async () => {
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) => post({ kind: 'company', name, domains: ['contested.example'] })),
    )

    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 409)
    expect([made.length, refused.length]).toEqual([1, 3])
    for (const { body } of refused) expect(body).toMatchObject({ code: 'duplicate', existingId: made[0]!.body.id })
  })

  test('companies are a tree: a circle is refused, and a tree that is too deep', async () => {
    const who = await system.tenant()
    const chain = [await create({ kind: 'company', name: 'Level 1' }, who)]
    for (let level = 2; level <= 20; level += 1) {
      chain.push(await create({ kind: 'company', name: `Level ${level}`, parentCompanyId: chain.at(-1).id }, who))
    }

    const circle = await patch(chain[0].id, { parentCompanyId: chain[2].id }, who)
    const deep = await post({ kind: 'company', name: 'Level 21', parentCompanyId: chain.at(-1).id }, who)

    for (const answer of [circle, deep]) {
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/parentCompanyId' }] },
      })
    }
  })

  test('a deal that is won, reopened and lost has the probability and dates of its stage', async () => {
    const { id } = await create({ kind: 'deal', name: 'Deal' })

    const won = must(await patch(id, { stage: 'won' }))
    const refused = await patch(id, { stage: 'lost' })
    const opened = must(await patch(id, { stage: 'proposal' }))
    const lost = must(await patch(id, { stage: 'lost', lostReason: 'Too dear' }))

    expect(won).toMatchObject({ probability: 100, closedAt: won.updatedAt })
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'won', to: 'lost' } })
    expect(refused.body.allowed).toEqual(['new', 'qualified', 'proposal', 'negotiation'])
    expect(opened).toMatchObject({ probability: 50, closedAt: null })
    expect(lost).toMatchObject({ probability: 0, lostReason: 'Too dear', closedAt: lost.updatedAt })
  })

  test('lists are filtered by kind, stage, company, domain, email and search text', async () => {
    const who = await system.tenant()
    const acme = await create({ kind: 'company', name: 'Acme', domains: ['acme.example'], industry: 'Tools' }, who)
    await create({ kind: 'company', name: 'Bolt', parentCompanyId: acme.id }, who)
    await create({ kind: 'contact', firstName: 'Ada', emails: ['lovelace@acme.example'], companyId: acme.id }, who)
    await create({ kind: 'deal', name: 'Deal', stage: 'won', companyId: acme.id }, who)

    expect(await namesIn('kind=company', who)).toEqual(['Acme', 'Bolt'])
    expect(await namesIn('kind=!company', who)).toEqual(['Ada', 'Deal'])
    expect(await namesIn('stage=won,lost', who)).toEqual(['Deal'])
    expect(await namesIn(`companyId=${acme.id}`, who)).toEqual(['Ada', 'Deal'])
    expect(await namesIn(`parentCompanyId=${acme.id}`, who)).toEqual(['Bolt'])
    expect(await namesIn('domain=ACME.example,none.example', who)).toEqual(['Acme'])
    expect(await namesIn('email=Lovelace@acme.example', who)).toEqual(['Ada'])
    expect(await namesIn('email=!lovelace@acme.example&kind=contact', who)).toEqual([])
    expect(await namesIn('q=lovelace@acme', who)).toEqual(['Ada'])
    expect(await namesIn('q=acme.ex', who)).toEqual(['Acme'])
    expect(await namesIn('q=%25%25', who)).toEqual([])
  })

  test('counts are by kind, stage or industry', async () => {
    const who = await system.tenant()
    await create({ kind: 'company', name: 'Acme', industry: 'Tools' }, who)
    await create({ kind: 'deal', name: 'One' }, who)
    await create({ kind: 'deal', name: 'Two' }, who)

    expect(must(await get('/count?groupBy=kind', who))).toEqual({
      total: 3,
      groups: [
        { value: 'deal', count: 2 },
        { value: 'company', count: 1 },
      ],
      moreGroups: 0,
    })
    expect(must(await get('/count?groupBy=stage&kind=deal', who)).groups).toEqual([{ value: 'new', count: 2 }])
    expect(must(await get('/count?groupBy=industry&kind=company', who)).groups).toEqual([{ value: 'Tools', count: 1 }])
  })

  test('a list of all kinds shows each with its own expansions and fields', async () => {
    const who = await system.tenant()
    const acme = await create({ kind: 'company', name: 'Acme' }, who)
    const ada = await create({ kind: 'contact', firstName: 'Ada', companyId: acme.id }, who)
    const deal = await create({ kind: 'deal', name: 'Deal', companyId: acme.id, contactIds: [ada.id] }, who)

    const all = must(await get('?sort=name&expand=company,contacts,parentCompany', who)).data
    const some = must(await get('?sort=name&fields=name,stage', who)).data
    const one = must(await get(`/${deal.id}?expand=contacts`, who))

    const shown = { id: acme.id, object: 'crm_entity', kind: 'company', name: 'Acme' }
    expect(all[0]).toEqual({ ...acme, parentCompany: null })
    expect(all[1]).toEqual({ ...ada, company: shown })
    expect(all[2]).toMatchObject({ company: shown, contacts: [{ id: ada.id, kind: 'contact', name: 'Ada' }] })
    expect(some.map((each: Body) => 'stage' in each)).toEqual([false, false, true])
    expect(one.contacts).toHaveLength(1)
  })

  test('custom fields are those of the kind, and one key may mean different things', async () => {
    const who = await system.tenant()
    const field = async (body: object) => must(await who.settings('POST', '/custom-fields', body))
    await field({ key: 'score', target: 'company', type: 'number', label: 'Score' })
    await field({ key: 'score', target: 'contact', type: 'text', label: 'Score' })
    await create({ kind: 'company', name: 'Acme', customFields: { score: 7 } }, who)
    await create({ kind: 'contact', firstName: 'Ada', customFields: { score: 'high' } }, who)

    const wrong = await post({ kind: 'contact', firstName: 'Bob', customFields: { score: 7 } }, who)

    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/customFields/score' }] } })
    expect(await namesIn('kind=company&customFields.score[gte]=5', who)).toEqual(['Acme'])
    expect(await namesIn('kind=contact&customFields.score=high', who)).toEqual(['Ada'])
    expect(await get('?customFields.score=7', who)).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } })
    expect(await post({ kind: 'deal', name: 'x', customFields: { score: 1 } }, who)).toMatchObject({ status: 422 })
  })

  test('an upsert by external id creates and updates, and never changes the kind', async () => {
    const put = (body: object) => tenant.api('PUT', `${path}/by-external-id/crm/4711`, body)

    const made = await put({ kind: 'contact', firstName: 'Ada' })
    const changed = await put({ kind: 'contact', jobTitle: 'Analyst' })
    const turned = await put({ kind: 'company', name: 'Ada Ltd' })

    expect(made.status).toBe(201)
    expect(changed).toMatchObject({ status: 200, body: { id: made.body.id, firstName: 'Ada', jobTitle: 'Analyst' } })
    expect(turned).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', from: 'contact', to: 'company', allowed: ['contact'] },
    })
  })

  test('a deleted company is restored with its domains', async () => {
    const { id } = await create({ kind: 'company', name: 'Phoenix', domains: ['phoenix.example'] })
    must(await tenant.api('DELETE', `${path}/${id}`))

    const back = await tenant.api('POST', `${path}/${id}/restore`)

    expect(back).toMatchObject({ status: 200, body: { domains: ['phoenix.example'], deletedAt: null, version: 3 } })
    expect(await tenant.api('POST', `${path}/${id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'not_deleted' },
    })
  })

  test('a batch takes all kinds, and fails an item alone', async () => {
    const answer = await tenant.api('POST', `${path}/batch`, {
      items: [
        { action: 'create', data: { kind: 'company', name: 'In batch', domains: ['batch.example'] } },
        { action: 'create', data: { kind: 'contact', firstName: 'Ada' } },
        { action: 'create', data: { kind: 'company', name: 'Twin', domains: ['batch.example'] } },
        { action: 'create', data: { kind: 'deal', name: 'x', emails: [] } },
      ],
    })

    const { results } = must(answer)
    expect(results.map(({ status }: Body) => status)).toEqual([201, 201, 409, 422])
    expect(results[2].problem).toMatchObject({ code: 'duplicate', existingId: results[0].data.id })
    expect(results[3].problem.errors).toMatchObject([{ pointer: '/items/3/data/emails' }])
  })
})
