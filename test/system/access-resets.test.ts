// Somebody who cannot sign in any more comes back by a link of the operator's: accounts.reset-access, `cli access
// reset` and accounts.recover.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cli } from '../cli/command.ts'
import { ada, firstOwner, memberOf, samePage, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

const newPassword = 'compilers like long walks'

describeMode('access that is reset', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const reset = (email: string) => system.operator('POST', '/settings/api/accounts/reset-access', { email })
  const recover = (person: Person, token: string, password = newPassword) =>
    person.call('POST', '/accounts/recover', { token, newPassword: password })
  const newestEntry = async (action: string) => {
    const path = `/settings/api/workspaces/${owner.workspaceId}/audit-entries?action=${action}&limit=1`
    return must(await system.operator('GET', path)).data[0]
  }

  test('the command prints a link; whoever opens it sets a new password and is signed in, and nobody else is', async () => {
    const before = await memberOf(system, owner.workspaceId, 'owner')
    const { email } = before

    const { code, stdout } = await cli(system, 'access', 'reset', '--email', email.toUpperCase())
    const token = /\/settings\/reset-access#([\w-]{43})$/m.exec(stdout)?.[1] ?? ''
    const unused = await before.call('GET', '/sessions/current')
    const guest = visitorOf(system)
    const recovered = await recover(guest, token)

    expect(code).toBe(0)
    expect(stdout).toContain(`${system.url}/settings/reset-access#`)
    expect(unused.status).toBe(200)
    expect(recovered).toMatchObject({
      status: 200,
      body: { account: { email }, workspaces: [{ role: 'owner' }], confirmedUntil: expect.any(String) },
    })
    expect(await guest.call('GET', '/sessions/current')).toMatchObject({ status: 200 })
    expect(await before.call('GET', '/sessions/current')).toMatchObject({ status: 401 })
    expect(await owner.call('GET', '/sessions/current')).toMatchObject({ status: 200 })
    expect(await visitorOf(system).signIn(email)).toMatchObject({ status: 403 })
    expect(await visitorOf(system).signIn(email, newPassword)).toMatchObject({ status: 201 })
  })

  test('the log of each workspace of the account tells of the link and of its use, without its token', async () => {
    const person = await memberOf(system, owner.workspaceId, 'admin')
    const { token, expiresAt } = must(await reset(person.email))
    must(await recover(visitorOf(system), token))

    const [made, used] = [await newestEntry('accounts.reset-access'), await newestEntry('accounts.recover')]

    expect(made).toMatchObject({
      actor: { type: 'system', id: 'operator' },
      target: { type: 'account', name: 'Grace Hopper' },
      changes: { resetUntil: { from: null, to: expiresAt } },
    })
    expect(used).toMatchObject({
      actor: { type: 'user', id: person.memberId },
      target: made.target,
      changes: { resetUntil: { from: expiresAt, to: null } },
    })
    expect(JSON.stringify([made, used, await system.db.accessReset.findMany()])).not.toContain(token)
  })

  test('a link works once, ends with the next one, and is good for an hour', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const replaced = must(await reset(person.email)).token
    const used = must(await reset(person.email)).token
    must(await recover(visitorOf(system), used))
    const late = must(await reset(person.email))
    await system.db.accessReset.updateMany({ data: { expiresAt: new Date() } })

    const minutes = (Date.parse(late.expiresAt) - Date.now()) / 60_000
    expect([minutes > 59, minutes <= 60]).toEqual([true, true])
    for (const token of [replaced, used, late.token, 'x'.repeat(43)])
      expect(await recover(visitorOf(system), token)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('a password that is guessed first leaves the link as it was; used twice at the same moment, it sets one', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const { token } = must(await reset(person.email))

    const guessed = await recover(visitorOf(system), token, 'password1234')
    const answers = await Promise.all([recover(visitorOf(system), token), recover(visitorOf(system), token)])

    expect(guessed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/newPassword' }] } })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
  })

  test('the operator alone makes such a link, for an account that there is', async () => {
    const admin = await memberOf(system, owner.workspaceId, 'owner')
    const path = '/settings/api/accounts/reset-access'

    const byOwner = await admin.call('POST', '/accounts/reset-access', { email: ada.email })
    const byNobody = await system.call('POST', path, { email: ada.email }, samePage)
    const ofNobody = await reset('nobody@example.com')

    expect(byOwner).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(byNobody.status).toBe(401)
    expect(ofNobody).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('tokens are guessed within bounds', async () => {
    const guesses = []
    for (let at = 0; at < 21; at += 1)
      guesses.push((await recover(visitorOf(system), `guess-${at}`.padEnd(43, 'x'))).status)

    expect(guesses.at(-1)).toBe(429)
  })
})
