// Deliveries that cannot be signed, or that our proxy does not take: which is our mistake and nobody else's.
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { deriveKey, seal } from '#runtime/sealing-and-signing.ts'
import { egressProxy } from '../../../dispatcher/attempt/egress-proxy.ts'
import { startConnectProxy } from '../../support/connect-proxy.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { secretOfTests, sharedStages, testSecret, type Stage } from '../stage.ts'

const openStage = sharedStages()
const sealedBy = (secret: string, text: string, context: string) =>
  seal(deriveKey(secret, 'webhook-secrets'), text, context)
const sealedByAnother = (text: string) => sealedBy('some other secret', text, 'x')

const spoiled: [string, (stage: Stage) => Promise<unknown>][] = [
  [
    'whose secret was sealed under another key',
    ({ db }) => db.webhookSecret.updateMany({ data: { sealed: sealedByAnother(testSecret) } }),
  ],
  ['without any secret', ({ db }) => db.webhookSecret.deleteMany()],
  [
    'whose headers were sealed under another key',
    ({ db }) => db.webhook.updateMany({ data: { sealedHeaders: sealedByAnother('{}') } }),
  ],
]

/** Resolves with the delivery once it waits for this reason. */
const postponed = ({ delivery }: Stage, event: string, webhook: string, reason = 'signing_failed') =>
  eventually(async () => {
    const row = await delivery(event, webhook)
    return row?.lastErrorCode === reason ? row : null
  }, 'the delivery postponed')

test.each(spoiled)('a webhook %s gets nothing, loses no attempt and is not failing', async (_what, spoil) => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url, headers: { 'x-team': 'blue' } })
  await spoil(stage)
  const { happen } = await stage.start()
  const before = Date.now()

  const row = await postponed(stage, await happen(), webhook)

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
  await stage.db.webhookSecret.updateMany({ data: { sealed: sealedByAnother(testSecret) } })
  const { happen } = await stage.start()
  const event = await happen()
  const { id } = await postponed(stage, event, webhook)

  const secretId = uuid()
  const sealed = sealedBy(secretOfTests, testSecret, `webhook-secret:${secretId}`)
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
  const { happen } = await stage.start({ log })

  for (const event of [await happen(), await happen(), await happen()]) await postponed(stage, event, webhook)

  expect(lines).toMatchObject([{ msg: 'deliveries are postponed: no secret opens', webhookId: webhook }])
})

test('one that has waited for three days is dead-lettered, and has lost no attempt', async () => {
  await using stage = await openStage()
  const webhook = await stage.webhook({ url: 'http://127.0.0.1:1/', secrets: [] })
  const { happen } = await stage.start()
  const event = await happen()
  const { id } = await postponed(stage, event, webhook)

  const createdAt = new Date(Date.now() - 73 * 3_600_000)
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
  const { happen } = await stage.start({ log, egressProxy: egressProxy(away.url.replace('//', '//user:hunter2@')) })
  const before = Date.now()

  const event = await happen()

  const row = await postponed(stage, event, webhook, 'proxy_error')
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
