import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openScheduler, type Limits } from '../../../dispatcher/queue/scheduler.ts'
import type { LeasedDelivery } from '../../../dispatcher/queue/leases.ts'

const limits: Limits = { inFlight: 6, perWebhook: 2, queued: 10, queuedPerWebhook: 4 }

/** A scheduler whose work ends when the test says so. */
function given(mayStart = () => true) {
  const started: { item: LeasedDelivery; end: () => void; releaseSlot: () => void }[] = []
  let capacityTold = 0
  const run = (item: LeasedDelivery, releaseSlot: () => void) =>
    new Promise<void>((end) => started.push({ item, end, releaseSlot }))
  const scheduler = openScheduler({ run, mayStart, onCapacity: () => capacityTold++ }, limits)
  return { scheduler, started, ids: () => started.map(({ item }) => item.id), timesTold: () => capacityTold }
}

const items = (webhookId: string, count: number, from = 0): LeasedDelivery[] =>
  Array.from({ length: count }, (_, n) => ({
    workspaceId: 'w',
    id: `${webhookId}${n + from}`,
    webhookId,
    leaseEndsAt: 0,
  }))

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('webhooks are served round robin, however many deliveries one of them has', () => {
  const { scheduler, ids } = given()
  scheduler.enqueue([...items('a', 3), ...items('b', 1), ...items('c', 2)])
  expect(ids()).toEqual(['a0', 'b0', 'c0', 'a1', 'c1'])
})

test('no more than its share of one webhook is in flight, no more than the limit of all', async () => {
  const { scheduler, started, ids } = given()
  scheduler.enqueue([...items('a', 4), ...items('b', 2), ...items('c', 2), ...items('d', 2)])
  expect(ids()).toEqual(['a0', 'b0', 'c0', 'd0', 'a1', 'b1'])
  started[0]?.end()
  await settled()
  expect(ids().slice(6)).toEqual(['c1'])
})

test('what there is no capacity for is returned, and the claimer is told when there is capacity again', async () => {
  const { scheduler, started, timesTold } = given()
  expect(scheduler.enqueue(items('a', 8)).map(({ id }) => id)).toEqual(['a4', 'a5', 'a6', 'a7'])
  expect(scheduler.capacity().free).toBe(8)
  started[0]?.end()
  await settled()
  expect(timesTold()).toBe(1)
})

test('a full webhook is named as such', () => {
  const { scheduler } = given()
  scheduler.enqueue([...items('a', 2), ...items('b', 1)])
  scheduler.enqueue(items('a', 4, 2))
  expect(scheduler.capacity()).toEqual({ free: 6, perWebhook: 4, fewer: new Map([['a', 0]]) })
})

test('a delivery that is queued, in flight or unwritten is not taken a second time', async () => {
  const { scheduler, started, ids } = given()
  scheduler.enqueue(items('a', 3))
  expect(scheduler.enqueue(items('a', 3))).toEqual([])
  started[0]?.releaseSlot()
  expect(scheduler.enqueue(items('a', 1))).toEqual([])
  expect(ids()).toEqual(['a0', 'a1', 'a2'])
  started[0]?.end()
  await settled()
  scheduler.enqueue(items('a', 1))
  started[1]?.end()
  await settled()
  expect(ids()).toEqual(['a0', 'a1', 'a2', 'a0'])
})

test('nothing starts while results cannot be written', () => {
  let canWrite = false
  const { scheduler, ids } = given(() => canWrite)
  scheduler.enqueue(items('a', 2))
  expect(ids()).toEqual([])
  canWrite = true
  scheduler.dispatch()
  expect(ids()).toEqual(['a0', 'a1'])
})

test('after the stop nothing starts, what waited is returned, and what runs is waited for', async () => {
  const { scheduler, started, ids } = given()
  scheduler.enqueue(items('a', 4))
  expect(scheduler.stop().map(({ id }) => id)).toEqual(['a2', 'a3'])
  expect(scheduler.enqueue(items('b', 1))).toHaveLength(1)
  let idle = false
  void scheduler.idle().then(() => (idle = true))
  started[0]?.end()
  await settled()
  expect(idle).toBe(false)
  started[1]?.end()
  await settled()
  expect(idle).toBe(true)
  expect(ids()).toEqual(['a0', 'a1'])
})

test('a capacity check promises no more than there is', () => {
  const { scheduler } = given()
  scheduler.enqueue(items('a', 4))
  const hasCapacity = scheduler.capacityCheck()
  expect(Array.from({ length: 3 }, () => hasCapacity('a'))).toEqual([true, true, false])
  expect(Array.from({ length: 5 }, () => hasCapacity('b'))).toEqual([true, true, true, true, false])
})

const step = fc.oneof(
  fc.record({ offer: fc.constantFrom('a', 'b', 'c', 'd'), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ end: fc.nat(20) }),
)

test('whatever is offered and however it ends, the bounds hold and nothing is lost or run twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { scheduler, started, ids } = given()
      const ended = new Set<string>()
      const end = async (run: (typeof started)[number] | undefined) => {
        if (run === undefined) return
        ended.add(run.item.id)
        run.end()
        await settled()
      }
      const running = () => started.filter(({ item }) => !ended.has(item.id))
      const offered: LeasedDelivery[] = []
      const left: LeasedDelivery[] = []
      for (const [at, one] of steps.entries()) {
        if ('end' in one) await end(running()[one.end])
        else {
          const batch = items(one.offer, one.count, at * 10)
          offered.push(...batch)
          left.push(...scheduler.enqueue(batch))
        }
        expect(running().length).toBeLessThanOrEqual(limits.inFlight)
        for (const webhookId of ['a', 'b', 'c', 'd']) {
          expect(running().filter(({ item }) => item.webhookId === webhookId).length).toBeLessThanOrEqual(
            limits.perWebhook,
          )
        }
      }
      while (running().length > 0) await end(running()[0])
      expect([...ids(), ...left.map(({ id }) => id)].toSorted()).toEqual(offered.map(({ id }) => id).toSorted())
    }),
    { numRuns: 50 },
  )
})
