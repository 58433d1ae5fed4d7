// What the application relies on that manages members, and an integration that reads them; and what is left of a member
// who is removed or suspended: nothing by which they could still act.
// Operations: members.get, members.list, members.access, members.remove, members.update.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memberAccessItemsMax } from '#contract/members.ts'
import { newId } from '#runtime/new-id.ts'
import { eventually } from '../support/eventually.ts'
import { firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, modes, must, sharedSystem, startSystem, type System, type Tenant } from '../support/system.ts'
import { told } from './calls.ts'

describeMode('members', modes.at(-1) ?? 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const add = async (name: string, more: object = {}, who: Tenant = tenant) =>
    must(await who.settings('POST', '/members', { name, email: `${name.toLowerCase()}@example.com`, ...more }))
  const patch = (id: string, body: object, headers = {}) => tenant.settings('PATCH', `/members/${id}`, body, headers)
  const listed = async (who: Tenant, query: string) => must(await who.api('GET', `/api/v1/members${query}`)).data
  const owners = async (who: Tenant): Promise<{ id: string }[]> => listed(who, '?role=owner&sort=createdAt')

  test('an added member has one event, can be read with a key, and not be changed with one', async () => {
    const before = await tenant.lastSequence()

    const { status, body } = await tenant.settings('POST', '/members', { name: 'Grace', email: 'Grace@Example.com' })
    const path = `/api/v1/members/${body.id}`
    const writes = [await tenant.api('PATCH', path, { role: 'owner' }), await tenant.api('DELETE', path)]
    writes.push(await tenant.api('POST', '/api/v1/members', { name: 'x', email: 'x@example.com' }))

    expect([status, body]).toMatchObject([201, { name: 'Grace', email: 'grace@example.com', status: 'invited' }])
    expect(await tenant.eventTypesAfter(before)).toEqual(['members.added'])
    expect(await tenant.api('GET', path)).toMatchObject({ status: 200, body })
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

    expect([same, changed.version, told(stale)]).toEqual([changed, 2, '412 version_mismatch'])
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
    for (const answer of [await tenant.api('GET', `/api/v1/members/${id}`), await patch(id, { name: 'x' })])
      expect(told(answer)).toBe('404 not_found')
    expect(await listed(tenant, `?ids=${id}`)).toEqual([])
    const tombstone = { id, object: 'member', version: 2, deletedAt: expect.any(String) }
    expect(await listed(tenant, `?ids=${id}&includeDeleted=true`)).toEqual([tombstone])
  })

  test('the last active owner cannot be removed, suspended or demoted, until there is another, also at the same time', async () => {
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

    for (const [query, ...names] of [
      ['role=admin,owner', 'Ada', 'Linus'],
      ['status=invited&role=viewer', '50% \\ off', 'Per_son'],
      ['q=LIN', 'Linus'],
      ['q=half@', '50% \\ off'],
      ['q=r_s', 'Per_son'],
      ['q=r%25n'],
      [`q=${encodeURIComponent('% \\')}`, '50% \\ off'],
      [`createdAfter=${later}`],
      [`updatedBefore=${later}`, '50% \\ off', 'Ada', 'Linus', 'Per_son'],
    ] as const) {
      const found: { name: string }[] = await listed(fresh, `?sort=name&${query}`)
      expect([query, ...found.map(({ name }) => name)]).toEqual([query, ...names])
    }
  })
})

describeMode('what a member leaves', modes.at(-1) ?? 'standalone', (mode) => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem(mode)
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const asKey = async (secret: string): Promise<string> =>
    told(await system.call('GET', '/api/v1/projects', undefined, { authorization: `Bearer ${secret}` }))
  const shown = async ({ token }: { token: string }) =>
    told(await visitorOf(system).call('POST', '/invitations/get', { token }))
  const hook = (name: string) => ({ name, url: 'https://hooks.example.com/in', eventTypes: ['*'] })
  const named = (list: { count: number; data: { name: string }[] }) => [list.count, list.data.map(({ name }) => name)]
  const changeOf = async (id: string, body: object) => owner.call('PATCH', inOwn(`/members/${id}`), body)
  const removal = (id: string, query = '') => owner.call('DELETE', inOwn(`/members/${id}${query}`))
  const accessOf = async (id: string) => must(await owner.call('GET', inOwn(`/members/${id}/access`)))
  const hookOf = (id: string) => owner.call('GET', inOwn(`/webhooks/${id}`))
  const webhookNow = async (id: string) => must(await hookOf(id))

  /** As the person would have made it, but for the sample data in it, which takes seconds. */
  async function sandboxBy(memberId: string): Promise<{ readonly id: string }> {
    const where = { workspaceId_id: { workspaceId: owner.workspaceId, id: memberId } }
    const { name, email, accountId } = await system.db.member.findUniqueOrThrow({ where })
    const given = { name: 'Trials', owner: { name, email } }
    const { id } = must(await system.operator('POST', '/settings/api/workspaces', given))
    const sandbox = { sandbox: true, sandboxOf: owner.workspaceId }
    await system.db.workspace.update({ where: { id }, data: sandbox })
    await system.db.member.updateMany({ where: { workspaceId: id }, data: { accountId } })
    return { id }
  }

  /** An admin with a key of their own, one without an owner, one that they made for somebody else, and webhooks. */
  async function admin() {
    const person = await memberOf(system, owner.workspaceId, 'admin')
    const other = await memberOf(system, owner.workspaceId, 'member')
    const post = async (path: string, body: object) => must(await person.call('POST', inOwn(path), body))
    const key = (name: string, more: object = {}) =>
      post('/api-keys', { name, scopes: ['projects:read', 'webhooks:write'], ...more })
    const own = await key('Own', { ownerId: person.memberId })
    const made = await key('Ownerless')
    const foreign = await key('Of another', { ownerId: other.memberId })
    const byHand = await post('/webhooks', hook('By hand'))
    const [headers, narrow] = [{ authorization: `Bearer ${own.secret}` }, { eventTypes: ['projects.*'] }]
    const byKey = must(await system.call('POST', '/api/v1/webhooks', { ...hook('By key'), ...narrow }, headers))
    const invited = await post('/members', { name: 'Eve', email: `${newId()}@example.com`, role: 'admin' })
    const invitation = await post('/invitations', { memberId: invited.id })
    return { person, other, own, made, foreign, byHand, byKey, invited, invitation }
  }

  test('the preview lists keys, webhooks and invitations that would go on working, and nothing of others', async () => {
    const { person, other, foreign, own, invited } = await admin()
    const before = await accessOf(person.memberId)

    expect(named(before.keys)).toEqual([2, ['Ownerless', 'Own']])
    expect(named(before.othersKeys)).toEqual([1, ['Of another']])
    expect(named(before.webhooks)).toEqual([2, ['By key', 'By hand']])
    expect(before.webhooks.data[0].grants).toMatchObject({ scopes: ['projects:read'], grantedBy: { id: own.id } })
    expect(before.invitations).toMatchObject({ count: 1, data: [{ memberId: invited.id, name: 'Eve' }] })
    expect(JSON.stringify(before)).not.toMatch(/secret|token/i)

    must(await owner.call('POST', inOwn(`/api-keys/${foreign.id}/rotate`), { overlapHours: 0 }))
    expect(named((await accessOf(person.memberId)).othersKeys)).toEqual([0, []])
    const { keys, webhooks } = await accessOf(other.memberId)
    expect([...named(keys), ...named(webhooks)]).toEqual([1, ['Of another'], 0, []])
  })

  test('removal revokes the keys, pauses the webhooks and ends the invitations, each in log and feed', async () => {
    const { person, own, made, foreign, byHand, byKey, invitation } = await admin()
    const tenantKey = must(await owner.call('POST', inOwn('/api-keys'), { name: 'Of the owner', preset: 'read-only' }))

    expect(await removal(person.memberId)).toMatchObject({ status: 204 })

    await eventually(async () => (await asKey(own.secret)) !== '200', 'the key to be refused')
    const answers = await Promise.all([own, made, foreign, tenantKey].map(({ secret }) => asKey(secret)))
    expect(answers).toEqual(['401 api_key_revoked', '401 api_key_revoked', '200', '200'])
    expect([await webhookNow(byHand.id), await webhookNow(byKey.id)]).toMatchObject([
      { status: 'paused', grants: { grantedBy: { id: person.memberId } } },
      { status: 'paused', grants: { grantedBy: { id: own.id } } },
    ])
    expect(await shown(invitation)).toBe('404 not_found')
    const entries = must(await owner.call('GET', inOwn('/audit-entries?action=members.remove&limit=5'))).data
    const targets = entries.map(({ target }: { target: { id: string } }) => target.id)
    expect(new Set(targets)).toEqual(new Set([person.memberId, own.id, made.id, byHand.id, byKey.id]))
    const where = { workspaceId: owner.workspaceId }
    const newest = await system.db.event.findMany({ where, orderBy: { sequence: 'desc' }, take: 3 })
    expect(newest.map(({ type }) => type)).toEqual(['api-keys.revoked', 'api-keys.revoked', 'members.removed'])
    expect(await removal(person.memberId, '?keys=revoke')).toMatchObject({ status: 204 })
    expect((await accessOf(person.memberId)).keys.count).toBe(0)
  })

  test('a removal says in the log what became of each kind, and deletes webhooks where that was decided', async () => {
    const { person, byHand, byKey } = await admin()
    expect((await accessOf(person.memberId)).sessions).toEqual({ count: 1 })

    expect(await removal(person.memberId, '?webhooks=delete')).toMatchObject({ status: 204 })

    expect([told(await hookOf(byHand.id)), told(await hookOf(byKey.id))]).toEqual(['404 not_found', '404 not_found'])
    const [entry] = must(await owner.call('GET', inOwn(`/audit-entries?targetId=${person.memberId}&limit=1`))).data
    expect(entry).toMatchObject({
      action: 'members.remove',
      changes: {
        keys: { to: { decision: 'revoke', count: 2 } },
        webhooks: { to: { decision: 'delete', count: 2 } },
        invitations: { to: { decision: 'cancel', count: 1 } },
        sandboxes: { to: { decision: 'transfer', count: 0 } },
      },
    })
  })

  test('a sandbox of the member is shown, and handed over to who removes them, without the member’s access', async () => {
    const person = await memberOf(system, owner.workspaceId, 'admin')
    const sandbox = await sandboxBy(person.memberId)
    const within = (path: string) => `/workspaces/${sandbox.id}${path}`
    const key = must(await person.call('POST', within('/api-keys'), { name: 'Trial', scopes: ['projects:read'] }))
    const made = must(await person.call('POST', within('/webhooks'), hook('Trial')))
    expect(await asKey(key.secret)).toBe('200')
    expect(told(await owner.call('GET', within('/members')))).toMatch(/^403|^404/)
    expect(named((await accessOf(person.memberId)).sandboxes)).toEqual([1, ['Trials']])

    must(await removal(person.memberId))

    expect(told(await person.call('GET', within('/members')))).toMatch(/^403|^404/)
    const { data } = must(await owner.call('GET', within('/members?role=owner')))
    expect(data).toMatchObject([{ name: 'Ada Lovelace', status: 'active' }])
    expect(must(await owner.call('GET', within(`/webhooks/${made.id}`))).status).toBe('paused')
    await eventually(async () => (await asKey(key.secret)) === '401 api_key_revoked', 'the key to be refused')
    const entriesIn = async (path: string) => must(await owner.call('GET', path)).data
    const [there] = await entriesIn(within('/audit-entries?action=members.remove&limit=1'))
    const [here] = await entriesIn(inOwn(`/audit-entries?targetId=${sandbox.id}&limit=1`))
    expect(there).toMatchObject({ actor: { name: 'Ada Lovelace' }, target: { type: 'member' } })
    expect(here.changes.handedOverTo.to.name).toBe('Ada Lovelace')
  })

  test('the operator, and who removes themself, leave a sandbox to the oldest owner', async () => {
    const person = await memberOf(system, owner.workspaceId, 'owner')
    const sandbox = await sandboxBy(person.memberId)

    must(await person.call('DELETE', inOwn(`/members/${person.memberId}`)))

    const { data } = must(await owner.call('GET', `/workspaces/${sandbox.id}/members?role=owner`))
    expect(data).toMatchObject([{ name: 'Ada Lovelace', status: 'active' }])
  })

  test('what is transferred goes on, owned and granted by whom it was given to', async () => {
    const { person, other, own, made, byHand, byKey } = await admin()

    const query = `?keys=transfer&webhooks=transfer&transferTo=${other.memberId}`
    expect(await removal(person.memberId, query)).toMatchObject({ status: 204 })

    expect(await Promise.all([own, made].map(({ secret }) => asKey(secret)))).toEqual(['200', '200'])
    const taken = { ownerId: other.memberId, status: 'active', version: 2 }
    for (const { id } of [own, made])
      expect(must(await owner.call('GET', inOwn(`/api-keys/${id}`)))).toMatchObject(taken)
    const grantedBy = { type: 'user', id: other.memberId }
    for (const { id, grants } of [byHand, byKey])
      expect(await webhookNow(id)).toMatchObject({ status: 'active', grants: { scopes: grants.scopes, grantedBy } })
  })

  test('a suspended member’s keys are refused until the member is let in again; webhooks stay paused', async () => {
    const { person, own, made, foreign, byHand, invitation } = await admin()
    const secrets = [own, made, foreign].map(({ secret }) => secret)
    expect(await Promise.all(secrets.map(asKey))).toEqual(['200', '200', '200'])

    must(await changeOf(person.memberId, { status: 'suspended' }))
    await eventually(async () => (await asKey(own.secret)) !== '200', 'the key to be refused')
    expect(await Promise.all(secrets.map(asKey))).toEqual(['403 api_key_suspended', '403 api_key_suspended', '200'])
    expect(must(await owner.call('GET', inOwn(`/api-keys/${made.id}`))).status).toBe('suspended')
    expect((await webhookNow(byHand.id)).status).toBe('paused')
    expect(await shown(invitation)).toBe('404 not_found')

    must(await changeOf(person.memberId, { status: 'active' }))
    await eventually(async () => (await asKey(own.secret)) === '200', 'the key to be taken again')
    expect(await asKey(made.secret)).toBe('200')
    expect((await webhookNow(byHand.id)).status).toBe('paused')
  })

  test('a key of a suspended member works for its next owner, and can still be revoked with the rest', async () => {
    const { person, other, own, made, byHand } = await admin()
    must(await changeOf(person.memberId, { status: 'suspended', webhooks: 'transfer', transferTo: other.memberId }))
    const grants = { grantedBy: { id: other.memberId } }
    expect(await webhookNow(byHand.id)).toMatchObject({ status: 'active', grants })

    must(await owner.call('PATCH', inOwn(`/api-keys/${own.id}`), { ownerId: other.memberId }))
    must(await changeOf(person.memberId, { status: 'suspended', keys: 'revoke' }))

    await eventually(async () => (await asKey(own.secret)) === '200', 'the key to be taken for its new owner')
    expect(await asKey(made.secret)).toBe('401 api_key_revoked')
    expect((await webhookNow(byHand.id)).status).toBe('active')
  })

  test('what is decided for nobody, for the member or in no sense is refused by name, and nobody is removed', async () => {
    const { person, invited, own } = await admin()

    for (const [query, refusal] of [
      ['?keys=transfer', 'transferTo required'],
      [`?keys=revoke&transferTo=${person.memberId}`, 'transferTo unknown'],
      [`?webhooks=transfer&transferTo=${person.memberId}`, 'transferTo not_in_list'],
      [`?keys=transfer&transferTo=${invited.id}`, 'transferTo not_in_list'],
      ['?keys=suspend', 'keys not_in_list'],
    ] as const)
      expect(told(await removal(person.memberId, query)), query).toBe(`400 invalid_parameter ${refusal}`)
    // Decisions are of a suspension or a removal.
    for (const more of [{ keys: 'revoke' }, { webhooks: 'pause' }, { transferTo: person.memberId }]) {
      const refused = told(await changeOf(person.memberId, { name: 'Grace', ...more }))
      expect(refused).toMatch(new RegExp(`^422 \\w+ /${Object.keys(more)[0]} unknown$`))
    }
    expect(await asKey(own.secret)).toBe('200')
  })

  test('of very many the newest are listed, all are counted, and all are revoked', async () => {
    const { person, own } = await admin()
    const of = { where: { apiKeyId: own.id }, include: { apiKey: true } } as const
    const { apiKey, ...secret } = await system.db.apiKeySecret.findFirstOrThrow(of)
    const ids = Array.from({ length: memberAccessItemsMax }, () => newId())
    const key = { ...apiKey, createdBy: apiKey.createdBy as object, revokedBy: undefined as never, name: 'Many' }
    await system.db.apiKey.createMany({ data: ids.map((id) => ({ ...key, id })) })
    const secrets = ids.map((apiKeyId) => ({ ...secret, apiKeyId, hash: randomBytes(32) }))
    await system.db.apiKeySecret.createMany({ data: secrets })

    const { keys } = await accessOf(person.memberId)
    must(await removal(person.memberId))

    expect([keys.count, keys.data.length]).toEqual([memberAccessItemsMax + 2, memberAccessItemsMax])
    expect(await system.db.apiKey.count({ where: { ownerId: person.memberId, revokedAt: null } })).toBe(0)
  })
})
