// What a fan-out makes of events, also where a webhook changes or is locked at that instant.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { fanOut } from '../../../dispatcher/fan-out/fan-out.ts'
import { deliveryLoader, loadGoodMs } from '../../../dispatcher/queue/load-delivery.ts'
import { waitingOlderThan } from '../../../dispatcher/fan-out/rows.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { holdLock, isWaiting } from '../../support/database-locks.ts'
import { eventually } from '../../support/eventually.ts'
import { beforeAnswers, fanOutAs, inSeconds, me } from '../leased.ts'
import { noReceiver, sharedStages, type Stage } from '../stage.ts'

const { openStage } = sharedStages()

/** `act` is done after each statement that reads, so many times. */
function changedWhileRead(db: Stage['db'], times: number, act: () => Promise<unknown>) {
  let acted = 0
  return beforeAnswers(db, () => acted++ < times && act())
}

/** Of so many webhooks, with an event that all of them get. */
async function given(stage: Stage, count: number) {
  const webhooks: string[] = []
  while (webhooks.length < count) webhooks.push(await stage.webhook({ url: noReceiver }))
  return { webhooks, event: await stage.event() }
}

onEachEngine((kind) => {
  test('a delivery that starts at once is marked as being sent and comes as it would be loaded; one that waits does not', async () => {
    await using stage = await openStage(kind)
    const { db } = stage
    const well = await stage.webhook({ url: noReceiver, headers: { 'x-a': 'b' }, payload: 'thin' })
    const { webhooks, event } = await given(stage, 1)

    const { leased, loaded } = await fanOutAs(db, me, [event], { hasSlot: ({ webhookId }) => webhookId === well })

    expect(leased.map(({ webhookId }) => webhookId).toSorted()).toEqual([well, ...webhooks].toSorted())
    expect(await stage.delivery(event, webhooks[0]!)).toMatchObject({ leaseOwner: me, sendingSince: null })
    expect(await stage.delivery(event, well)).toMatchObject({ sendingSince: expect.any(Date) })
    const key = leased.find(({ webhookId }) => webhookId === well)!
    expect(loaded).toEqual([await deliveryLoader(db, me).load(key)])
  })

  test('what was loaded at the fan-out is used for what starts then, and for nothing that starts later or that took too long', async () => {
    await using stage = await openStage(kind)
    const { event } = await given(stage, 1)
    const { leased, loaded } = await fanOutAs(stage.db, me, [event], { hasSlot: () => true })
    const [key, ofFanOut] = [leased[0]!, loaded[0]!]
    await stage.db.webhook.updateMany({ data: { url: 'http://127.0.0.1:1/changed' } })
    const { load, withLoaded } = deliveryLoader(stage.db, me)

    const then = withLoaded(loaded, performance.now(), () => load(key))
    const late = withLoaded(loaded, performance.now() - loadGoodMs, () => load(key))

    expect(await then).toBe(ofFanOut)
    for (const asked of [late, load(key)]) expect((await asked)?.url).toBe('http://127.0.0.1:1/changed')
  })

  test('a webhook that is changed after it was read is read again, and gets its deliveries as it is then', async () => {
    await using stage = await openStage(kind)
    const { webhooks, event } = await given(stage, 2)
    const [webhook = '', other] = webhooks
    const pause = () => stage.db.webhook.updateMany({ where: { id: webhook }, data: { status: 'paused' } })

    const { events, leased } = await fanOutAs(changedWhileRead(stage.db, 1, pause), me, [event])

    expect(await stage.delivery(event, webhook)).toMatchObject({ nextAttemptAt: null, leaseOwner: null })
    expect([events, leased.map(({ webhookId }) => webhookId)]).toEqual([1, [other]])
  })

  test('a webhook that is changed each time that it was read holds nobody up: it is locked then', async () => {
    await using stage = await openStage(kind)
    const { webhooks, event } = await given(stage, 1)
    const rename = () => stage.db.webhook.updateMany({ data: { name: uuid() } })

    const { events, leased } = await fanOutAs(changedWhileRead(stage.db, Infinity, rename), me, [event])

    expect([events, leased.map(({ webhookId }) => webhookId)]).toEqual([1, webhooks])
    expect(await stage.delivery(event, webhooks[0]!)).toMatchObject({ leaseOwner: me })
    expect(await stage.db.outbox.count()).toBe(0)
  })

  test('one event that two find at once is fanned out by one of them; a sweep takes no more than its limit', async () => {
    await using stage = await openStage(kind)
    const { webhooks, event } = await given(stage, 1)

    const both = await Promise.all([1, 2].map(() => fanOutAs(stage.db, me, [event])))

    expect(both.reduce((sum, { events }) => sum + events, 0)).toBe(1)
    expect(both.flatMap(({ leased }) => leased)).toHaveLength(1)
    expect(await stage.delivery(event, webhooks[0]!)).toMatchObject({ leaseOwner: me })
    for (let n = 0; n < 5; n++) await stage.event({ createdAt: inSeconds(-60) })
    const options = { owner: me, maxAttempts: 3, hasCapacity: () => true, hasSlot: () => false, traced: null }
    const { events } = await fanOut(stage.db, waitingOlderThan(1_000, 2), options)
    expect([events, await stage.db.outbox.count()]).toEqual([2, 3])
  })
})

// PGlite runs one transaction after the other.
onPostgres(() => {
  test.each([
    ['pausing', `status = 'paused'`, { status: 'pending', nextAttemptAt: null, leaseOwner: null }],
    ['deleting', 'deleted_at = now()', null],
  ])('while a user is %s a webhook, its events wait, and are treated as the user has decided', async (...row) => {
    const [, change, wanted] = row
    await using stage = await openStage()
    const { webhooks, event } = await given(stage, 1)
    // As the service locks it, before it holds or cancels what waits (service/webhooks/rows.ts).
    await using user = await holdLock(stage.url, 'SELECT 1 FROM webhook FOR UPDATE')
    let done = false

    const running = fanOutAs(stage.db, me, [event]).finally(() => (done = true))
    await eventually(async () => done || (await isWaiting(stage.db)), 'the fan-out to wait, or to end')
    await user.query(`UPDATE webhook SET ${change}`)
    await user.letGo()
    await running

    const delivery = await stage.delivery(event, webhooks[0]!)
    expect(delivery).toEqual(wanted && expect.objectContaining(wanted))
    expect(await stage.db.outbox.count()).toBe(0)
  })
})
