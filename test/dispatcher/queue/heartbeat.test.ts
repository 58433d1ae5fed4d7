// The leases of a dispatcher without a heartbeat: who may take them, and what is recorded of its interrupted attempts.
import { describe, expect, test } from 'vitest'
import type { Capacity } from '../../../dispatcher/queue/scheduler.ts'
import { beforeAllWebhooks, claimSpan } from '../../../dispatcher/queue/claim-rows.ts'
import { startHeartbeat } from '../../../dispatcher/queue/heartbeat.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { deliveryLoader } from '../../../dispatcher/queue/load-delivery.ts'
import { releaseAllLeases } from '../../../standalone/embedded-database.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { services } from '../../support/services.ts'
import { noReceiver, result } from '../leased.ts'
import { sharedStages, type Stage } from '../stage.ts'
import { insertBacklog } from './backlog.ts'

const openStage = sharedStages()
const capacity: Capacity = { free: 100, perWebhook: 100, known: new Map() }
const claimAs = (stage: Stage, owner: string, takesOver = true) =>
  claimSpan(stage.db, { owner, takesOver }, capacity, beforeAllWebhooks).then(({ claimed }) => claimed)

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const until = secondsAgo(-600)

/**
 * Two deliveries that `owner` has leased, one of which it has begun to send so long ago; its last heartbeat was then.
 */
async function leasedBy(stage: Stage, owner: string, silentFor: number, sendingFor = 30) {
  const webhookId = await stage.webhook({ url: noReceiver })
  await insertBacklog(stage, webhookId, 1, { owner, until, sending: secondsAgo(sendingFor) })
  await insertBacklog(stage, webhookId, 1, { owner, until })
  await stage.db.dispatcherProcess.create({ data: { owner, seenAt: secondsAgo(silentFor) } })
  return webhookId
}

const attemptsOf = (stage: Stage) => stage.db.attempt.findMany({ orderBy: { number: 'asc' } })

onEachEngine((kind) => {
  test('what was being sent by one that fell silent is taken, and recorded as interrupted without counting as an attempt', async () => {
    await using stage = await openStage(kind)
    await leasedBy(stage, 'lost', 30)

    expect(await claimAs(stage, 'me')).toHaveLength(2)

    const [sent, queued] = await stage.db.delivery.findMany({ orderBy: { nextAttemptAt: 'asc' } })
    expect(sent).toMatchObject({
      leaseOwner: 'me',
      attemptCount: 1,
      tries: 0,
      status: 'pending',
      lastErrorCode: 'interrupted',
      sendingSince: null,
      lastStatusCode: null,
    })
    expect(queued).toMatchObject({ leaseOwner: 'me', attemptCount: 0, tries: 0, lastErrorCode: null })
    const ended = { outcome: 'interrupted', errorCode: 'interrupted', responseStatus: null }
    const attempt = { deliveryId: sent?.id, number: 1, trigger: 'automatic', url: noReceiver, ...ended }
    expect(await attemptsOf(stage)).toMatchObject([attempt])
    expect(await stage.db.webhookHealth.count()).toBe(0)
  })

  test('the attempt after an interrupted one has the next number, and ends as if it were the first', async () => {
    await using stage = await openStage(kind)
    await leasedBy(stage, 'lost', 30)
    const [first] = await claimAs(stage, 'me')
    const delivery = first && (await deliveryLoader(stage.db, 'me').load(first))
    if (!delivery) throw new Error('Nothing was loaded')

    await writeResultRows(stage.db, 'lost', [result({ ...delivery, attemptCount: 0 }, 'dead')])
    await writeResultRows(stage.db, 'me', [result(delivery, 'delivered')])

    expect(await stage.db.delivery.findFirst({ where: { id: delivery.id } })).toMatchObject({
      status: 'delivered',
      attemptCount: 2,
      tries: 1,
      lastErrorCode: null,
      sendingSince: null,
    })
    expect((await attemptsOf(stage)).map(({ outcome }) => outcome)).toEqual(['interrupted', 'success'])
  })

  test('nothing is taken from one that has a heartbeat, that never had one, or that began to send just now', async () => {
    await using stage = await openStage(kind)
    const notYet = -600
    await leasedBy(stage, 'well', notYet)
    await stage.db.dispatcherProcess.deleteMany()
    await leasedBy(stage, 'thawed', 30, notYet)
    await stage.db.delivery.deleteMany({ where: { leaseOwner: 'thawed', sendingSince: null } })

    expect(await claimAs(stage, 'me')).toEqual([])
    await stage.db.dispatcherProcess.create({ data: { owner: 'well', seenAt: secondsAgo(notYet) } })
    expect(await claimAs(stage, 'me')).toEqual([])
  })

  test('one whose own heartbeat had a gap takes from nobody, and takes nothing of its own twice', async () => {
    await using stage = await openStage(kind)
    await leasedBy(stage, 'lost', 30)

    expect(await claimAs(stage, 'me', false)).toEqual([])
    expect(await claimAs(stage, 'lost')).toEqual([])
    // Its own that ran out it has again, and goes on with what it was doing.
    await stage.db.delivery.updateMany({ data: { leaseUntil: secondsAgo(1) } })
    expect(await claimAs(stage, 'lost')).toHaveLength(2)
    expect(await attemptsOf(stage)).toEqual([])
    expect(await stage.db.delivery.count({ where: { sendingSince: { not: null }, attemptCount: 0 } })).toBe(1)
  })

  test('a dispatcher writes its heartbeat, takes over from others only after a while, and deletes the heartbeats of those long gone', async () => {
    await using stage = await openStage(kind)
    const gone = { owner: 'gone', seenAt: secondsAgo(600) }
    await stage.db.dispatcherProcess.createMany({ data: [gone, { owner: 'long gone', seenAt: secondsAgo(7_200) }] })
    const errors: unknown[] = []
    const started = (owner: string, takesOverAfterMs: number) =>
      startHeartbeat(stage.db, owner, (error) => errors.push(error), takesOverAfterMs)
    const [heartbeat, bold] = [started('me', 600_000), started('bold', 0)]

    const owners = async () => (await stage.db.dispatcherProcess.findMany()).map(({ owner }) => owner).toSorted()
    await eventually(async () => (await owners()).join() === 'bold,gone,me', 'both to be there')
    await eventually(() => bold.mayTakeOver(), 'one that need not wait to take over')
    expect(heartbeat.mayTakeOver()).toBe(false)
    await Promise.all([heartbeat.close(), bold.close()])
    expect(errors).toEqual([])
  })

  test('a send that was cut off by the end of an embedded system is recorded when it starts again', async () => {
    await using stage = await openStage(kind)
    await leasedBy(stage, 'before', 1, 1)

    await releaseAllLeases(stage.db)

    expect(await claimAs(stage, 'me', false)).toHaveLength(2)
    expect(await attemptsOf(stage)).toMatchObject([{ number: 1, outcome: 'interrupted' }])
  })
})

describe.skipIf(services().postgres === null)('a whole dispatcher', () => {
  test('delivers what one that fell silent had leased, long before its lease runs out', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver()
    const webhookId = await leasedBy(stage, 'lost', 30)
    await stage.db.webhook.updateMany({ data: { url: receiver.url } })

    await stage.start({ takesOverAfterMs: 0 })

    await receiver.count(2)
    await stage.delivered(2, { webhookId })
    const outcomes = (await attemptsOf(stage)).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['interrupted', 'success', 'success'])
  })
})
