// A workspace that requires two-factor authentication of its members: whom it would stop, from when it stops them, how
// they comply, and what nobody can do about it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeFor, withAuthenticator } from '../support/authenticator.ts'
import { firstOwner, memberOf, ownerOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

const required = { status: 403, body: { code: 'second_factor_required' } }

describeMode('a second factor that a workspace requires', 'standalone', (mode) => {
  let system: System
  beforeAll(async () => {
    system = await startSystem(mode)
    await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  async function workspace() {
    const owner = await ownerOf(system, 'Globex')
    const at = `/workspaces/${owner.workspaceId}`
    const change = async (body: object) => must(await owner.call('PATCH', at, body))
    const seen = (person: Person) => person.call('GET', at)
    const stateOf = async (person: Person) =>
      must(await person.call('GET', '/sessions/current')).workspaces.find(
        ({ workspaceId }: { readonly workspaceId: string }) => workspaceId === owner.workspaceId,
      )?.secondFactor
    return { owner, at, change, seen, stateOf, member: () => memberOf(system, owner.workspaceId, 'viewer') }
  }

  test('who would be stopped is shown first: those whose password alone signs in', async () => {
    const { owner, change, member } = await workspace()
    const [plain, protectedOne, atProvider] = [await member(), await member(), await member()]
    await withAuthenticator(protectedOne)
    await system.db.account.update({ where: { email: atProvider.email }, data: { passwordHash: null } })

    const asked = { requireSecondFactor: true, policyGraceHours: 24, dryRun: true }
    const { policyPreview, requireSecondFactorFrom } = await change(asked)

    const stopped = policyPreview.stoppedMembers.map(({ id }: { readonly id: string }) => id)
    expect(policyPreview.members).toBe(2)
    expect(stopped.toSorted()).toEqual([owner.memberId, plain.memberId].toSorted())
    expect(policyPreview.stoppedMembers[0]).toMatchObject({ from: requireSecondFactorFrom, refused: false })
    const kept = must(await owner.call('GET', `/workspaces/${owner.workspaceId}`))
    expect(kept).toMatchObject({ requireSecondFactor: false, requireSecondFactorFrom: null })
  })

  test('from its time on a member without one is stopped there, and there alone, until they set one up', async () => {
    const { owner, at, change, seen, stateOf, member } = await workspace()
    const person = await member()
    await withAuthenticator(owner)
    const other = await workspace()
    const { body: added } = await other.owner.call('POST', `${other.at}/members`, {
      name: 'Grace Hopper',
      email: person.email,
      role: 'viewer',
    })
    const { token } = must(await other.owner.call('POST', `${other.at}/invitations`, { memberId: added.id }))
    must(await person.call('POST', '/invitations/accept', { token }))

    await change({ requireSecondFactor: true, policyGraceHours: 24 })
    const inGrace = [(await seen(person)).status, await stateOf(person)]
    await system.db.workspace.update({
      where: { id: owner.workspaceId },
      data: { requireSecondFactorFrom: new Date(Date.now() - 1) },
    })

    expect(inGrace).toMatchObject([200, { isMissing: true }])
    for (const each of [await seen(person), await person.call('GET', `${at}/members`)])
      expect(each).toMatchObject(required)
    expect((await other.seen(person)).status).toBe(200)
    expect((await seen(owner)).status).toBe(200)
    expect((await system.operator('GET', `/settings/api${at}`)).status).toBe(200)
    must(await person.call('POST', '/sessions/current/confirm', { password: 'seven small turtles sing' }))
    await withAuthenticator(person)
    expect([(await seen(person)).status, await stateOf(person)]).toMatchObject([200, { isMissing: false }])
  })

  test('a sign-in at the provider complies', async () => {
    const { change, seen, member } = await workspace()
    const person = await member()
    await change({ requireSecondFactor: true })
    expect(await seen(person)).toMatchObject(required)

    const account = { account: { email: person.email } }
    await system.db.session.updateMany({ where: account, data: { signInMethod: 'provider' } })
    expect((await seen(person)).status).toBe(200)
  })

  test('the owner who sets it is stopped as well; API keys are not', async () => {
    const { owner, at, change, seen } = await workspace()
    const { secret } = must(await owner.call('POST', `${at}/api-keys`, { name: 'Sync', preset: 'read-only' }))

    await change({ requireSecondFactor: true })

    expect(await seen(owner)).toMatchObject(required)
    const headers = { authorization: `Bearer ${secret}` }
    expect((await system.call('GET', '/api/v1/workspaces/current', undefined, headers)).status).toBe(200)
  })

  test('the last second factor stays as long as a workspace requires one', async () => {
    const { owner, change } = await workspace()
    const { secret } = await withAuthenticator(owner)
    await change({ requireSecondFactor: true, policyGraceHours: 2_160 })

    const refused = await owner.call('DELETE', '/second-factors/authenticator')

    expect(refused).toMatchObject({ status: 409, body: { code: 'last_second_factor' } })
    expect(refused.body.detail).toContain('Globex')
    await system.db.authenticator.updateMany({ data: { lastStep: 0 } })
    const browser = visitorOf(system)
    const { signIn } = must(await browser.signIn(owner.email))
    must(await browser.call('POST', '/sessions/second-factor', { signIn, code: await codeFor(secret) }))
    await change({ requireSecondFactor: false })
    expect((await browser.call('DELETE', '/second-factors/authenticator')).status).toBe(204)
  })

  test('a grace that runs is replaced by one that is given, and by nothing else', async () => {
    const { owner, change } = await workspace()
    await withAuthenticator(owner)
    const hoursAhead = ({ requireSecondFactorFrom }: { readonly requireSecondFactorFrom: string }): number =>
      Math.round((Date.parse(requireSecondFactorFrom) - Date.now()) / 3_600_000)

    const first = await change({ requireSecondFactor: true, policyGraceHours: 100 })
    const same = await change({ requireSecondFactor: true })
    const replaced = await change({ requireSecondFactor: true, policyGraceHours: 10 })
    const none = await owner.call('PATCH', `/workspaces/${owner.workspaceId}`, { policyGraceHours: 10 })

    expect([first, same, replaced].map(hoursAhead)).toEqual([100, 100, 10])
    expect(none).toMatchObject({ status: 422 })
    const audit = must(
      await owner.call('GET', `/workspaces/${owner.workspaceId}/audit-entries?action=workspaces.update`),
    )
    expect(audit.data.at(-1).changes).toMatchObject({ requireSecondFactor: { from: false, to: true } })
  })
})
