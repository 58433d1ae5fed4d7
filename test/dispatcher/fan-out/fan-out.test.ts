// A fan-out and a pause of its webhook at the same instant: one of them waits for the other.
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { fanOut } from '../../../dispatcher/fan-out/fan-out.ts'
import { deliveryLoader, loadGoodMs } from '../../../dispatcher/queue/load-delivery.ts'
import { waitingByIds, waitingOlderThan } from '../../../dispatcher/fan-out/rows.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { noReceiver } from '../leased.ts'
import { sharedStages, type Stage } from '../stage.ts'

const openStage = sharedStages()
const options = { owner: uuid(), maxAttempts: 3, hasCapacity: () => true, hasSlot: () => false }

const isWaitedFor = async ({ db }: Stage): Promise<boolean> => {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return Number(row?.count) > 0
}

type Db = Stage['db']

/** `act` is done after each statement that reads, before its answer comes. */
const afterEach = (db: Db, act: () => Promise<unknown>): Db =>
  new Proxy(db, {
    get: (target, name) => {
      if (name !== '$queryRaw') return Reflect.get(target, name)
      return async (...statement: Parameters<Db['$queryRaw']>) => {
        const answer = await target.$queryRaw(...statement)
        await act()
        return answer
      }
    },
  })

function afterTheFirst(db: Db, act: () => Promise<unknown>): Db {
  let acted = false
  return afterEach(db, async () => {
    if (acted) return
    acted = true
    await act()
  })
}

onEachEngine((kind) => {
  test('a delivery that starts at once is marked as being sent and comes as it would be loaded; one that waits does not', async () => {
    await using stage = await openStage(kind)
    const { db } = stage
    const well = await stage.webhook({ url: 'http://127.0.0.1:1/well', headers: { 'x-a': 'b' }, payload: 'thin' })
    const busy = await stage.webhook({ url: 'http://127.0.0.1:1/busy' })
    const event = await stage.event()

    const { leased, loaded } = await fanOut(db, waitingByIds([event]), {
      ...options,
      hasSlot: ({ webhookId }) => webhookId === well,
    })

    expect(leased.map(({ webhookId }) => webhookId).toSorted()).toEqual([well, busy].toSorted())
    expect(await stage.delivery(event, busy)).toMatchObject({ leaseOwner: options.owner, sendingSince: null })
    expect(await stage.delivery(event, well)).toMatchObject({ sendingSince: expect.any(Date) })
    const key = leased.find(({ webhookId }) => webhookId === well)!
    expect(loaded).toEqual([await deliveryLoader(db, options.owner).load(key)])
  })

  test('what was loaded at the fan-out is used for what starts then, and for nothing that starts later or that took too long', async () => {
    await using stage = await openStage(kind)
    const webhook = await stage.webhook({ url: noReceiver })
    const event = await stage.event()
    const { leased, loaded } = await fanOut(stage.db, waitingByIds([event]), { ...options, hasSlot: () => true })
    const [key, ofFanOut] = [leased[0]!, loaded[0]!]
    await stage.db.webhook.updateMany({ where: { id: webhook }, data: { url: 'http://127.0.0.1:1/changed' } })
    const { load, withLoaded } = deliveryLoader(stage.db, options.owner)

    const then = withLoaded(loaded, performance.now(), () => load(key))
    const late = withLoaded(loaded, performance.now() - loadGoodMs, () => load(key))

    expect(await then).toBe(ofFanOut)
    for (const asked of [late, load(key)]) expect((await asked)?.url).toBe('http://127.0.0.1:1/changed')
  })

  test('a webhook that is changed after it was read is read again, and gets its deliveries as it is then', async () => {
    await using stage = await openStage(kind)
    const [webhook, other] = [await stage.webhook({ url: noReceiver }), await stage.webhook({ url: noReceiver })]
    const event = await stage.event()
    const pause = () => stage.db.webhook.updateMany({ where: { id: webhook }, data: { status: 'paused' } })

    const { events, leased } = await fanOut(afterTheFirst(stage.db, pause), waitingByIds([event]), options)

    expect(await stage.delivery(event, webhook)).toMatchObject({ nextAttemptAt: null, leaseOwner: null })
    expect([events, leased.map(({ webhookId }) => webhookId)]).toEqual([1, [other]])
  })

  test('a webhook that is changed each time that it was read holds nobody up: it is locked then', async () => {
    await using stage = await openStage(kind)
    const webhook = await stage.webhook({ url: noReceiver })
    const event = await stage.event()
    const rename = () => stage.db.webhook.updateMany({ where: { id: webhook }, data: { name: uuid() } })

    const { events, leased } = await fanOut(afterEach(stage.db, rename), waitingByIds([event]), options)

    expect([events, leased.map(({ webhookId }) => webhookId)]).toEqual([1, [webhook]])
    expect(await stage.delivery(event, webhook)).toMatchObject({ leaseOwner: options.owner })
    expect(await stage.db.outbox.count()).toBe(0)
  })

  test('one event that two find at once is fanned out by one of them', async () => {
    await using stage = await openStage(kind)
    const webhook = await stage.webhook({ url: noReceiver })
    const event = await stage.event()

    const both = await Promise.all([1, 2].map(() => fanOut(stage.db, waitingByIds([event]), options)))

    expect(both.reduce((sum, { events }) => sum + events, 0)).toBe(1)
    expect(both.flatMap(({ leased }) => leased)).toHaveLength(1)
    expect(await stage.delivery(event, webhook)).toMatchObject({ leaseOwner: options.owner })
  })

  test('a sweep takes no more than its limit', async () => {
    await using stage = await openStage(kind)
    for (let n = 0; n < 5; n++) await stage.event({ createdAt: new Date(Date.now() - 60_000) })
    const { events } = await fanOut(stage.db, waitingOlderThan(1_000, 2), options)
    expect([events, await stage.db.outbox.count()]).toEqual([2, 3])
  })
})

// PGlite runs one transaction after the other.
describe.skipIf(services().postgres === null)('on postgres', () => {
  test.each([
    ['pausing', { status: 'paused' }, { status: 'pending', nextAttemptAt: null, leaseOwner: null }],
    ['deleting', { deletedAt: new Date() }, null],
  ])('while a user is %s a webhook, its events wait, and are treated as the user has decided', async (...given) => {
    const [, change, delivery] = given
    await using stage = await openStage()
    const webhook = await stage.webhook({ url: noReceiver })
    const event = await stage.event()
    let done = false

    const fannedOut = await stage.db.$transaction(async (tx) => {
      // As the service locks it, before it holds or cancels what waits (service/webhooks/rows.ts).
      await tx.$queryRaw`SELECT 1 FROM webhook WHERE id = ${webhook}::uuid FOR UPDATE`
      const running = fanOut(stage.db, waitingByIds([event]), options).finally(() => (done = true))
      await eventually(async () => done || (await isWaitedFor(stage)), 'the fan-out to wait, or to end')
      await tx.webhook.updateMany({ where: { id: webhook }, data: change })
      return { running }
    })
    await fannedOut.running

    if (delivery === null) expect(await stage.delivery(event, webhook)).toBeNull()
    else expect(await stage.delivery(event, webhook)).toMatchObject(delivery)
    expect(await stage.db.outbox.count()).toBe(0)
  })
})
