// Many deliveries at a time, more than one dispatcher, and dispatchers that come and go.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/eventually.ts'
import { openStage } from './stage.ts'

const longAgo = (ms: number) => new Date(Date.now() - ms)

test('a receiver that hangs is cut off, and the others do not wait for it', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const hanging = createServer(() => {})
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  const slow = await stage.webhook({ url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/` })
  const quick = await stage.webhook({ url: receiver.url })
  const { notify } = await stage.start({ sendTimeoutMs: 1_500, scheduleSeconds: [3_600] })
  const events = await Promise.all(Array.from({ length: 30 }, () => stage.event()))
  notify(...events)
  await receiver.count(30)
  expect(await stage.db.delivery.count({ where: { webhookId: slow, status: 'pending' } })).toBe(30)
  await stage.becomes('retrying', events[0] ?? '', slow)
  expect(await stage.db.attempt.findFirst({ where: { outcome: 'failed' } })).toMatchObject({
    errorCode: 'timeout',
    responseStatus: null,
  })
  await eventually(
    async () => (await stage.db.delivery.count({ where: { webhookId: quick, status: 'delivered' } })) === 30,
    '30 delivered',
  )
  hanging.closeAllConnections()
  hanging.close()
})

test('two dispatchers on one database send each delivery once', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  await Promise.all([stage.webhook({ url: receiver.url }), stage.webhook({ url: receiver.url })])
  const events = await Promise.all(
    Array.from({ length: 100 }, (_, n) => stage.event({ createdAt: longAgo(n % 2 === 0 ? 0 : 60_000) })),
  )
  const [one, two] = [await stage.start(), await stage.start()]
  one.notify(...events)
  two.notify(...events.toReversed())
  await eventually(
    async () => (await stage.db.delivery.count({ where: { status: 'delivered' } })) === 200,
    '200 delivered',
  )
  const ids = receiver.calls.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([200, 200])
  expect(await stage.db.attempt.count()).toBe(200)
  expect(await stage.db.outbox.count()).toBe(0)
})

test('more than there are places for is delivered all the same', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  const { notify } = await stage.start()
  const events: string[] = []
  for (let n = 0; n < 400; n++) events.push(await stage.event())
  for (let n = 0; n < 400; n += 100) notify(...events.slice(n, n + 100))
  await eventually(
    async () => (await stage.db.delivery.count({ where: { webhookId: webhook, status: 'delivered' } })) === 400,
    '400 delivered',
  )
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(400)
})

test('what a dispatcher that is gone had leased is sent when the lease runs out', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url, status: 'paused' })
  const { notify, acked } = await stage.start()
  const event = await stage.event()
  notify(event)
  await eventually(() => acked.length === 1, 'the ack')
  const lease = (leaseUntil: Date) =>
    stage.db.delivery.updateMany({
      where: { eventId: event },
      data: { leaseOwner: uuid(), leaseUntil, nextAttemptAt: new Date() },
    })
  await lease(new Date(Date.now() + 60_000))
  await stage.db.webhook.updateMany({ data: { status: 'active' } })
  const passing = await stage.event()
  notify(passing)
  await stage.becomes('delivered', passing, webhook)
  expect(await stage.delivery(event, webhook)).toMatchObject({ status: 'pending' })

  await lease(longAgo(1))
  await stage.becomes('delivered', event, webhook)
})

test('a closing dispatcher finishes what it sends and leaves the rest to the others at once', async () => {
  await using stage = await openStage()
  const open: (() => void)[] = []
  await using receiver = await startReceiver((_call, number) =>
    number > 10 ? 200 : new Promise((resolve) => open.push(() => resolve(200))),
  )
  await stage.webhook({ url: receiver.url })
  const { notify, dispatcher } = await stage.start()
  const events = await Promise.all(Array.from({ length: 30 }, () => stage.event()))
  notify(...events)
  await receiver.count(10)
  const closed = dispatcher.close()
  await eventually(
    async () => (await stage.db.delivery.count({ where: { leaseOwner: null } })) === 20,
    'the leases given back',
  )
  open.forEach((answer) => answer())
  await closed
  expect(await stage.db.delivery.count({ where: { status: 'delivered' } })).toBe(10)
  expect(receiver.calls).toHaveLength(10)

  await stage.start()
  await eventually(
    async () => (await stage.db.delivery.count({ where: { status: 'delivered' } })) === 30,
    'the rest delivered',
  )
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
})
