// Upserts by external id, for integrations that keep objects by the ids of another system.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

const missingId = '01999999-0000-7000-8000-000000000000'

type Body = Answer['body']

const addressOf = (externalId: string, source = 'crm', segment = 'projects'): string =>
  `/api/v1/${segment}/by-external-id/${encodeURIComponent(source)}/${encodeURIComponent(externalId)}`

describeModes('objects by ids of the caller’s own', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const put = (externalId: string, body: object, headers = {}) =>
    tenant.api('PUT', addressOf(externalId), body, headers)
  const get = (externalId: string, query = '') => tenant.api('GET', addressOf(externalId) + query)
  const remove = (externalId: string, headers = {}) => tenant.api('DELETE', addressOf(externalId), undefined, headers)
  const byId = async (id: string): Promise<Body> => must(await tenant.api('GET', `/api/v1/projects/${id}`))

  test('the first upsert creates the object and returns its Location, the next updates it', async () => {
    const before = await tenant.lastSequence()

    const made = await put('first', { name: 'Website', labels: ['a'] })
    const there = await tenant.api('GET', made.headers.get('location')!)
    const changed = await put('first', { name: 'Relaunch' })

    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Website', externalSource: 'crm', externalId: 'first', version: 1 },
    })
    expect(made.headers.get('location')).toBe(`/api/v1/projects/${made.body.id}`)
    expect(made.headers.get('etag')).toBe('"1"')
    expect(there).toMatchObject({ status: 200, body: made.body })
    expect(changed).toMatchObject({ status: 200, body: { id: made.body.id, name: 'Relaunch', version: 2 } })
    expect(changed.headers.get('location')).toBeNull()
    expect(changed.headers.get('etag')).toBe('"2"')
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.created', 'projects.updated'])
  })

  test('given fields are set, null clears, and the rest stays', async () => {
    must(await put('merge', { name: 'Website', description: 'Old', labels: ['a', 'b'], priority: 'high' }))

    const changed = must(await put('merge', { name: 'Website', description: null, labels: ['c'] }))

    expect(changed).toMatchObject({ description: null, labels: ['c'], priority: 'high', version: 2 })
  })

  test('a repeated upsert changes nothing and emits no event', async () => {
    const first = must(await put('again', { name: 'Website', labels: ['a'] }))
    const before = await tenant.lastSequence()

    const second = await put('again', { name: 'Website', labels: ['a'] })

    expect(second).toMatchObject({ status: 200, body: first })
    expect(await tenant.lastSequence()).toBe(before)
  })

  test('If-None-Match: * creates and never updates', async () => {
    const only = { 'if-none-match': '*' }

    const made = await put('only', { name: 'Website' }, only)
    const refused = await put('only', { name: 'Other' }, only)
    const unchanged = await put('only', { name: 'Other' }, { 'if-none-match': '"1"' })
    const unreadable = await put('only', { name: 'Other' }, { 'if-none-match': '1' })

    expect(made.status).toBe(201)
    for (const answer of [refused, unchanged]) {
      expect(answer).toMatchObject({ status: 412, body: { code: 'precondition_failed', currentVersion: 1 } })
    }
    expect(refused.body.existingId).toBe(made.body.id)
    expect(unreadable).toMatchObject({ status: 400, body: { code: 'invalid_header' } })
    expect(await byId(made.body.id)).toEqual(made.body)
  })

  test('If-Match updates that version and never creates', async () => {
    const made = must(await put('match', { name: 'Website' }))

    const changed = await put('match', { name: 'Second' }, { 'if-match': '"1"' })
    const stale = await put('match', { name: 'Third' }, { 'if-match': '"1"' })
    const none = await Promise.all(['"1"', '*'].map((any) => put('match-none', { name: 'x' }, { 'if-match': any })))
    const listed = await put('match', { name: 'Third' }, { 'if-match': '"1", "2"' })
    const any = await put('match', { name: 'Fourth' }, { 'if-match': '*' })

    expect(changed).toMatchObject({ status: 200, body: { id: made.id, version: 2 } })
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 2 } })
    for (const answer of none) expect(answer).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    expect([listed, any].map(({ status, body }) => [status, body.version])).toEqual([
      [200, 3],
      [200, 4],
    ])
    expect((await get('match-none')).status).toBe(404)
  })

  test.each([
    'with/slashes/and//more',
    'with space',
    '100%',
    'a%2Fb',
    'Größe-日本-🚀',
    '?a=b&c#d',
    '+1 (2);3,4:5@6!7*8\'9"',
    'back\\slash',
    'batch',
    '.hidden.',
    '🚀'.repeat(200),
  ])('the id %s is found as it was given', async (externalId) => {
    const source = Array.from(externalId).slice(0, 10).join('')

    const made = await tenant.api('PUT', addressOf(externalId, source), { name: 'Website' })
    const found = await tenant.api('GET', addressOf(externalId, source))
    const gone = await tenant.api('DELETE', addressOf(externalId, source))

    expect(made).toMatchObject({ status: 201, body: { externalId, externalSource: source } })
    expect(found).toMatchObject({ status: 200, body: made.body })
    expect(gone.status).toBe(204)
  })

  test('an id in another Unicode normalization form is the same id', async () => {
    const made = must(await put('Gro\u0308\u00dfe', { name: 'Website' }))

    expect(must(await get('Gr\u00f6\u00dfe'))).toEqual(made)
    expect(made.externalId).toBe('Gr\u00f6\u00dfe')
  })

  test('an id that is too long is refused, and the same id of another source is another object', async () => {
    const [one, other] = [
      must(await put('twice', { name: 'x' })),
      await tenant.api('PUT', addressOf('twice', 'erp'), { name: 'x' }),
    ]

    expect(must(other).id).not.toBe(one.id)
    expect(await put('x'.repeat(201), { name: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: [{ parameter: 'externalId', code: 'too_long' }] },
    })
  })

  test('a deleted object keeps its external id: it must be restored, not created again', async () => {
    const made = must(await put('gone', { name: 'Website' }))
    must(await remove('gone'))

    const refused = await put('gone', { name: 'Other' })
    const missing = await get('gone')
    must(await tenant.api('POST', `/api/v1/projects/${made.id}/restore`))
    const changed = await put('gone', { name: 'Other' })

    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'duplicate', field: 'externalId', existingId: made.id, hint: expect.stringContaining('restore') },
    })
    expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(changed).toMatchObject({ status: 200, body: { id: made.id, version: 4 } })
  })

  test('deleting by external id is like deleting by id: once, with the expected version if given', async () => {
    must(await put('delete', { name: 'Website' }))
    const before = await tenant.lastSequence()

    const stale = await remove('delete', { 'if-match': '"9"' })
    const answers = [await remove('delete', { 'if-match': '"1"' }), await remove('delete')]
    const none = await remove('delete-none')

    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch' } })
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
    expect(none).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.deleted'])
  })

  test('many upserts at the same time create one object', async () => {
    const before = await tenant.lastSequence()

    const answers = await Promise.all(Array.from({ length: 10 }, () => put('raced', { name: 'Raced' })))

    expect(new Set(answers.map((answer) => must(answer).id)).size).toBe(1)
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 9 }, () => 200),
      201,
    ])
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.created'])
  })

  test('reading by external id supports expansions and If-None-Match', async () => {
    const [owner] = must(await tenant.settings('GET', '/members')).data
    must(await put('read', { name: 'Website', ownerId: owner.id }))

    const expanded = await get('read', '?expand=owner')
    const known = await tenant.api('GET', addressOf('read'), undefined, { 'if-none-match': '"1"' })

    expect(expanded).toMatchObject({ status: 200, body: { owner: { id: owner.id, object: 'member' } } })
    expect(known).toMatchObject({ status: 304, body: null })
  })

  test('external ids are taken from the path alone', async () => {
    for (const field of ['source', 'createOnly', 'expectedVersion']) {
      expect(await put('body', { name: 'x', [field]: 'x' })).toMatchObject({
        status: 422,
        body: { code: 'unknown_field', errors: [{ pointer: `/${field}`, code: 'unknown' }] },
      })
    }
    for (const field of ['externalId', 'externalSource']) {
      expect(await put('body', { name: 'x', [field]: 'x' })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: `/${field}`, code: 'read_only' }] },
      })
    }
  })

  test('another workspace has external ids of its own', async () => {
    const other = await system.tenant()
    const ours = must(await put('tenant', { name: 'Ours' }))

    const theirs = await other.api('PUT', addressOf('tenant'), { name: 'Theirs' })

    expect(theirs.status).toBe(201)
    expect(must(await get('tenant'))).toEqual(ours)
  })

  test('tasks can be upserted in the same way, with the same rules as a create', async () => {
    const project = must(await put('of-tasks', { name: 'Website' }))
    const at = addressOf('t/1', 'crm', 'tasks')

    const made = await tenant.api('PUT', at, { projectId: project.id, title: 'Paint' })
    const changed = await tenant.api('PUT', at, { projectId: project.id, title: 'Paint', status: 'done' })
    const refused = await tenant.api('PUT', at, { projectId: missingId, title: 'Paint' })
    const moved = await tenant.api('PUT', at, { projectId: project.id, title: 'Paint', status: 'cancelled' })

    expect(made).toMatchObject({ status: 201, body: { number: 1, externalId: 't/1' } })
    expect(made.headers.get('location')).toBe(`/api/v1/tasks/${made.body.id}`)
    expect(changed).toMatchObject({ status: 200, body: { status: 'done', version: 2 } })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/projectId' }] } })
    expect(moved).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
  })
})
