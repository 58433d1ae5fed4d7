// What the audit log tells of people who are refused: members whose role does not do, and whoever does not know the
// password of an account that there is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { eventually } from '../support/eventually.ts'
import { ada, firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

describeMode('people who are refused', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const denied = async (): Promise<AuditEntry[]> =>
    must(await owner.call('GET', inOwn('/audit-entries?outcome=denied&limit=200'))).data
  const entryWith = (fits: (entry: AuditEntry) => boolean, what: string): Promise<AuditEntry> =>
    eventually(async () => (await denied()).find(fits) ?? null, what)

  test('a member whose role does not do stands in the log of the workspace, once however often', async () => {
    const viewer = await memberOf(system, owner.workspaceId, 'viewer')
    const attempts = Array.from({ length: 5 }, () =>
      viewer.call('POST', inOwn('/api-keys'), { name: 'Mine', preset: 'read-only' }),
    )
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(403)

    const entry = await entryWith(({ actor }) => actor.id === viewer.memberId, 'the refusal of the viewer')
    await viewer.call('POST', inOwn('/api-keys'), { name: 'Mine', preset: 'read-only' })

    expect(entry).toMatchObject({
      action: 'api-keys.create',
      code: 'insufficient_scope',
      surface: 'console',
      target: null,
      ip: '127.0.0.1',
      actor: { type: 'user', name: 'Grace Hopper' },
      changes: {},
    })
    expect((await denied()).filter(({ actor }) => actor.id === viewer.memberId)).toHaveLength(1)
  })

  test('a wrong password of an account stands there as what a visitor did, in each workspace of the account', async () => {
    const other = await system.tenant()
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const member = must(await other.settings('POST', '/members', { name: 'Grace', email: 'second@example.com' }))
    const { token } = must(await other.settings('POST', '/invitations', { memberId: member.id }))
    must(await person.call('POST', '/invitations/accept', { token }))

    await visitorOf(system).signIn(person.email, 'not the password')

    const isOfSignIn = ({ action, target }: AuditEntry): boolean =>
      action === 'sessions.create' && [person.memberId, member.id].includes(target?.id ?? '')
    const entry = await entryWith(isOfSignIn, 'the failed sign-in')
    const elsewhere = await eventually(
      async () => must(await other.settings('GET', '/audit-entries?outcome=denied')).data.find(isOfSignIn) ?? null,
      'the same in the other workspace',
    )
    expect(entry).toMatchObject({
      code: 'wrong_password',
      actor: { type: 'system', id: 'visitor', name: 'Visitor' },
      target: { type: 'member', id: person.memberId, name: 'Grace Hopper' },
    })
    expect(elsewhere).toMatchObject({ target: { id: member.id } })
  })

  test('a wrong password of somebody who is signed in is that member’s, and being kept out is told as well', async () => {
    const person = await memberOf(system, owner.workspaceId, 'admin')
    for (let at = 0; at < 11; at += 1)
      await person.call('POST', '/sessions/current/confirm', { password: `not the password ${at}` })

    const ofPerson = (code: string) => (entry: AuditEntry) =>
      entry.actor.id === person.memberId && entry.action === 'sessions.confirm' && entry.code === code

    expect(await entryWith(ofPerson('wrong_password'), 'the wrong passwords')).toMatchObject({ target: null })
    expect(await entryWith(ofPerson('rate_limited'), 'the limit')).toMatchObject({ outcome: 'denied' })
  })

  test('an e-mail that nobody has leaves nothing, and no entry tells what was typed', async () => {
    const before = await denied()
    await visitorOf(system).signIn('nobody@example.com', 'typed by mistake')
    await visitorOf(system).signIn(ada.email, 'a secret of hers')

    await entryWith(({ target }) => target?.name === ada.name, 'the failed sign-in')

    const after = await denied()
    const typed = ['nobody@example.com', 'typed by mistake', 'a secret of hers']
    expect(after).toHaveLength(before.length + 1)
    for (const text of typed) expect(JSON.stringify(after)).not.toContain(text)
    expect(must(await owner.call('GET', inOwn('/audit-entries/verify')))).toMatchObject({ intact: true })
  })
})
