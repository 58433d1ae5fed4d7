// Results that come late: after the lease ran out, after somebody else's, after a replay.
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { LoadedDelivery } from '../../../dispatcher/queue/load-delivery.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { leased, leasedAgain, me, result } from '../leased.ts'
import { openStage, type Stage } from '../stage.ts'

const other = uuid()

const row = (stage: Stage, { id }: LoadedDelivery) => stage.db.delivery.findFirstOrThrow({ where: { id } })
const takeOver = (stage: Stage) =>
  stage.db.delivery.updateMany({ data: { leaseOwner: other, leaseUntil: new Date(Date.now() + 60_000) } })

describe.each(['postgres', 'pglite'] as const)('on %s', (kind) => {
  test('a failure sets the next attempt and releases the lease', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    const before = Date.now()
    await writeResultRows(stage.db, me, [result(delivery, 'retry')])
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
    await writeResultRows(stage.db, me, [result(delivery, 'retry')])
    expect(await row(stage, delivery)).toMatchObject({ status: 'pending', attemptCount: 0, leaseOwner: other })
    expect(await stage.db.webhookHealth.count()).toBe(0)

    await writeResultRows(stage.db, me, [result(delivery, 'delivered')])
    expect(await row(stage, delivery)).toMatchObject({ status: 'delivered', attemptCount: 1, leaseOwner: null })
    await writeResultRows(stage.db, other, [result(delivery, 'dead')])
    expect(await row(stage, delivery)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  test('a success is written alike of a webhook that is well and of one that has failed, which it makes well', async () => {
    await using stage = await openStage(kind)
    const written = async (delivery: LoadedDelivery) => {
      const results = await writeResultRows(stage.db, me, [result(delivery, 'delivered')])
      const {
        number,
        startedAt: _startedAt,
        ...attempt
      } = await stage.db.attempt.findFirstOrThrow({
        where: { deliveryId: delivery.id },
        omit: { workspaceId: true, deliveryId: true },
      })
      const { status, attemptCount, tries, nextAttemptAt, leaseOwner, leaseUntil, sendingSince } = await row(
        stage,
        delivery,
      )
      const delivered = { status, attemptCount, tries, nextAttemptAt, leaseOwner, leaseUntil, sendingSince }
      return { results, number, attempt, delivered }
    }
    const first = await leased(stage)
    const ofWell = await written(first)
    expect(await stage.db.webhookHealth.count()).toBe(0)
    const { workspaceId, webhookId } = first
    const health = { consecutiveFailures: 3, failingSince: new Date(), unwell: 2 }
    await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, ...health } })

    const ofTroubled = await written(await leasedAgain(stage))

    expect(ofTroubled).toEqual(ofWell)
    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({
      ...{ consecutiveFailures: 0, failingSince: null, unwell: 1 },
    })
  })

  test('successes of many deliveries in any order all count, and each but once', async () => {
    await using stage = await openStage(kind)
    const one = await leased(stage)
    const other = await leasedAgain(stage)
    const results = [result(other, 'delivered'), result(one, 'delivered')]
    expect(await writeResultRows(stage.db, me, results)).toEqual({ accepted: 2, open: [] })
    expect(await writeResultRows(stage.db, me, results)).toEqual({ accepted: 0, open: [] })
    expect(await stage.db.attempt.count()).toBe(2)
  })

  test('a failure of an earlier attempt does not count for a later one', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await writeResultRows(stage.db, me, [result(delivery, 'retry')])
    await stage.db.delivery.updateMany({ data: { leaseOwner: me } })
    await writeResultRows(stage.db, me, [result(delivery, 'dead')])
    expect(await row(stage, delivery)).toMatchObject({ status: 'retrying', attemptCount: 1 })
  })

  test('a success after somebody else gave up makes the delivery delivered, under the next number', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await takeOver(stage)
    await writeResultRows(stage.db, other, [result(delivery, 'dead')])
    await writeResultRows(stage.db, me, [result(delivery, 'delivered')])
    expect(await row(stage, delivery)).toMatchObject({ status: 'delivered', attemptCount: 2, deadLetteredAt: null })
    expect((await stage.db.attempt.findMany({ orderBy: { number: 'asc' } })).map(({ outcome }) => outcome)).toEqual([
      'failed',
      'success',
    ])
  })

  test('a failure of a webhook that was paused meanwhile waits with it; of a deleted one nothing is left to do', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    await stage.db.webhook.updateMany({ data: { status: 'paused' } })
    await writeResultRows(stage.db, me, [result(delivery, 'retry')])
    expect(await row(stage, delivery)).toMatchObject({ status: 'retrying', nextAttemptAt: null })

    await stage.db.delivery.updateMany({ data: { status: 'cancelled' } })
    await writeResultRows(stage.db, me, [result(delivery, 'delivered')])
    expect(await row(stage, delivery)).toMatchObject({ status: 'cancelled', attemptCount: 1 })
  })
})
