// Several ids of one object in other systems: integrations that know nothing of each other keep their own, and any of
// them leads to the object. Operations: <collection>.set-external-id, <collection>.remove-external-id.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem } from '../support/system.ts'

type Fields = Readonly<Record<string, unknown>>
const collections: [string, Fields][] = [
  ['projects', { name: 'x' }],
  ['tasks', { title: 'x', projectId: 'ext:erp/home' }],
  ['crm-entities', { kind: 'company', name: 'x' }],
  ['documents', { title: 'x' }],
  ['comments', { body: 'x', projectId: 'ext:erp/home' }],
]
const refusal = (status: number, code: string, more: object = {}) => ({ status, body: { code, ...more } })
const pairs = (...ids: string[]) =>
  ids.map((text) => {
    const [source, id] = text.split(' ')
    return { source, id }
  })

describeModes('external ids', (mode) => {
  const { tenant } = sharedSystem(mode)
  const ask = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    tenant.api(method, `/api/v1${path}`, body, headers)
  const get = async (path: string) => must(await ask('GET', path))
  const home = async () => must(await ask('PUT', '/projects/by-external-id/erp/home', { name: 'Home' }))

  test.each(collections)(
    'of %s: each system sets and removes its own, and every one finds the object',
    async (path, body) => {
      await home()
      const by = (source: string, id: string) => `/${path}/by-external-id/${source}/${id}`
      const { id } = must(await ask('PUT', by('erp', '1'), body))
      const since = await tenant.lastSequence()

      const set = must(await ask('PUT', `/${path}/${id}/external-ids/crm%2F2`, { externalId: 'a/b' }))
      must(await ask('PUT', `/${path}/${id}/external-ids/crm%2F2`, { externalId: 'a/b' }))

      expect(set).toMatchObject({
        version: 2,
        externalSource: 'erp',
        externalId: '1',
        externalIds: pairs('erp 1', 'crm/2 a/b'),
      })
      const { data } = await get(`/events?after=${since}`)
      const changes = { externalIds: { from: pairs('erp 1'), to: pairs('erp 1', 'crm/2 a/b') } }
      const type = path === 'comments' ? 'projects.comment_updated' : `${path}.updated`
      expect(data).toMatchObject([{ type, changes, data: { externalIds: changes.externalIds.to } }])
      expect(Object.keys(data[0].changes)).toEqual(['externalIds'])
      expect(await get(by('crm%2F2', 'a%2Fb'))).toEqual(set)
      if (path !== 'comments') expect(await get(`/${path}/${encodeURIComponent('ext:crm%2F2/a/b')}`)).toEqual(set)
      const listed = await get(`/${path}?externalSource=crm%2F2&externalId=a/b&fields=externalIds`)
      expect(listed.data).toMatchObject([{ id, externalIds: set.externalIds }])
      expect(await ask('PUT', by('crm%2F2', 'a%2Fb'), body)).toMatchObject({ status: 200, body: { id } })
      must(await ask('DELETE', `/${path}/${id}/external-ids/erp`))
      must(await ask('DELETE', `/${path}/${id}/external-ids/erp`))
      const left = { externalSource: 'crm/2', externalId: 'a/b', externalIds: pairs('crm/2 a/b') }
      expect(await get(`/${path}/${id}`)).toMatchObject({ ...left, version: 3 })
      expect(await ask('GET', by('erp', '1'))).toMatchObject({ status: 404 })
      const other = must(await ask('PUT', by('erp', '1'), body))
      expect(other.id).not.toBe(id)
      const taken = await ask('PUT', `/${path}/${other.id}/external-ids/crm%2F2`, { externalId: 'a/b' })
      expect(taken).toMatchObject(refusal(409, 'duplicate', { existingId: id }))
      must(await ask('DELETE', by('crm%2F2', 'a%2Fb')))
      const deleted = await get(`/${path}?includeDeleted=true&ids=${id}&fields=id`)
      expect(deleted.data).toEqual([
        { id, object: set.object, version: 4, externalIds: left.externalIds, deletedAt: expect.any(String) },
      ])
      expect(await ask('PUT', by('crm%2F2', 'a%2Fb'), body)).toMatchObject(
        refusal(409, 'duplicate', { existingId: id }),
      )
      must(await ask('POST', `/${path}/${id}/purge`))
      expect(await ask('PUT', by('crm%2F2', 'a%2Fb'), body)).toMatchObject({ status: 201 })
    },
  )

  test('the list is written as a whole or by its first; what contradicts itself, or is more than ten, is refused', async () => {
    const make = async (more: Fields) => ask('POST', '/documents', { title: 'x', ...more })
    const { id } = must(await make({ externalIds: pairs('a 1', 'b 2', 'c 3') }))
    const patch = async (body: Fields) => must(await ask('PATCH', `/documents/${id}`, body)).externalIds
    const ten = Array.from({ length: 10 }, (_, at) => ({ source: `s${at}`, id: 'ten' }))

    expect(await get(`/documents/${id}`)).toMatchObject({ externalSource: 'a', externalId: '1' })
    expect(await patch({ externalIds: { add: pairs('d 4', 'b 2'), remove: pairs('c 3') } })).toEqual(
      pairs('a 1', 'b 2', 'd 4'),
    )
    await patch({ externalIds: pairs('a 1', 'b 2', 'c 3') })
    expect(await patch({ externalId: '7' })).toEqual(pairs('a 7', 'b 2', 'c 3'))
    expect(await patch({ externalSource: 'c', externalId: '3' })).toEqual(pairs('c 3', 'b 2'))
    expect(await patch({ externalSource: null, externalId: null })).toEqual(pairs('b 2'))
    expect(await patch({ externalIds: ten, externalSource: 's0', externalId: 'ten' })).toEqual(ten)
    const eleventh = await ask('PUT', `/documents/${id}/external-ids/more`, { externalId: '1' })
    expect(eleventh).toMatchObject(refusal(409, 'limit_reached', { field: 'externalIds', limit: 10 }))
    must(await ask('PUT', `/documents/${id}/external-ids/s4`, { externalId: 'other' }))
    expect((await get(`/documents/${id}`)).externalIds[4]).toEqual({ source: 's4', id: 'other' })
    for (const [body, pointer] of [
      [{ externalIds: pairs('a 1'), externalSource: 'a', externalId: '2' }, '/externalIds'],
      [{ externalIds: pairs('a 1', 'a 1') }, '/externalIds'],
      [{ externalIds: [{ source: 'a' }] }, '/externalIds/0/id'],
    ] as const)
      expect(await make(body)).toMatchObject(refusal(422, 'validation_failed', { errors: [{ pointer }] }))
    expect(await patch({ externalIds: null })).toEqual([])
  })

  test('an upsert adds further ids to those that the object has, and none that another one has', async () => {
    const upsert = async (id: string, body: Fields) =>
      ask('PUT', `/documents/by-external-id/new/${id}`, { title: 'x', ...body })
    const idsOf = async (...args: Parameters<typeof upsert>) => must(await upsert(...args)).externalIds

    expect(await idsOf('1', { externalIds: pairs('old a', 'older b') })).toEqual(pairs('new 1', 'old a', 'older b'))
    expect(await idsOf('1', { externalIds: pairs('older b', 'old c') })).toEqual(
      pairs('new 1', 'old a', 'older b', 'old c'),
    )
    expect(must(await upsert('1', { externalIds: pairs('new 1', 'old c') })).outcome).toBe('unchanged')
    expect(await idsOf('1', { externalIds: pairs('last d'), onMatch: 'skip' })).toHaveLength(4)
    expect(await idsOf('1', { externalIds: pairs('last d'), onMatch: 'fillEmpty' })).toHaveLength(5)
    expect(await upsert('2', { externalIds: pairs('old a') })).toMatchObject(refusal(409, 'duplicate', {}))
  })

  test('a stale version, a key without the scope and another workspace change nothing', async () => {
    const { id } = must(await ask('POST', '/documents', { title: 'x' }))
    const reader = await tenant.key(['documents:read'])
    const set = (who: typeof tenant, headers = {}) =>
      who.api('PUT', `/api/v1/documents/${id}/external-ids/erp`, { externalId: 'stale' }, headers)

    expect(await set(tenant, { 'if-match': '"7"' })).toMatchObject(refusal(412, 'version_mismatch'))
    expect(await set(reader)).toMatchObject(refusal(403, 'insufficient_scope'))
    expect(await get(`/documents/${id}`)).toMatchObject({ version: 1, externalIds: [] })
  })

  test('a merged CRM entity leaves its ids to the survivor, which is found and changed by all of them', async () => {
    const make = async (id: string) =>
      must(await ask('PUT', `/crm-entities/by-external-id/old/${id}`, { kind: 'company', name: id }))
    const [survivor, source] = [await make('s'), await make('t')]
    must(await ask('POST', `/crm-entities/${survivor.id}/merge`, { sourceId: source.id }))

    const changed = must(await ask('PUT', '/crm-entities/by-external-id/old/t', { kind: 'company', name: 'New' }))

    expect(changed).toMatchObject({ id: survivor.id, name: 'New', externalIds: pairs('old s', 'old t') })
    must(await ask('PUT', `/crm-entities/${survivor.id}/external-ids/old`, { externalId: 'one' }))
    expect((await get(`/crm-entities/${survivor.id}`)).externalIds).toEqual(pairs('old one'))
  })

  test('of many that set one id at the same time, one gets it', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => ask('POST', '/documents', { title: 'x' })))

    const answers = await Promise.all(
      made.map((each) => ask('PUT', `/documents/${must(each).id}/external-ids/race`, { externalId: '1' })),
    )

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
  })
})
