// Deliveries that cannot be signed, or that our proxy does not take: which is our mistake and nobody else's.

import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { deriveKey, seal } from '#runtime/sealing-and-signing.ts'
import { egressProxy } from '../../../dispatcher/attempt/egress-proxy.ts'
import { startConnectProxy } from '../../support/connect-proxy.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { openStage, secretOfTests, testSecret, type Stage } from '../stage.ts'

const [otherKey, rightKey] = ['some other secret', secretOfTests].map((secret) => deriveKey(secret, 'webhook-secrets'))
const hourMs = 3_600_000

const sealedAs = (key: typeof otherKey, text: string, context: string) => {
  if (key === undefined) throw new Error('There are two keys')
  return seal(key, text, context)
}

const spoiled: [string, (stage: Stage, webhookId: string) => Promise<unknown>][] = [
  [
    'whose secret was sealed under another key',
    ({ db }, webhookId) =>
      db.webhookSecret.updateMany({ where: { webhookId }, data: { sealed: sealedAs(otherKey, testSecret, 'x') } }),
  ],
  ['without any secret', ({ db }, webhookId) => db.webhookSecret.deleteMany({ where: { webhookId } })],
  [
    'whose headers were sealed under another key',
    ({ db }, webhookId) =>
      db.webhook.updateMany({ where: { id: webhookId }, data: { sealedHeaders: sealedAs(otherKey, '{}', 'x') } }),
  ],
]

const postponed = async ({ delivery }: Stage, event: string, webhook: string) => {
  const row = await delivery(event, webhook)
  return row?.lastErrorCode === 'signing_failed' ? row : null
}

test.each(spoiled)('a webhook %s gets nothing, loses no attempt and is not failing', async (_what, spoil) => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url, headers: { 'x-team': 'blue' } })
  await spoil(stage, webhook)
  const { notify } = await stage.start()
  const event = await stage.event()
  const before = Date.now()

  notify(event)

  const row = await eventually(() => postponed(stage, event, webhook), 'the delivery postponed')
  expect(row).toMatchObject({ status: 'pending', tries: 0, attemptCount: 0, leaseOwner: null, leaseUntil: null })
  expect(row.nextAttemptAt?.getTime()).toBeGreaterThan(before + 4 * 60_000)
  expect(receiver.calls).toHaveLength(0)
  expect(await stage.db.attempt.count()).toBe(0)
  expect(await stage.db.webhookHealth.count()).toBe(0)
})

test('what was postponed is sent with all its attempts left once a secret opens, signed with those that do', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  await stage.db.webhookSecret.updateMany({ data: { sealed: sealedAs(otherKey, testSecret, 'x') } })
  const { notify } = await stage.start()
  const event = await stage.event()
  notify(event)
  const { id } = await eventually(() => postponed(stage, event, webhook), 'the delivery postponed')

  const secretId = uuid()
  const sealed = sealedAs(rightKey, testSecret, `webhook-secret:${secretId}`)
  const { workspaceId } = stage
  await stage.db.webhookSecret.create({
    data: { workspaceId, id: secretId, webhookId: webhook, sealed, createdAt: new Date() },
  })
  await stage.db.delivery.updateMany({ where: { id }, data: { nextAttemptAt: new Date() } })

  const row = await stage.becomes('delivered', event, webhook)
  expect(row).toMatchObject({ tries: 1, attemptCount: 1, lastErrorCode: null })
  expect(String(receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(1)
})

test('the log says it once, however many wait', async () => {
  const lines: { msg: string; webhookId: string }[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  await using stage = await openStage()
  const webhook = await stage.webhook({ url: 'http://127.0.0.1:1/', secrets: [] })
  const { notify } = await stage.start({ log })
  const events = [await stage.event(), await stage.event(), await stage.event()]

  notify(...events)
  for (const event of events) await eventually(() => postponed(stage, event, webhook), 'a delivery postponed')

  expect(lines).toMatchObject([{ msg: 'deliveries are postponed: no secret opens', webhookId: webhook }])
})

test('one that has waited for three days is dead-lettered, and has lost no attempt', async () => {
  await using stage = await openStage()
  const webhook = await stage.webhook({ url: 'http://127.0.0.1:1/', secrets: [] })
  const { notify } = await stage.start()
  const event = await stage.event()
  notify(event)
  const { id } = await eventually(() => postponed(stage, event, webhook), 'the delivery postponed')

  const createdAt = new Date(Date.now() - 73 * hourMs)
  await stage.db.delivery.updateMany({ where: { id }, data: { createdAt, nextAttemptAt: new Date() } })

  const row = await stage.becomes('dead_letter', event, webhook)
  expect(row).toMatchObject({ tries: 0, attemptCount: 0, lastErrorCode: 'signing_failed', nextAttemptAt: null })
})

test('while the proxy is away nothing is counted against anybody; what waited is sent when it is back', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const away = await startConnectProxy()
  await away[Symbol.asyncDispose]()
  const webhook = await stage.webhook({ url: `http://acme.com:${port}/hook` })
  const { notify } = await stage.start({ log, egressProxy: egressProxy(away.url.replace('//', '//user:hunter2@')) })
  const event = await stage.event()
  const before = Date.now()

  notify(event)

  const row = await eventually(async () => {
    const found = await stage.delivery(event, webhook)
    return found?.lastErrorCode === 'proxy_error' ? found : null
  }, 'the delivery postponed')
  expect(row).toMatchObject({ status: 'pending', tries: 0, attemptCount: 0, leaseOwner: null, sendingSince: null })
  expect(row.nextAttemptAt?.getTime()).toBeGreaterThan(before + 20_000)
  expect(await stage.db.attempt.count()).toBe(0)
  expect(await stage.db.webhookHealth.count()).toBe(0)
  expect(lines.join()).toContain('deliveries are postponed: the egress proxy cannot be used')
  expect(lines.join()).not.toMatch(/hunter2|Basic/)

  await using back = await startConnectProxy({ port: Number(new URL(away.url).port), credentials: 'user:hunter2' })
  await stage.db.delivery.updateMany({ data: { nextAttemptAt: new Date() } })

  expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ attemptCount: 1, lastErrorCode: null })
  expect(back.asked).toMatchObject([{ authority: `acme.com:${port}` }])
})
