import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openScheduler, standardLimits, type ReleaseSlot } from '../../../dispatcher/queue/scheduler.ts'
import type { QueueLimits } from '../../../dispatcher/queue/webhook-queues.ts'
import { webhookSlots, type WebhookSlots } from '../../../dispatcher/queue/slots.ts'
import type { LeasedDelivery } from '../../../dispatcher/queue/leases.ts'

const shared = { slowStartShare: 0.5, workspaceShare: 6, slotShare: 2 }
const limits: QueueLimits = { inFlight: 6, queued: 10, waitingPerSlot: 2, roomKept: 0, ...shared }
type Verdict = 'delivered' | 'refused' | 'unhealthy'
const perWebhook = 2
const steady: WebhookSlots = { of: () => perWebhook, isEstablished: () => true, note: () => {} }

/** A scheduler whose work ends when the test says so. */
function given(mayStart = () => true, within = limits, slots = steady) {
  const started: { item: LeasedDelivery; end: () => void; releaseSlot: ReleaseSlot }[] = []
  let capacityTold = 0
  const run = (item: LeasedDelivery, releaseSlot: ReleaseSlot) =>
    new Promise<void>((end) => started.push({ item, end, releaseSlot }))
  const scheduler = openScheduler({ run, mayStart, onCapacity: () => capacityTold++ }, within, slots)
  return { scheduler, started, ids: () => started.map(({ item }) => item.id), timesTold: () => capacityTold }
}

const items = (webhookId: string, count: number, { from = 0, workspaceId = 'w' } = {}): LeasedDelivery[] =>
  Array.from({ length: count }, (_, n) => ({ workspaceId, id: `${webhookId}${n + from}`, webhookId, leaseEndsAt: 0 }))

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('workspaces are served round robin, however many webhooks one of them has', () => {
  const { scheduler, ids } = given()
  scheduler.enqueue(['a', 'b', 'c', 'd'].flatMap((id) => items(id, 1)))
  const ofOther = ['e', 'f'].flatMap((id) => items(id, 2, { workspaceId: 'w2' }))
  scheduler.enqueue([...ofOther, ...items('g', 1, { workspaceId: 'w3' })])
  expect(ids()).toEqual(['a0', 'b0', 'c0', 'd0', 'e0', 'g0'])
})

test('webhooks are served round robin: no more than its share of one is in flight, no more than the limit of all', async () => {
  const { scheduler, started, ids } = given()
  scheduler.enqueue([...items('a', 4), ...items('b', 2), ...items('c', 2), ...items('d', 2)])
  expect(ids()).toEqual(['a0', 'b0', 'c0', 'd0', 'a1', 'b1'])
  started[0]?.end()
  await settled()
  expect(ids().slice(6)).toEqual(['c1'])
})

test('what there is no capacity for is returned, the webhook named, and the claimer is told when there is capacity again', async () => {
  const { scheduler, started, timesTold } = given()
  expect(scheduler.enqueue(items('a', 8)).map(({ id }) => id)).toEqual(['a4', 'a5', 'a6', 'a7'])
  expect(scheduler.capacity([]).free).toBe(8)
  started[0]?.end()
  await settled()
  expect(timesTold()).toBe(1)
  scheduler.enqueue(items('a', 8, { from: 10 }))
  expect(scheduler.capacity(['a'])).toEqual({ free: 6, perWebhook: 4, known: new Map([['a', 0]]) })
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

const asked = <T>(count: number, question: (about: T) => boolean, about: T) =>
  Array.from({ length: count }, () => question(about))
const hook = (webhookId: string) => ({ workspaceId: 'w', webhookId })

test('a reservation promises no more places than there are, whatever another one was promised', () => {
  const { scheduler } = given()
  scheduler.enqueue(items('a', 4))
  const [one, other] = [scheduler.reserve(), scheduler.reserve()]
  expect(asked(3, one.hasCapacity, 'a')).toEqual([true, true, false])
  expect(asked(1, other.hasCapacity, 'a')).toEqual([false])
  expect(asked(4, one.hasCapacity, 'b')).toEqual([true, true, true, true])
  expect(asked(3, other.hasCapacity, 'c')).toEqual([true, true, false])
  one.end()
  one.end()
  expect(asked(3, other.hasCapacity, 'a')).toEqual([true, true, false])
})

test('a reservation promises no more slots than would start at once, and nothing where others wait', () => {
  let mayStart = true
  const { scheduler } = given(() => mayStart)
  const free = (webhookId: string) => {
    const reserved = scheduler.reserve()
    const answers = asked(3, reserved.hasSlot, hook(webhookId))
    reserved.end()
    return answers
  }
  expect(free('a')).toEqual([true, true, false])
  scheduler.enqueue(items('a', 1))
  expect(free('a')).toEqual([true, false, false])
  scheduler.enqueue(items('a', 2, { from: 10 }))
  expect(free('a')).toEqual([false, false, false])
  expect(free('b')).toEqual([true, true, false])
  mayStart = false
  expect(free('b')).toEqual([false, false, false])
})

test('a slot that one reservation was promised is promised to no other', () => {
  const { scheduler } = given()
  const [one, other] = [scheduler.reserve(), scheduler.reserve()]
  expect(asked(1, one.hasSlot, hook('a'))).toEqual([true])
  expect(asked(2, other.hasSlot, hook('a'))).toEqual([true, false])
  scheduler.enqueue(items('a', 1))
  one.end()
  expect(asked(1, other.hasSlot, hook('a'))).toEqual([false])
})

test('what found no place beside a reservation is claimed when that has ended with places to spare', () => {
  const { scheduler, timesTold } = given()
  const [one, other] = [scheduler.reserve(), scheduler.reserve()]
  asked(4, one.hasCapacity, 'a')
  expect(other.hasCapacity('a')).toBe(false)
  other.end()
  expect(timesTold()).toBe(0)
  one.end()
  expect(timesTold()).toBe(1)
})

test('a webhook starts with two requests at a time, has up to ten while they are delivered, and half as many after each failure', async () => {
  const { scheduler, started } = given(() => true, standardLimits, webhookSlots())
  const offer = () => scheduler.enqueue(items('a', 20, { from: started.length * 100 }))
  const over = new Set<object>()
  const running = () => started.filter((one) => !over.has(one))
  const end = (verdict: Verdict) => {
    const [one] = running()
    if (one === undefined) throw new Error('Nothing is running')
    over.add(one)
    one.releaseSlot(verdict)
    offer()
    return running().length
  }
  offer()
  expect(running().length).toBe(2)
  expect(Array.from({ length: 9 }, () => end('delivered'))).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 10])
  expect(end('refused')).toBe(10)
  expect(Array.from({ length: 13 }, () => end('unhealthy'))).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1])
  expect(end('delivered')).toBe(2)
})

test('however many webhooks hang that were well before, there are slots and places left for the next one', () => {
  const wellBefore: WebhookSlots = { ...steady, of: () => 10 }
  const { scheduler, ids } = given(() => true, standardLimits, wellBefore)
  const sick = Array.from({ length: 300 }, (_, n) => items(`sick${n}-`, 110, { workspaceId: `w${n % 10}` })).flat()
  const left = Array.from({ length: 66 }, (_, n) => scheduler.enqueue(sick.slice(n * 500, n * 500 + 500))).flat()

  expect(scheduler.enqueue(items('well', 3))).toEqual([])

  expect(ids().filter((id) => id.startsWith('well'))).toContain('well0')
  const { inFlight, queued } = scheduler.usage()
  expect(inFlight).toBeGreaterThan(1_500)
  expect(queued).toBeLessThanOrEqual(standardLimits.queued)
  expect(new Set([...ids(), ...left.map(({ id }) => id)]).size + queued).toBe(sick.length + 3)
})

/** So many webhooks with two deliveries each, shared out to so many workspaces. */
const newWebhooks = (count: number, workspaces: number) =>
  Array.from({ length: count }, (_, n) => items(`new${n}-`, 2, { workspaceId: `of${n % workspaces}` })).flat()

test('new webhooks that hang, of however many workspaces, hold half of the slots at most; one that has delivered has room', () => {
  const slots = webhookSlots()
  const { scheduler, ids } = given(() => true, standardLimits, slots)
  slots.note('known', 'delivered')
  scheduler.enqueue(newWebhooks(2_000, 400))
  const { inFlight } = scheduler.usage()
  expect(inFlight).toBeGreaterThan(900)
  expect(inFlight).toBeLessThanOrEqual(1_000)

  expect(scheduler.enqueue(items('known', 3))).toEqual([])

  expect(ids().slice(-3)).toEqual(['known0', 'known1', 'known2'])
})

test('one workspace leaves half of what it may have, to others and to its own webhooks that deliver', () => {
  const slots = webhookSlots()
  const { scheduler, ids } = given(() => true, standardLimits, slots)
  slots.note('known', 'delivered')
  scheduler.enqueue(newWebhooks(2_000, 1))
  expect(scheduler.usage().inFlight).toBe(500)

  scheduler.enqueue([
    ...items('own', 1, { workspaceId: 'of0' }),
    ...items('other', 2, { workspaceId: 'of1' }),
    ...items('known', 3, { workspaceId: 'of0' }),
  ])

  expect(ids().slice(500).toSorted()).toEqual(['known0', 'known1', 'known2', 'other0', 'other1'])
})

test('a webhook whose attempts fail shares slots with new ones again, at the second failure at the latest', () => {
  const slots = webhookSlots()
  const after = (verdict: Verdict) => {
    slots.note('a', verdict)
    return slots.isEstablished('a')
  }
  expect(slots.isEstablished('a')).toBe(false)
  expect(Array.from({ length: 10 }, () => after('delivered')).at(-1)).toBe(true)
  expect([after('unhealthy'), after('unhealthy')]).toEqual([true, false])
})

test('what had to go for others may come again', () => {
  const { scheduler, ids } = given(() => true, { ...limits, roomKept: 3 })
  scheduler.enqueue([...items('a', 4), ...items('b', 4)])
  scheduler.enqueue(items('a', 2, { from: 4 }))
  const left = scheduler.enqueue(items('c', 4))
  expect(left.map(({ id }) => id)).toEqual(['a4', 'a5'])
  expect(ids()).not.toContain('a4')
  expect(scheduler.enqueue(left.slice(0, 1))).toEqual([])
})

const webhookIds = ['a', 'b', 'c', 'd', 'e', 'f']
const workspaceOf = (webhookId: string) => (webhookId < 'd' ? 'one' : 'two')
const step = fc.oneof(
  fc.record({ offer: fc.constantFrom(...webhookIds), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ end: fc.nat(20), verdict: fc.constantFrom('delivered', 'refused', 'unhealthy', undefined) }),
)
const shares = fc.record({
  inFlight: fc.integer({ min: 2, max: 8 }),
  slowStartShare: fc.constantFrom(0.1, 0.5, 1),
  workspaceShare: fc.constantFrom(0.3, 1, 8),
  slotShare: fc.constantFrom(0.01, 2),
})

test('whatever is offered and however it ends, the bounds hold and nothing is lost, run twice or left lying', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), shares, async (steps, some) => {
      const slots = webhookSlots()
      const { scheduler, started } = given(() => true, { ...limits, ...some, queued: 30 }, slots)
      const slowStartMax = Math.max(1, Math.floor(some.inFlight * some.slowStartShare))
      const [ended, inSlowStart] = [new Set<string>(), new Set<string>()]
      const [offered, left]: [LeasedDelivery[], LeasedDelivery[]] = [[], []]
      const running = () => started.filter(({ item }) => !ended.has(item.id))
      /** Who was inSlowStart when it started: nothing that starts changes that. */
      const act = async (begin: () => unknown) => {
        const before = started.length
        begin()
        for (const { item } of started.slice(before)) if (!slots.isEstablished(item.webhookId)) inSlowStart.add(item.id)
        await settled()
      }
      const end = (run: (typeof started)[number] | undefined, verdict?: Verdict) =>
        act(() => {
          if (run === undefined) return
          ended.add(run.item.id)
          run.releaseSlot(verdict)
          run.end()
        })
      for (const [at, one] of steps.entries()) {
        const most = new Map(webhookIds.map((id) => [id, Math.max(slots.of(id), runningOf(running(), id))]))
        if ('end' in one) await end(running()[one.end], one.verdict)
        else {
          const batch = items(one.offer, one.count, { from: at * 10, workspaceId: workspaceOf(one.offer) })
          offered.push(...batch)
          await act(() => left.push(...scheduler.enqueue(batch)))
        }
        expect(running().length).toBeLessThanOrEqual(some.inFlight)
        expect(running().filter(({ item }) => inSlowStart.has(item.id)).length).toBeLessThanOrEqual(slowStartMax)
        for (const id of webhookIds)
          expect(runningOf(running(), id)).toBeLessThanOrEqual(Math.max(most.get(id) ?? 0, slots.of(id)))
      }
      while (running().length > 0) await end(running()[0])
      expect([...started.map(({ item }) => item.id), ...left.map(({ id }) => id)].toSorted()).toEqual(
        offered.map(({ id }) => id).toSorted(),
      )
    }),
    { numRuns: 100 },
  )
})

const runningOf = (running: readonly { readonly item: LeasedDelivery }[], webhookId: string): number =>
  running.filter(({ item }) => item.webhookId === webhookId).length
