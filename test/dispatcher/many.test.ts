// Many deliveries at a time, more than one dispatcher, and dispatchers that come and go.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/eventually.ts'
import { insertBacklog } from './queue/backlog.ts'
import { openStage, type Stage } from './stage.ts'

const longAgo = (ms: number) => new Date(Date.now() - ms)

test('a receiver that hangs is cut off, and the others do not wait for it', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const hanging = createServer(() => {})
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  await using _closed = { [Symbol.asyncDispose]: async () => (hanging.closeAllConnections(), void hanging.close()) }
  const slow = await stage.webhook({ url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/` })
  const quick = await stage.webhook({ url: receiver.url })
  const { notify } = await stage.start({ sendTimeoutMs: 1_500, scheduleSeconds: [3_600] })
  const events = await Promise.all(Array.from({ length: 30 }, () => stage.event()))
  notify(...events)
  await receiver.count(30)
  expect(await stage.db.delivery.count({ where: { webhookId: slow, status: 'pending' } })).toBe(30)
  // Whichever came first: the others rest once it is known that the receiver hangs.
  await eventually(
    async () => (await stage.db.delivery.count({ where: { webhookId: slow, status: 'retrying' } })) > 0,
    'one retrying',
  )
  expect(await stage.db.attempt.findFirst({ where: { outcome: 'failed' } })).toMatchObject({
    errorCode: 'timeout',
    responseStatus: null,
  })
  await eventually(
    async () => (await stage.db.delivery.count({ where: { webhookId: quick, status: 'delivered' } })) === 30,
    '30 delivered',
  )
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
    await eventually(
      async () => (await stage.db.delivery.count({ where: { id, status: 'delivered' } })) === 1,
      'a claim',
    )
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
  const ids = () => receiver.calls.map(({ headers }) => headers['webhook-id'])

  // Two requests for each webhook and dispatcher.
  await receiver.count(8)
  for (let n = 0; n < 4; n++) await looked()
  expect(new Set(ids()).size).toBe(ids().length)
  release()
  await eventually(
    async () => (await stage.db.delivery.count({ where: { status: 'delivered' } })) === 204,
    'all delivered',
  )

  expect([ids().length, new Set(ids()).size]).toEqual([200, 200])
  expect(await stage.db.attempt.count()).toBe(204)
  expect(await stage.db.outbox.count()).toBe(0)
})

test('more than there is capacity for is delivered all the same', async () => {
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

test('what a dispatcher that is gone had leased is sent when the lease runs out, and not before', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  await insertBacklog(stage, webhook, 1)
  const { id } = await stage.db.delivery.findFirstOrThrow({ where: { webhookId: webhook } })
  const gone = uuid()
  const lease = (leaseUntil: Date) =>
    stage.db.delivery.updateMany({ where: { id }, data: { leaseOwner: gone, leaseUntil } })
  await lease(new Date(Date.now() + 60_000))
  await stage.start()

  // It came due later: whoever takes it has passed by the one that is leased.
  await insertBacklog(stage, webhook, 1)
  await receiver.count(1)
  expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).not.toContain(id)
  expect(await stage.db.delivery.findFirst({ where: { id } })).toMatchObject({ status: 'pending', leaseOwner: gone })

  await lease(longAgo(1))
  await receiver.count(2)
  expect(receiver.calls[1]?.headers['webhook-id']).toBe(id)
})

test('a closing dispatcher finishes what it sends and leaves the rest to the others at once', async () => {
  await using stage = await openStage()
  const open: (() => void)[] = []
  await using receiver = await startReceiver((_call, number) =>
    number > 2 ? 200 : new Promise((resolve) => open.push(() => resolve(200))),
  )
  await stage.webhook({ url: receiver.url })
  const { notify, dispatcher } = await stage.start()
  const events = await Promise.all(Array.from({ length: 30 }, () => stage.event()))
  notify(...events)
  await receiver.count(2)
  const closed = dispatcher.close()
  await eventually(
    async () => (await stage.db.delivery.count({ where: { leaseOwner: null } })) === 28,
    'the leases released',
  )
  open.forEach((answer) => answer())
  await closed
  expect(await stage.db.delivery.count({ where: { status: 'delivered' } })).toBe(2)
  expect(receiver.calls).toHaveLength(2)

  await stage.start()
  await eventually(
    async () => (await stage.db.delivery.count({ where: { status: 'delivered' } })) === 30,
    'the rest delivered',
  )
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
})
