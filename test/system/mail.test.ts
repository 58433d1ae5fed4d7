// E-mails of the whole product, through a real SMTP server: invitations, links to set a new password and links to
// confirm a new address. The calls are invitations.create, accounts.request-reset, accounts.recover, account.update,
// email-changes.confirm-by-link and sessions.methods.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { lacksForeign } from '../support/foreign.ts'
import { ada, firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { startSmtpServer, tokenIn, type TestSmtpServer } from '../support/servers/smtp-server.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

const grace = { name: 'Grace Höpper', email: 'grace@example.com', password: 'compilers like long walks' }
const notFound = { status: 404, body: { code: 'not_found' } }

describe.skipIf(lacksForeign)('e-mail', () => {
  describeMode('over SMTP', 'standalone', () => {
    let smtp: TestSmtpServer
    let system: System
    let owner: Person & { readonly workspaceId: string }
    beforeAll(async () => {
      smtp = await startSmtpServer()
      const mailPatience = { backoff: { minMs: 1, maxMs: 1 } }
      system = await startSystem('standalone', { mail: smtp.config, mailPatience, trustedProxies: ['127.0.0.0/8'] })
      owner = await firstOwner(system, { workspaceName: 'Acme' })
    })
    afterAll(async () => {
      await system?.[Symbol.asyncDispose]()
      await smtp?.[Symbol.asyncDispose]()
    })
    afterEach(() => {
      smtp.answer('receiver', 'accept')
      smtp.answer('text', 'accept')
    })

    const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
    /** A browser elsewhere: limits by address are not those of other tests. */
    let addresses = 0
    const guest = () =>
      visitorOf(system, { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': `192.0.2.${++addresses}` })
    const isSent = () => eventually(async () => (await system.db.mail.count()) === 0, 'nothing waits')
    const invite = async (given: { readonly name: string; readonly email: string }) => {
      const { id } = must(await owner.call('POST', inOwn('/members'), given))
      return must(await owner.call('POST', inOwn('/invitations'), { memberId: id }))
    }

    test('an invitation goes to the member, with the link that the inviter is shown, and is accepted by it', async () => {
      const invitation = await invite({ name: grace.name, email: grace.email })
      const mail = await smtp.mailTo(grace.email)

      expect(invitation).toMatchObject({ emailed: true })
      expect(mail.subject).toBe('Invitation to Acme')
      expect(mail.text).toContain(`Hello ${grace.name},`)
      expect(mail.text).toContain(`${ada.name} has invited you to join the workspace Acme as member.`)
      const token = tokenIn(mail, 'https://workspace.example/settings/invitation')
      expect(token).toBe(invitation.token)
      must(await guest().call('POST', '/invitations/accept', { token, ...grace }))
      expect(must(await guest().call('GET', '/sessions/methods'))).toMatchObject({
        sendsEmail: true,
        resetByEmail: true,
      })
    })

    test('what waits holds neither the link nor the address in clear, and an invitation that has ended is not sent', async () => {
      smtp.answer('receiver', 450)
      const { memberId, token } = await invite({ name: 'Eve', email: 'eve@example.com' })
      const rows = await eventually(async () => {
        const found = await system.db.mail.findMany()
        return found.some(({ failure }) => failure !== null) ? found : null
      }, 'an attempt that failed')
      const stored = rows.map((row) => JSON.stringify(row) + Buffer.from(row.sealedContent).toString('latin1'))

      must(await owner.call('DELETE', inOwn(`/members/${memberId}`)))
      smtp.answer('receiver', 'accept')
      await isSent()

      for (const row of stored) for (const secret of [token, 'eve@example.com']) expect(row).not.toContain(secret)
      expect(smtp.mails.filter(({ to }) => to.includes('eve@example.com'))).toEqual([])
    })

    test('a server that cannot take it now gets it later, once; what it refuses for good is given up', async () => {
      smtp.answer('text', 451)
      await invite({ name: 'Later', email: 'later@example.com' })
      const begun = smtp.begun()
      await eventually(() => smtp.begun() > begun + 1, 'several attempts')
      smtp.answer('text', 'accept')
      await smtp.mailTo('later@example.com')
      await isSent()
      smtp.answer('receiver', 550)
      await invite({ name: 'Never', email: 'never@example.com' })
      const given = await eventually(
        () => system.db.mail.findFirst({ where: { failedAt: { not: null } } }),
        'an e-mail that was given up',
      )

      expect(smtp.mails.filter(({ to }) => to.includes('later@example.com'))).toHaveLength(1)
      expect(given).toMatchObject({ attempts: 1, failure: expect.stringContaining('550') })
      expect(given.sealedContent).toHaveLength(0)
      await system.db.mail.deleteMany()
    })

    test('a forgotten password is set anew by the link in the e-mail, and the old one signs in no more', async () => {
      const person = await memberOf(system, owner.workspaceId, 'viewer')
      must(await guest().call('POST', '/accounts/request-reset', { email: person.email.toUpperCase() }))
      const mail = await smtp.mailTo(person.email)
      const token = tokenIn(mail, 'https://workspace.example/settings/reset-access')

      const newPassword = 'nine quiet otters swim'
      must(await guest().call('POST', '/accounts/recover', { token, newPassword }))

      expect(mail.subject).toBe('Set a new password')
      expect((await guest().signIn(person.email, newPassword)).status).toBe(201)
      expect((await guest().signIn(person.email)).status).toBe(403)
      expect(await guest().call('POST', '/accounts/recover', { token, newPassword })).toMatchObject(notFound)
    })

    test('the answer does not say whether there is an account, and an address without one gets no e-mail', async () => {
      const answers = [
        await guest().call('POST', '/accounts/request-reset', { email: grace.email }),
        await guest().call('POST', '/accounts/request-reset', { email: 'nobody@example.com' }),
      ]
      await smtp.mailTo(grace.email, 2)
      await isSent()

      expect(answers).toMatchObject([
        { status: 204, body: null },
        { status: 204, body: null },
      ])
      expect(smtp.mails.filter(({ to }) => to.includes('nobody@example.com'))).toEqual([])
    })

    test('an account without a password is told how it signs in, and gets no link', async () => {
      const { email } = await memberOf(system, owner.workspaceId, 'viewer')
      await system.db.account.update({ where: { email }, data: { passwordHash: null } })
      must(await guest().call('POST', '/accounts/request-reset', { email }))

      const mail = await smtp.mailTo(email)
      expect(mail.subject).toBe('Your account has no password')
      expect(mail.raw).not.toContain('reset-access')
      expect(await system.db.accessReset.count({ where: { account: { email } } })).toBe(0)
    })

    test('requests are limited for an e-mail, whether it has an account or not, and for a client address', async () => {
      const ask = async (person: Person, email: string) =>
        (await person.call('POST', '/accounts/request-reset', { email })).status
      for (const email of [ada.email, 'no-account@example.com']) {
        const statuses = []
        for (let n = 0; n < 4; n++) statuses.push(await ask(guest(), email))
        expect(statuses).toEqual([204, 204, 204, 429])
      }
      const same = guest()
      for (let n = 0; n < 20; n++) expect(await ask(same, `other-${n}@example.com`)).toBe(204)
      expect(await ask(same, 'another@example.com')).toBe(429)
      await isSent()
    })

    test('a new e-mail counts once its link is used; the link ends with it, or when another address is given', async () => {
      const person = await memberOf(system, owner.workspaceId, 'viewer')
      const change = async (email: string) => must(await person.call('PATCH', '/account', { email }))
      const confirm = (token: string) => guest().call('POST', '/email-changes/confirm', { token })
      const page = 'https://workspace.example/settings/confirm-email'
      await change('first@example.com')
      const first = tokenIn(await smtp.mailTo('first@example.com'), page)
      await change('Second@example.com')
      const mail = await smtp.mailTo('second@example.com')
      const second = tokenIn(mail, page)

      expect(mail.text).toContain(`Until then you sign in with ${person.email}.`)
      expect(await confirm(first)).toMatchObject(notFound)
      expect(must(await confirm(second))).toEqual({ object: 'confirmed_email', email: 'second@example.com' })
      expect(await confirm(second)).toMatchObject(notFound)
      expect((await guest().signIn('second@example.com')).status).toBe(201)
      expect((await guest().signIn(person.email)).status).toBe(403)
      const { data } = must(await owner.call('GET', inOwn('/audit-entries?action=email-changes.confirm-by-link')))
      expect(data).toMatchObject([{ actor: { id: person.memberId }, changes: { email: { to: 'second@example.com' } } }])
    })
  })

  describeMode('without SMTP settings', 'standalone', () => {
    test('links are handed on by people, and whoever has forgotten a password is told to ask the operator', async () => {
      await using system = await startSystem('standalone')
      const owner = await firstOwner(system)
      const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
      const { id } = must(await owner.call('POST', inOwn('/members'), { name: grace.name, email: grace.email }))

      expect(must(await owner.call('POST', inOwn('/invitations'), { memberId: id }))).toMatchObject({ emailed: false })
      const answer = await visitorOf(system).call('POST', '/accounts/request-reset', { email: ada.email })
      expect(answer).toMatchObject({ ...notFound, body: { detail: expect.stringContaining('Ask the operator') } })
      expect(must(await visitorOf(system).call('GET', '/sessions/methods'))).toMatchObject({ sendsEmail: false })
      expect(await system.db.mail.count()).toBe(0)
    })
  })
})
