// What the application relies on that manages members, and an integration that reads them.
// Operations: members.get, members.list.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'

describeModes('members', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const add = async (name: string, more: object = {}, who: Tenant = tenant) =>
    must(await who.settings('POST', '/members', { name, email: `${name.toLowerCase()}@example.com`, ...more }))
  const patch = (id: string, body: object, headers = {}) => tenant.settings('PATCH', `/members/${id}`, body, headers)
  const listed = async (who: Tenant, query: string) => must(await who.api('GET', `/api/v1/members${query}`)).data
  const owners = async (who: Tenant): Promise<{ id: string }[]> => listed(who, '?role=owner&sort=createdAt')
  const told = ({ status, body }: Awaited<ReturnType<typeof patch>>) => `${status} ${body.code}`

  test('an added member has one event, can be read with a key, and not be changed with one', async () => {
    const before = await tenant.lastSequence()

    const { status, body } = await tenant.settings('POST', '/members', { name: 'Grace', email: 'Grace@Example.com' })
    const path = `/api/v1/members/${body.id}`
    const writes = [
      await tenant.api('POST', '/api/v1/members', { name: 'x', email: 'x@example.com' }),
      await tenant.api('PATCH', path, { role: 'owner' }),
      await tenant.api('DELETE', path),
    ]

    const started = { role: 'member', status: 'invited', lastSeenAt: null, version: 1 }
    expect([status, body]).toMatchObject([201, { name: 'Grace', email: 'grace@example.com', ...started }])
    expect(await tenant.eventTypesAfter(before)).toEqual(['members.added'])
    expect(await tenant.api('GET', path)).toMatchObject({ status: 200, body })
    expect(await tenant.settings('GET', `/members/${body.id}`)).toMatchObject({ status: 200, body })
    expect(new Set(writes.map(told))).toEqual(new Set(['405 method_not_allowed']))
  })

  test('an email is unique, in every spelling, until its member is removed', async () => {
    const first = await add('Edsger')
    const other = await add('Other')

    const again = await tenant.settings('POST', '/members', { name: 'x', email: 'EDSGER@example.com' })
    const moved = await patch(other.id, { email: 'edsger@EXAMPLE.com' })
    must(await tenant.settings('DELETE', `/members/${first.id}`))
    const free = await add('Edsger')

    const duplicate = { status: 409, body: { code: 'duplicate', field: 'email', existingId: first.id } }
    expect([again, moved]).toMatchObject([duplicate, duplicate])
    expect(free.id).not.toBe(first.id)
  })

  test('an update has an event with its changes; one that changes nothing or is stale has none', async () => {
    const { id } = await add('Barbara')
    const before = await tenant.lastSequence()

    const changed = must(await patch(id, { role: 'admin', status: 'active' }, { 'if-match': '"1"' }))
    const same = must(await patch(id, { role: 'admin', email: 'BARBARA@example.com' }))
    const stale = await patch(id, { name: 'x' }, { 'if-match': '"1"' })

    expect(changed).toMatchObject({ role: 'admin', status: 'active', version: 2 })
    expect(same).toEqual(changed)
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 2 } })
    const { data } = must(await tenant.settings('GET', `/events?after=${before}`))
    const changes = { role: { from: 'member', to: 'admin' }, status: { from: 'invited', to: 'active' } }
    expect(data).toMatchObject([{ type: 'members.updated', changes }])
  })

  test('a removed member is not listed and not found by id', async () => {
    const { id } = await add('Donald')
    const before = await tenant.lastSequence()

    const removals = [0, 1].map(() => tenant.settings('DELETE', `/members/${id}`))

    expect((await Promise.all(removals)).map(({ status }) => status)).toEqual([204, 204])
    expect(await tenant.eventTypesAfter(before)).toEqual(['members.removed'])
    expect(await tenant.api('GET', `/api/v1/members/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await patch(id, { name: 'x' })).toMatchObject({ status: 404 })
    expect(await listed(tenant, `?ids=${id}`)).toEqual([])
    const tombstone = { id, object: 'member', version: 2, deletedAt: expect.any(String) }
    expect(await listed(tenant, `?ids=${id}&includeDeleted=true`)).toEqual([tombstone])
  })

  test('the last active owner cannot be removed, suspended or demoted, until there is another', async () => {
    const fresh = await system.tenant()
    const [owner] = await owners(fresh)
    const path = `/members/${owner!.id}`
    const grace = await add('Grace', { role: 'owner' }, fresh)

    const refused = [
      await fresh.settings('DELETE', path),
      await fresh.settings('PATCH', path, { status: 'suspended' }),
      await fresh.settings('PATCH', path, { role: 'admin' }),
    ]
    must(await fresh.settings('PATCH', `/members/${grace.id}`, { status: 'active' }))

    expect(new Set(refused.map(told))).toEqual(new Set(['409 invalid_transition']))
    expect(await fresh.settings('PATCH', path, { name: 'Ada L.' })).toMatchObject({ status: 200 })
    expect(await fresh.settings('DELETE', path)).toMatchObject({ status: 204 })
  })

  test('of two owners who are removed at the same time one stays', async () => {
    const fresh = await system.tenant()
    await add('Grace', { role: 'owner', status: 'active' }, fresh)

    const removals = (await owners(fresh)).map(({ id }) => fresh.settings('DELETE', `/members/${id}`))

    const statuses = (await Promise.all(removals)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 409])
    expect(await owners(fresh)).toHaveLength(1)
  })

  test('filters narrow the list, and wildcards are taken literally', async () => {
    const fresh = await system.tenant()
    await add('Linus', { role: 'admin', status: 'active' }, fresh)
    await add('Per_son', { role: 'viewer', email: 'person@example.com' }, fresh)
    await add('50% \\ off', { role: 'viewer', email: 'half@example.com' }, fresh)
    const later = new Date(Date.now() + 60_000).toISOString()

    for (const [query, names] of [
      ['role=admin,owner', ['Ada', 'Linus']],
      ['status=invited&role=viewer', ['50% \\ off', 'Per_son']],
      ['q=LIN', ['Linus']],
      ['q=half@', ['50% \\ off']],
      ['q=r_s', ['Per_son']],
      ['q=r%25n', []],
      [`q=${encodeURIComponent('% \\')}`, ['50% \\ off']],
      [`createdAfter=${later}`, []],
      [`updatedBefore=${later}`, ['50% \\ off', 'Ada', 'Linus', 'Per_son']],
    ] as const)
      expect(
        (await listed(fresh, `?sort=name&${query}`)).map(({ name }: { name: string }) => name),
        query,
      ).toEqual(names)
  })
})
