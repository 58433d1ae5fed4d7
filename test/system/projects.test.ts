// What an integrator relies on when reading and writing projects.
// Operations: projects.unarchive.
import { describe, expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

describeModes('projects', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const create = async (body: object) => must(await tenant.api('POST', '/api/v1/projects', body))
  const patch = (id: string, body: object, headers = {}) => tenant.api('PATCH', `/api/v1/projects/${id}`, body, headers)

  test('a created project is answered with its Location and ETag, and can be read there', async () => {
    // The key is made of the name, where no project has it yet.
    const fresh = await system.tenant()

    const answer = await fresh.api('POST', '/api/v1/projects', {
      name: 'Website',
      labels: ['b', 'a'],
      dueDate: '2026-12-24',
    })

    expect(answer.status).toBe(201)
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(await fresh.api('GET', answer.headers.get('location')!)).toMatchObject({ status: 200, body: answer.body })
    expect(answer.body).toMatchObject({
      key: 'WEB',
      labels: ['b', 'a'],
      dueDate: '2026-12-24',
      createdBy: { type: 'api_key', id: fresh.keyId },
    })
  })

  test('members are kept in order, and one of another workspace is refused', async () => {
    const [owner] = await system.db.member.findMany({ where: { workspaceId: tenant.workspaceId } })
    const other = await system.tenant()
    const [foreign] = await system.db.member.findMany({ where: { workspaceId: other.workspaceId } })

    const project = await create({ name: 'With people', ownerId: owner!.id, memberIds: [owner!.id] })
    const refused = await patch(project.id, { memberIds: [owner!.id, foreign!.id] })

    expect(project).toMatchObject({ ownerId: owner!.id, memberIds: [owner!.id] })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'reference_not_found', errors: [{ pointer: '/memberIds/1' }] },
    })
  })

  test('a stale If-Match is refused with the current version, and nothing changes', async () => {
    const { id } = await create({ name: 'Website' })
    must(await patch(id, { name: 'Second' }, { 'if-match': '"1"' }))

    const stale = await patch(id, { name: 'Third' }, { 'if-match': '"1"' })

    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 2 } })
    expect(must(await tenant.api('GET', `/api/v1/projects/${id}`)).name).toBe('Second')
  })

  test('of two changes for the same version exactly one wins', async () => {
    const { id } = await create({ name: 'Contested' })

    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => patch(id, { name }, { 'if-match': '"1"' })))

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412])
  })

  test('a read with the current ETag is 304 and empty', async () => {
    const { id } = await create({ name: 'Website' })

    expect(await tenant.api('GET', `/api/v1/projects/${id}`, undefined, { 'if-none-match': '"1"' })).toMatchObject({
      status: 304,
      body: null,
    })
  })

  test('a merge patch clears with null, replaces arrays and leaves the rest', async () => {
    const { id } = await create({ name: 'Website', description: 'Old', labels: ['a', 'b'], priority: 'high' })

    const { body } = await patch(
      id,
      { description: null, labels: ['c'] },
      { 'content-type': 'application/merge-patch+json' },
    )

    expect(body).toMatchObject({ name: 'Website', description: null, labels: ['c'], priority: 'high', version: 2 })
  })

  test('an update that changes nothing emits no event and keeps the version', async () => {
    const project = await create({ name: 'Website', labels: ['a'] })
    const before = await tenant.lastSequence()

    const { body } = await patch(project.id, { name: 'Website', labels: ['a'] })

    expect(body.version).toBe(1)
    expect(await tenant.lastSequence()).toBe(before)
  })

  test('a deleted project is not found, deleting it again changes nothing, and it can be restored', async () => {
    const { id } = await create({ name: 'Website', status: 'active' })
    const path = `/api/v1/projects/${id}`
    expect((await tenant.api('DELETE', path)).status).toBe(204)
    const before = await tenant.lastSequence()

    expect((await tenant.api('DELETE', path)).status).toBe(204)
    expect(await tenant.lastSequence()).toBe(before)
    expect((await tenant.api('GET', path)).status).toBe(404)
    expect((await patch(id, { name: 'x' })).status).toBe(404)
    expect(await tenant.api('POST', `${path}/restore`)).toMatchObject({
      status: 200,
      body: { status: 'active', version: 3, deletedAt: null },
    })
    expect(await tenant.api('POST', `${path}/restore`)).toMatchObject({ status: 409, body: { code: 'not_deleted' } })
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.restored'])
  })

  test('an archived project is not listed until it is unarchived, each with its event', async () => {
    const { id } = await create({ name: 'Website' })
    const listed = async (query: string): Promise<boolean> =>
      must(await tenant.api('GET', `/api/v1/projects?limit=200${query}`)).data.some(
        (project: { id: string }) => project.id === id,
      )
    const before = await tenant.lastSequence()

    const archived = must(await tenant.api('POST', `/api/v1/projects/${id}/archive`))
    expect(archived).toMatchObject({ version: 2, archivedAt: archived.updatedAt })
    expect([await listed(''), await listed('&includeArchived=true')]).toEqual([false, true])
    expect(must(await tenant.api('POST', `/api/v1/projects/${id}/archive`)).version).toBe(2)
    const back = must(await tenant.api('POST', `/api/v1/projects/${id}/unarchive`))

    expect(back).toMatchObject({ version: 3, archivedAt: null })
    expect(await listed('')).toBe(true)
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.archived', 'projects.unarchived'])
  })

  test('after 30 days it cannot be restored', async () => {
    const { id } = await create({ name: 'Website' })
    must(await tenant.api('DELETE', `/api/v1/projects/${id}`))
    const deletedAt = new Date(Date.now() - 31 * 86_400_000)
    await system.db.project.updateMany({ where: { id }, data: { deletedAt } })

    expect(await tenant.api('POST', `/api/v1/projects/${id}/restore`)).toMatchObject({
      status: 410,
      body: { code: 'purged' },
    })
  })

  test('a status that cannot be reached is refused with those that can', async () => {
    const { id } = await create({ name: 'Website', status: 'completed' })

    expect(await patch(id, { status: 'paused' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', from: 'completed', to: 'paused', allowed: ['active'] },
    })
  })

  test('a duplicate key or external id is refused with the id of the other project', async () => {
    const taken = await create({ name: 'Website', key: 'TAKEN', externalSource: 'crm', externalId: '7' })
    const { id } = await create({ name: 'Other' })

    const byKey = await tenant.api('POST', '/api/v1/projects', { name: 'x', key: 'TAKEN' })
    const byExternalId = await patch(id, { externalSource: 'crm', externalId: '7' })

    expect(byKey).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'key', existingId: taken.id } })
    expect(byExternalId).toMatchObject({
      status: 409,
      body: { code: 'duplicate', field: 'externalId', existingId: taken.id },
    })
  })

  test('sixty projects of one name at once all get different keys', async () => {
    const fresh = await system.tenant()

    const answers = await Promise.all(
      Array.from({ length: 60 }, () => fresh.api('POST', '/api/v1/projects', { name: 'Same' })),
    )

    expect(new Set(answers.map((answer) => must(answer).key)).size).toBe(60)
  })

  test('pages have no gap and no repeat, in every order, while rows are added', async () => {
    const fresh = await system.tenant()
    const names = Array.from({ length: 23 }, (_, n) => `Project ${String(n % 7)}`)
    for (const name of names) must(await fresh.api('POST', '/api/v1/projects', { name }))

    for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name']) {
      const whole = must(
        await fresh.api('GET', `/api/v1/projects?sort=${sort}&limit=200&updatedBefore=${new Date().toISOString()}`),
      )
      const ids = await idsByPages(fresh, `/api/v1/projects?sort=${sort}&limit=5`)
      expect(ids.filter((id) => whole.data.some((project: { id: string }) => project.id === id))).toEqual(
        whole.data.map(({ id }: { id: string }) => id),
      )
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  test.each([
    ['of four bytes a character', '🚀'],
    ['of quotation marks, which JSON escapes', '"'],
    ['of backslashes, which JSON escapes', '\\'],
  ])('pages follow one another over the longest names %s', async (_name, character) => {
    const fresh = await system.tenant()
    for (const last of ['a', 'b'])
      must(await fresh.api('POST', '/api/v1/projects', { name: character.repeat(199) + last }))

    const first = must(await fresh.api('GET', '/api/v1/projects?sort=name&limit=1'))
    const next = must(await fresh.api('GET', `/api/v1/projects?sort=name&limit=1&cursor=${first.page.nextCursor}`))

    expect(next.data[0].name > first.data[0].name).toBe(true)
  })

  test('filters narrow a list, and archived projects are left out', async () => {
    const fresh = await system.tenant()
    for (const [name, status, priority] of [
      ['a', 'active', 'high'],
      ['b', 'paused', 'high'],
      ['c', 'active', 'low'],
    ]) {
      must(await fresh.api('POST', '/api/v1/projects', { name, status, priority }))
    }
    const namesOf = async (query: string) =>
      must(await fresh.api('GET', `/api/v1/projects?sort=name&${query}`)).data.map(({ name }: { name: string }) => name)

    expect(await namesOf('status=active')).toEqual(['a', 'c'])
    expect(await namesOf('status=active,paused&priority=high')).toEqual(['a', 'b'])
    expect(await namesOf(`updatedAfter=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
  })

  describe('Idempotency-Key', () => {
    const post = (body: object, key: string, url = system.url) =>
      clientOf(url, '').call('POST', '/api/v1/projects', body, {
        authorization: `Bearer ${tenant.secret}`,
        'idempotency-key': key,
      })

    test('a repeated request acts once and gets the same answer', async () => {
      const [first, second] = [await post({ name: 'Once' }, 'k-1'), await post({ name: 'Once' }, '"k-1"')]

      expect(second).toMatchObject({ status: 201, body: first.body })
      expect(first.headers.get('idempotency-replayed')).toBeNull()
      expect(second.headers.get('idempotency-replayed')).toBe('true')
    })

    test('the same key with another request is refused', async () => {
      must(await post({ name: 'One' }, 'k-2'))

      expect(await post({ name: 'Two' }, 'k-2')).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      })
    })

    test('a refusal of the input is kept as well', async () => {
      const first = await post({ name: 7 }, 'k-3')

      expect(first).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(await post({ name: 'x' }, 'k-3')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    })

    test('a refusal that depends on the moment is not kept: the same request is tried again', async () => {
      const wanted = { name: 'x', key: 'MOMENT' }
      const { id } = must(await post(wanted, 'moment-1'))
      expect(await post(wanted, 'moment-2')).toMatchObject({ status: 409, body: { code: 'duplicate' } })
      must(await tenant.api('PATCH', `/api/v1/projects/${id}`, { key: 'OTHER' }))

      const again = await post(wanted, 'moment-2')

      expect(again).toMatchObject({ status: 201, body: { key: 'MOMENT' } })
      expect(again.headers.get('idempotency-replayed')).toBeNull()
    })

    test('nor is a refusal for an object that does not exist yet', async () => {
      const key = crypto.randomUUID()
      const path = `/api/v1/projects/${crypto.randomUUID()}/archive`
      const archive = () =>
        clientOf(system.url, '').call('POST', path, undefined, {
          authorization: `Bearer ${tenant.secret}`,
          'idempotency-key': key,
        })

      const [first, second] = [await archive(), await archive()]

      expect([first.status, second.status]).toEqual([404, 404])
      expect(second.headers.get('idempotency-replayed')).toBeNull()
    })

    test('a malformed key is refused', async () => {
      expect(await post({ name: 'x' }, 'with space')).toMatchObject({
        status: 400,
        body: { code: 'invalid_idempotency_key' },
      })
    })

    test('equal requests at the same time, on two services, make one project and get equal answers', async () => {
      const other =
        mode === 'distributed' ? await startTiers(system.settings, system.db, logger('fatal', 'other')) : null
      const before = await tenant.lastSequence()

      const urls = [system.url, other?.url ?? system.url]
      const answers: Answer[] = await Promise.all(
        Array.from({ length: 10 }, (_, n) => post({ name: 'Raced' }, 'k-4', urls[n % 2])),
      )

      await other?.close()
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
      expect(await tenant.eventTypesAfter(before)).toEqual(['projects.created'])
    })
  })

  test('sequences have no gaps and no repeats under concurrent writes', async () => {
    const fresh = await system.tenant()

    await Promise.all(Array.from({ length: 40 }, (_, n) => fresh.api('POST', '/api/v1/projects', { name: `P${n}` })))

    const { data } = must(await fresh.settings('GET', '/events?limit=200'))
    expect(data.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      Array.from({ length: data.length }, (_, n) => n + 1),
    )
  })
})

async function idsByPages(tenant: Tenant, path: string): Promise<string[]> {
  const ids: string[] = []
  let next: string | null = path
  while (next !== null) {
    const answer: Answer = await tenant.api('GET', next)
    ids.push(...must(answer).data.map(({ id }: { id: string }) => id))
    must(await tenant.api('POST', '/api/v1/projects', { name: 'Added meanwhile' }))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    if (ids.length > 500) throw new Error('The pages never end')
  }
  return ids
}
