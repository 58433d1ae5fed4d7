// What the application relies on that manages members, and an integration that reads them.
// Operations: members.get, members.list.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'

describeModes('members', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const add = async (body: object, who = tenant) => must(await who.settings('POST', '/members', body))
  const patch = (id: string, body: object, headers = {}) => tenant.settings('PATCH', `/members/${id}`, body, headers)
  const listed = async (who: Tenant, query = '') => must(await who.api('GET', `/api/v1/members${query}`)).data
  const namesIn = async (who: Tenant, query: string): Promise<string[]> =>
    (await listed(who, `?sort=name${query}`)).map(({ name }: { name: string }) => name)

  test('an added member has one event and can be read with a key', async () => {
    const before = await tenant.lastSequence()

    const answer = await tenant.settings('POST', '/members', { name: 'Grace', email: 'Grace@Example.com' })

    expect(answer).toMatchObject({
      status: 201,
      body: {
        name: 'Grace',
        email: 'grace@example.com',
        role: 'member',
        status: 'invited',
        lastSeenAt: null,
        version: 1,
      },
    })
    expect(await tenant.api('GET', `/api/v1/members/${answer.body.id}`)).toMatchObject({
      status: 200,
      body: answer.body,
    })
    expect(await tenant.settings('GET', `/members/${answer.body.id}`)).toMatchObject({ status: 200, body: answer.body })
    expect(await tenant.eventTypesAfter(before)).toEqual(['members.added'])
  })

  test('a key reads members and cannot change them', async () => {
    const { id } = await add({ name: 'Alan', email: 'alan@example.com' })

    const writes = [
      await tenant.api('POST', '/api/v1/members', { name: 'x', email: 'x@example.com' }),
      await tenant.api('PATCH', `/api/v1/members/${id}`, { role: 'owner' }),
      await tenant.api('DELETE', `/api/v1/members/${id}`),
    ]

    expect(writes.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array.from({ length: 3 }, () => '405 method_not_allowed'),
    )
  })

  test('an email is unique, in every spelling, until its member is removed', async () => {
    const first = await add({ name: 'Edsger', email: 'edsger@example.com' })
    const other = await add({ name: 'Other', email: 'other@example.com' })

    const again = await tenant.settings('POST', '/members', { name: 'x', email: 'EDSGER@example.com' })
    const moved = await patch(other.id, { email: 'edsger@EXAMPLE.com' })
    must(await tenant.settings('DELETE', `/members/${first.id}`))
    const free = await add({ name: 'Edsger', email: 'edsger@example.com' })

    const duplicate = { status: 409, body: { code: 'duplicate', field: 'email', existingId: first.id } }
    expect(again).toMatchObject(duplicate)
    expect(moved).toMatchObject(duplicate)
    expect(free.id).not.toBe(first.id)
  })

  test('an update has an event with its changes; one that changes nothing has none', async () => {
    const { id } = await add({ name: 'Barbara', email: 'barbara@example.com' })
    const before = await tenant.lastSequence()

    const changed = must(await patch(id, { role: 'admin', status: 'active' }, { 'if-match': '"1"' }))
    const same = must(await patch(id, { role: 'admin', email: 'BARBARA@example.com' }))

    expect(changed).toMatchObject({ role: 'admin', status: 'active', version: 2 })
    expect(same).toEqual(changed)
    const { data } = must(await tenant.settings('GET', `/events?after=${before}`))
    expect(data).toMatchObject([
      {
        type: 'members.updated',
        changes: { role: { from: 'member', to: 'admin' }, status: { from: 'invited', to: 'active' } },
      },
    ])
  })

  test('a stale If-Match, an unknown role and the status invited are refused', async () => {
    const { id } = await add({ name: 'Ken', email: 'ken@example.com', status: 'active' })

    expect(await patch(id, { name: 'x' }, { 'if-match': '"7"' })).toMatchObject({
      status: 412,
      body: { code: 'version_mismatch', currentVersion: 1 },
    })
    expect(await patch(id, { role: 'king' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/role' }] } })
    expect(await patch(id, { status: 'invited' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', from: 'active', to: 'invited', allowed: ['suspended'] },
    })
  })

  test('a removed member is not listed and not found by id', async () => {
    const { id } = await add({ name: 'Donald', email: 'donald@example.com' })
    const before = await tenant.lastSequence()

    const removed = await tenant.settings('DELETE', `/members/${id}`)
    const again = await tenant.settings('DELETE', `/members/${id}`)

    expect([removed.status, again.status]).toEqual([204, 204])
    expect(await tenant.eventTypesAfter(before)).toEqual(['members.removed'])
    expect(await tenant.api('GET', `/api/v1/members/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await patch(id, { name: 'x' })).toMatchObject({ status: 404 })
    expect(await listed(tenant, `?ids=${id}`)).toEqual([])
    expect(await listed(tenant, `?ids=${id}&includeDeleted=true`)).toEqual([
      { id, object: 'member', version: 2, deletedAt: expect.any(String) },
    ])
  })

  test('objects that named a removed member are changed to name nobody, each with an event', async () => {
    const [{ id }, other] = [
      await add({ name: 'Kurt', email: 'kurt@example.com' }),
      await add({ name: 'Olga', email: 'olga@example.com' }),
    ]
    const post = async (path: string, body: object) => must(await tenant.api('POST', `/api/v1/${path}`, body))
    const get = async (path: string) => must(await tenant.api('GET', `/api/v1/${path}`))
    const project = await post('projects', { name: 'Books', ownerId: id, memberIds: [other.id, id] })
    const gone = await post('tasks', { projectId: project.id, title: 'Gone', assigneeIds: [id] })
    const task = await post('tasks', { projectId: project.id, title: 'Read', assigneeIds: [other.id, id] })
    const company = await post('crm-entities', { kind: 'company', name: 'Acme', ownerId: id })
    await tenant.api('DELETE', `/api/v1/tasks/${gone.id}`)
    const before = await tenant.lastSequence()

    must(await tenant.settings('DELETE', `/members/${id}`))
    const types = await eventually(async () => {
      const seen = await tenant.eventTypesAfter(before)
      return seen.length === 5 ? seen : null
    }, 'an event of each change')

    expect(types).toEqual([
      'members.removed',
      'tasks.updated',
      'projects.updated',
      'projects.updated',
      'crm-entities.updated',
    ])
    const after = [
      await get(`tasks/${task.id}`),
      await get(`projects/${project.id}`),
      await get(`crm-entities/${company.id}`),
    ]
    expect(after).toMatchObject([
      { assigneeIds: [other.id], version: 2, updatedBy: { type: 'system' } },
      { ownerId: null, memberIds: [other.id], version: 3 },
      { ownerId: null, version: 2 },
    ])
    expect(must(await tenant.api('POST', `/api/v1/tasks/${gone.id}/restore`)).assigneeIds).toEqual([])
    expect((await get(`tasks?updatedAfter=${task.updatedAt}&sort=updatedAt`)).data[0].id).toBe(task.id)
  })

  test('the last active owner cannot be removed, suspended or demoted, until there is another', async () => {
    const fresh = await system.tenant()
    const [owner] = must(await fresh.settings('GET', '/members?role=owner')).data
    const path = `/members/${owner.id}`
    const grace = await add({ name: 'Grace', email: 'grace@example.com', role: 'owner' }, fresh)

    const refused = [
      await fresh.settings('DELETE', path),
      await fresh.settings('PATCH', path, { status: 'suspended' }),
      await fresh.settings('PATCH', path, { role: 'admin' }),
    ]
    must(await fresh.settings('PATCH', `/members/${grace.id}`, { status: 'active' }))

    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array.from({ length: 3 }, () => '409 invalid_transition'),
    )
    expect(await fresh.settings('PATCH', path, { name: 'Ada L.' })).toMatchObject({ status: 200 })
    expect(await fresh.settings('DELETE', path)).toMatchObject({ status: 204 })
  })

  test('of two owners who are removed at the same time one stays', async () => {
    const fresh = await system.tenant()
    await add({ name: 'Grace', email: 'grace@example.com', role: 'owner', status: 'active' }, fresh)
    const owners: { id: string }[] = must(await fresh.settings('GET', '/members?role=owner')).data

    const answers = await Promise.all(owners.map(({ id }) => fresh.settings('DELETE', `/members/${id}`)))

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
    expect(must(await fresh.settings('GET', '/members?role=owner')).data).toHaveLength(1)
  })

  test('filters narrow the list, and wildcards are taken literally', async () => {
    const fresh = await system.tenant()
    await add({ name: 'Linus', email: 'linus@example.com', role: 'admin', status: 'active' }, fresh)
    await add({ name: 'Per_son', email: 'person@example.com', role: 'viewer' }, fresh)
    await add({ name: '50% \\ off', email: 'half@example.com', role: 'viewer' }, fresh)

    expect(await namesIn(fresh, '&role=admin,owner')).toEqual(['Ada', 'Linus'])
    expect(await namesIn(fresh, '&status=invited&role=viewer')).toHaveLength(2)
    expect(await namesIn(fresh, '&q=LIN')).toEqual(['Linus'])
    expect(await namesIn(fresh, '&q=half@')).toEqual(['50% \\ off'])
    expect(await namesIn(fresh, '&q=r_s')).toEqual(['Per_son'])
    expect(await namesIn(fresh, '&q=r%25n')).toEqual([])
    expect(await namesIn(fresh, `&q=${encodeURIComponent('% \\')}`)).toEqual(['50% \\ off'])
    expect(await namesIn(fresh, `&createdAfter=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
    expect(await namesIn(fresh, `&updatedBefore=${new Date(Date.now() + 60_000).toISOString()}`)).toHaveLength(4)
    expect(await fresh.api('GET', '/api/v1/members?q=a')).toMatchObject({ status: 400 })
  })

  test('pages follow one another in every order, and a cursor is refused with another query', async () => {
    const fresh = await system.tenant()
    for (let n = 0; n < 6; n++) await add({ name: `Same ${n % 2}`, email: `m${n}@example.com` }, fresh)

    for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name']) {
      const whole = await listed(fresh, `?sort=${sort}`)
      const first = must(await fresh.api('GET', `/api/v1/members?sort=${sort}&limit=4`))
      const rest = must(await fresh.api('GET', `/api/v1/members?sort=${sort}&limit=4&cursor=${first.page.nextCursor}`))

      expect([...first.data, ...rest.data]).toEqual(whole)
      expect(rest.page.hasMore).toBe(false)
    }
    const { page } = must(await fresh.api('GET', '/api/v1/members?limit=1'))
    expect(await fresh.api('GET', `/api/v1/members?limit=1&role=owner&cursor=${page.nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'cursor_mismatch' },
    })
  })

  test('every change of a member is in the audit log with its changes', async () => {
    const fresh = await system.tenant()
    const { id } = await add({ name: 'Ivan', email: 'ivan@example.com' }, fresh)
    must(await fresh.settings('PATCH', `/members/${id}`, { role: 'admin' }))
    must(await fresh.settings('PATCH', `/members/${id}`, { role: 'admin' }))
    must(await fresh.settings('DELETE', `/members/${id}`))

    const { data } = must(await fresh.settings('GET', '/audit-entries?limit=3'))

    expect(data).toMatchObject([
      { action: 'members.remove', target: { type: 'member', id, name: 'Ivan' } },
      { action: 'members.update', changes: { role: { from: 'member', to: 'admin' } } },
      { action: 'members.add', actor: { type: 'system' }, target: { id } },
    ])
  })

  test('members of another workspace are neither listed nor changed', async () => {
    const other = await system.tenant()
    const theirs = await add({ name: 'Theirs', email: 'theirs@example.com' }, other)

    expect(await listed(tenant, `?ids=${theirs.id}`)).toEqual([])
    expect(await patch(theirs.id, { name: 'Mine' })).toMatchObject({ status: 404 })
    expect(await tenant.settings('DELETE', `/members/${theirs.id}`)).toMatchObject({ status: 404 })
  })
})
