// Results that come late: after the lease ran out, after somebody else's, after a replay.
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { Prisma } from '#prisma/generated/client.ts'
import type { LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { leased, leasedAgain, me, result } from '../leased.ts'
import { sharedStages, type Stage } from '../stage.ts'

const openStage = sharedStages()
const other = uuid()

const row = (stage: Stage, { id }: LoadedDelivery) => stage.db.delivery.findFirstOrThrow({ where: { id } })
const takeOver = (stage: Stage) =>
  stage.db.delivery.updateMany({ data: { leaseOwner: other, leaseUntil: new Date(Date.now() + 60_000) } })
const writes = (stage: Stage, delivery: LoadedDelivery, kind: Parameters<typeof result>[1], owner = me) =>
  writeResultRows(stage.db, owner, [result(delivery, kind)])
const attemptsOf = async (stage: Stage) =>
  (await stage.db.attempt.findMany({ orderBy: { number: 'asc' } })).map(({ number, outcome }) => [number, outcome])

onEachEngine((kind) => {
  test('a failure sets the next attempt and releases the lease', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    const before = Date.now()

    await writes(stage, delivery, 'retry')

    const after = await row(stage, delivery)
    expect(after).toMatchObject({
      status: 'retrying',
      attemptCount: 1,
      tries: 1,
      leaseOwner: null,
      leaseUntil: null,
      lastStatusCode: 500,
    })
    expect(after.nextAttemptAt?.getTime()).toBeGreaterThan(before + 4_000)
    expect(after.nextAttemptAt?.getTime()).toBeLessThan(Date.now() + 6_000)
    expect(await stage.db.attempt.findFirst()).toMatchObject({
      responseHeaders: { 'x-a': '\u00e9"' },
      responseBody: '\uFFFD',
      timings: { dns: null, connect: 2, tls: null, firstByte: 1 },
    })
  })

  test('a late failure changes nothing, a late success counts', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await takeOver(stage)
    await writes(stage, delivery, 'retry')
    expect(await row(stage, delivery)).toMatchObject({ status: 'pending', attemptCount: 0, leaseOwner: other })
    expect(await stage.db.webhookHealth.count()).toBe(0)

    await writes(stage, delivery, 'delivered')
    expect(await row(stage, delivery)).toMatchObject({ status: 'delivered', attemptCount: 1, leaseOwner: null })
    await writes(stage, delivery, 'dead', other)
    expect(await row(stage, delivery)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  test('a success is written alike of a webhook that is well and of one that has failed, which it makes well', async () => {
    await using stage = await openStage(kind)
    const ends = { status: true, attemptCount: true, tries: true, nextAttemptAt: true, sendingSince: true } as const
    const written = async (delivery: LoadedDelivery) => {
      const results = await writes(stage, delivery, 'delivered')
      const attempt = await stage.db.attempt.findFirstOrThrow({
        where: { deliveryId: delivery.id },
        omit: { workspaceId: true, deliveryId: true, startedAt: true },
      })
      const delivered = await stage.db.delivery.findFirstOrThrow({
        where: { id: delivery.id },
        select: { ...ends, leaseOwner: true, leaseUntil: true },
      })
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

  test('a failure of an earlier attempt does not count for a later one', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await writes(stage, delivery, 'retry')
    await stage.db.delivery.updateMany({ data: { leaseOwner: me } })

    await writes(stage, delivery, 'dead')

    expect(await row(stage, delivery)).toMatchObject({ status: 'retrying', attemptCount: 1 })
  })

  test('a success after somebody else gave up makes the delivery delivered, under the next number', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await takeOver(stage)

    await writes(stage, delivery, 'dead', other)
    await writes(stage, delivery, 'delivered')

    expect(await row(stage, delivery)).toMatchObject({ status: 'delivered', attemptCount: 2, deadLetteredAt: null })
    expect(await attemptsOf(stage)).toMatchObject([
      [1, 'failed'],
      [2, 'success'],
    ])
  })

  test('a failure of a webhook that was paused meanwhile waits with it; of a deleted one nothing is left to do', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await stage.db.webhook.updateMany({ data: { status: 'paused' } })
    await writes(stage, delivery, 'retry')
    expect(await row(stage, delivery)).toMatchObject({ status: 'retrying', nextAttemptAt: null })

    await stage.db.delivery.updateMany({ data: { status: 'cancelled' } })
    await writes(stage, delivery, 'delivered')
    expect(await row(stage, delivery)).toMatchObject({ status: 'cancelled', attemptCount: 1 })
  })
})

// Results whose rows somebody else is at work on: which of them wait, and what is there afterwards.

/** A transaction that has changed rows and is not over before it is released. */
async function holding(stage: Stage, change: (tx: Prisma.TransactionClient) => Promise<unknown>) {
  const [changed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const committed = stage.db.$transaction(async (tx) => {
    await change(tx)
    changed.resolve()
    await released.promise
  })
  await Promise.race([changed.promise, committed])
  return async () => {
    released.resolve()
    await committed
  }
}

async function someoneWaits(stage: Stage): Promise<boolean> {
  const rows = await stage.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return rows.length > 0
}

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test.each([
    ['a success is not lost', 'delivered', { maxAttempts: 7 }, { status: 'delivered', leaseOwner: null }, 'success'],
    ['a failure is not lost', 'retry', { maxAttempts: 7 }, { status: 'retrying', leaseOwner: null }, 'failed'],
    [
      'a failure changes nothing where somebody else has taken the delivery',
      'retry',
      { leaseOwner: 'other' },
      { status: 'pending', attemptCount: 0 },
      null,
    ],
  ] as const)('%s whose row was changed while it waited for it', async (_what, kind, data, after, outcome) => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    const release = await holding(stage, (tx) => tx.delivery.updateMany({ data }))

    const writing = writes(stage, delivery, kind)
    await eventually(() => someoneWaits(stage), 'the result to wait for the row')
    await release()
    await writing

    expect(await row(stage, delivery)).toMatchObject({ ...after, ...data })
    expect(await attemptsOf(stage)).toEqual(outcome === null ? [] : [[1, outcome]])
  })

  test('a success of a healthy webhook neither waits for the row of its health nor writes it', async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    const { workspaceId, webhookId } = delivery
    await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, consecutiveFailures: 0 } })
    const version = () => stage.db.$queryRaw`SELECT xmin::text, xmax::text, ctid::text FROM webhook_health`
    const release = await holding(stage, (tx) => tx.$queryRaw`SELECT 1 AS held FROM webhook_health FOR UPDATE`)
    const before = await version()

    await writes(stage, delivery, 'delivered')

    expect(await row(stage, delivery)).toMatchObject({ status: 'delivered' })
    await release()
    expect(await version()).toEqual(before)
  })
})
