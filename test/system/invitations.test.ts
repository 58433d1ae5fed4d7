// A member comes to an account by a link: invitations.create, invitations.get and invitations.accept.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

const password = 'compilers like long walks'

describeMode('invitations', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  let names = 0
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const invite = (memberId: string, by: Person = owner) => by.call('POST', inOwn('/invitations'), { memberId })

  async function added(role = 'member'): Promise<{ readonly memberId: string; readonly email: string }> {
    const email = `invited-${++names}@example.com`
    const { id } = must(await owner.call('POST', inOwn('/members'), { name: 'Grace Hopper', email, role }))
    return { memberId: id, email }
  }

  test('whoever has the link makes an account, is signed in and is a member', async () => {
    const { memberId, email } = await added('viewer')
    const { token, path } = must(await invite(memberId))
    const guest = visitorOf(system)

    const shown = await guest.call('POST', '/invitations/get', { token })
    const accepted = await guest.call('POST', '/invitations/accept', { token, name: 'Grace', email, password })
    const again = await visitorOf(system).call('POST', '/invitations/accept', { token, name: 'Eve', email, password })

    expect(path).toBe(`/settings/invitation#${token}`)
    expect(shown).toMatchObject({ status: 200, body: { workspaceName: 'Acme', role: 'viewer', email } })
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        account: { name: 'Grace', email },
        workspaces: [{ workspaceId: owner.workspaceId, memberId, role: 'viewer' }],
      },
    })
    expect(await guest.call('GET', inOwn('/api-keys'))).toMatchObject({ status: 200 })
    expect(await owner.call('GET', inOwn(`/members/${memberId}`))).toMatchObject({ body: { status: 'active' } })
    expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('whoever is signed in accepts with the account that there is', async () => {
    const other = await system.tenant()
    const member = must(await other.settings('POST', '/members', { name: 'Ada', email: 'other@example.com' }))
    const { token } = must(await other.settings('POST', '/invitations', { memberId: member.id }))
    const person = await memberOf(system, owner.workspaceId, 'viewer')

    const { body } = await person.call('POST', '/invitations/accept', { token })

    const ids = body.workspaces.map(({ workspaceId }: { workspaceId: string }) => workspaceId)
    expect(ids.toSorted()).toEqual([owner.workspaceId, other.workspaceId].toSorted())
    expect(body).toMatchObject({ account: { email: person.email }, confirmedUntil: null })
  })

  test('an equal e-mail makes nobody a member: who has the account signs in first', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const { memberId } = await added()
    must(await owner.call('PATCH', inOwn(`/members/${person.memberId}`), { email: 'second@example.com' }))
    must(await owner.call('PATCH', inOwn(`/members/${memberId}`), { email: person.email }))
    const { token } = must(await invite(memberId))
    const body = { token, name: 'Eve', email: person.email, password }

    expect(await visitorOf(system).call('POST', '/invitations/accept', body)).toMatchObject({
      status: 409,
      body: { code: 'duplicate', field: 'email' },
    })
    expect(await person.call('POST', '/invitations/accept', { token })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    })
    expect(await visitorOf(system).call('POST', '/invitations/get', { token })).toMatchObject({ status: 200 })
  })

  test('a link ends with the next one, after a week, and with the member', async () => {
    const [resent, late, removed] = [await added(), await added(), await added()]
    const links = []
    for (const { memberId } of [resent, late, removed]) links.push(must(await invite(memberId)).token)
    const next = must(await invite(resent.memberId)).token
    await system.db.invitation.updateMany({
      where: { workspaceId: owner.workspaceId, memberId: late.memberId },
      data: { expiresAt: new Date() },
    })
    must(await owner.call('DELETE', inOwn(`/members/${removed.memberId}`)))

    for (const token of links)
      expect(await visitorOf(system).call('POST', '/invitations/get', { token })).toMatchObject({ status: 404 })
    expect(await visitorOf(system).call('POST', '/invitations/get', { token: next })).toMatchObject({ status: 200 })
  })

  test('accepted twice at the same moment, it makes one account', async () => {
    const { memberId, email } = await added()
    const { token } = must(await invite(memberId))
    const accept = (name: string) =>
      visitorOf(system).call('POST', '/invitations/accept', { token, name, email, password })

    const statuses = (await Promise.all([accept('One'), accept('Two')])).map(({ status }) => status)

    expect(statuses).toContain(200)
    // Whoever is second meets the used link, or the account that was made with it.
    expect([404, 409]).toContain(statuses.find((status) => status !== 200))
    expect(await system.db.account.count({ where: { email } })).toBe(1)
  })

  test('who has an account is not invited, and an owner is invited by an owner alone', async () => {
    const admin = await memberOf(system, owner.workspaceId, 'admin')
    const second = await added('owner')

    expect(await invite(admin.memberId)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
    expect(await invite(second.memberId, admin)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await invite(second.memberId)).toMatchObject({ status: 200 })
  })

  test('an account is not made without a name, an e-mail and a good password', async () => {
    const { memberId, email } = await added()
    const { token } = must(await invite(memberId))
    const attempt = (fields: object) => visitorOf(system).call('POST', '/invitations/accept', { token, ...fields })

    for (const [fields, pointer] of [
      [{ email, password }, '/name'],
      [{ name: 'Grace', password }, '/email'],
      [{ name: 'Grace', email }, '/password'],
      [{ name: 'Grace', email, password: 'password1234' }, '/password'],
    ] as const)
      expect(await attempt(fields)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
  })

  test('the token of a link is kept nowhere', async () => {
    const { memberId } = await added()
    const { token } = must(await invite(memberId))

    const kept = JSON.stringify([
      await system.db.invitation.findMany(),
      (await owner.call('GET', inOwn('/audit-entries'))).body,
    ])

    expect(kept).not.toContain(token)
    expect(kept).toContain('invitations.create')
  })
})
