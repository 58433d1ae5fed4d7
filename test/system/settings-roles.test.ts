// Who may what in the workspace settings, asked of every operation and stream with every role, and what needs a recent
// confirmation, asked of every operation and field; and what the audit log tells of those who are refused: members
// whose role does not do, and people who do not know the password of an account.
import { missingId } from '../support/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { operations, streams } from '#contract/api.ts'
import { changes, methodOf, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { scopesOfRole, type Role } from '#contract/roles.ts'
import { covers, scopes } from '#contract/scopes.ts'
import { eventually } from '../support/eventually.ts'
import { firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

const roles: readonly Role[] = ['owner', 'admin', 'member', 'viewer']
const ofSettings = [...operations, ...streams.map(({ asked }) => asked)].filter(({ audiences }) =>
  audiences.includes('settings'),
)
/** By those of the session itself the walk would end. */
const walked = ofSettings.filter(({ name }) => !['sessions.create', 'sessions.end'].includes(name))
const changing = walked.filter(
  (each) => each.admits !== 'operator' && changes(each) && each.name !== 'sessions.complete-at-provider',
)

test('each role may what the next one may, and the table says what that is more', () => {
  const more = (role: Role, than: Role) => scopesOfRole(role).filter((scope) => !covers(scopesOfRole(than), scope))

  expect(scopesOfRole('viewer').filter((scope) => !scope.endsWith(':read'))).toEqual([])
  expect(more('viewer', 'member')).toEqual([])
  expect(more('member', 'viewer').toSorted()).toEqual(['deliveries:replay', 'webhooks:write'])
  expect(more('admin', 'member')).toEqual(
    expect.arrayContaining(['api-keys:write', 'workspaces:write', 'audit-entries:read']),
  )
  expect(scopesOfRole('owner')).toEqual(scopes)
})

describeMode('roles', 'standalone', () => {
  let system: System
  let workspaceId: string
  let owner: Person
  const people = new Map<Role, Awaited<ReturnType<typeof memberOf>>>()
  beforeAll(async () => {
    system = await startSystem('standalone')
    ;({ workspaceId, ...owner } = await firstOwner(system, { workspaceName: 'Acme' }))
    for (const role of roles) people.set(role, await memberOf(system, workspaceId, role))
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${workspaceId}${path}`

  /** What is missing or does not exist is found wrong later. */
  async function codeOf(operation: Operation, by: Person, query: string, body: object): Promise<unknown> {
    const path = pathFor(operation, 'settings')
      .replace('/settings/api', '')
      .replace('{workspaceId}', workspaceId)
      .replace(/^\/workspaces\/\{id\}$/, inOwn(''))
      .replaceAll(/\{\w+\}/g, missingId)
    const method = methodOf(operation)
    const isRead = ['GET', 'DELETE'].includes(method)
    const answer = await by.call(method, path + (isRead ? query : ''), isRead ? undefined : body)
    return answer.status === 403 && answer.body.code
  }

  test.each(walked.map((operation) => [operation.name, operation] as const))(
    '%s is refused to the roles without its scope alone',
    async (_name, operation) => {
      const { admits, scope } = operation
      // It keeps a stream from opening.
      const query = streams.some(({ asked }) => asked === operation) ? '?noSuchName=x' : ''
      for (const role of roles) {
        const may = admits !== 'operator' && (scope === null || covers(scopesOfRole(role), scope))

        const code = await codeOf(operation, people.get(role)!, query, {})
        expect([role, code === 'insufficient_scope']).toEqual([role, !may])
      }
    },
  )

  describe('of a session that was not confirmed lately', () => {
    const id = () => ({ workspaceId_id: { workspaceId, id: people.get('owner')!.memberId } })
    const confirmedAt = async (at: Date | null) => {
      const { accountId } = await system.db.member.findUniqueOrThrow({ where: id() })
      await system.db.session.updateMany({ where: { accountId: accountId! }, data: { confirmedAt: at } })
    }
    beforeAll(() => confirmedAt(null))
    afterAll(() => confirmedAt(new Date()))

    test.each(changing.map((operation) => [operation.name, operation] as const))(
      '%s asks for it where the contract says so, and nowhere else',
      async (_name, operation) => {
        const { confirmed = [], input, ofOperator } = operation
        const fields = Object.keys(input.properties).filter((field) => !['id', 'expectedVersion'].includes(field))
        for (const field of [null, ...fields.filter((each) => !ofOperator.includes(each))]) {
          const expected = confirmed === true || (field !== null && confirmed.includes(field))

          // No schema takes the value: what is refused before is refused for the name of the field.
          const body = field === null ? {} : { [field]: { no: 'such value' } }
          const code = await codeOf(operation, people.get('owner')!, field === null ? '' : `?${field}=0`, body)
          expect([field, code === 'confirmation_required']).toEqual([field, expected])
        }
      },
    )
  })

  test('only owners make, change and remove owners; whoever is given another role signs in anew', async () => {
    const admin = people.get('admin')!
    const members = `/workspaces/${workspaceId}/members`
    const other = await memberOf(system, workspaceId, 'owner')
    const added = await memberOf(system, workspaceId, 'viewer')
    const attempts = [
      await admin.call('POST', members, { name: 'Eve', email: 'eve@example.com', role: 'owner' }),
      await admin.call('PATCH', `${members}/${added.memberId}`, { role: 'owner' }),
      await admin.call('PATCH', `${members}/${other.memberId}`, { role: 'viewer' }),
      await admin.call('PATCH', `${members}/${other.memberId}`, { status: 'suspended' }),
      await admin.call('DELETE', `${members}/${other.memberId}`),
    ]

    for (const answer of attempts)
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope', requiredRoles: ['owner'] } })
    expect(await admin.call('PATCH', `${members}/${added.memberId}`, { role: 'member' })).toMatchObject({ status: 200 })
    expect(await added.call('GET', '/sessions/current')).toMatchObject({ status: 401 })
    expect(await owner.call('PATCH', `${members}/${added.memberId}`, { role: 'owner' })).toMatchObject({ status: 200 })
    expect(await owner.call('DELETE', `${members}/${other.memberId}`)).toMatchObject({ status: 204 })
  })

  const denied = async (): Promise<AuditEntry[]> =>
    must(await owner.call('GET', inOwn('/audit-entries?outcome=denied&limit=200'))).data
  const entryWith = (fits: (entry: AuditEntry) => boolean, what: string): Promise<AuditEntry> =>
    eventually(async () => (await denied()).find(fits) ?? null, what)

  test('a member whose role does not do stands in the log of the workspace, once however often', async () => {
    const viewer = await memberOf(system, workspaceId, 'viewer')
    const attempt = () => viewer.call('POST', inOwn('/api-keys'), { name: 'Mine', preset: 'read-only' })
    const refused = { code: 'insufficient_scope', requiredRoles: ['owner', 'admin'] }
    for (const answer of await Promise.all(Array.from({ length: 5 }, attempt)))
      expect(answer).toMatchObject({ status: 403, body: refused })

    const entry = await entryWith(({ actor }) => actor.id === viewer.memberId, 'the refusal of the viewer')
    await attempt()

    const actor = { type: 'user', name: 'Grace Hopper' }
    const asked = { action: 'api-keys.create', surface: 'console', target: null, ip: '127.0.0.1', changes: {} }
    expect(entry).toMatchObject({ ...asked, actor, code: 'insufficient_scope' })
    expect((await denied()).filter(({ actor }) => actor.id === viewer.memberId)).toHaveLength(1)
  })

  test('a wrong password of an account stands there as what a visitor did, in each workspace of the account', async () => {
    const other = await system.tenant()
    const person = await memberOf(system, workspaceId, 'viewer')
    const member = must(await other.settings('POST', '/members', { name: 'Grace', email: 'second@example.com' }))
    const { token } = must(await other.settings('POST', '/invitations', { memberId: member.id }))
    must(await person.call('POST', '/invitations/accept', { token }))

    await visitorOf(system).signIn(person.email, 'not the password')

    const isOfSignIn = ({ action, target }: AuditEntry): boolean =>
      action === 'sessions.create' && [person.memberId, member.id].includes(target?.id ?? '')
    const entry = await entryWith(isOfSignIn, 'the failed sign-in')
    const there = async () => must(await other.settings('GET', '/audit-entries?outcome=denied')).data.find(isOfSignIn)
    const elsewhere = await eventually(async () => (await there()) ?? null, 'the same in the other workspace')
    const actor = { type: 'system', id: 'visitor', name: 'Visitor' }
    expect(entry).toMatchObject({ code: 'wrong_password', actor, target: { type: 'member', id: person.memberId } })
    expect(elsewhere).toMatchObject({ target: { id: member.id } })
  })

  test('a wrong password of somebody who is signed in is that member’s, being kept out is told, and never what was typed', async () => {
    const person = await memberOf(system, workspaceId, 'admin')
    await visitorOf(system).signIn('nobody@example.com', 'typed by mistake')
    for (let at = 0; at < 11; at += 1)
      await person.call('POST', '/sessions/current/confirm', { password: `not the password ${at}` })

    const ofPerson = (code: string) => (entry: AuditEntry) =>
      entry.actor.id === person.memberId && entry.action === 'sessions.confirm' && entry.code === code

    expect(await entryWith(ofPerson('wrong_password'), 'the wrong passwords')).toMatchObject({ target: null })
    expect(await entryWith(ofPerson('rate_limited'), 'the limit')).toMatchObject({ outcome: 'denied' })
    // Of an email that nobody has nothing is left.
    const entries = JSON.stringify(await denied())
    for (const text of ['nobody@example.com', 'typed by mistake', 'not the password'])
      expect(entries).not.toContain(text)
    expect(must(await owner.call('GET', inOwn('/audit-entries/verify')))).toMatchObject({ intact: true })
  })
})
