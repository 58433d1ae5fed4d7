// The circuit of a webhook: when it opens, what is sent while it is open, and what closes it. Its rate: how many of its
// deliveries are leased, over all dispatchers.
import { expect, test } from 'vitest'
import { opensAt } from '../../../dispatcher/queue/circuit-rows.ts'
import { oldestDueSeconds } from '../../../dispatcher/queue/claim-rows.ts'
import { deliveryLoader } from '../../../dispatcher/queue/load-delivery.ts'
import { type LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { claimAll, claimAs, fanOutAs, inSeconds, insertBacklog, leased, leasedAgain, me, result } from '../leased.ts'
import { noReceiver, sharedStages, type Stage } from '../stage.ts'

const { openStage, delivering } = sharedStages()
const claim = ({ db }: Stage, owner: string) => claimAll(db, owner, { perWebhook: 8 })

/** What `me` may send now of these. */
async function loaded(stage: Stage, rows: Awaited<ReturnType<typeof claim>>): Promise<LoadedDelivery[]> {
  const deliveries = await Promise.all(rows.map(deliveryLoader(stage.db, me).load))
  return deliveries.filter((delivery) => delivery !== null)
}
const sendable = async (stage: Stage) => loaded(stage, await claim(stage, me))

const ends = (stage: Stage, deliveries: readonly LoadedDelivery[], kind: 'retry' | 'delivered') => {
  const results = deliveries.map((delivery) => result(delivery, kind))
  return writeResultRows(stage.db, me, results)
}
const health = (stage: Stage) => stage.db.webhookHealth.findFirstOrThrow()
const restIsOver = (stage: Stage) => stage.db.webhookHealth.updateMany({ data: { circuitOpenUntil: inSeconds(-1) } })
const closed = { circuitOpenUntil: null, circuitSeconds: null, unwell: 0 }

/** A webhook with thirty deliveries that are due and a receiver that was unwell five times; three are leased. */
async function opened(stage: Stage) {
  const webhook = await stage.webhook({ url: noReceiver })
  await insertBacklog(stage, webhook, 30)
  const leased = await sendable(stage)
  const written = await ends(stage, leased.slice(0, 5), 'retry')
  return { webhook, leased: leased.slice(5), written }
}

onEachEngine((kind) => {
  test('a receiver that is unwell five times in a row gets a rest: nothing is claimed, leased or sent, but for a test', async () => {
    await using stage = await openStage(kind)
    const { webhook, leased, written } = await opened(stage)

    expect(written).toEqual({ accepted: 5, open: [webhook] })
    const restMs = ((await health(stage)).circuitOpenUntil?.getTime() ?? 0) - Date.now()
    expect(restMs).toBeGreaterThan(20_000)
    expect(restMs).toBeLessThanOrEqual(36_000)
    expect(await claim(stage, 'another')).toEqual([])
    const keys = leased.map((each) => ({ ...each, leaseEndsAt: 0 }))
    expect(await loaded(stage, keys)).toEqual([])
    expect(await oldestDueSeconds(stage.db)).toBe(0)
    const [event, asked] = [await stage.event(), await stage.event({ type: 'webhooks.test', resourceId: webhook })]
    const toSend = await loaded(stage, (await fanOutAs(stage.db, me, [event, asked])).leased)
    expect(toSend.map((one) => one.eventType)).toEqual(['webhooks.test'])
    await ends(stage, toSend, 'delivered')
    expect(await health(stage)).toMatchObject(closed)
  })

  test('after the rest one delivery is sent, whoever asks; unanswered, the next rest is twice as long, up to fifteen minutes', async () => {
    await using stage = await openStage(kind)
    await opened(stage)

    for (const seconds of [60, 120, 240, 480, 900, 900]) {
      await restIsOver(stage)
      const probe = await sendable(stage)
      expect(probe).toHaveLength(1)
      expect(await claim(stage, 'another')).toEqual([])
      await ends(stage, probe, 'retry')
      expect(await health(stage)).toMatchObject({ circuitSeconds: seconds, probeId: null })
    }
  })
})

onPostgres(() => {
  test('failures that are written one by one count once each: the circuit opens with the fifth', async () => {
    await using stage = await openStage()
    const open: (readonly string[])[] = []

    for (let failures = 0; failures < opensAt; failures++) {
      const delivery = failures === 0 ? await leased(stage) : await leasedAgain(stage)
      open.push((await ends(stage, [delivery], 'retry')).open)
    }

    expect(open).toEqual([[], [], [], [], [(await health(stage)).webhookId]])
  })

  test('two dispatchers that find the end of a rest at the same time send one delivery between them', async () => {
    await using stage = await openStage()
    const { leased } = await opened(stage)
    const ids = leased.map(({ id }) => id)
    await stage.db.delivery.updateMany({ where: { id: { in: ids } }, data: { leaseUntil: null } })
    await restIsOver(stage)

    const claims = await Promise.all(['one', 'two', 'three', 'four'].map((owner) => claim(stage, owner)))

    expect(claims.flat()).toHaveLength(1)
    expect((await health(stage)).probeId).toBe(claims.flat()[0]?.id)
    expect(await claim(stage, 'five')).toEqual([])
  })

  test('a probe that is delivered closes the circuit; one that is lost is followed by another', async () => {
    await using stage = await openStage()
    await opened(stage)
    await restIsOver(stage)
    expect(await claim(stage, 'killed')).toHaveLength(1)
    await restIsOver(stage)

    const probe = await sendable(stage)
    expect(probe).toHaveLength(1)
    expect((await ends(stage, probe, 'delivered')).open).toEqual([])

    expect(await health(stage)).toMatchObject({ ...closed, probeId: null })
    expect(await claim(stage, me)).toHaveLength(8)
  })

  test('what was on its way when the circuit opened makes the rest no longer, and closes the circuit when it is delivered', async () => {
    await using stage = await openStage()
    const { leased } = await opened(stage)
    const { circuitOpenUntil } = await health(stage)

    await ends(stage, leased.slice(0, 2), 'retry')
    expect(await health(stage)).toMatchObject({ circuitOpenUntil, circuitSeconds: 30, consecutiveFailures: 7 })

    await ends(stage, leased.slice(2), 'delivered')
    expect(await health(stage)).toMatchObject({ circuitOpenUntil: null, unwell: 0 })
  })

  test('a dispatcher leaves an unwell receiver alone over a restart, without a try lost, and sends on when a probe is delivered', async () => {
    let isWell = false
    const as = { scheduleSeconds: [3_600] }
    const sick = { answers: () => (isWell ? 200 : 503), eventTypes: ['tasks.*'] }
    const { stage, receiver, webhook: webhookId, dispatcher } = await delivering({ ...sick, as })
    const { receiver: other, webhook: quick } = await stage.receiving()
    await insertBacklog(stage, webhookId, 60)
    await eventually(async () => (await stage.db.webhookHealth.findFirst())?.circuitSeconds === 30, 'an open circuit')
    await dispatcher.close()
    const { length: tried } = receiver.calls

    const { happen } = await stage.start(as)
    await stage.becomes('delivered', await happen(), quick)
    await insertBacklog(stage, quick, 1)
    await other.count(2)

    // Five, and those that were sent before the fifth was written down.
    expect(tried).toBeLessThanOrEqual(30)
    expect(receiver.calls).toHaveLength(tried)
    expect(await stage.db.delivery.count({ where: { webhookId, attemptCount: 0 } })).toBe(60 - tried)
    expect(await stage.db.delivery.count({ where: { webhookId, leaseOwner: { not: null } } })).toBe(0)
    isWell = true
    await restIsOver(stage)
    await receiver.count(60)
  })
})

/** Saves tokens since an hour ago. */
async function limited({ db, workspaceId, webhook }: Stage, perMinute: number): Promise<string> {
  const webhookId = await webhook({ url: noReceiver })
  await db.webhookRate.create({ data: { workspaceId, webhookId, perMinute, freeAt: inSeconds(-3_600) } })
  return webhookId
}

onEachEngine((kind) => {
  test('of a webhook with a rate no more are leased than its bucket holds, whichever dispatchers ask; others are not held up', async () => {
    await using stage = await openStage(kind)
    const [slow, free] = [await limited(stage, 1), await stage.webhook({ url: noReceiver })]
    const quicker = await limited(stage, 60)
    for (const id of [slow, free, quicker]) await insertBacklog(stage, id, 20)

    const claims = await Promise.all(['one', 'two', 'three'].map((owner) => claimAs(stage.db, owner, [slow, free])))
    const rows = claims.flatMap(({ claimed }) => claimed)
    const { claimed, nextDueMs } = await claimAs(stage.db, 'one', [slow])
    // It was idle for an hour, and has saved ten seconds of its rate.
    const saved = await claimAs(stage.db, 'one', [quicker])

    expect(rows.filter(({ webhookId }) => webhookId === slow)).toHaveLength(1)
    expect(rows.filter(({ webhookId }) => webhookId === free)).toHaveLength(20)
    expect([saved.claimed.length, claimed]).toEqual([10, []])
    expect(nextDueMs).toBeGreaterThan(0)
    expect(nextDueMs).toBeLessThanOrEqual(60_000)
  })

  test('what is fanned out is left to the claim, at once where there is a token', async () => {
    await using stage = await openStage(kind)
    const webhook = await limited(stage, 1)
    const fanOutOne = async () => fanOutAs(stage.db, 'one', [await stage.event()])

    const first = await fanOutOne()
    expect((await claimAs(stage.db, 'one', [webhook])).claimed).toHaveLength(1)
    const second = await fanOutOne()

    expect(first).toMatchObject({ events: 1, leased: [], claimable: [webhook] })
    expect(second).toMatchObject({ events: 1, leased: [], claimable: [] })
  })
})

onPostgres(() => {
  test('a bucket that another dispatcher takes from is left to it', async () => {
    await using stage = await openStage()
    const webhook = await limited(stage, 60)
    await insertBacklog(stage, webhook, 5)

    const meanwhile = await stage.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM webhook_rate WHERE webhook_id = ${webhook}::uuid FOR NO KEY UPDATE`
      return claimAs(stage.db, 'two', [webhook])
    })

    expect(meanwhile.claimed).toEqual([])
    expect((await claimAs(stage.db, 'two', [webhook])).claimed).toHaveLength(5)
  })
})
