// Emails of the whole product, through a real SMTP server: invitations, links to set a new password and links to
// confirm a new address, and notices to the former one. The calls are invitations.create, accounts.request-reset,
// accounts.recover, account.update, email-changes.confirm-by-link, email-changes.confirm, accounts.confirm-email and
// sessions.methods.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { momentText } from '../../service/mail/letter.ts'
import { eventually } from '../support/eventually.ts'
import { lacksForeign } from '../support/foreign.ts'
import { ada, firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { startSmtpServer, tokenIn, type TestSmtpServer } from '../support/servers/smtp-server.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

type Entry = { readonly target: { readonly id: string } | null }
type Member = Awaited<ReturnType<typeof memberOf>>

const grace = { name: 'Grace Höpper', email: 'grace@example.com', password: 'compilers like long walks' }
const notFound = { status: 404, body: { code: 'not_found' } }

describe.skipIf(lacksForeign)('email', () => {
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
        'an email that was given up',
      )

      expect(smtp.mails.filter(({ to }) => to.includes('later@example.com'))).toHaveLength(1)
      expect(given).toMatchObject({ attempts: 1, failure: expect.stringContaining('550') })
      expect(given.sealedContent).toHaveLength(0)
      await system.db.mail.deleteMany()
    })

    test('a forgotten password is set anew by the link in the email, and the old one signs in no more', async () => {
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

    test('the answer does not say whether there is an account, and an address without one gets no email', async () => {
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

    test('the audit log of each workspace of the account has the request of a visitor; for no account there is none', async () => {
      const person = await memberOf(system, owner.workspaceId, 'viewer')
      const other = await system.tenant()
      const member = must(await other.settings('POST', '/members', { name: 'Grace', email: 'elsewhere@example.com' }))
      const { token } = must(await other.settings('POST', '/invitations', { memberId: member.id }))
      must(await person.call('POST', '/invitations/accept', { token }))
      const ask = async (email: string) => must(await guest().call('POST', '/accounts/request-reset', { email }))
      await ask('stranger@example.com')
      await ask(person.email.toUpperCase())

      const path = '/audit-entries?action=accounts.request-reset'
      const entryOf = (memberId: string, read: () => Promise<Entry[]>) =>
        eventually(async () => (await read()).find(({ target }) => target?.id === memberId), 'the request')
      const entries = async () => must(await owner.call('GET', inOwn(path))).data
      const elsewhere = async () => must(await other.settings('GET', path)).data
      const said = { outcome: 'success', code: null, actor: { type: 'system', id: 'visitor', name: 'Visitor' } }
      expect(await entryOf(person.memberId, entries)).toMatchObject({ ...said, ip: `192.0.2.${addresses}` })
      expect(await entryOf(member.id, elsewhere)).toMatchObject(said)
      expect(await elsewhere()).toHaveLength(1)
      expect(JSON.stringify(await entries())).not.toContain('stranger@example.com')
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

    test('requests are limited for an email, whether it has an account or not, and for a client address', async () => {
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

    test('a new email counts once its link is used; the link ends with it, or when another address is given', async () => {
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

    test.each([
      {
        by: 'its link',
        confirm: async (_person: Member, newEmail: string) => {
          const token = tokenIn(await smtp.mailTo(newEmail), 'https://workspace.example/settings/confirm-email')
          return await guest().call('POST', '/email-changes/confirm', { token })
        },
      },
      {
        by: 'an owner',
        confirm: ({ memberId }: Member, newEmail: string) =>
          owner.call('POST', inOwn(`/email-changes/${memberId}/confirm`), { newEmail }),
      },
      {
        by: 'the operator',
        confirm: ({ email }: Member, newEmail: string) =>
          system.operator('POST', '/settings/api/accounts/confirm-email', { email, newEmail }),
      },
    ])(
      'the former address is told once of a new email that $by has confirmed, and of none before',
      async ({ by, confirm }) => {
        const person = await memberOf(system, owner.workspaceId, 'viewer')
        const newEmail = `${by.replace(' ', '-')}@example.com`
        must(await person.call('PATCH', '/account', { email: newEmail }))
        await smtp.mailTo(newEmail)
        await isSent()
        const before = smtp.mails.filter(({ to }) => to.includes(person.email))
        smtp.answer('receiver', 450)
        must(await confirm(person, newEmail))
        const waiting = await eventually(() => system.db.mail.findFirst(), 'an email that waits')
        smtp.answer('receiver', 'accept')
        await isSent()

        expect(before).toEqual([])
        const mails = smtp.mails.filter(({ to }) => to.includes(person.email))
        expect(mails.map(({ subject }) => subject)).toEqual(['Your email address was changed'])
        expect(mails[0]?.text).toContain(`was changed from ${person.email} to ${newEmail}.`)
        expect(mails[0]?.text).toContain(`On ${momentText(waiting.createdAt, 'UTC')} `)
        expect(mails[0]?.text).toContain('If you did not want this change')
        for (const secret of [person.email, newEmail])
          expect(Buffer.from(waiting.sealedContent).toString('latin1')).not.toContain(secret)
      },
    )

    test('an email that is declined, or withdrawn, is no news to the address that stays', async () => {
      const person = await memberOf(system, owner.workspaceId, 'viewer')
      must(await person.call('PATCH', '/account', { email: 'declined@example.com' }))
      await isSent()
      must(await owner.call('DELETE', inOwn(`/email-changes/${person.memberId}`)))
      must(await person.call('PATCH', '/account', { email: 'withdrawn@example.com' }))
      must(await person.call('PATCH', '/account', { email: person.email }))
      await isSent()

      expect(smtp.mails.filter(({ to }) => to.includes(person.email))).toEqual([])
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
