// The dispatcher as a whole, on both databases, against receivers on loopback: what it delivers and when, many at a
// time, beside others that come and go.
import Stripe from 'stripe'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { startDispatcher, type DispatcherOptions } from '../../dispatcher/dispatcher.ts'
import { leaseSeconds } from '../../dispatcher/queue/leases.ts'
import { expireWaiting } from '../../dispatcher/queue/postpone-and-expire.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { eventually } from '../support/eventually.ts'
import { auditOf, clean } from '../support/ledger.ts'
import { insertBacklog } from './queue/backlog.ts'
import { sharedStages, testSecret, type Stage } from './stage.ts'

const openStage = sharedStages()
const longAgo = (ms: number) => new Date(Date.now() - ms)
const hourMs = 3_600_000
const never = new Promise<number>(() => {})
const idsAt = ({ calls }: Receiver) => calls.map(({ headers }) => headers['webhook-id'])
const eventsOf = (stage: Stage, count: number) => Promise.all(Array.from({ length: count }, () => stage.event()))
const verified = ({ calls: [call] }: Receiver, secret: string) =>
  new Stripe('sk').webhooks.constructEvent(call?.body ?? '', String(call?.headers['x-service-signature']), secret)

onEachEngine((kind) => {
  test('an event with two notifications is delivered once, signed, and its outbox row is gone', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({
      url: receiver.url,
      eventTypes: ['projects.*'],
      headers: { 'X-Team': 'blue' },
    })
    const { notify, acked } = await stage.start()
    const event = await stage.event()
    notify(event, event)
    await eventually(() => acked.length === 2, 'both notices acked')
    notify(event)
    const row = await stage.becomes('delivered', event, webhook)

    expect(receiver.calls).toHaveLength(1)
    expect(receiver.calls[0]?.headers).toMatchObject({
      'x-service-delivery-id': row.id,
      'webhook-id': row.id,
      'x-service-event': 'projects.updated',
      'x-team': 'blue',
    })
    expect(receiver.calls[0]?.body.toString()).toBe((await stage.db.event.findFirstOrThrow()).body)
    verified(receiver, testSecret)
    expect(row).toMatchObject({
      origin: 'live',
      attemptCount: 1,
      tries: 1,
      maxAttempts: 3,
      lastStatusCode: 200,
      lastErrorCode: null,
      nextAttemptAt: null,
      leaseOwner: null,
    })
    expect(await stage.db.outbox.count()).toBe(0)
  })

  test('a receiver that fails twice gets a third attempt, with the same id and a new timestamp', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver([500, 503, 200])
    const webhook = await stage.webhook({ url: receiver.url })
    let seconds = 1_700_000_000
    const { happen } = await stage.start({ now: () => new Date(seconds++ * 1_000) })
    const row = await stage.becomes('delivered', await happen(), webhook)

    expect(idsAt(receiver)).toEqual([row.id, row.id, row.id])
    const stamps = receiver.calls.map(({ headers }) => headers['x-service-signature-timestamp'])
    expect(new Set(stamps).size).toBe(3)
    const attempts = await stage.db.attempt.findMany({ orderBy: { number: 'asc' } })
    expect(attempts).toMatchObject([
      { number: 1, outcome: 'failed', responseStatus: 500, errorCode: 'http_status' },
      { number: 2, outcome: 'failed', responseStatus: 503, errorCode: 'http_status' },
      { number: 3, outcome: 'success', responseStatus: 200, errorCode: null },
    ])
    expect(attempts[0]).toMatchObject({
      trigger: 'automatic',
      url: receiver.url,
      responseBody: 'thanks',
      truncated: false,
    })
    // The delivery says the rest.
    expect(attempts[0]?.requestHeaders).toEqual({ 'user-agent': 'service-webhooks/1' })
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ consecutiveFailures: 0 })
  })

  test('one that always fails is dead-lettered after the set number of attempts, and starts anew when replayed', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver([500, 500, 500, 200])
    const webhook = await stage.webhook({ url: receiver.url })
    const { happen } = await stage.start()
    const event = await happen()
    const dead = await stage.becomes('dead_letter', event, webhook)
    expect(dead).toMatchObject({
      attemptCount: 3,
      tries: 3,
      lastStatusCode: 500,
      lastErrorCode: 'http_status',
      nextAttemptAt: null,
      deadLetteredAt: expect.any(Date),
    })
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ consecutiveFailures: 3 })

    await stage.db.delivery.updateMany({
      data: { status: 'pending', origin: 'replay', tries: 0, nextAttemptAt: new Date(), deadLetteredAt: null },
    })

    expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ id: dead.id, attemptCount: 4, tries: 1 })
    expect(await stage.db.attempt.findFirst({ where: { number: 4 } })).toMatchObject({ trigger: 'manual' })
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ consecutiveFailures: 0 })
  })

  test('an outbox row without any notification is swept', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url })
    const before = await stage.event({ createdAt: longAgo(40_000) })
    await stage.start()
    await stage.becomes('delivered', before, webhook)

    await stage.becomes('delivered', await stage.event({ createdAt: longAgo(31_000) }), webhook)

    expect(receiver.calls).toHaveLength(2)
  })

  test('deliveries of a paused webhook wait, and are sent when it is enabled', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url, status: 'paused' })
    const { happen, acked } = await stage.start()
    const event = await happen()
    await eventually(() => acked.length === 1, 'the ack')
    const waiting = { status: 'pending', nextAttemptAt: null, leaseOwner: null }
    expect(await stage.delivery(event, webhook)).toMatchObject(waiting)

    // As a replay on a paused webhook: due, and still not sent.
    await stage.db.delivery.updateMany({ data: { nextAttemptAt: new Date() } })
    const other = await stage.webhook({ url: receiver.url, eventTypes: ['projects.created'] })
    await stage.becomes('delivered', await happen({ type: 'projects.created' }), other)
    expect(receiver.calls).toHaveLength(1)

    await stage.db.webhook.updateMany({ where: { id: webhook }, data: { status: 'active' } })
    await stage.becomes('delivered', event, webhook)
  })

  test('what waited for a paused or disabled webhook longer than 72 hours is dead-lettered, renamed meanwhile or not', async () => {
    await using stage = await openStage(kind)
    const [url, statusChangedAt] = ['http://127.0.0.1:1/', longAgo(80 * hourMs)]
    const paused = await stage.webhook({ url, status: 'paused', statusChangedAt })
    const disabled = await stage.webhook({ url, status: 'disabled', statusChangedAt })
    await stage.db.webhook.updateMany({ data: { name: 'Renamed', version: 2, updatedAt: new Date() } })
    const fresh = await stage.webhook({ url, status: 'paused' })
    const { happen, acked } = await stage.start()
    const [old, young] = [await happen(), await happen()]
    await eventually(() => acked.length === 2, 'the acks')
    await stage.db.delivery.updateMany({ where: { eventId: old }, data: { createdAt: longAgo(73 * hourMs) } })

    expect(await expireWaiting(stage.db)).toBe(2)

    const expired = { status: 'dead_letter', lastErrorCode: 'webhook_paused', nextAttemptAt: null }
    for (const waited of [paused, disabled])
      expect(await stage.delivery(old, waited)).toMatchObject({ ...expired, deadLetteredAt: expect.any(Date) })
    expect(await stage.delivery(old, fresh)).toMatchObject({ status: 'pending' })
    expect(await stage.delivery(young, paused)).toMatchObject({ status: 'pending' })
  })

  test('what still hangs at the end of the drain is cut off, logged as interrupted, not counted, and free at once', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver((_call, number) => (number <= 2 ? never : 200))
    await stage.webhook({ url: receiver.url })
    const { notify, acked, dispatcher } = await stage.start({ drain: { sendingMs: 100, writeMs: 1_000 } })
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
})

test('a send that may take longer than its lease is refused at the start', async () => {
  const options = { sendTimeoutMs: leaseSeconds * 1_000 } as DispatcherOptions

  await expect(startDispatcher(options)).rejects.toThrow('sendTimeoutMs')
})

test('a test event reaches its webhook alone', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const asked = await stage.webhook({ url: receiver.url, eventTypes: ['projects.created'] })
  const other = await stage.webhook({ url: receiver.url, eventTypes: ['*'] })
  const { happen } = await stage.start()

  const event = await happen({ type: 'webhooks.test', resourceId: asked })

  expect(await stage.becomes('delivered', event, asked)).toMatchObject({ origin: 'test' })
  expect(await stage.delivery(event, other)).toBeNull()
})

test('every live secret signs, newest first, and an expired one no more', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const secrets = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
  const webhook = await stage.webhook({ url: receiver.url, secrets })
  const { id } = await stage.db.webhookSecret.findFirstOrThrow({ orderBy: { id: 'asc' } })
  await stage.db.webhookSecret.updateMany({ where: { id }, data: { expiresAt: longAgo(1_000) } })
  const { happen } = await stage.start()

  await stage.becomes('delivered', await happen(), webhook)

  const [first = '', ...live] = secrets
  for (const secret of live) verified(receiver, secret)
  expect(() => verified(receiver, first)).toThrow()
  expect(String(receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
})

test('an event whose notification never comes is delivered soon, although the broker seems to be there', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  const { happen, dispatcher } = await stage.start()
  await stage.becomes('delivered', await happen(), webhook)

  const unnoticed = await stage.event()

  await stage.becomes('delivered', unnoticed, webhook)
  expect(dispatcher.isConnected()).toBe(true)
})

test('a receiver that hangs is cut off, and the others do not wait for it', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  await using hanging = await startReceiver(() => never)
  const slow = await stage.webhook({ url: hanging.url })
  const quick = await stage.webhook({ url: receiver.url })
  const { notify } = await stage.start({ sendTimeoutMs: 1_500, scheduleSeconds: [3_600] })

  notify(...(await eventsOf(stage, 30)))
  await receiver.count(30)

  expect(await stage.db.delivery.count({ where: { webhookId: slow, status: 'pending' } })).toBe(30)
  // Whichever came first: the others rest once it is known that the receiver hangs.
  await eventually(() => stage.db.delivery.findFirst({ where: { webhookId: slow, status: 'retrying' } }), 'a retry')
  const failed = await stage.db.attempt.findFirst({ where: { outcome: 'failed' } })
  expect(failed).toMatchObject({ errorCode: 'timeout', responseStatus: null })
  await stage.delivered(30, { webhookId: quick })
})

/** Makes waiting deliveries of a webhook that nobody was told of: only claimers find what comes due of them. */
async function insertUntold(stage: Stage, webhook: string, count: number) {
  await insertBacklog(stage, webhook, count)
  const ids = (await stage.db.delivery.findMany({ where: { webhookId: webhook } })).map(({ id }) => id)
  await stage.db.delivery.updateMany({ where: { webhookId: webhook }, data: { nextAttemptAt: null } })
  /** Resolves once a claimer has looked after it was called. */
  return async () => {
    const id = ids.pop() ?? ''
    await stage.db.delivery.updateMany({ where: { id }, data: { nextAttemptAt: new Date() } })
    await eventually(() => stage.db.delivery.findFirst({ where: { id, status: 'delivered' } }), 'a claim')
  }
}

test('two dispatchers on one database send each delivery once, however long its receiver takes', async () => {
  await using stage = await openStage()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(() => released.then(() => 200))
  await using quick = await startReceiver()
  for (let n = 0; n < 2; n++) await stage.webhook({ url: receiver.url, eventTypes: ['projects.*'] })
  const events = await Promise.all(
    Array.from({ length: 100 }, (_, n) => stage.event({ createdAt: longAgo(n % 2 === 0 ? 0 : 60_000) })),
  )
  const looked = await insertUntold(stage, await stage.webhook({ url: quick.url, eventTypes: ['tasks.*'] }), 4)
  const patient = { sendTimeoutMs: 40_000 }
  const [one, two] = [await stage.start(patient), await stage.start(patient)]
  one.notify(...events)
  two.notify(...events.toReversed())

  // Two requests for each webhook and dispatcher.
  await receiver.count(8)
  for (let n = 0; n < 4; n++) await looked()
  expect(new Set(idsAt(receiver)).size).toBe(receiver.calls.length)
  release()
  await stage.delivered(204)

  expect([receiver.calls.length, new Set(idsAt(receiver)).size]).toEqual([200, 200])
  expect([await stage.db.attempt.count(), await stage.db.outbox.count()]).toEqual([204, 0])
})

test('more than there is capacity for is delivered all the same', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  await stage.webhook({ url: receiver.url })
  const { notify } = await stage.start()
  const events: string[] = []
  for (let n = 0; n < 400; n++) events.push(await stage.event())

  for (let n = 0; n < 400; n += 100) notify(...events.slice(n, n + 100))

  await stage.delivered(400)
  expect(new Set(idsAt(receiver)).size).toBe(400)
})

test('what a dispatcher that is gone had leased is sent when the lease runs out, and not before', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  await insertBacklog(stage, webhook, 1)
  const { id } = await stage.db.delivery.findFirstOrThrow({ where: { webhookId: webhook } })
  const leaseOwner = uuid()
  const lease = (leaseUntil: Date) => stage.db.delivery.updateMany({ where: { id }, data: { leaseOwner, leaseUntil } })
  await lease(longAgo(-60_000))
  await stage.start()

  // It came due later: whoever takes it has passed by the one that is leased.
  await insertBacklog(stage, webhook, 1)
  await receiver.count(1)
  expect(idsAt(receiver)).not.toContain(id)
  expect(await stage.db.delivery.findFirst({ where: { id } })).toMatchObject({ status: 'pending', leaseOwner })

  await lease(longAgo(1))
  await receiver.count(2)
  expect(idsAt(receiver)[1]).toBe(id)
})

test('a closing dispatcher finishes what it sends and leaves the rest to the others at once', async () => {
  await using stage = await openStage()
  const answer = Promise.withResolvers<number>()
  await using receiver = await startReceiver((_call, number) => (number > 2 ? 200 : answer.promise))
  await stage.webhook({ url: receiver.url })
  const { notify, dispatcher } = await stage.start()
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
