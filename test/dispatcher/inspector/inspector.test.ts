// The inspector within a dispatcher: what it keeps of the deliveries of sandboxes, how it fails on request, and that
// nothing else gets to it.
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { inspectedBytesMax, inspectedRequestsMax, inspectorUrl } from '#contract/inspector.ts'
import { webhookKeyring } from '#prisma/sealing-rows.ts'
import { ranges } from '#runtime/ip-address.ts'
import { openSender } from '../../../dispatcher/attempt/send.ts'
import { openInspector } from '../../../dispatcher/inspector/inspector.ts'
import { startRemovingOld } from '../../../dispatcher/inspector/recorder.ts'
import type { LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { signWebhook } from '#clients/typescript/src/webhooks.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { inSeconds, replay } from '../leased.ts'
import { secretOfTests, sharedStages, silent, testSecret, type Stage } from '../stage.ts'

const { openStage } = sharedStages()
const asSandbox = ({ db, workspaceId }: Stage) =>
  db.workspace.update({ where: { id: workspaceId }, data: { sandbox: true } })
const inspected = ({ db }: Stage) => db.inspectedRequest.findMany({ orderBy: { receivedAt: 'asc' } })
const valid = { isValid: true, problem: null }

/** A dispatcher, and a webhook of a sandbox at the inspector. */
async function inspecting(stage: Stage, query = '', as: Parameters<Stage['start']>[0] = {}) {
  await asSandbox(stage)
  const webhook = await stage.webhook({ url: inspectorUrl + query, headers: { 'X-Team': 'secret of ours' } })
  return { webhook, ...(await stage.start(as)) }
}

onEachEngine((kind) => {
  test('keeps a delivery as it came, with what a receiver finds of both signatures; values of custom headers are masked', async () => {
    await using stage = await openStage(kind)
    const { webhook, happen } = await inspecting(stage, 'hooks')

    const eventId = await happen()
    const delivery = await stage.becomes('delivered', eventId, webhook)

    const [kept, ...others] = await inspected(stage)
    expect(others).toEqual([])
    const { body } = await stage.db.event.findFirstOrThrow()
    expect(kept).toMatchObject({ webhookId: webhook, deliveryId: delivery.id, eventType: 'projects.updated' })
    expect(kept).toMatchObject({ attempt: 1, method: 'POST', path: '/hooks', body, answeredStatus: 200 })
    expect(kept?.bodyBytes).toBe(Buffer.byteLength(body))
    expect(kept?.signatures).toEqual({ standard: valid, own: valid, ageSeconds: expect.toBeOneOf([0, 1]) })
    const sent = { host: 'inspector.invalid', 'webhook-id': delivery.id, 'x-service-event': 'projects.updated' }
    expect(kept?.headers).toMatchObject({
      ...sent,
      'x-team': '***',
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
    const attempt = await stage.db.attempt.findFirstOrThrow()
    expect(JSON.parse(attempt.responseBody ?? '')).toEqual({ object: 'inspected_request', id: kept?.id })
  })
})

onPostgres(() => {
  test('fails the first attempts of a delivery, takes the next one, and begins anew with a replay', async () => {
    await using stage = await openStage()
    const { webhook, happen } = await inspecting(stage, '?failures=2&status=503')
    await stage.becomes('delivered', await happen(), webhook)

    await replay(stage)
    await eventually(async () => (await inspected(stage)).length === 6, 'the attempts of the replay')

    const answers = (await inspected(stage)).map(({ attempt, answeredStatus }) => [attempt, answeredStatus])
    const twice = [503, 503, 200, 503, 503, 200].map((status, n) => [n + 1, status])
    expect(answers).toEqual(twice)
    // It has nothing to prove: a hundred failures hold nothing up.
    expect(await stage.db.receivingHost.count()).toBe(0)
  })

  test('says when to come back, answers any status, and leaves an attempt without an answer until it times out', async () => {
    await using stage = await openStage()
    const { webhook, happen, notify } = await inspecting(stage, '?status=429&retryAfter=1000', { sendTimeoutMs: 300 })
    const silentOne = await stage.webhook({ url: `${inspectorUrl}?timeout` })
    const empty = await stage.webhook({ url: `${inspectorUrl}?status=204` })

    const eventId = await happen()
    notify(eventId)
    const later = await stage.becomes('retrying', eventId, webhook)
    await stage.becomes('timeout', eventId, silentOne)
    await stage.becomes('delivered', eventId, empty)

    expect(later.nextAttemptAt?.getTime()).toBeGreaterThan(inSeconds(900).getTime())
    const kept = await inspected(stage)
    expect(kept.find(({ webhookId }) => webhookId === silentOne)).toMatchObject({ answeredStatus: null, attempt: 1 })
    expect(await stage.db.attempt.findFirst({ where: { responseStatus: 204 } })).toMatchObject({ responseBody: '' })
  })

  test('is sent nothing from a workspace that is no sandbox, nor to its name by any other way', async () => {
    await using stage = await openStage()
    const odd = ['https://inspector.invalid:8443/', 'http://inspector.invalid/', 'https://inspector.invalid./']
    const { webhook, happen } = await inspecting(stage)
    const others = await Promise.all(odd.map((url) => stage.webhook({ url })))
    const { receiver, webhook: redirecting } = await stage.receiving(() => ({
      status: 307,
      headers: { location: inspectorUrl },
    }))
    await stage.db.workspace.updateMany({ data: { sandbox: false } })

    const eventId = await happen()
    for (const each of [webhook, ...others]) await stage.becomes('blocked_address', eventId, each)
    await stage.becomes('http_status', eventId, redirecting)

    expect(receiver.calls.length).toBeGreaterThan(0)
    expect(await inspected(stage)).toEqual([])
  })

  test('keeps the last of each webhook, while two dispatchers send; a delivery of any size arrives', async () => {
    await using stage = await openStage()
    const { webhook, notify } = await inspecting(stage)
    const second = await stage.start()
    const large = await stage.webhook({ url: inspectorUrl, eventTypes: ['documents.updated'] })
    const count = inspectedRequestsMax + 30
    const events = []
    for (let n = 0; n < count; n++) events.push(await stage.event())

    events.forEach((id, n) => (n % 2 === 0 ? notify(id) : second.notify(id)))
    await stage.delivered(count, { webhookId: webhook })

    const kept = await stage.db.inspectedRequest.groupBy({ by: ['webhookId'], _count: true })
    expect(kept).toMatchObject([{ webhookId: webhook, _count: inspectedRequestsMax }])
    const text = 'ä'.repeat(3_000_000)
    const ids = await Promise.all(
      Array.from({ length: 3 }, () => stage.event({ type: 'documents.updated', data: { name: text } })),
    )
    notify(...ids)
    await stage.delivered(3, { webhookId: large })
    const sizes = await stage.db.inspectedRequest.aggregate({ where: { webhookId: large }, _sum: { bodyBytes: true } })
    expect(sizes._sum.bodyBytes).toBeLessThanOrEqual(inspectedBytesMax)
    expect(sizes._sum.bodyBytes).toBeGreaterThan(inspectedBytesMax / 2)
  })

  test('removes what is too old', async () => {
    await using stage = await openStage()
    const { webhook, happen, dispatcher } = await inspecting(stage)
    for (let n = 0; n < 2; n++) await stage.becomes('delivered', await happen(), webhook)
    await dispatcher.close()
    const [old, young] = await inspected(stage)
    const key = { workspaceId: stage.workspaceId, webhookId: webhook, id: old?.id ?? '' }
    const receivedAt = inSeconds(-31 * 86_400)
    await stage.db.inspectedRequest.update({ where: { workspaceId_webhookId_id: key }, data: { receivedAt } })

    const removing = startRemovingOld(stage.db, () => {})
    await eventually(async () => (await inspected(stage)).length === 1, 'the old one to be removed')
    await removing.close()

    expect(await inspected(stage)).toMatchObject([{ id: young?.id }])
  })

  test('ends with its dispatcher: an attempt that it leaves without an answer is interrupted, and costs none', async () => {
    await using stage = await openStage()
    const { webhook, happen, dispatcher } = await inspecting(stage, '?timeout', {
      sendTimeoutMs: 30_000,
      drain: { sendingMs: 50, writeMs: 1_000 },
    })
    const eventId = await happen()
    await eventually(async () => (await inspected(stage)).length === 1, 'the attempt to arrive')

    await dispatcher.close()

    expect(await stage.delivery(eventId, webhook)).toMatchObject({ status: 'pending', tries: 0 })
    expect(await stage.db.attempt.findMany()).toMatchObject([{ outcome: 'interrupted' }])
  })

  test('what cannot be kept is answered 503, so that it comes again', async () => {
    await using stage = await openStage()
    const { webhook, happen } = await inspecting(stage, '', { scheduleSeconds: [60] })
    await stage.db.$executeRaw`ALTER TABLE inspected_request RENAME TO away`

    const eventId = await happen()
    const row = await stage.becomes('http_status', eventId, webhook)
    await stage.db.$executeRaw`ALTER TABLE away RENAME TO inspected_request`

    expect(row).toMatchObject({ status: 'retrying', lastStatusCode: 503 })
  })
})

/** An inspector alone, with a delivery of a webhook that has this row. */
async function alone(stage: Stage) {
  await asSandbox(stage)
  const webhookId = await stage.webhook({ url: inspectorUrl })
  const keyring = webhookKeyring({ internalSecret: secretOfTests })
  const inspector = openInspector({ db: stage.db, brand: 'service', keyring, timeoutMs: 5_000, log: silent })
  onTestFinished(inspector.close)
  const [secret] = await stage.db.webhookSecret.findMany()
  const sealedSecrets = [{ id: secret?.id ?? '', sealed: Buffer.from(secret?.sealed ?? []).toString('base64') }]
  const id = '019b8f3e-6a00-7000-8000-000000000001'
  const of = { workspaceId: stage.workspaceId, id, webhookId, eventType: 'projects.updated', attemptCount: 0 }
  const to = { attemptsSinceReplay: 0, url: inspectorUrl, isInspected: true, sealedHeaders: null, sealedSecrets }
  return { inspector, id, delivery: { ...of, ...to } as unknown as LoadedDelivery }
}

onPostgres(() => {
  test('finds out a signature that is wrong, old, of another secret or missing', async () => {
    await using stage = await openStage()
    const { inspector, id, delivery } = await alone(stage)
    const now = Math.floor(Date.now() / 1_000)
    const signed = (secret: string, at = now) => signWebhook('{"a":1}', { secret, id, unixSeconds: at, type: 'e' })
    const own = await signed(testSecret)
    const { 'webhook-signature': _standard, ...withoutStandard } = own
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`

    await inspector.inspect(delivery, own, Buffer.from('{"a":2}'))
    await inspector.inspect(delivery, await signed(testSecret, now - 400), Buffer.from('{"a":1}'))
    await inspector.inspect(delivery, await signed(other), Buffer.from('{"a":1}'))
    await inspector.inspect(delivery, withoutStandard, Buffer.from('{"a":1}'))

    const bad = (problem: RegExp) => ({ isValid: false, problem: expect.stringMatching(problem) })
    const unfit = bad(/No signature fits/)
    const checks = (await inspected(stage)).map(({ signatures }) => signatures)
    expect(checks).toMatchObject([
      { standard: unfit, own: unfit },
      { standard: bad(/too far/), own: bad(/too far/) },
      { standard: unfit, own: unfit },
      { standard: unfit, own: valid },
    ])
    expect((checks[1] as { ageSeconds: number }).ageSeconds).toBeGreaterThanOrEqual(400)
  })

  test('answers no other process, and no webhook leads to its port', async () => {
    await using stage = await openStage()
    const { inspector, id, delivery } = await alone(stage)
    await inspector.inspect(delivery, { 'webhook-id': id }, Buffer.from('{}'))
    const port = Array.from({ length: 65_535 }, (_, n) => n + 1).find((at) => inspector.isOwnPort(at)) ?? 0
    const underWay = inspector.inspect(
      { ...delivery, url: `${inspectorUrl}?timeout` },
      { 'webhook-id': id },
      Buffer.from('{}'),
    )
    await eventually(async () => (await inspected(stage)).length === 2, 'one to be under way')

    const status = await new Promise((resolve, reject) => {
      const headers = { 'webhook-id': id }
      const asked = request({ host: '127.0.0.1', port, method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject).end('{}')
    })
    const allowed = ranges(['127.0.0.0/8'])
    const sender = openSender({ allowed, allowHttp: true, isOwnPort: inspector.isOwnPort, proxy: null })
    onTestFinished(sender.close)
    const answer = await sender.send(`http://127.0.0.1:${port}/`, { 'webhook-id': id }, Buffer.from('{}'))

    expect(status).toBe(404)
    expect(answer).toEqual({ kind: 'failed', error: 'blocked_address' })
    expect(await inspected(stage)).toHaveLength(2)
    await inspector.close()
    expect(await underWay).toEqual({ kind: 'failed', error: 'interrupted' })
  })
})
