// The dispatcher as a whole, on both databases, against receivers on loopback.
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { expireWaiting } from '../../dispatcher/queue/postpone-and-expire.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/eventually.ts'
import { openStage, testSecret } from './stage.ts'

const longAgo = (ms: number) => new Date(Date.now() - ms)
const hourMs = 3_600_000

describe.each(['postgres', 'pglite'] as const)('on %s', (kind) => {
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
    const [call] = receiver.calls
    expect(call?.headers).toMatchObject({
      'x-service-delivery-id': row.id,
      'webhook-id': row.id,
      'x-service-event': 'projects.updated',
      'x-team': 'blue',
    })
    const { body } = await stage.db.event.findFirstOrThrow()
    expect(call?.body.toString()).toBe(body)
    new Stripe('sk').webhooks.constructEvent(call?.body ?? '', String(call?.headers['x-service-signature']), testSecret)
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
    const { notify } = await stage.start({ now: () => new Date(seconds++ * 1_000) })
    const event = await stage.event()
    notify(event)
    const row = await stage.becomes('delivered', event, webhook)

    const header = (name: string) => new Set(receiver.calls.map(({ headers }) => headers[name]))
    expect(receiver.calls).toHaveLength(3)
    expect(header('x-service-delivery-id')).toEqual(new Set([row.id]))
    expect(header('x-service-signature-timestamp').size).toBe(3)
    const attempts = await stage.db.attempt.findMany({ orderBy: { number: 'asc' } })
    expect(
      attempts.map(({ number, outcome, responseStatus, errorCode }) => [number, outcome, responseStatus, errorCode]),
    ).toEqual([
      [1, 'failed', 500, 'http_status'],
      [2, 'failed', 503, 'http_status'],
      [3, 'success', 200, null],
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
    const { notify } = await stage.start()
    const event = await stage.event()
    notify(event)
    const dead = await stage.becomes('dead_letter', event, webhook)
    expect(dead).toMatchObject({
      attemptCount: 3,
      tries: 3,
      lastStatusCode: 500,
      lastErrorCode: 'http_status',
      nextAttemptAt: null,
    })
    expect(dead.deadLetteredAt).not.toBeNull()
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ consecutiveFailures: 3 })

    await stage.db.delivery.updateMany({
      data: { status: 'pending', origin: 'replay', tries: 0, nextAttemptAt: new Date(), deadLetteredAt: null },
    })
    expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ id: dead.id, attemptCount: 4, tries: 1 })
    expect((await stage.db.attempt.findFirst({ where: { number: 4 } }))?.trigger).toBe('manual')
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ consecutiveFailures: 0 })
  })

  test('an outbox row without any notification is swept', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url })
    const event = await stage.event({ createdAt: longAgo(40_000) })
    await stage.start()
    await stage.becomes('delivered', event, webhook)
    const later = await stage.event({ createdAt: longAgo(31_000) })
    await stage.becomes('delivered', later, webhook)
    expect(receiver.calls).toHaveLength(2)
  })

  test('deliveries of a paused webhook wait, and are sent when it is enabled', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url, status: 'paused' })
    const { notify, acked } = await stage.start()
    const event = await stage.event()
    notify(event)
    await eventually(() => acked.length === 1, 'the ack')
    expect(await stage.delivery(event, webhook)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      leaseOwner: null,
    })

    // As a replay on a paused webhook: due, and still not sent.
    await stage.db.delivery.updateMany({ data: { nextAttemptAt: new Date() } })
    const other = await stage.webhook({ url: receiver.url, eventTypes: ['projects.created'] })
    const passing = await stage.event({ type: 'projects.created' })
    notify(passing)
    await stage.becomes('delivered', passing, other)
    expect(receiver.calls).toHaveLength(1)

    await stage.db.webhook.updateMany({ where: { id: webhook }, data: { status: 'active' } })
    await stage.becomes('delivered', event, webhook)
  })

  test('what waited for a paused or disabled webhook longer than 72 hours is dead-lettered, renamed meanwhile or not', async () => {
    await using stage = await openStage(kind)
    const webhook = await stage.webhook({
      url: 'http://127.0.0.1:1/',
      status: 'paused',
      statusChangedAt: longAgo(80 * hourMs),
    })
    const disabled = await stage.webhook({
      url: 'http://127.0.0.1:1/',
      status: 'disabled',
      statusChangedAt: longAgo(80 * hourMs),
    })
    await stage.db.webhook.updateMany({ data: { name: 'Renamed', version: 2, updatedAt: new Date() } })
    const fresh = await stage.webhook({ url: 'http://127.0.0.1:1/', status: 'paused' })
    const { notify, acked } = await stage.start()
    const events = [await stage.event(), await stage.event()]
    notify(...events)
    await eventually(() => acked.length === 2, 'the acks')
    await stage.db.delivery.updateMany({
      where: { eventId: events[0] ?? '' },
      data: { createdAt: longAgo(73 * hourMs) },
    })

    expect(await expireWaiting(stage.db)).toBe(2)
    for (const waited of [webhook, disabled]) {
      const expired = await stage.delivery(events[0] ?? '', waited)
      expect(expired).toMatchObject({ status: 'dead_letter', lastErrorCode: 'webhook_paused', nextAttemptAt: null })
      expect(expired?.deadLetteredAt).not.toBeNull()
    }
    expect(await stage.delivery(events[0] ?? '', fresh)).toMatchObject({ status: 'pending' })
    expect(await stage.delivery(events[1] ?? '', webhook)).toMatchObject({ status: 'pending' })
  })
})

test('a test event reaches its webhook alone', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const asked = await stage.webhook({ url: receiver.url, eventTypes: ['projects.created'] })
  const other = await stage.webhook({ url: receiver.url, eventTypes: ['*'] })
  const { notify } = await stage.start()
  const event = await stage.event({ type: 'webhooks.test', resourceId: asked })
  notify(event)
  expect(await stage.becomes('delivered', event, asked)).toMatchObject({ origin: 'test' })
  expect(await stage.delivery(event, other)).toBeNull()
})

test('every live secret signs, newest first, and an expired one no more', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const [first, second, third] = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
  const webhook = await stage.webhook({ url: receiver.url, secrets: [first ?? '', second ?? '', third ?? ''] })
  const [oldest] = await stage.db.webhookSecret.findMany({ orderBy: { id: 'asc' } })
  await stage.db.webhookSecret.updateMany({ where: { id: oldest?.id ?? '' }, data: { expiresAt: longAgo(1_000) } })
  const { notify } = await stage.start()
  const event = await stage.event()
  notify(event)
  await stage.becomes('delivered', event, webhook)
  const [call] = receiver.calls
  const verify = (secret = '') =>
    new Stripe('sk').webhooks.constructEvent(call?.body ?? '', String(call?.headers['x-service-signature']), secret)
  verify(second)
  verify(third)
  expect(() => verify(first)).toThrow()
  expect(String(call?.headers['webhook-signature']).split(' ')).toHaveLength(2)
})

test('an event whose notification never comes is delivered soon, although the broker seems to be there', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  const { notify, dispatcher } = await stage.start()
  const noticed = await stage.event()
  notify(noticed)
  await stage.becomes('delivered', noticed, webhook)

  const unnoticed = await stage.event()

  await stage.becomes('delivered', unnoticed, webhook)
  expect(dispatcher.isConnected()).toBe(true)
})
