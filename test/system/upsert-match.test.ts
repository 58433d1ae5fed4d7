// Upserts of CRM entities that are there already under no own id, or under that of another system; and upserts of what
// was deleted. Codes: ambiguous_match.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem } from '../support/system.ts'

type Fields = Readonly<Record<string, unknown>>

describeModes('an upsert that looks for what is there', (mode) => {
  const { tenant } = sharedSystem(mode)
  const ask = (method: string, path: string, body?: object) => tenant.api(method, `/api/v1${path}`, body)
  const put = (id: string, body: Fields) => ask('PUT', `/crm-entities/by-external-id/sheet/${id}`, body)
  const made = async (body: Fields) => must(await ask('POST', '/crm-entities', body))

  test.each([
    ['domains', { kind: 'company', name: 'Firm' }, ['A1.example', 'b1.example'], ['x1.example', 'a1.EXAMPLE']],
    ['emails', { kind: 'contact', firstName: 'Ana' }, ['Ana@a2.example'], ['ana@A2.example']],
    ['phones', { kind: 'contact', firstName: 'Bo' }, ['+49 30 12345678'], ['+49 (0)30 1234-5678']],
  ] as const)(
    'by %s takes the object that has one, gives it the own id, and finds it by that from then on',
    async (match, base, has, given) => {
      const before = await made({ ...base, [match]: has, externalSource: 'crm', externalId: match })

      const matched = must(await put(`m-${match}`, { ...base, [match]: given, match, description: 'New' }))
      const again = must(await put(`m-${match}`, { ...base, match, description: 'New' }))

      expect(matched).toMatchObject({
        id: before.id,
        version: 2,
        outcome: 'updated',
        matchedBy: match,
        description: 'New',
      })
      expect(matched).toMatchObject({ externalId: match, externalIds: [{}, { source: 'sheet', id: `m-${match}` }] })
      expect(again).toMatchObject({ id: before.id, version: 2, outcome: 'unchanged', matchedBy: 'externalId' })
    },
  )

  test('what nothing has is created, as is what gives no value and what is of another kind', async () => {
    await made({ kind: 'company', name: 'x', phones: ['+4930777777'] })
    const created = { status: 201, body: { outcome: 'created', matchedBy: null } }

    expect(await put('c1', { kind: 'company', name: 'x', domains: ['none.example'], match: 'domains' })).toMatchObject(
      created,
    )
    expect(await put('c2', { kind: 'company', name: 'x', match: 'domains' })).toMatchObject(created)
    const contact = { kind: 'contact', firstName: 'x', phones: ['+4930777777'], match: 'phones' }
    expect(await put('c3', contact)).toMatchObject(created)
  })

  test('`fillEmpty` sets what is empty and nothing else, `skip` nothing at all', async () => {
    const own = { kind: 'contact', firstName: 'Ana', emails: ['fill@x.example'], labels: [] }
    const { id } = await made(own)
    const given = { kind: 'contact', firstName: 'Anna', jobTitle: 'CEO', labels: ['a'], match: 'emails' }
    const emails = ['fill@x.example', 'more@x.example']

    const skipped = must(await put('f', { ...given, emails, onMatch: 'skip' }))
    const filled = must(await put('f', { ...given, emails, onMatch: 'fillEmpty' }))
    const again = must(await put('f', { ...given, onMatch: 'fillEmpty' }))

    expect(skipped).toMatchObject({ id, version: 1, outcome: 'skipped', matchedBy: 'emails', externalIds: [] })
    expect(filled).toMatchObject({ id, outcome: 'updated', firstName: 'Ana', jobTitle: 'CEO', labels: ['a'] })
    expect(filled).toMatchObject({ emails: ['fill@x.example'], externalId: 'f' })
    expect(again).toMatchObject({ id, version: 2, outcome: 'unchanged', matchedBy: 'externalId' })
  })

  test('several that match are refused with their ids, and nothing is changed', async () => {
    const contact = { kind: 'contact', firstName: 'x', phones: ['+49 30 8888888'] }
    const candidates = [(await made(contact)).id, (await made(contact)).id]
    const since = await tenant.lastSequence()

    const refused = await put('several', { ...contact, match: 'phones' })

    expect(refused).toMatchObject({ status: 409, body: { code: 'ambiguous_match', field: 'phones', candidates } })
    expect(await tenant.lastSequence()).toBe(since)
  })

  test('a deleted object is restored if that is asked for, with what is given; else it is refused', async () => {
    const base = { kind: 'company', name: 'Gone' }
    const { id } = must(await put('gone', { ...base, domains: ['gone.example'] }))
    must(await ask('DELETE', `/crm-entities/${id}`))
    const since = await tenant.lastSequence()

    const refused = await put('gone', base)
    const restored = must(await put('gone', { ...base, name: 'Back', restore: true }))

    expect(refused).toMatchObject({ status: 409, body: { code: 'duplicate', existingId: id } })
    expect(restored).toMatchObject({ id, name: 'Back', deletedAt: null, outcome: 'restored', version: 4 })
    expect(await tenant.eventTypesAfter(since)).toEqual(['crm-entities.restored', 'crm-entities.updated'])
    must(await ask('DELETE', `/crm-entities/${id}`))
    const byDomain = { ...base, domains: ['gone.example'], match: 'domains', restore: true }
    expect(await put('other', byDomain)).toMatchObject({ status: 200, body: { id, outcome: 'restored' } })
    const task = await ask('PUT', '/documents/by-external-id/sheet/d', { title: 'x', match: 'domains' })
    expect(task).toMatchObject({ status: 422, body: { code: 'unknown_field' } })
  })

  test('items of a batch say what was done, and later ones find what earlier ones have made', async () => {
    const data = { kind: 'contact', firstName: 'x', emails: ['batch@x.example'], match: 'emails' }
    const upsert = (externalId: string, more = {}) => ({
      action: 'upsert',
      externalSource: 'sheet',
      externalId,
      data: { ...data, ...more },
    })
    const items = [
      upsert('b1'),
      upsert('b2'),
      upsert('b1', { onMatch: 'skip' }),
      { action: 'update', externalSource: 'sheet', externalId: 'b2', data: { jobTitle: 'y' } },
      { action: 'delete', externalSource: 'sheet', externalId: 'b1' },
      upsert('b2', { restore: true }),
    ]

    const { results } = must(await ask('POST', '/crm-entities/batch', { items }))

    expect(results).toMatchObject([
      { status: 201, outcome: 'created', matchedBy: null },
      { status: 200, outcome: 'updated', matchedBy: 'emails' },
      { status: 200, outcome: 'skipped', matchedBy: 'externalId' },
      { status: 200, data: { jobTitle: 'y' } },
      { status: 200, data: null },
      { status: 200, outcome: 'restored', matchedBy: 'externalId' },
    ])
    expect(new Set([0, 1, 2, 3, 5].map((at) => results[at].data.id)).size).toBe(1)
  })

  test('many that match the same at the same time make one object', async () => {
    const body = { kind: 'company', name: 'Race', domains: ['race.example'], match: 'domains' }

    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => put(`race-${at}`, body)))

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 7 }, () => 200),
      201,
    ])
    expect(new Set(answers.map((answer) => must(answer).id)).size).toBe(1)
  })
})
