// Results that come late: after the lease ran out, after somebody else's, after a replay.
import { expect, test } from 'vitest'
import type { LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { holdLock, isWaiting } from '../../support/database-locks.ts'
import { eventually } from '../../support/eventually.ts'
import { inSeconds, leased, leasedAgain, me, result } from '../leased.ts'
import { sharedStages, type Stage } from '../stage.ts'

const { openStage } = sharedStages()
const other = 'another'

const row = (stage: Stage, id?: string) => stage.db.delivery.findFirstOrThrow({ where: { ...(id && { id }) } })
const takeOver = ({ db }: Stage) => db.delivery.updateMany({ data: { leaseOwner: other, leaseUntil: inSeconds(60) } })
const writes = (stage: Stage, delivery: LoadedDelivery, kind: Parameters<typeof result>[1], owner = me) =>
  writeResultRows(stage.db, owner, [result(delivery, kind)])
const attemptsOf = async (stage: Stage) =>
  (await stage.db.attempt.findMany({ orderBy: { number: 'asc' } })).map(({ number, outcome }) => [number, outcome])

onEachEngine((kind) => {
  test('a failure sets the next attempt and releases the lease; one of an earlier attempt does not count for a later one', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    const earliest = inSeconds(4)

    await writes(stage, delivery, 'retry')

    const after = await row(stage)
    const released = { leaseOwner: null, leaseUntil: null, lastStatusCode: 500 }
    expect(after).toMatchObject({ status: 'retrying', attemptCount: 1, tries: 1, ...released })
    expect(Number(after.nextAttemptAt)).toBeGreaterThan(Number(earliest))
    expect(Number(after.nextAttemptAt)).toBeLessThan(Number(inSeconds(6)))
    const timings = { dns: null, connect: 2, tls: null, firstByte: 1 }
    const answer = { responseHeaders: { 'x-a': '\u00e9"' }, responseBody: '\uFFFD', timings }
    expect(await stage.db.attempt.findFirst()).toMatchObject(answer)

    await stage.db.delivery.updateMany({ data: { leaseOwner: me } })
    await writes(stage, delivery, 'dead')
    expect(await row(stage)).toMatchObject({ status: 'retrying', attemptCount: 1 })
  })

  test('a late failure changes nothing, a late success counts', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await takeOver(stage)
    await writes(stage, delivery, 'retry')
    expect(await row(stage)).toMatchObject({ status: 'pending', attemptCount: 0, leaseOwner: other })
    expect(await stage.db.webhookHealth.count()).toBe(0)

    await writes(stage, delivery, 'delivered')
    expect(await row(stage)).toMatchObject({ status: 'delivered', attemptCount: 1, leaseOwner: null })
    await writes(stage, delivery, 'dead', other)
    expect(await row(stage)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  test('a success is written alike of a webhook that is well and of one that has failed, which it makes well', async () => {
    await using stage = await openStage(kind)
    const written = async (delivery: LoadedDelivery) => {
      const results = await writes(stage, delivery, 'delivered')
      const where = { deliveryId: delivery.id }
      const { deliveryId: _of, startedAt: _at, ...attempt } = await stage.db.attempt.findFirstOrThrow({ where })
      const { id: _id, eventId: _event, createdAt: _made, deliveredAt, ...delivered } = await row(stage, delivery.id)
      expect(deliveredAt).toBeInstanceOf(Date)
      return { results, attempt, delivered }
    }
    const first = await leased(stage)
    const ofWell = await written(first)
    expect(await stage.db.webhookHealth.count()).toBe(0)
    const { workspaceId, webhookId } = first
    const health = { consecutiveFailures: 3, failingSince: new Date(), unwell: 2 }
    await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, ...health } })

    const ofTroubled = await written(await leasedAgain(stage))

    expect(ofTroubled).toEqual(ofWell)
    const well = { consecutiveFailures: 0, failingSince: null, unwell: 1 }
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject(well)
  })

  test('successes of many deliveries in any order all count, and each but once', async () => {
    await using stage = await openStage(kind)
    const [one, next] = [await leased(stage), await leasedAgain(stage)]
    const results = [result(next, 'delivered'), result(one, 'delivered')]

    expect(await writeResultRows(stage.db, me, results)).toEqual({ accepted: 2, open: [] })
    expect(await writeResultRows(stage.db, me, results)).toEqual({ accepted: 0, open: [] })
    expect(await stage.db.attempt.count()).toBe(2)
  })

  test('a success after somebody else gave up makes the delivery delivered, under the next number', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await takeOver(stage)

    await writes(stage, delivery, 'dead', other)
    await writes(stage, delivery, 'delivered')

    expect(await row(stage)).toMatchObject({ status: 'delivered', attemptCount: 2, deadLetteredAt: null })
    expect((await attemptsOf(stage)).flat()).toEqual([1, 'failed', 2, 'success'])
  })

  test('a failure of a webhook that was paused meanwhile waits with it; of a deleted one nothing is left to do', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await stage.db.webhook.updateMany({ data: { status: 'paused' } })
    await writes(stage, delivery, 'retry')
    expect(await row(stage)).toMatchObject({ status: 'retrying', nextAttemptAt: null })

    await stage.db.delivery.updateMany({ data: { status: 'cancelled' } })
    await writes(stage, delivery, 'delivered')
    expect(await row(stage)).toMatchObject({ status: 'cancelled', attemptCount: 1 })
  })
})

// Results whose rows somebody else is at work on: which of them wait, and what is there afterwards.

const free = { leaseOwner: null, maxAttempts: 7 }

onPostgres(() => {
  test.each([
    ['a success is not lost', 'delivered', 'max_attempts = 7', { status: 'delivered', ...free }, [1, 'success']],
    ['a failure is not lost', 'retry', 'max_attempts = 7', { status: 'retrying', ...free }, [1, 'failed']],
    ['a failure counts nothing', 'retry', `lease_owner = 'x'`, { status: 'pending', leaseOwner: 'x' }, []],
  ] as const)('%s whose row changed while it waited', async (_what, kind, change, after, attempts) => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    await using lock = await holdLock(stage.url, `UPDATE delivery SET ${change}`)

    const writing = writes(stage, delivery, kind)
    await eventually(() => isWaiting(stage.db), 'the result to wait for the row')
    await lock.letGo()
    await writing

    expect(await row(stage)).toMatchObject({ ...after, attemptCount: attempts.length / 2 })
    expect((await attemptsOf(stage)).flat()).toEqual(attempts)
  })

  test('a success of a healthy webhook neither waits for the row of its health nor writes it', async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    const { workspaceId, webhookId } = delivery
    await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, consecutiveFailures: 0 } })
    const version = () => stage.db.$queryRaw`SELECT xmin::text, xmax::text, ctid::text FROM webhook_health`
    await using lock = await holdLock(stage.url, 'SELECT FROM webhook_health FOR UPDATE')
    const before = await version()

    await writes(stage, delivery, 'delivered')

    expect(await row(stage)).toMatchObject({ status: 'delivered' })
    await lock.letGo()
    expect(await version()).toEqual(before)
  })
})
