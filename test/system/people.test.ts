// People come to an account by a link (invitations.create, .get and .accept), come back to it by one of the operator's
// (accounts.reset-access, `cli access reset`, accounts.recover), change its email once somebody else vouches for it
// (account.update, email-changes.list, .confirm and .decline, accounts.confirm-email), and the audit logs of their
// workspaces tell of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { newId } from '#runtime/new-id.ts'
import { cli } from '../cli/command.ts'
import { eventually } from '../support/eventually.ts'
import { ada, firstOwner, memberOf, samePage, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System, type Tenant } from '../support/system.ts'
import { told } from './calls.ts'

const password = 'compilers like long walks'
const notFound = { status: 404, body: { code: 'not_found' } }
const notAllowed = { status: 403, body: { code: 'insufficient_scope' } }
const conflict = (code: string, more: object = {}) => ({ status: 409, body: { code, ...more } })

type Member = Awaited<ReturnType<typeof memberOf>>
type Reads = (query: string) => Promise<AuditEntry[]>

describeMode('people', 'standalone', (mode) => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  let other: Tenant
  beforeAll(async () => {
    system = await startSystem(mode)
    owner = await firstOwner(system, { workspaceName: 'Acme' })
    other = await system.tenant()
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const someEmail = (): string => `${newId()}@example.com`
  const invite = (memberId: string, by: Person = owner) => by.call('POST', inOwn('/invitations'), { memberId })
  const linkFor = async ({ memberId }: { memberId: string }) => must(await invite(memberId)).token as string
  const accept = (body: object, by: Person = visitorOf(system)) => by.call('POST', '/invitations/accept', body)
  const shown = (token: string, by: Person = visitorOf(system)) => by.call('POST', '/invitations/get', { token })
  const here: Reads = async (query) => must(await owner.call('GET', inOwn(`/audit-entries?limit=200${query}`))).data
  const there: Reads = async (query) => must(await other.settings('GET', `/audit-entries?limit=200${query}`)).data
  const member = (role: Parameters<typeof memberOf>[2] = 'member') => memberOf(system, owner.workspaceId, role)

  /** Of the first workspace, without an account. */
  async function added(role = 'member', email = someEmail()): Promise<{ memberId: string; email: string }> {
    const { id } = must(await owner.call('POST', inOwn('/members'), { name: 'Grace Hopper', email, role }))
    return { memberId: id, email }
  }
  /** Makes this person a member of the other workspace too, by the account that there is; gives the id there. */
  async function joinOther(person: Member): Promise<string> {
    const { id: memberId } = must(await other.settings('POST', '/members', { name: 'Grace', email: someEmail() }))
    const { token } = must(await other.settings('POST', '/invitations', { memberId }))
    const joined = { account: { email: person.email }, confirmedUntil: null }
    expect(must(await accept({ token }, person))).toMatchObject(joined)
    must(await person.call('POST', '/sessions/current/confirm', { password: ada.password }))
    return memberId
  }

  describe('are invited', () => {
    test('whoever has the link makes an account, is signed in and is a member', async () => {
      const { memberId, email } = await added('viewer')
      const { token, path } = must(await invite(memberId))
      const guest = visitorOf(system)

      const before = await shown(token, guest)
      const accepted = await accept({ token, name: 'Grace', email, password }, guest)
      const again = await accept({ token, name: 'Eve', email, password })

      expect(path).toBe(`/settings/invitation#${token}`)
      expect(before).toMatchObject({ status: 200, body: { workspaceName: 'Acme', role: 'viewer', email } })
      const workspaces = [{ workspaceId: owner.workspaceId, memberId, role: 'viewer' }]
      expect(accepted).toMatchObject({ status: 200, body: { account: { name: 'Grace', email }, workspaces } })
      expect(await owner.call('GET', inOwn(`/members/${memberId}`))).toMatchObject({ body: { status: 'active' } })
      expect(again).toMatchObject(notFound)
    })

    test('an equal email makes nobody a member: who has the account signs in first', async () => {
      const person = await member('viewer')
      must(await owner.call('PATCH', inOwn(`/members/${person.memberId}`), { email: someEmail() }))
      const token = await linkFor(await added('member', person.email))

      const asEve = await accept({ token, name: 'Eve', email: person.email, password })
      const asMember = await accept({ token }, person)

      expect(asEve).toMatchObject(conflict('duplicate', { field: 'email' }))
      expect(asMember).toMatchObject(conflict('invalid_transition'))
      expect((await shown(token)).status).toBe(200)
    })

    test('a link ends with the next one, after a week, and with the member, and its token is kept nowhere', async () => {
      const [resent, late, removed] = [await added(), await added(), await added()]
      const links = [await linkFor(resent), await linkFor(late), await linkFor(removed)]
      const next = await linkFor(resent)
      const ofLate = { workspaceId: owner.workspaceId, memberId: late.memberId }
      await system.db.invitation.updateMany({ where: ofLate, data: { expiresAt: new Date() } })
      must(await owner.call('DELETE', inOwn(`/members/${removed.memberId}`)))

      for (const token of links) expect(await shown(token)).toMatchObject(notFound)
      expect((await shown(next)).status).toBe(200)
      const kept = JSON.stringify([await system.db.invitation.findMany(), await here('')])
      for (const token of [...links, next]) expect(kept).not.toContain(token)
      expect(kept).toContain('invitations.create')
    })

    test('who has an account is not invited, and an owner is invited by an owner alone', async () => {
      const admin = await member('admin')
      const second = await added('owner')

      expect(await invite(admin.memberId)).toMatchObject(conflict('invalid_transition'))
      expect(await invite(second.memberId, admin)).toMatchObject(notAllowed)
      expect(await invite(second.memberId)).toMatchObject({ status: 200 })
    })

    test('an account is made with a name, the email that was invited and a good password, or not at all, and at once only one', async () => {
      const { memberId, email } = await added()
      const token = await linkFor({ memberId })
      const victim = someEmail()

      for (const [fields, pointer] of [
        [{ email, password }, '/name'],
        [{ name: 'Grace', password }, '/email'],
        [{ name: 'Eve', email: victim, password }, '/email'],
        [{ name: 'Grace', email }, '/password'],
        [{ name: 'Grace', email, password: 'password1234' }, '/password'],
      ] as const)
        expect(await accept({ token, ...fields })).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
      expect(await system.db.account.findUnique({ where: { email: victim } })).toBeNull()
      const answers = await Promise.all(['One', 'Two'].map((name) => accept({ token, name, email, password })))
      // Whoever is second meets the used link, or the account that was made with it.
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses).toEqual([200, expect.toBeOneOf([404, 409])])
      expect(await system.db.account.count({ where: { email } })).toBe(1)
    })
  })

  describe('come back', () => {
    const reset = (email: string) => system.operator('POST', '/settings/api/accounts/reset-access', { email })
    const recover = (token: string, person = visitorOf(system), newPassword = password) =>
      person.call('POST', '/accounts/recover', { token, newPassword })
    const session = (person: Person) => person.call('GET', '/sessions/current')

    test('the command prints a link; whoever opens it sets a new password and is signed in, and nobody else is', async () => {
      const before = await member('owner')
      const { email } = before

      const { code, stdout } = await cli(system, 'access', 'reset', '--email', email.toUpperCase())
      const token = /\/settings\/reset-access#([\w-]{43})$/m.exec(stdout)?.[1] ?? ''
      const unused = await session(before)
      const guest = visitorOf(system)
      const recovered = await recover(token, guest)

      expect([code, stdout]).toEqual([0, expect.stringContaining(`${system.url}/settings/reset-access#`)])
      const workspaces = [{ role: 'owner' }]
      expect(recovered.body).toMatchObject({ account: { email }, workspaces, confirmedUntil: expect.any(String) })
      const sessions = [unused, recovered, await session(guest), await session(before), await session(owner)]
      expect(sessions.map(({ status }) => status)).toEqual([200, 200, 200, 401, 200])
      const signIns = [await visitorOf(system).signIn(email), await visitorOf(system).signIn(email, password)]
      expect(signIns.map(({ status }) => status)).toEqual([403, 201])
    })

    test('a link is for an account that there is, works once, ends with the next one, and is good for an hour', async () => {
      const { email } = await member('viewer')
      const replaced = must(await reset(email)).token
      const { token } = must(await reset(email))
      const guessed = await recover(token, undefined, 'password1234')
      const atOnce = await Promise.all([recover(token), recover(token)])
      const late = must(await reset(email))
      await system.db.accessReset.updateMany({ data: { expiresAt: new Date() } })

      expect(JSON.stringify(await system.db.accessReset.findMany())).not.toContain(late.token)
      expect(told(guessed)).toMatch(/^422 validation_failed \/newPassword /)
      expect(new Set(atOnce.map(told))).toEqual(new Set(['200', '404 not_found']))
      const minutes = (Date.parse(late.expiresAt) - Date.now()) / 60_000
      expect([minutes > 59, minutes <= 60]).toEqual([true, true])
      for (const gone of [replaced, token, late.token, 'x'.repeat(43)])
        expect(told(await recover(gone))).toBe('404 not_found')
      expect(told(await reset('nobody@example.com'))).toBe('404 not_found')
    })
  })

  describe('have a new email', () => {
    const ask = async (person: Person, email = someEmail()): Promise<string> => {
      must(await person.call('PATCH', '/account', { email }))
      return email
    }
    const confirm = (by: Person, memberId: string, newEmail: string) =>
      by.call('POST', inOwn(`/email-changes/${memberId}/confirm`), { newEmail })
    const decline = (by: Person, memberId: string) => by.call('DELETE', inOwn(`/email-changes/${memberId}`))
    const accountOf = async (person: Person) => must(await person.call('GET', '/sessions/current')).account
    const waiting = async (of: Member): Promise<object[]> => {
      const { data } = must(await owner.call('GET', inOwn('/email-changes')))
      return data.filter(({ memberId }: Member) => memberId === of.memberId)
    }
    const signedIn = async (email: string) => (await visitorOf(system).signIn(email)).status

    test('it waits until an owner confirms it, and signs in from then on', async () => {
      const person = await member()
      const newEmail = 'new-address@example.com'

      const asked = await person.call('PATCH', '/account', { email: 'New-Address@Example.com' })
      const early = await signedIn(newEmail)
      const listed = await waiting(person)
      const confirmed = await confirm(owner, person.memberId, newEmail)

      expect(asked).toMatchObject({ status: 200, body: { email: person.email, pendingEmail: { email: newEmail } } })
      expect(listed).toMatchObject([{ name: 'Grace Hopper', email: person.email, newEmail }])
      expect(confirmed.status).toBe(204)
      expect(await accountOf(person)).toMatchObject({ email: newEmail, pendingEmail: null })
      expect([early, await signedIn(newEmail), await signedIn(person.email)]).toEqual([403, 201, 403])
    })

    test('an address that somebody has only asked for is free for the one whose it is', async () => {
      const squatter = await member()
      const email = await ask(squatter)
      const token = await linkFor(await added('member', email))

      const joined = await accept({ token, name: 'Real', email, password })
      const late = await confirm(owner, squatter.memberId, email)

      expect(joined).toMatchObject({ status: 200, body: { account: { email } } })
      expect(late).toMatchObject(conflict('duplicate', { field: 'email' }))
      expect(await accountOf(squatter)).toMatchObject({ email: squatter.email })
    })

    test('owners of a workspace of this person decide, never about themselves, once, and nobody else', async () => {
      const [person, admin, second] = [await member(), await member('admin'), await member('owner')]
      const [ofPerson, ofSecond] = [await ask(person), await ask(second)]

      const refused = [
        await confirm(person, person.memberId, ofPerson),
        await confirm(admin, person.memberId, ofPerson),
        await decline(admin, person.memberId),
        await confirm(second, second.memberId, ofSecond),
        await confirm(second, second.memberId.toUpperCase(), ofSecond),
      ]
      const path = `/email-changes/${person.memberId}/confirm`
      const elsewhere = await other.settings('POST', path, { newEmail: ofPerson })

      for (const answer of refused) expect(answer).toMatchObject(notAllowed)
      expect(elsewhere).toMatchObject(notFound)
      const atOnce = await Promise.all([0, 1].map(() => confirm(owner, second.memberId, ofSecond)))
      expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([204, 404]))
    })

    test('the operator confirms that of any account', async () => {
      const newEmail = await ask(owner)
      const asOperator = (body: object) => system.operator('POST', '/settings/api/accounts/confirm-email', body)

      const wrong = await asOperator({ email: ada.email, newEmail: someEmail() })
      const confirmed = await asOperator({ email: ada.email.toUpperCase(), newEmail: newEmail.toUpperCase() })

      expect(wrong).toMatchObject(notFound)
      expect(confirmed).toMatchObject({ status: 200, body: { name: ada.name, email: newEmail, pendingEmail: null } })
      await ask(owner, ada.email)
      must(await asOperator({ email: newEmail, newEmail: ada.email }))
    })

    test('what was replaced, withdrawn, declined or is too old is not confirmed', async () => {
      const person = await member()
      const replaced = await ask(person)
      const withdrawn = await ask(person)
      const answers = [await confirm(owner, person.memberId, replaced)]
      expect(must(await person.call('PATCH', '/account', { email: person.email })).pendingEmail).toBeNull()
      answers.push(await confirm(owner, person.memberId, withdrawn))
      const declined = await ask(person)
      must(await decline(owner, person.memberId))
      answers.push(await confirm(owner, person.memberId, declined))
      const late = await ask(person)
      await system.db.emailChange.updateMany({ where: { email: late }, data: { expiresAt: new Date() } })
      answers.push(await confirm(owner, person.memberId, late))

      for (const answer of answers) expect(answer).toMatchObject(notFound)
      expect(await waiting(person)).toEqual([])
      expect(await accountOf(person)).toMatchObject({ email: person.email, pendingEmail: null })
    })

    test('each step stands in the log of every workspace of the person, which learns nothing of owners elsewhere', async () => {
      const person = await member()
      const otherMemberId = await joinOther(person)
      const email = await ask(person)
      must(await confirm(owner, person.memberId, email))
      // What changes nothing is no step.
      must(await person.call('PATCH', '/account', { name: 'Grace Hopper' }))
      const { memberId: ownerId } = must(await owner.call('GET', '/sessions/current')).workspaces[0]
      const last = async (read: Reads) =>
        (await read('')).filter(({ target }) => target?.type === 'account').slice(0, 2)

      const [own, foreign] = [await last(here), await last(there)]

      const asked = { action: 'account.update', changes: { pendingEmail: { from: null, to: email } } }
      const taken = { email: { from: person.email, to: email }, pendingEmail: { from: email, to: null } }
      const confirmed = { action: 'email-changes.confirm', changes: taken }
      expect(own).toMatchObject([
        { ...confirmed, actor: { type: 'user', id: ownerId }, ip: '127.0.0.1' },
        { ...asked, actor: { type: 'user', id: person.memberId } },
      ])
      expect(foreign).toMatchObject([
        { ...confirmed, actor: { type: 'system', id: 'owner-elsewhere' }, ip: null, userAgent: null },
        { ...asked, actor: { type: 'user', id: otherMemberId } },
      ])
      expect(JSON.stringify(foreign)).not.toContain(ada.name)
    })
  })

  describe('in the audit log', () => {
    const aboutSession = (read: Reads, action: string, sessionId: string) =>
      eventually(
        async () => (await read(`&action=${action}`)).find(({ target }) => target?.id === sessionId) ?? null,
        `${action} of ${sessionId}`,
      )

    test('whoever signs in, out or another session out stands there in each of their workspaces, with session and address', async () => {
      const person = await member('viewer')
      const otherMemberId = await joinOther(person)
      const browser = visitorOf(system, { ...samePage, 'user-agent': 'Another/1' })
      const { id } = must(await browser.signIn(person.email))
      must(await browser.call('DELETE', '/sessions/current'))
      const { id: second } = must(await browser.signIn(person.email))
      must(await person.call('DELETE', `/sessions/${second.toUpperCase()}`))

      const from = { outcome: 'success', code: null, ip: '127.0.0.1' }
      for (const [read, actorId] of [[here, person.memberId] as const, [there, otherMemberId] as const]) {
        const actor = { type: 'user', id: actorId }
        const target = { type: 'session', id }
        for (const action of ['sessions.create', 'sessions.end'])
          expect(await aboutSession(read, action, id)).toMatchObject({ ...from, actor, target, userAgent: 'Another/1' })
        const revoked = await aboutSession(read, 'sessions.revoke', second)
        expect(revoked).toMatchObject({ ...from, actor, target: { type: 'session', id: second } })
      }
      expect(must(await other.settings('GET', '/audit-entries/verify'))).toMatchObject({ intact: true })
    })

    test('whoever accepts an invitation has signed in, with address and browser, as each of their workspaces sees it', async () => {
      const { memberId, email } = await added()
      const guest = visitorOf(system, { ...samePage, 'user-agent': 'Firefox/140' })
      const { id } = must(await accept({ token: await linkFor({ memberId }), name: 'Grace', email, password }, guest))

      const entry = await aboutSession(here, 'invitations.accept', id)
      const actor = { type: 'user', id: memberId }
      expect(entry).toMatchObject({ actor, outcome: 'success', ip: '127.0.0.1', userAgent: 'Firefox/140' })

      const { id: elsewhereId } = must(await other.settings('POST', '/members', { name: 'Grace', email: someEmail() }))
      const { token } = must(await other.settings('POST', '/invitations', { memberId: elsewhereId }))
      const again = { 'user-agent': 'Firefox/141' }
      const { id: second } = must(await guest.call('POST', '/invitations/accept', { token }, again))
      for (const [read, actorId] of [[here, memberId] as const, [there, elsewhereId] as const])
        expect(await aboutSession(read, 'invitations.accept', second)).toMatchObject({ actor: { id: actorId } })
    })
  })
})
