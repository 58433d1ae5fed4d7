// Upserts by external id, for integrations that keep objects by the ids of another system.
import { expect, test } from 'vitest'
import { describeOnce, must, sharedSystem } from '../support/system.ts'

const refusal = (status: number, code: string, more: object = {}) => ({ status, body: { code, ...more } })
const addressOf = (externalId: string, source = 'crm'): string =>
  `/api/v1/projects/by-external-id/${encodeURIComponent(source)}/${encodeURIComponent(externalId)}`

describeOnce('objects by ids of the caller’s own', (mode) => {
  const { tenant } = sharedSystem(mode)

  const put = (id: string, body: object, headers = {}) => tenant.api('PUT', addressOf(id), body, headers)
  const get = (externalId: string) => tenant.api('GET', addressOf(externalId))
  const remove = (externalId: string, headers = {}) => tenant.api('DELETE', addressOf(externalId), undefined, headers)

  test('the first upsert creates the object and returns its Location, the next updates what is given, and null clears', async () => {
    const before = await tenant.lastSequence()

    const made = await put('first', { name: 'Website', description: 'Old', labels: ['a', 'b'], priority: 'high' })
    const changed = await put('first', { name: 'Relaunch', description: null, labels: ['c'] })

    const createdBy = { type: 'api_key', id: tenant.keyId }
    const kept = { name: 'Website', externalSource: 'crm', externalId: 'first', version: 1, createdBy }
    expect(made).toMatchObject({ status: 201, body: kept })
    expect(made.headers.get('location')).toBe(`/api/v1/projects/${made.body.id}`)
    expect(made.headers.get('etag')).toBe('"1"')
    const next = { name: 'Relaunch', description: null, labels: ['c'], priority: 'high', version: 2 }
    expect(changed).toMatchObject({ status: 200, body: { id: made.body.id, ...next } })
    expect(changed.headers.get('location')).toBeNull()
    expect(changed.headers.get('etag')).toBe('"2"')
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.created', 'projects.updated'])
  })

  test('If-None-Match: * creates and never updates', async () => {
    const only = { 'if-none-match': '*' }

    const made = await put('only', { name: 'Website' }, only)
    const refused = await put('only', { name: 'Other' }, only)
    const unchanged = await put('only', { name: 'Other' }, { 'if-none-match': '"1"' })

    expect(made.status).toBe(201)
    for (const answer of [refused, unchanged])
      expect(answer).toMatchObject(refusal(412, 'precondition_failed', { currentVersion: 1 }))
    expect(refused.body.existingId).toBe(made.body.id)
    expect(made.body).toEqual({ ...must(await get('only')), outcome: 'created', matchedBy: null })
  })

  test('If-Match updates that version and never creates', async () => {
    const made = must(await put('match', { name: 'Website' }))

    const changed = await put('match', { name: 'Second' }, { 'if-match': '"1"' })
    const stale = await put('match', { name: 'Third' }, { 'if-match': '"1"' })
    const none = await Promise.all(['"1"', '*'].map((any) => put('match-none', { name: 'x' }, { 'if-match': any })))
    const listed = await put('match', { name: 'Third' }, { 'if-match': '"1", "2"' })
    const any = await put('match', { name: 'Fourth' }, { 'if-match': '*' })

    expect(changed).toMatchObject({ status: 200, body: { id: made.id, version: 2 } })
    expect(stale).toMatchObject(refusal(412, 'version_mismatch', { currentVersion: 2 }))
    for (const answer of none) expect(answer).toMatchObject(refusal(412, 'precondition_failed'))
    expect([must(listed).version, must(any).version]).toEqual([3, 4])
    expect((await get('match-none')).status).toBe(404)
  })

  const odd = `with/slashes/and//more|with space|100%|a%2Fb|?a=b&c#d|+1 (2);3,4:5@6!7*8'9"|back\\slash|batch|.hidden.`

  test.each([...odd.split('|'), '🚀'.repeat(200)])('the id %s is found as it was given', async (externalId) => {
    const source = Array.from(externalId).slice(0, 10).join('')
    const call = (method: string, body?: object) => tenant.api(method, addressOf(externalId, source), body)

    const made = await call('PUT', { name: 'Website' })

    expect(made).toMatchObject({ status: 201, body: { externalId, externalSource: source } })
    expect(made.body).toMatchObject(must(await call('GET')))
    expect((await call('DELETE')).status).toBe(204)
  })

  test('an id in another normalization form is the same, one of another source another, one too long none', async () => {
    const made = must(await put('Gro\u0308\u00dfe', { name: 'Website' }))
    const ofErp = must(await tenant.api('PUT', addressOf('Gr\u00f6\u00dfe', 'erp'), { name: 'Website' }))
    const tooLong = await put('x'.repeat(201), { name: 'x' })

    expect(made).toMatchObject(must(await get('Gr\u00f6\u00dfe')))
    expect(made.externalId).toBe('Gr\u00f6\u00dfe')
    expect(ofErp.id).not.toBe(made.id)
    const errors = [{ parameter: 'externalId', code: 'too_long' }]
    expect(tooLong).toMatchObject(refusal(400, 'invalid_parameter', { errors }))
  })

  test('deleting by external id is like deleting by id: once, with the expected version if given', async () => {
    must(await put('delete', { name: 'Website' }))
    const before = await tenant.lastSequence()

    const stale = await remove('delete', { 'if-match': '"9"' })
    const answers = [await remove('delete', { 'if-match': '"1"' }), await remove('delete')]
    const none = await remove('delete-none')

    expect(stale).toMatchObject(refusal(412, 'version_mismatch'))
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
    expect(none).toMatchObject(refusal(404, 'not_found'))
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.deleted'])
  })

  test('many upserts at the same time create one object', async () => {
    const before = await tenant.lastSequence()

    const answers = await Promise.all(Array.from({ length: 10 }, () => put('raced', { name: 'Raced' })))

    expect(new Set(answers.map((answer) => must(answer).id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.created'])
  })
})
