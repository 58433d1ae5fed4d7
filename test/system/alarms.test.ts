// Alarms, from what causes them to the email and the end: each is raised once, is sent once to those who want it, and
// ends when it is settled. The calls are alarms.list, alarms.dismiss, alarms.settings, alarms.update-settings,
// alarms.preferences, alarms.update-preferences and alarms.send-test.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deniedCallsMin } from '#contract/alarms.ts'
import { emitDenied, emitExpiring } from '../../service/alarms/due-keys.ts'
import { closeSettled } from '../../service/alarms/rows.ts'
import { recordDeniedCalls } from '../../service/audit/denied-calls.ts'
import { emitRotationDue } from '../../service/keys/api-keys/rotation-due.ts'
import { disableGivenUp, warnOfFailing } from '../../service/webhooks/failing.ts'
import { changeDeps } from '../support/change-deps.ts'
import { eventually } from '../support/eventually.ts'
import { lacksForeign } from '../support/foreign.ts'
import { firstOwner, memberOf, ownerOf, type Person } from '../support/person.ts'
import { startSmtpServer, type TestSmtpServer } from '../support/servers/smtp-server.ts'
import { describeOnce, must, startSystem, type System } from '../support/system.ts'

const dayMs = 86_400_000
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs)

type Owner = Awaited<ReturnType<typeof ownerOf>>
/** A workspace of one test, as its owner sees it. */
type Place = {
  readonly owner: Owner
  readonly call: (method: string, path: string, body?: unknown) => ReturnType<Person['call']>
  readonly alarms: () => Promise<Alarm[]>
  readonly types: () => Promise<string[]>
  readonly key: (more?: object) => Promise<string>
  readonly webhook: () => Promise<string>
}
type Alarm = Readonly<Record<string, unknown>> & { readonly id: string; readonly kind: string }

describe.skipIf(lacksForeign)('alarms', () => {
  describeOnce('of a workspace', (mode) => {
    let smtp: TestSmtpServer
    let system: System
    beforeAll(async () => {
      smtp = await startSmtpServer()
      const mailPatience = { backoff: { minMs: 1, maxMs: 1 }, groupSeconds: 0 }
      system = await startSystem(mode, { mail: smtp.config, mailPatience })
      await firstOwner(system)
    })
    afterAll(async () => {
      await system?.[Symbol.asyncDispose]()
      await smtp?.[Symbol.asyncDispose]()
    })

    async function place(name: string): Promise<Place> {
      const owner = await ownerOf(system, name)
      const call: Place['call'] = (method, path, body) =>
        owner.call(method, `/workspaces/${owner.workspaceId}${path}`, body)
      return {
        owner,
        call,
        alarms: async () => must(await call('GET', '/alarms')).data,
        types: async () =>
          must(await call('GET', '/events?after=0&limit=200')).data.map(({ type }: { type: string }) => type),
        key: async (more = {}) =>
          must(await call('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'], ...more })).id,
        webhook: async () =>
          must(
            await call('POST', '/webhooks', { name: 'CRM', url: 'http://127.0.0.1:1024/', eventTypes: ['projects.*'] }),
          ).id,
      }
    }
    const deps = () => changeDeps(system.db)
    /** All that looks for what is due, twice: the second time finds nothing. */
    async function sweep(): Promise<void> {
      for (const work of [emitExpiring, emitDenied, emitRotationDue, warnOfFailing, disableGivenUp]) {
        await work(deps())
        await work(deps())
      }
    }
    const made = async (apiKeyId: string, days: number) => {
      await system.db.apiKey.updateMany({ where: { id: apiKeyId }, data: { createdAt: inDays(-days) } })
      await system.db.apiKeySecret.updateMany({ where: { apiKeyId }, data: { createdAt: inDays(-days) } })
    }
    /** Emails about all alarms are in the outbox; and all of those are sent. */
    const isTold = () =>
      eventually(async () => (await system.db.alarm.count({ where: { mailedAt: null } })) === 0, 'all are told')
    const isSent = () => eventually(async () => (await system.db.mail.count()) === 0, 'nothing waits')
    const kindsOf = (alarms: readonly Alarm[]) => alarms.map(({ kind }) => kind)

    test('a key that expires within a week raises one, an event tells of it, and another expiry ends it', async () => {
      const { key, call, alarms, types, owner } = await place('Expiring')
      const [soon, later, brief] = [
        await key({ name: 'Soon', expiresAt: inDays(6) }),
        await key({ name: 'Later', expiresAt: inDays(9) }),
        await key({ name: 'Brief', expiresAt: inDays(6) }),
      ]
      for (const id of [soon, later]) await made(id, 100)
      await sweep()

      expect(await alarms()).toMatchObject([{ kind: 'key_expiring', subject: { id: soon, name: 'Soon' } }])
      expect((await types()).filter((type) => type === 'api-keys.expiring')).toHaveLength(1)
      const mail = await smtp.mailTo(owner.email)
      expect(mail.subject).toMatch(/^\[Expiring\] API key Soon expires on \d/)
      expect(mail.text).toContain(`https://workspace.example/settings/w/${owner.workspaceId}/keys/${soon}`)

      must(await call('PATCH', `/api-keys/${soon}`, { expiresAt: inDays(5) }))
      expect(await alarms()).toEqual([])
      await sweep()
      expect(kindsOf(await alarms())).toEqual(['key_expiring'])
      must(await call('DELETE', `/api-keys/${soon}`))
      expect(await alarms()).toEqual([])
      expect(brief).not.toBe(soon)
    })

    test('a secret that is too old raises one until it is rotated', async () => {
      const { key, call, alarms } = await place('Rotation')
      const id = await key({ rotationPolicy: { maxAgeDays: 30 } })
      await made(id, 31)
      await sweep()

      expect(kindsOf(await alarms())).toEqual(['key_rotation_due'])
      must(await call('POST', `/api-keys/${id}/rotate`, {}))
      expect(await alarms()).toEqual([])
    })

    test('many denied calls of a key within an hour raise one a day; a few do not', async () => {
      const { key, alarms, types, owner } = await place('Denied')
      const keyId = await key()
      const denied = (count: number) =>
        recordDeniedCalls(system.db, [
          {
            ...{ keyId, workspaceId: owner.workspaceId, code: 'insufficient_scope', operation: null, surface: 'http' },
            ...{ ip: null, userAgent: null, requestId: 'r', at: new Date().toISOString(), count },
          } as const,
        ])
      await denied(deniedCallsMin - 1)
      await sweep()
      expect(await alarms()).toEqual([])
      await denied(1)
      await sweep()
      await denied(deniedCallsMin)
      await sweep()

      expect(await alarms()).toMatchObject([{ kind: 'key_denied', count: deniedCallsMin }])
      expect((await types()).filter((type) => type === 'api-keys.denied')).toHaveLength(1)
    })

    test('calls of more than an hour ago count no more', async () => {
      const { key, alarms, owner } = await place('Denied before')
      const keyId = await key()
      const call = { code: 'insufficient_scope', operation: null, surface: 'http', ip: null, userAgent: null } as const
      const report = { ...call, keyId, workspaceId: owner.workspaceId, requestId: 'r', at: new Date().toISOString() }
      await recordDeniedCalls(system.db, [{ ...report, count: deniedCallsMin - 1 }])
      await system.db.keyDenial.updateMany({
        where: { apiKeyId: keyId },
        data: { since: new Date(Date.now() - 3_601_000) },
      })
      await recordDeniedCalls(system.db, [{ ...report, count: 1 }])
      await sweep()

      expect(await alarms()).toEqual([])
      expect(await system.db.keyDenial.findFirst({ where: { apiKeyId: keyId } })).toMatchObject({ count: 1 })
    })

    test('a webhook that fails raises one, once it is disabled another; enabling it ends that', async () => {
      const { webhook, call, alarms, owner } = await place('Webhook')
      const { workspaceId } = owner
      const webhookId = await webhook()
      const failing = { consecutiveFailures: 12, failingSince: inDays(-3), warnedPercent: 50 }
      await system.db.webhookHealth.create({ data: { workspaceId, webhookId, ...failing } })
      await warnOfFailing(deps())
      expect(await alarms()).toMatchObject([{ kind: 'webhook_failing', count: 12, subject: { name: 'CRM' } }])
      expect((await smtp.mailTo(owner.email)).subject).toBe('[Webhook] Webhook CRM is failing')
      const health = { where: { workspaceId, webhookId } }
      await system.db.webhookHealth.updateMany({ ...health, data: { warnedPercent: 90 } })
      await warnOfFailing(deps())
      expect(await alarms()).toHaveLength(1)
      await system.db.webhookHealth.updateMany({ ...health, data: { goneAt: new Date(), goneReason: 'failing' } })
      await disableGivenUp(deps())

      expect(kindsOf(await alarms())).toEqual(['webhook_disabled'])
      expect((await smtp.mailTo(owner.email, 2)).subject).toBe('[Webhook] Webhook CRM was disabled')
      must(await call('POST', `/webhooks/${webhookId}/enable`))
      expect(await alarms()).toEqual([])
      await closeSettled(system.db)
      expect(await system.db.alarm.count({ where: { workspaceId, closedAt: null } })).toBe(0)
    })

    test('a new owner raises one for the others, not for themself, and the first owner raises none', async () => {
      const { call, alarms, owner } = await place('Owners')
      expect(await alarms()).toEqual([])
      const grace = await memberOf(system, owner.workspaceId, 'admin')
      must(await call('PATCH', `/members/${grace.memberId}`, { role: 'owner' }))

      expect(await alarms()).toMatchObject([{ kind: 'owner_added', subject: { id: grace.memberId } }])
      expect((await smtp.mailTo(owner.email)).subject).toBe('[Owners] Grace Hopper is now an owner')
      await isSent()
      expect(smtp.mails.filter(({ to }) => to.includes(grace.email))).toEqual([])
      must(await call('PATCH', `/members/${grace.memberId}`, { role: 'admin' }))
      expect(await alarms()).toEqual([])
    })

    test('one that is dismissed is gone for all and is not raised again; who may not decide cannot', async () => {
      const { key, call, alarms, owner } = await place('Dismissed')
      const viewer = await memberOf(system, owner.workspaceId, 'viewer')
      const id = await key({ rotationPolicy: { maxAgeDays: 30 } })
      await made(id, 31)
      await sweep()
      const [alarm] = await alarms()
      const path = `/alarms/${alarm?.id}/dismiss`
      const byViewer = await viewer.call('POST', `/workspaces/${owner.workspaceId}${path}`)
      const other = await place('Others')

      expect(byViewer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
      expect(await other.call('POST', path)).toMatchObject({ status: 404 })
      must(await call('POST', path))
      must(await call('POST', path))
      await sweep()
      expect(await alarms()).toEqual([])
    })

    test('several at once come in one email, without what is settled before it is sent', async () => {
      const { key, call, owner } = await place('Several')
      const ids = [await key({ name: 'A' }), await key({ name: 'B' }), await key({ name: 'C' })]
      await system.db.apiKey.updateMany({ where: { id: { in: ids } }, data: { maxAgeDays: 30 } })
      for (const id of ids) await made(id, 31)
      smtp.answer('receiver', 450)
      await emitRotationDue(deps())
      await isTold()
      must(await call('POST', `/api-keys/${ids[1]}/rotate`, {}))
      smtp.answer('receiver', 'accept')
      await isSent()

      const texts = smtp.mails.filter(({ to }) => to.includes(owner.email)).map(({ text }) => text)
      expect(texts.join()).toContain('API key A must be rotated')
      expect(texts.join()).toContain('API key C must be rotated')
      expect(texts.join()).not.toContain('API key B')
    })

    test('the workspace says who gets emails and about what, and each person what they do not want', async () => {
      const { call, owner, key, alarms } = await place('Muted')
      const at = `/workspaces/${owner.workspaceId}`
      const people = {
        admin: await memberOf(system, owner.workspaceId, 'admin'),
        quiet: await memberOf(system, owner.workspaceId, 'admin'),
        viewer: await memberOf(system, owner.workspaceId, 'viewer'),
      }
      const mutes = { mutedKinds: ['key_rotation_due'] }
      expect(must(await people.quiet.call('PATCH', `${at}/alarms/preferences`, mutes))).toMatchObject({
        ...mutes,
        receives: true,
      })
      expect(must(await people.viewer.call('GET', `${at}/alarms/preferences`))).toMatchObject({
        mutedKinds: [],
        receives: false,
      })
      const raise = async () => {
        const id = await key({ rotationPolicy: { maxAgeDays: 30 } })
        await made(id, 31)
        await emitRotationDue(deps())
        await isTold()
        await isSent()
      }
      const told = () =>
        [owner, ...Object.values(people)].map(({ email }) => smtp.mails.filter(({ to }) => to.includes(email)).length)
      await raise()
      expect(told()).toEqual([1, 1, 0, 0])

      expect(must(await call('PATCH', '/alarms/settings', { recipients: 'owners' }))).toMatchObject({
        recipients: 'owners',
        mutedKinds: [],
      })
      expect(must(await people.admin.call('GET', `${at}/alarms/preferences`))).toMatchObject({ receives: false })
      await raise()
      expect(told()).toEqual([2, 1, 0, 0])
      must(await call('PATCH', '/alarms/settings', mutes))
      expect(must(await call('GET', '/alarms/settings'))).toMatchObject({
        recipients: 'owners',
        ...mutes,
        sendsEmail: true,
      })
      await raise()
      expect(told()).toEqual([2, 1, 0, 0])
      expect(await alarms()).toHaveLength(3)
    })

    test('a person sends themself a test email, a few times; the operator has no address and no preferences', async () => {
      const { owner, call } = await place('Test')
      expect(must(await call('POST', '/alarms/test-email', {}))).toEqual({ object: 'test_email', email: owner.email })
      expect((await smtp.mailTo(owner.email)).subject).toBe('Test email')
      const statuses = []
      for (let n = 0; n < 5; n++) statuses.push((await call('POST', '/alarms/test-email', {})).status)
      const byOperator = (method: string, path: string) =>
        system.operator(
          method,
          `/settings/api/workspaces/${owner.workspaceId}${path}`,
          method === 'GET' ? undefined : {},
        )

      expect(statuses).toEqual([202, 202, 202, 202, 429])
      expect((await byOperator('POST', '/alarms/test-email')).status).toBe(404)
      expect((await byOperator('GET', '/alarms/preferences')).status).toBe(404)
    })

    test('in a sandbox they are shown, and no email is sent', async () => {
      const { owner, key, alarms } = await place('Sandbox')
      await system.db.workspace.update({ where: { id: owner.workspaceId }, data: { sandbox: true } })
      const id = await key({ rotationPolicy: { maxAgeDays: 30 } })
      await made(id, 31)
      await emitRotationDue(deps())
      await isTold()

      expect(kindsOf(await alarms())).toEqual(['key_rotation_due'])
      expect(await system.db.mail.count({ where: { workspaceId: owner.workspaceId } })).toBe(0)
      expect(smtp.mails.filter(({ to }) => to.includes(owner.email))).toEqual([])
    })
  })
})
