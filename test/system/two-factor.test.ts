// Two-factor authentication through the real gateway: second-factors.get, .begin-authenticator, .enable-authenticator,
// .remove-authenticator and .regenerate-recovery-codes, sessions.complete-with-code and accounts.remove-second-factors.
// A password alone opens no session, every code works once, and who guesses is stopped.
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { cli } from '../cli/command.ts'
import { codeFor, withAuthenticator, wrongCodeFor } from '../support/authenticator.ts'
import { eventually } from '../support/eventually.ts'
import { ada, memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, systemWithOwner, type Answer } from '../support/system.ts'

const refusal = (code: string, status = 403) => ({ status, body: { code } })
const { password } = ada
const newPassword = 'compilers like long walks'

type Member = Awaited<ReturnType<typeof memberOf>>
type Protected = Member & { readonly secret: string; readonly codes: string[]; readonly accountId: string }

describeMode('two-factor authentication', 'standalone', (mode) => {
  const { system, owner } = systemWithOwner(mode)

  const audited = async (query: string): Promise<AuditEntry[]> =>
    must(await owner.call('GET', `/workspaces/${owner.workspaceId}/audit-entries?limit=200${query}`)).data
  /** A code is good once: the next one would be thirty seconds away. */
  const forgetSteps = () => system.db.authenticator.updateMany({ data: { lastStep: 0 } })
  const begun = async (person: Person) => must(await person.call('POST', '/second-factors/authenticator', {}))
  const enabling = (person: Person, setup: string, code: string) =>
    person.call('POST', '/second-factors/authenticator/enable', { setup, code })
  const factors = async (person: Person) => must(await person.call('GET', '/second-factors'))

  /** A member who has set up an authenticator app. */
  async function protectedMember(): Promise<Protected> {
    const member = await memberOf(system, owner.workspaceId, 'admin')
    const { secret, recoveryCodes } = await withAuthenticator(member)
    await forgetSteps()
    const { id } = await system.db.account.findUniqueOrThrow({ where: { email: member.email } })
    return { ...member, secret, codes: recoveryCodes, accountId: id }
  }
  /** The first step in another browser. */
  async function firstStep({ email }: Pick<Member, 'email'>, browser = visitorOf(system)) {
    const pending = must(await browser.signIn(email))
    const complete = (code: string): Promise<Answer> =>
      browser.call('POST', '/sessions/second-factor', { signIn: pending.signIn, code })
    return { browser, pending, complete }
  }

  describe('of a sign-in', () => {
    test('a right password opens no session, and a code of the app does', async () => {
      const person = await protectedMember()

      const { browser, pending, complete } = await firstStep(person)

      expect(pending).toMatchObject({
        object: 'pending_sign_in',
        secondFactors: ['authenticator', 'recovery_code'],
      })
      expect([browser.cookie(), browser.browser()]).toEqual(['', ''])
      expect(await browser.call('GET', '/sessions/current')).toMatchObject(refusal('not_signed_in', 401))
      const entered = await complete(await codeFor(person.secret))
      expect(entered).toMatchObject({
        status: 201,
        body: { object: 'session', signInMethod: 'password_and_authenticator', account: { email: person.email } },
      })
      expect(must(await browser.call('GET', '/sessions/current')).confirmedUntil).not.toBeNull()
    })

    test('a wrong password is told as it always was, and not whether there is a second factor', async () => {
      const person = await protectedMember()
      const plain = await memberOf(system, owner.workspaceId, 'viewer')

      const answers = await Promise.all(
        [person, plain].map(({ email }) => visitorOf(system).signIn(email, 'not the password')),
      )

      const [one, other] = answers.map(({ status, body }) => ({ status, body: { ...body, requestId: null } }))
      expect(one).toEqual(other)
      expect(one).toMatchObject(refusal('wrong_password'))
    })

    test('a code works once, and of two calls with it at once only one', async () => {
      const person = await protectedMember()
      const code = await codeFor(person.secret)
      const [one, other] = [await firstStep(person), await firstStep(person)]

      const answers = await Promise.all([one.complete(code), other.complete(code)])

      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
      const third = await firstStep(person)
      expect(await third.complete(code)).toMatchObject(refusal('wrong_second_factor'))
    })

    test('a recovery code works once, of two at once only one, and the use is in the audit log', async () => {
      const person = await protectedMember()
      const [code = '', second = ''] = person.codes
      const [one, other] = [await firstStep(person), await firstStep(person)]

      const answers = await Promise.all([one.complete(code), other.complete(code.toUpperCase().replaceAll('-', ' '))])

      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
      expect(answers.find(({ status }) => status === 201)?.body.signInMethod).toBe('password_and_recovery_code')
      expect(await factors(person)).toMatchObject({ recoveryCodes: 9 })
      expect((await (await firstStep(person)).complete(second)).status).toBe(201)
      const used = (await audited('&action=sessions.complete-with-code')).filter(
        ({ actor, changes }) => actor.id === person.memberId && 'recoveryCodes' in changes,
      )
      expect(used.map(({ changes }) => changes)).toEqual([
        { recoveryCodes: { from: 9, to: 8 } },
        { recoveryCodes: { from: 10, to: 9 } },
      ])
    })

    test('a pending sign-in is good once, for ten minutes, and until the password changes', async () => {
      const person = await protectedMember()
      const [used, old, changed] = [await firstStep(person), await firstStep(person), await firstStep(person)]
      const past = new Date(Date.now() - 1)

      must(await used.complete(await codeFor(person.secret)))
      await forgetSteps()
      const again = await used.complete(await codeFor(person.secret))
      const hashes = await system.db.factorChallenge.findMany({
        where: { accountId: person.accountId, purpose: 'sign-in' },
        orderBy: { expiresAt: 'asc' },
      })
      await system.db.factorChallenge.update({
        where: { tokenHash: hashes[0]?.tokenHash ?? Buffer.of() },
        data: { expiresAt: past },
      })
      const late = await old.complete(await codeFor(person.secret))
      must(await person.call('POST', '/account/password', { currentPassword: password, newPassword }))
      const withOldPassword = await changed.complete(await codeFor(person.secret))

      for (const answer of [again, late, withOldPassword]) expect(answer).toMatchObject(refusal('sign_in_expired'))
    })

    test('five wrong codes end a sign-in, ten lock the account’s codes elsewhere, and the person’s own browser goes on', async () => {
      const person = await protectedMember()
      const wrong = await wrongCodeFor(person.secret)
      const own = await firstStep(person)
      must(await own.complete(await codeFor(person.secret)))
      await forgetSteps()
      await system.db.signInAttempt.deleteMany()
      const statuses: number[] = []
      for (const step of [await firstStep(person), await firstStep(person), await firstStep(person)])
        for (let n = 0; n < 6; n += 1) statuses.push((await step.complete(wrong)).status)

      // Ten wrong ones of two sign-ins, each refused as over at its sixth; then not even a right one is looked at.
      const five = [403, 403, 403, 403, 403]
      expect(statuses).toEqual([...five, 403, ...five, 403, 429, 429, 429, 429, 429, 403])
      const elsewhere = await firstStep(person)
      expect(await elsewhere.complete(await codeFor(person.secret))).toMatchObject(refusal('rate_limited', 429))
      const known = await firstStep(person, own.browser)
      expect((await known.complete(await codeFor(person.secret))).status).toBe(201)
      const codes = ['wrong_second_factor', 'rate_limited']
      await eventually(async () => {
        const denied = await audited('&action=sessions.complete-with-code&outcome=denied')
        return codes.every((code) => denied.some((entry) => entry.code === code)) || null
      }, 'the wrong codes in the audit log')
    })

    test('the sign-in of one account takes no code of another', async () => {
      const [person, another] = [await protectedMember(), await protectedMember()]
      const { complete } = await firstStep(person)

      for (const code of [await codeFor(another.secret), another.codes[0] ?? ''])
        expect(await complete(code)).toMatchObject(refusal('wrong_second_factor'))
    })
  })

  describe('in the account', () => {
    test('the first factor gives ten recovery codes once and ends sessions elsewhere; a change of app keeps the codes', async () => {
      const member = await memberOf(system, owner.workspaceId, 'viewer')
      const elsewhere = visitorOf(system)
      must(await elsewhere.signIn(member.email))
      expect(await factors(member)).toEqual({
        object: 'second_factors',
        authenticator: null,
        passkeys: [],
        recoveryCodes: 0,
      })

      const first = await begun(member)
      const enabled = must(await enabling(member, first.setup, await codeFor(first.secret)))
      await forgetSteps()
      const second = await begun(member)
      const stillFirst = await firstStep(member)
      const changed = must(await enabling(member, second.setup, await codeFor(second.secret)))
      await forgetSteps()

      expect(enabled.recoveryCodes).toHaveLength(10)
      expect(changed.recoveryCodes).toBeNull()
      expect((await elsewhere.call('GET', '/sessions')).status).toBe(401)
      expect(await stillFirst.complete(await codeFor(first.secret))).toMatchObject(refusal('wrong_second_factor'))
      expect((await stillFirst.complete(await codeFor(second.secret))).status).toBe(201)
      expect(await factors(member)).toMatchObject({ authenticator: {}, recoveryCodes: 10 })
    })

    test('a setup needs a right code, is good once, and for the person who began it', async () => {
      const [member, thief] = [
        await memberOf(system, owner.workspaceId, 'viewer'),
        await memberOf(system, owner.workspaceId, 'viewer'),
      ]
      const { setup, secret } = await begun(member)

      const wrong = await enabling(member, setup, await wrongCodeFor(secret))
      const stolen = await enabling(thief, setup, await codeFor(secret))
      const right = await enabling(member, setup, await codeFor(secret))
      const again = await enabling(member, setup, await codeFor(secret))

      expect([wrong, right.status]).toMatchObject([refusal('wrong_second_factor'), 200])
      for (const answer of [stolen, again]) expect(answer).toMatchObject(refusal('challenge_expired'))
      expect(await factors(thief)).toMatchObject({ authenticator: null })
    })

    test('new recovery codes end the old ones; without a factor there are none', async () => {
      const person = await protectedMember()
      const { recoveryCodes } = must(await person.call('POST', '/second-factors/recovery-codes', {}))
      const { complete } = await firstStep(person)

      expect(await complete(person.codes[0] ?? '')).toMatchObject(refusal('wrong_second_factor'))
      expect((await complete(recoveryCodes[0])).status).toBe(201)
      const plain = await memberOf(system, owner.workspaceId, 'viewer')
      expect(await plain.call('POST', '/second-factors/recovery-codes', {})).toMatchObject(
        refusal('invalid_transition', 409),
      )
    })

    test('without its factor the password alone signs in again, and no recovery code is left', async () => {
      const person = await protectedMember()

      expect((await person.call('DELETE', '/second-factors/authenticator')).status).toBe(204)
      expect(await person.call('DELETE', '/second-factors/authenticator')).toMatchObject(refusal('not_found', 404))
      expect(await factors(person)).toMatchObject({ authenticator: null, recoveryCodes: 0 })
      expect(must(await visitorOf(system).signIn(person.email))).toMatchObject({ signInMethod: 'password' })
      const told = (await audited('&action=second-factors.remove-authenticator')).at(0)
      expect(told?.changes).toMatchObject({ authenticator: { to: 'none' }, recoveryCodes: { from: 10, to: 0 } })
    })

    test('each change asks for a recent confirmation, which takes the password and a code', async () => {
      const person = await protectedMember()
      await system.db.session.updateMany({ data: { confirmedAt: null } })
      const changes = [
        ['POST', '/second-factors/authenticator', {}],
        ['POST', '/second-factors/authenticator/enable', { setup: 'x'.repeat(43), code: '123456' }],
        ['DELETE', '/second-factors/authenticator', undefined],
        ['POST', '/second-factors/recovery-codes', {}],
      ] as const
      const confirm = (given: object) => person.call('POST', '/sessions/current/confirm', given)

      for (const [method, path, body] of changes)
        expect([path, await person.call(method, path, body)]).toMatchObject([path, refusal('confirmation_required')])
      const without = await confirm({ password })
      const wrong = await confirm({ password, code: await wrongCodeFor(person.secret) })
      const wrongPassword = await confirm({ password: 'not the password', code: await codeFor(person.secret) })
      const right = await confirm({ password, code: await codeFor(person.secret) })
      const replayed = await confirm({ password, code: await codeFor(person.secret) })

      expect(without).toMatchObject({ status: 422, body: { errors: [{ pointer: '/code', code: 'required' }] } })
      expect([wrong, wrongPassword, right.status, replayed]).toMatchObject([
        refusal('wrong_second_factor'),
        refusal('wrong_password'),
        200,
        refusal('wrong_second_factor'),
      ])
    })

    test('who signs in at a provider sets up their second factor there', async () => {
      const member = await memberOf(system, owner.workspaceId, 'viewer')
      await system.db.account.update({ where: { email: member.email }, data: { passwordHash: null } })

      expect(await member.call('POST', '/second-factors/authenticator', {})).toMatchObject(
        refusal('invalid_transition', 409),
      )
    })

    test('secrets are sealed and codes hashed in the database', async () => {
      const person = await protectedMember()
      const { secret } = await begun(person)
      const rows = JSON.stringify(
        [
          await system.db.authenticator.findMany(),
          await system.db.recoveryCode.findMany(),
          await system.db.factorChallenge.findMany(),
        ],
        (_key, value: unknown) =>
          typeof value === 'bigint'
            ? Number(value)
            : value instanceof Object && 'type' in value && value.type === 'Buffer'
              ? Buffer.from((value as unknown as { data: number[] }).data).toString('latin1')
              : value,
      )

      for (const plain of [person.secret, secret, ...person.codes]) expect(rows).not.toContain(plain)
    })
  })

  describe('and the operator', () => {
    test('an access reset keeps the second factor and asks for it', async () => {
      const person = await protectedMember()
      const { token } = must(
        await system.operator('POST', '/settings/api/accounts/reset-access', { email: person.email }),
      )
      const browser = visitorOf(system)

      const pending = must(await browser.call('POST', '/accounts/recover', { token, newPassword }))

      expect(pending).toMatchObject({ object: 'pending_sign_in' })
      expect(browser.cookie()).toBe('')
      const code = await codeFor(person.secret)
      const entered = await browser.call('POST', '/sessions/second-factor', { signIn: pending.signIn, code })
      expect(entered.status).toBe(201)
    })

    test('a reset that removes second factors leaves the password alone', async () => {
      const person = await protectedMember()
      const made = await cli(system, 'access', 'reset', '--email', person.email, '--removeSecondFactors', '--json')
      const { token } = JSON.parse(made.stdout) as { token: string }

      const entered = must(await visitorOf(system).call('POST', '/accounts/recover', { token, newPassword }))

      expect(entered).toMatchObject({ object: 'session', signInMethod: 'link', secondFactors: [] })
      const [told] = await audited('&action=accounts.recover')
      expect(told?.changes).toMatchObject({ recoveryCodes: { from: 10, to: 0 } })
    })

    test('the operator turns it off, which ends all sessions and is in the audit log', async () => {
      const person = await protectedMember()
      const remove = (email: string) =>
        system.operator('POST', '/settings/api/accounts/remove-second-factors', { email })

      expect((await remove(person.email)).status).toBe(204)

      expect((await person.call('GET', '/sessions')).status).toBe(401)
      expect(must(await visitorOf(system).signIn(person.email))).toMatchObject({ object: 'session' })
      expect(await remove(person.email)).toMatchObject(refusal('invalid_transition', 409))
      expect(await remove('nobody@example.com')).toMatchObject(refusal('not_found', 404))
      expect(await owner.call('POST', '/accounts/remove-second-factors', { email: person.email })).toMatchObject(
        refusal('insufficient_scope'),
      )
      const [told] = await audited('&action=accounts.remove-second-factors')
      expect(told).toMatchObject({ actor: { id: 'operator' }, changes: { authenticator: { to: 'none' } } })
    })
  })
})
