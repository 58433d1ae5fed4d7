// What the audit logs of their workspaces tell of people who sign in and out, and who change their accounts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { eventually } from '../support/eventually.ts'
import { ada, firstOwner, memberOf, samePage, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System, type Tenant } from '../support/system.ts'

describeMode('people in the audit log', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  let other: Tenant
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
    other = await system.tenant()
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const here = async (query: string): Promise<AuditEntry[]> =>
    must(await owner.call('GET', `/workspaces/${owner.workspaceId}/audit-entries?limit=200${query}`)).data
  const there = async (query: string): Promise<AuditEntry[]> =>
    must(await other.settings('GET', `/audit-entries?limit=200${query}`)).data

  /** A member of both workspaces. */
  async function grace() {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const { id } = must(await other.settings('POST', '/members', { name: 'Grace', email: person.email }))
    const { token } = must(await other.settings('POST', '/invitations', { memberId: id }))
    must(await person.call('POST', '/invitations/accept', { token }))
    return { ...person, otherMemberId: id as string }
  }
  const aboutSession = (action: string, sessionId: string) => async (read: typeof here) =>
    (await read(`&action=${action}`)).find(({ target }) => target?.id === sessionId) ?? null

  test('whoever signs in and out stands in the log of each of their workspaces, with the session and the address', async () => {
    const { memberId, otherMemberId, email } = await grace()
    const browser = visitorOf(system, { ...samePage, 'user-agent': 'Another/1' })
    const { id } = must(await browser.signIn(email))
    must(await browser.call('DELETE', '/sessions/current'))

    for (const [read, actorId] of [
      [here, memberId],
      [there, otherMemberId],
    ] as const)
      for (const action of ['sessions.create', 'sessions.end']) {
        const entry = await eventually(() => aboutSession(action, id)(read), `${action} of ${actorId}`)
        expect(entry).toMatchObject({
          outcome: 'success',
          code: null,
          actor: { type: 'user', id: actorId },
          target: { type: 'session', id },
          ip: '127.0.0.1',
          userAgent: 'Another/1',
        })
      }
    expect(must(await other.settings('GET', '/audit-entries/verify'))).toMatchObject({ intact: true })
  })

  test('a session that is ended from another one is told as well', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const { id } = must(await visitorOf(system).signIn(person.email))
    must(await person.call('DELETE', `/sessions/${id.toUpperCase()}`))

    const entry = await eventually(() => aboutSession('sessions.revoke', id)(here), 'the end of the session')
    expect(entry).toMatchObject({ actor: { id: person.memberId }, target: { type: 'session', id } })
  })

  test('who signs in again and again with one browser has one entry at first', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const ofPerson = async () =>
      (await here('&action=sessions.create')).filter(({ actor }) => actor.id === person.memberId)
    await eventually(async () => ((await ofPerson()).length > 0 ? true : null), 'the first sign-in')
    for (let at = 0; at < 5; at += 1) must(await visitorOf(system).signIn(person.email))
    const witness = await memberOf(system, owner.workspaceId, 'viewer')

    await eventually(
      async () => (await here('&action=sessions.create')).find(({ actor }) => actor.id === witness.memberId) ?? null,
      'a sign-in of another person after these',
    )

    expect(await ofPerson()).toHaveLength(1)
  })

  test('a new name and a new password stand in the log of each workspace, and no password', async () => {
    const { memberId, otherMemberId, ...person } = await grace()
    const newPassword = 'compilers like long walks'
    must(await person.call('POST', '/sessions/current/confirm', { password: ada.password }))
    must(await person.call('PATCH', '/account', { name: 'Grace Brewster' }))
    must(await person.call('PATCH', '/account', { name: 'Grace Brewster' }))
    must(await person.call('POST', '/account/password', { currentPassword: ada.password, newPassword }))

    for (const [read, actorId] of [
      [here, memberId],
      [there, otherMemberId],
    ] as const) {
      const renamed = (await read('&action=account.update')).filter(({ actor }) => actor.id === actorId)
      const changed = (await read('&action=account.change-password')).filter(({ actor }) => actor.id === actorId)
      expect(renamed.map(({ changes }) => changes)).toEqual([{ name: { from: 'Grace Hopper', to: 'Grace Brewster' } }])
      expect(changed.map(({ changes }) => changes)).toEqual([{ password: { from: 'set', to: 'changed' } }])
      expect(JSON.stringify([renamed, changed])).not.toContain(newPassword)
    }
  })
})
