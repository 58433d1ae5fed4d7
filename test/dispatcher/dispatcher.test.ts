// The dispatcher as a whole, on both databases, against receivers on loopback: what it delivers and when, many at a
// time, beside others that come and go, and beside receivers that hang.
import { expect, test } from 'vitest'
import { startDispatcher, type DispatcherOptions } from '../../dispatcher/dispatcher.ts'
import { leaseSeconds } from '../../dispatcher/queue/leases.ts'
import { expireWaiting } from '../../dispatcher/queue/postpone-and-expire.ts'
import { onEachEngine, onPostgres } from '../support/database-engines.ts'
import type { ReceivedCall, Receiver } from '../support/receiver.ts'
import { eventually } from '../support/eventually.ts'
import { foreign, lacksForeign } from '../support/foreign.ts'
import { auditOf, clean } from '../support/ledger.ts'
import { inSeconds, insertBacklog, replay } from './leased.ts'
import { noReceiver, sharedStages, stageOn, testSecret, type Stage } from './stage.ts'

const { default: Stripe } = await foreign(() => import('stripe'))
const { openStage, delivering } = sharedStages()
const hourSeconds = 3_600
/** Nothing times out while a test looks, and what hangs is not waited for at the end. */
const patient = { sendTimeoutMs: 40_000, drain: { sendingMs: 100, writeMs: 1_000 } }
const never = new Promise<number>(() => {})
const idsAt = ({ calls }: Receiver) => calls.map(({ headers }) => headers['webhook-id'])
const eventsOf = (stage: Stage, count: number) => Promise.all(Array.from({ length: count }, () => stage.event()))

onEachEngine((kind) => {
  test('an event with two notifications is delivered once, signed, and its outbox row is gone', async () => {
    const asked = { eventTypes: ['projects.*'], headers: { 'X-Team': 'blue' } }
    const { stage, receiver, webhook, notify, acked } = await delivering({ kind, ...asked })
    const event = await stage.event()
    notify(event, event)
    await eventually(() => acked.length === 2, 'both notices acked')
    notify(event)

    const row = await stage.becomes('delivered', event, webhook)

    const ids = { 'x-service-delivery-id': row.id, 'webhook-id': row.id }
    expect(receiver.calls).toMatchObject([
      { headers: { ...ids, 'x-service-event': 'projects.updated', 'x-team': 'blue' } },
    ])
    const [{ body, headers }] = receiver.calls as [ReceivedCall]
    expect(body.toString()).toBe((await stage.db.event.findFirstOrThrow()).body)
    const signature = String(headers['x-service-signature'])
    if (!lacksForeign) new Stripe('sk').webhooks.constructEvent(body, signature, testSecret)
    const ended = { lastStatusCode: 200, lastErrorCode: null, nextAttemptAt: null, leaseOwner: null }
    expect(row).toMatchObject({ origin: 'live', attemptCount: 1, tries: 1, maxAttempts: 3, ...ended })
    expect(await stage.db.outbox.count()).toBe(0)
  })

  test('a failure is tried again under its id, with a new timestamp, as often as is set; then it is dead, and a replay begins anew', async () => {
    let seconds = 1_700_000_000
    const as = { now: () => new Date(seconds++ * 1_000) }
    const { stage, receiver, webhook, happen } = await delivering({ kind, answers: [500, 503, 500, 200], as })
    const event = await happen()
    const dead = await stage.becomes('dead_letter', event, webhook)
    const health = await stage.db.webhookHealth.findFirst()

    await replay(stage)
    const replayed = await stage.becomes('delivered', event, webhook)

    const ended = { lastStatusCode: 500, lastErrorCode: 'http_status', nextAttemptAt: null }
    expect(dead).toMatchObject({ attemptCount: 3, tries: 3, ...ended, deadLetteredAt: expect.any(Date) })
    expect(health).toMatchObject({ consecutiveFailures: 3 })
    expect(replayed).toMatchObject({ id: dead.id, attemptCount: 4, tries: 1 })
    expect(idsAt(receiver)).toEqual(Array(4).fill(dead.id))
    expect(new Set(receiver.calls.map(({ headers }) => headers['x-service-signature-timestamp'])).size).toBe(4)
    const attempts = await stage.db.attempt.findMany({ orderBy: { number: 'asc' } })
    const failed = { trigger: 'automatic', outcome: 'failed', errorCode: 'http_status' }
    expect(attempts).toMatchObject([
      { number: 1, ...failed, responseStatus: 500, url: receiver.url, responseBody: 'thanks', truncated: false },
      { number: 2, ...failed, responseStatus: 503 },
      { number: 3, ...failed, responseStatus: 500 },
      { number: 4, trigger: 'manual', outcome: 'success', responseStatus: 200, errorCode: null },
    ])
    // The delivery says the rest.
    expect(attempts[0]?.requestHeaders).toEqual({ 'user-agent': 'service-webhooks/1' })
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ consecutiveFailures: 0 })
  })

  test('an outbox row without any notification is swept soon, old or new, although the broker seems to be there', async () => {
    await using stage = await openStage(kind)
    const { receiver, webhook } = await stage.receiving()
    const before = await stage.event({ createdAt: inSeconds(-40) })
    const { happen, dispatcher } = await stage.start()
    await stage.becomes('delivered', before, webhook)
    await stage.becomes('delivered', await happen(), webhook)

    const [old, unnoticed] = [await stage.event({ createdAt: inSeconds(-31) }), await stage.event()]

    for (const event of [old, unnoticed]) await stage.becomes('delivered', event, webhook)
    expect([receiver.calls.length, dispatcher.isConnected()]).toEqual([4, true])
  })

  test('what waited for a paused or disabled webhook longer than 72 hours is dead-lettered, renamed meanwhile or not', async () => {
    const since = { url: noReceiver, statusChangedAt: inSeconds(-80 * hourSeconds) }
    const { stage, webhook: paused, happen, acked } = await delivering({ kind, ...since, status: 'paused' })
    const disabled = await stage.webhook({ ...since, status: 'disabled' })
    await stage.db.webhook.updateMany({ data: { name: 'Renamed', version: 2, updatedAt: new Date() } })
    const fresh = await stage.webhook({ url: noReceiver, status: 'paused' })
    const [old, young] = [await happen(), await happen()]
    await eventually(() => acked.length === 2, 'the acks')
    await stage.db.delivery.updateMany({ where: { eventId: old }, data: { createdAt: inSeconds(-73 * hourSeconds) } })

    expect(await expireWaiting(stage.db)).toBe(2)

    const expired = { status: 'dead_letter', lastErrorCode: 'webhook_paused', nextAttemptAt: null }
    for (const waited of [paused, disabled])
      expect(await stage.delivery(old, waited)).toMatchObject({ ...expired, deadLetteredAt: expect.any(Date) })
    expect(await stage.delivery(old, fresh)).toMatchObject({ status: 'pending' })
    expect(await stage.delivery(young, paused)).toMatchObject({ status: 'pending' })
  })

  test('what still hangs at the end of the drain is cut off, logged as interrupted, not counted, and free at once', async () => {
    const answers = (_call: unknown, number: number) => (number <= 2 ? never : 200)
    const as = { drain: { sendingMs: 100, writeMs: 1_000 } }
    const { stage, receiver, notify, acked, dispatcher } = await delivering({ kind, answers, as })
    notify(...(await eventsOf(stage, 5)))
    await receiver.count(2)
    await eventually(() => acked.length === 5, 'the acks')

    const closed = dispatcher.close()
    expect(dispatcher.isClosing()).toBe(true)
    await closed

    expect(await stage.db.delivery.count({ where: { leaseOwner: null, sendingSince: null, tries: 0 } })).toBe(5)
    const interrupted = { number: 1, outcome: 'interrupted', errorCode: 'interrupted' }
    expect(await stage.db.attempt.findMany()).toMatchObject([interrupted, interrupted])
    expect(await stage.db.webhookHealth.count()).toBe(0)
    expect(receiver.calls).toHaveLength(2)

    await stage.start()
    await stage.delivered(5)
    expect(await auditOf(stage.db, receiver)).toMatchObject({ ...clean, delivered: 5, duplicates: 0, interrupted: 2 })
  })

  test('twelve webhooks that hang, with all that waits for them, hold up neither their own workspace nor another', async () => {
    await using stage = await openStage(kind)
    const neighbour = await stageOn(stage.db)
    const { receiver: sick, webhook: first } = await stage.receiving(() => never, { eventTypes: ['tasks.*'] })
    const hanging = [first]
    while (hanging.length < 12) hanging.push(await stage.webhook({ url: sick.url, eventTypes: ['tasks.*'] }))
    for (const webhook of hanging) await insertBacklog(stage, webhook, 150)
    const { receiver: well, webhook: own } = await stage.receiving([200], { eventTypes: ['projects.*'] })
    const theirs = await neighbour.webhook({ url: well.url, eventTypes: ['projects.*'] })
    const { notify } = await stage.start(patient)
    await sick.count(10)

    const [event, other] = [await stage.event(), await neighbour.event()]
    notify(event, other)
    await stage.becomes('delivered', event, own)
    await stage.becomes('delivered', other, theirs)
    await insertBacklog(stage, own, 30)
    await insertBacklog(neighbour, theirs, 30)

    await well.count(62)
    const tried = { status: { not: 'pending' }, webhookId: { in: hanging } }
    expect(await stage.db.delivery.count({ where: tried })).toBe(0)
  })
})

test('a send that may take longer than its lease is refused at the start', async () => {
  const options = { sendTimeoutMs: leaseSeconds * 1_000 } as DispatcherOptions

  await expect(startDispatcher(options)).rejects.toThrow('sendTimeoutMs')
})

onPostgres(() => {
  test('a receiver that hangs is cut off, and has a rest once it is known to hang; the others do not wait for it', async () => {
    const as = { sendTimeoutMs: 1_500, scheduleSeconds: [3_600] }
    const { stage, webhook: slow, notify } = await delivering({ answers: () => never, as })
    const { receiver, webhook: quick } = await stage.receiving()

    notify(...(await eventsOf(stage, 30)))
    await receiver.count(30)

    expect(await stage.db.delivery.count({ where: { webhookId: slow, status: 'pending' } })).toBe(30)
    await eventually(() => stage.db.delivery.findFirst({ where: { webhookId: slow, status: 'retrying' } }), 'a retry')
    const failed = await stage.db.attempt.findFirst({ where: { outcome: 'failed' } })
    expect(failed).toMatchObject({ errorCode: 'timeout', responseStatus: null })
    await stage.delivered(30, { webhookId: quick })
  })

  test('a webhook has two requests at a time, and ten once it has delivered', async () => {
    await using stage = await openStage()
    const answers = Array.from({ length: 18 }, () => Promise.withResolvers<number>())
    const { receiver, webhook } = await stage.receiving((_call, number) => answers[number - 1]?.promise ?? 200)
    await insertBacklog(stage, webhook, 60)
    await stage.start(patient)

    await receiver.count(2)
    answers.slice(0, 8).forEach(({ resolve }) => resolve(200))
    await receiver.count(18)
    await stage.delivered(8)

    expect(receiver.calls).toHaveLength(18)
    answers.forEach(({ resolve }) => resolve(200))
    await receiver.count(60)
  })

  test('two dispatchers on one database send each delivery once, however long its receiver takes', async () => {
    await using stage = await openStage()
    const { promise: released, resolve: release } = Promise.withResolvers<number>()
    const { receiver } = await stage.receiving(() => released, { eventTypes: ['projects.*'] })
    await stage.webhook({ url: receiver.url, eventTypes: ['projects.*'] })
    const ages = Array.from({ length: 100 }, (_, n) => inSeconds(n % 2 === 0 ? 0 : -60))
    const events = await Promise.all(ages.map((createdAt) => stage.event({ createdAt })))
    const { receiver: untold, webhook: quick } = await stage.receiving([200], { eventTypes: ['tasks.*'] })
    const [one, two] = [await stage.start(patient), await stage.start(patient)]
    one.notify(...events)
    two.notify(...events.toReversed())

    // Two requests for each webhook and dispatcher.
    await receiver.count(8)
    for (let n = 1; n <= 4; n++) {
      // Of these nobody is told: a claimer that looks has found each of them.
      await insertBacklog(stage, quick, 1)
      await untold.count(n)
    }
    expect(new Set(idsAt(receiver)).size).toBe(receiver.calls.length)
    release(200)
    await stage.delivered(204)

    expect([receiver.calls.length, new Set(idsAt(receiver)).size]).toEqual([200, 200])
    expect([await stage.db.attempt.count(), await stage.db.outbox.count()]).toEqual([204, 0])
  })

  test('a closing dispatcher finishes what it sends and leaves the rest to the others at once', async () => {
    const answer = Promise.withResolvers<number>()
    const answers = (_call: unknown, number: number) => (number > 2 ? 200 : answer.promise)
    const { stage, receiver, notify, dispatcher } = await delivering({ answers })
    notify(...(await eventsOf(stage, 30)))
    await receiver.count(2)

    const closed = dispatcher.close()
    const free = () => stage.db.delivery.count({ where: { leaseOwner: null } })
    await eventually(async () => (await free()) === 28, 'the leases released')
    answer.resolve(200)
    await closed
    await stage.delivered(2)
    expect(receiver.calls).toHaveLength(2)

    await stage.start()
    await stage.delivered(30)
    expect(new Set(idsAt(receiver)).size).toBe(30)
  })
})
