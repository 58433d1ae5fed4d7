// A new e-mail of an account counts once somebody else vouches for it: account.update, email-changes.list,
// email-changes.confirm, email-changes.decline and accounts.confirm-email.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#runtime/new-id.ts'
import { ada, firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System, type Tenant } from '../support/system.ts'

const password = 'compilers like long walks'

describeMode('new e-mails of accounts', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const someEmail = (): string => `${newId()}@example.com`
  const ask = async (person: Person, email = someEmail()): Promise<string> => {
    must(await person.call('PATCH', '/account', { email }))
    return email
  }
  const confirm = (by: Person, memberId: string, newEmail: string) =>
    by.call('POST', inOwn(`/email-changes/${memberId}/confirm`), { newEmail })
  const emailOf = async (person: Person) => must(await person.call('GET', '/sessions/current')).account
  const waiting = async (): Promise<{ memberId: string; newEmail: string }[]> =>
    must(await owner.call('GET', inOwn('/email-changes'))).data

  async function joinAnother(person: Person): Promise<{ readonly other: Tenant; readonly memberId: string }> {
    const other = await system.tenant()
    const { id } = must(await other.settings('POST', '/members', { name: 'Grace', email: someEmail() }))
    const { token } = must(await other.settings('POST', '/invitations', { memberId: id }))
    must(await person.call('POST', '/invitations/accept', { token }))
    must(await person.call('POST', '/sessions/current/confirm', { password: ada.password }))
    return { other, memberId: id }
  }

  test('it waits until an owner confirms it, and signs in from then on', async () => {
    const person = await memberOf(system, owner.workspaceId, 'member')

    const asked = await person.call('PATCH', '/account', { email: 'New-Address@Example.com' })
    const early = await visitorOf(system).signIn('new-address@example.com')
    const listed = (await waiting()).filter(({ memberId }) => memberId === person.memberId)
    const confirmed = await confirm(owner, person.memberId, 'new-address@example.com')

    const newEmail = 'new-address@example.com'
    expect(asked).toMatchObject({ status: 200, body: { email: person.email, pendingEmail: { email: newEmail } } })
    expect(early.status).toBe(403)
    expect(listed).toMatchObject([{ name: 'Grace Hopper', email: person.email, newEmail }])
    expect(confirmed.status).toBe(204)
    expect(await emailOf(person)).toMatchObject({ email: newEmail, pendingEmail: null })
    expect((await visitorOf(system).signIn(newEmail)).status).toBe(201)
    expect((await visitorOf(system).signIn(person.email)).status).toBe(403)
  })

  test('an address that somebody has only asked for is free for the one whose it is', async () => {
    const squatter = await memberOf(system, owner.workspaceId, 'member')
    const email = await ask(squatter)
    const { id: memberId } = must(await owner.call('POST', inOwn('/members'), { name: 'Real', email }))
    const { token } = must(await owner.call('POST', inOwn('/invitations'), { memberId }))
    const real = visitorOf(system)

    const joined = await real.call('POST', '/invitations/accept', { token, name: 'Real', email, password })
    const late = await confirm(owner, squatter.memberId, email)

    expect(joined).toMatchObject({ status: 200, body: { account: { email } } })
    expect(late).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'email' } })
    expect(await emailOf(squatter)).toMatchObject({ email: squatter.email })
  })

  test('an invitation makes no account under an e-mail that it is not for', async () => {
    const { id: memberId } = must(await owner.call('POST', inOwn('/members'), { name: 'Eve', email: someEmail() }))
    const { token } = must(await owner.call('POST', inOwn('/invitations'), { memberId }))
    const victim = someEmail()

    const refused = await visitorOf(system).call('POST', '/invitations/accept', {
      token,
      name: 'Eve',
      email: victim,
      password,
    })

    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/email' }] } })
    expect(await system.db.account.findUnique({ where: { email: victim } })).toBeNull()
  })

  test('owners of a workspace of this person decide, never about themselves, and nobody else', async () => {
    const [person, admin] = [
      await memberOf(system, owner.workspaceId, 'member'),
      await memberOf(system, owner.workspaceId, 'admin'),
    ]
    const second = await memberOf(system, owner.workspaceId, 'owner')
    const other = await system.tenant()
    const [ofPerson, ofSecond] = [await ask(person), await ask(second)]

    const refused = [
      await confirm(person, person.memberId, ofPerson),
      await confirm(admin, person.memberId, ofPerson),
      await admin.call('DELETE', inOwn(`/email-changes/${person.memberId}`)),
      await confirm(second, second.memberId, ofSecond),
      await confirm(second, second.memberId.toUpperCase(), ofSecond),
    ]
    const elsewhere = await other.settings('POST', `/email-changes/${person.memberId}/confirm`, { newEmail: ofPerson })

    for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await confirm(owner, second.memberId, ofSecond)).toMatchObject({ status: 204 })
  })

  test('confirming needs the password again after ten minutes', async () => {
    const [person, second] = [
      await memberOf(system, owner.workspaceId, 'member'),
      await memberOf(system, owner.workspaceId, 'owner'),
    ]
    const email = await ask(person)
    const { id } = must(await second.call('GET', '/sessions/current'))
    await system.db.session.update({ where: { id }, data: { confirmedAt: null } })

    expect(await confirm(second, person.memberId, email)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' },
    })
  })

  test('the operator confirms that of any account', async () => {
    const newEmail = await ask(owner)
    const asOperator = (body: object) => system.operator('POST', '/settings/api/accounts/confirm-email', body)

    const wrong = await asOperator({ email: ada.email, newEmail: someEmail() })
    const confirmed = await asOperator({ email: ada.email.toUpperCase(), newEmail: newEmail.toUpperCase() })

    expect(wrong).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(confirmed).toMatchObject({ status: 200, body: { name: ada.name, email: newEmail, pendingEmail: null } })
    must(await owner.call('PATCH', '/account', { email: ada.email }))
    must(await asOperator({ email: newEmail, newEmail: ada.email }))
  })

  test('what was replaced, withdrawn, declined or is too old is not confirmed', async () => {
    const person = await memberOf(system, owner.workspaceId, 'member')
    const replaced = await ask(person)
    const withdrawn = await ask(person)
    const answers = [await confirm(owner, person.memberId, replaced)]
    expect(must(await person.call('PATCH', '/account', { email: person.email })).pendingEmail).toBeNull()
    answers.push(await confirm(owner, person.memberId, withdrawn))
    const declined = await ask(person)
    must(await owner.call('DELETE', inOwn(`/email-changes/${person.memberId}`)))
    answers.push(await confirm(owner, person.memberId, declined))
    const late = await ask(person)
    await system.db.emailChange.updateMany({ where: { email: late }, data: { expiresAt: new Date() } })
    answers.push(await confirm(owner, person.memberId, late))

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await waiting()).filter(({ memberId }) => memberId === person.memberId)).toEqual([])
    expect(await emailOf(person)).toMatchObject({ email: person.email, pendingEmail: null })
  })

  test('confirmed twice at the same moment, it is taken once', async () => {
    const person = await memberOf(system, owner.workspaceId, 'member')
    const email = await ask(person)

    const answers = await Promise.all([confirm(owner, person.memberId, email), confirm(owner, person.memberId, email)])

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 404]))
  })

  test('each step stands in the log of every workspace of the person, which learns nothing of owners elsewhere', async () => {
    const person = await memberOf(system, owner.workspaceId, 'member')
    const { other, memberId } = await joinAnother(person)
    const email = await ask(person)
    must(await confirm(owner, person.memberId, email))
    const { memberId: ownerId } = must(await owner.call('GET', '/sessions/current')).workspaces[0]

    const query = `/audit-entries?limit=200`
    const isOfPerson = ({ target }: { target: { type: string } | null }) => target?.type === 'account'
    const here = must(await owner.call('GET', inOwn(query)))
      .data.filter(isOfPerson)
      .slice(0, 2)
    const there = must(await other.settings('GET', query))
      .data.filter(isOfPerson)
      .slice(0, 2)

    const asked = { action: 'account.update', changes: { pendingEmail: { from: null, to: email } } }
    const taken = { email: { from: person.email, to: email }, pendingEmail: { from: email, to: null } }
    const confirmed = { action: 'email-changes.confirm', changes: taken }
    expect(here).toMatchObject([
      { ...confirmed, actor: { type: 'user', id: ownerId }, ip: '127.0.0.1' },
      { ...asked, actor: { type: 'user', id: person.memberId } },
    ])
    expect(there).toMatchObject([
      { ...confirmed, actor: { type: 'system', id: 'owner-elsewhere' }, ip: null, userAgent: null },
      { ...asked, actor: { type: 'user', id: memberId } },
    ])
    expect(JSON.stringify(there)).not.toContain(ada.name)
  })
})
