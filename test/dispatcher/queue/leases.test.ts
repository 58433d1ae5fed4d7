// The leases of a dispatcher without a heartbeat: who may take them, and what is recorded of its interrupted attempts.
// And those that a dispatcher has without knowing: a fan-out or a claim was committed, and its answer was lost.
import { expect, test } from 'vitest'
import { startHeartbeat } from '../../../dispatcher/queue/heartbeat.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { deliveryLoader } from '../../../dispatcher/queue/load-delivery.ts'
import { releaseAllLeases } from '../../../standalone/embedded-database.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { beforeAnswers, claimAll, inSeconds, insertBacklog, result } from '../leased.ts'
import { noReceiver, sharedStages, type Stage } from '../stage.ts'

const { openStage } = sharedStages()
const claimBy = ({ db }: Stage, owner: string, takesOver = true) => claimAll(db, owner, { takesOver })

/** Two deliveries that `owner` leases. It began to send one of them so long ago, at its last heartbeat. */
async function leasedBy(stage: Stage, owner: string, silentFor: number, sendingFor = 30) {
  const webhookId = await stage.webhook({ url: noReceiver })
  const until = inSeconds(600)
  await insertBacklog(stage, webhookId, 1, { owner, until, sending: inSeconds(-sendingFor) })
  await insertBacklog(stage, webhookId, 1, { owner, until })
  await stage.db.dispatcherProcess.create({ data: { owner, seenAt: inSeconds(-silentFor) } })
}

const attemptsOf = (stage: Stage) => stage.db.attempt.findMany({ orderBy: { number: 'asc' } })

onEachEngine((kind) => {
  test('what was being sent by one that fell silent is taken, and recorded as interrupted without counting as an attempt', async () => {
    await using stage = await openStage(kind)
    await leasedBy(stage, 'lost', 30)

    const [first, ...more] = await claimBy(stage, 'me')

    const [sent, queued] = await stage.db.delivery.findMany({ orderBy: { nextAttemptAt: 'asc' } })
    const untried = { leaseOwner: 'me', status: 'pending', tries: 0, sendingSince: null, lastStatusCode: null }
    expect(sent).toMatchObject({ ...untried, attemptCount: 1, lastErrorCode: 'interrupted' })
    expect(queued).toMatchObject({ ...untried, attemptCount: 0, lastErrorCode: null })
    const ended = { outcome: 'interrupted', errorCode: 'interrupted', responseStatus: null }
    const attempt = { deliveryId: sent?.id, number: 1, trigger: 'automatic', url: noReceiver, ...ended }
    expect(await attemptsOf(stage)).toMatchObject([attempt])
    expect(await stage.db.webhookHealth.count()).toBe(0)

    // The next attempt has the next number, and ends as if it were the first; what the lost one says counts nothing.
    expect(more).toHaveLength(1)
    const delivery = (await deliveryLoader(stage.db, 'me').load(first!))!
    await writeResultRows(stage.db, 'lost', [result({ ...delivery, attemptCount: 0 }, 'dead')])
    await writeResultRows(stage.db, 'me', [result(delivery, 'delivered')])
    const delivered = { status: 'delivered', attemptCount: 2, tries: 1, lastErrorCode: null, sendingSince: null }
    expect(await stage.db.delivery.findFirst({ where: { id: delivery.id } })).toMatchObject(delivered)
    expect((await attemptsOf(stage)).map(({ outcome }) => outcome)).toEqual(['interrupted', 'success'])
  })

  test('nothing is taken from one that has a heartbeat, that never had one, or that began to send just now', async () => {
    await using stage = await openStage(kind)
    const notYet = -600
    await leasedBy(stage, 'well', notYet)
    await stage.db.dispatcherProcess.deleteMany()
    await leasedBy(stage, 'thawed', 30, notYet)
    await stage.db.delivery.deleteMany({ where: { leaseOwner: 'thawed', sendingSince: null } })

    expect(await claimBy(stage, 'me')).toEqual([])
    await stage.db.dispatcherProcess.create({ data: { owner: 'well', seenAt: inSeconds(600) } })
    expect(await claimBy(stage, 'me')).toEqual([])
  })

  test('one whose own heartbeat had a gap takes from nobody, and takes nothing of its own twice', async () => {
    await using stage = await openStage(kind)
    await leasedBy(stage, 'lost', 30)

    expect(await claimBy(stage, 'me', false)).toEqual([])
    expect(await claimBy(stage, 'lost')).toEqual([])
    // Its own that ran out it has again, and goes on with what it was doing.
    await stage.db.delivery.updateMany({ data: { leaseUntil: inSeconds(-1) } })
    expect(await claimBy(stage, 'lost')).toHaveLength(2)
    expect(await attemptsOf(stage)).toEqual([])
    expect(await stage.db.delivery.count({ where: { sendingSince: { not: null }, attemptCount: 0 } })).toBe(1)
  })

  test('a dispatcher writes its heartbeat, takes over from others only after a while, and deletes the heartbeats of those long gone', async () => {
    await using stage = await openStage(kind)
    const gone = { owner: 'gone', seenAt: inSeconds(-600) }
    await stage.db.dispatcherProcess.createMany({ data: [gone, { owner: 'long gone', seenAt: inSeconds(-7_200) }] })
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

    expect(await claimBy(stage, 'me', false)).toHaveLength(2)
    expect(await attemptsOf(stage)).toMatchObject([{ number: 1, outcome: 'interrupted' }])
  })
})

const soon = { unansweredAfterMs: 500 }

/** Loses the next answer that has something there, after its statement was committed. */
function losing(db: Stage['db'], field: 'inserted' | 'claimed', when = () => true) {
  let next = true
  return beforeAnswers(db, (rows) => {
    if (!next || !when() || !rows.some(({ [field]: some }) => Array.isArray(some) && some.length > 0)) return
    next = false
    throw new Error('Connection terminated unexpectedly')
  })
}

onPostgres(() => {
  test.each(['inserted', 'claimed'] as const)(
    'what was %s when an answer was lost is sent once, long before its lease ends',
    async (field) => {
      await using stage = await openStage()
      const { receiver, webhook } = await stage.receiving()
      if (field === 'claimed') await insertBacklog(stage, webhook, 3)
      const { notify } = await stage.start({ ...soon, db: losing(stage.db, field) })

      if (field === 'inserted') notify(await stage.event(), await stage.event(), await stage.event())

      await receiver.count(3)
      await stage.delivered(3)
      expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
      const first = { number: 1, outcome: 'success' }
      expect(await attemptsOf(stage)).toMatchObject([first, first, first])
    },
  )

  test('leases of others stay, and younger ones, whose answers may still come', async () => {
    await using stage = await openStage()
    const { receiver, webhook: first } = await stage.receiving([200], { eventTypes: ['tasks.*'] })
    const webhookId = await stage.webhook({ url: receiver.url, eventTypes: ['projects.*'] })
    const { happen } = await stage.start({ ...soon, db: losing(stage.db, 'inserted') })
    const me = await eventually(async () => (await stage.db.dispatcherProcess.findFirst())?.owner, 'a heartbeat')
    await insertBacklog(stage, webhookId, 1, { owner: 'another', until: inSeconds(50) })
    await insertBacklog(stage, webhookId, 1, { owner: me, until: inSeconds(90) })
    const before = await stage.db.delivery.findMany({ where: { webhookId } })

    await stage.becomes('delivered', await happen({ type: 'tasks.created' }), first)

    expect(await stage.db.delivery.findMany({ where: { webhookId } })).toEqual(before)
  })

  test('the lease of a delivery that is in hand stays, however long its receiver takes', async () => {
    await using stage = await openStage()
    const { promise: released, resolve: release } = Promise.withResolvers<number>()
    const { receiver: slow, webhook } = await stage.receiving(() => released, { eventTypes: ['projects.*'] })
    const { receiver: quick, webhook: other } = await stage.receiving([200], { eventTypes: ['tasks.*'] })
    const isOfOther = () => quick.calls.length === 0 && slow.calls.length > 0
    const db = losing(stage.db, 'inserted', isOfOther)
    const { happen } = await stage.start({ ...soon, sendTimeoutMs: 40_000, db })
    const first = await happen({ type: 'projects.created' })
    await slow.count(1)
    const before = await stage.delivery(first, webhook)
    const isOld = async () => ((await stage.delivery(first, webhook))?.leaseUntil ?? inSeconds(60)) < inSeconds(59)
    await eventually(isOld, 'a lease that is old enough')

    await stage.becomes('delivered', await happen({ type: 'tasks.created' }), other)

    expect(await stage.delivery(first, webhook)).toEqual(before)
    release(200)
    await stage.becomes('delivered', first, webhook)
    expect(slow.calls).toHaveLength(1)
  })
})
