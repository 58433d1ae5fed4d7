// What is loaded for an attempt, and what is not: a delivery that is no longer ours to send.
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { releaseLeases } from '../../../dispatcher/queue/leases.ts'
import { deliveryLoader, loadInTime } from '../../../dispatcher/queue/load-delivery.ts'
import { type LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { services } from '../../support/services.ts'
import { leased, me } from '../leased.ts'
import { sharedStages, type Stage } from '../stage.ts'

const openStage = sharedStages()
const other = uuid()
const row = (stage: Stage, { id }: LoadedDelivery) => stage.db.delivery.findFirstOrThrow({ where: { id } })

/** Leased to `me` and not marked as being sent. */
async function given(stage: Stage): Promise<LoadedDelivery> {
  const delivery = await leased(stage)
  await stage.db.delivery.updateMany({ data: { sendingSince: null } })
  return delivery
}

const taken: [string, (stage: Stage) => Promise<unknown>][] = [
  ['is leased to another', ({ db }) => db.delivery.updateMany({ data: { leaseOwner: other } })],
  ['is leased to nobody', ({ db }) => db.delivery.updateMany({ data: { leaseOwner: null, leaseUntil: null } })],
  ['has been delivered', ({ db }) => db.delivery.updateMany({ data: { status: 'delivered', nextAttemptAt: null } })],
  ['has been cancelled', ({ db }) => db.delivery.updateMany({ data: { status: 'cancelled', nextAttemptAt: null } })],
  ['has a paused webhook', ({ db }) => db.webhook.updateMany({ data: { status: 'paused' } })],
  ['has a deleted webhook', ({ db }) => db.webhook.updateMany({ data: { deletedAt: new Date() } })],
  [
    'has a webhook that is gone',
    ({ db }) => db.webhookHealth.updateMany({ data: { goneAt: new Date(), goneReason: 'gone' } }),
  ],
]

describe.skipIf(services().postgres === null)('on postgres', () => {
  test('a delivery that is ours is loaded, and marked as being sent', async () => {
    await using stage = await openStage()
    const delivery = await given(stage)

    expect(await deliveryLoader(stage.db, me).load(delivery)).toMatchObject({
      id: delivery.id,
      webhookId: delivery.webhookId,
    })
    expect(await row(stage, delivery)).toMatchObject({ leaseOwner: me, sendingSince: expect.any(Date) })
  })

  test.each(taken)('one that %s is not loaded, nor marked as being sent', async (_what, take) => {
    await using stage = await openStage()
    const delivery = await given(stage)
    const { workspaceId, webhookId } = delivery
    await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, consecutiveFailures: 0 } })
    await take(stage)

    expect(await deliveryLoader(stage.db, me).load(delivery)).toBeNull()
    expect(await row(stage, delivery)).toMatchObject({ sendingSince: null })
  })

  test('a lease that another has taken over is not released', async () => {
    await using stage = await openStage()
    const delivery = await given(stage)
    await stage.db.delivery.updateMany({ data: { leaseOwner: other } })

    await releaseLeases(stage.db, me, [delivery])
    expect(await row(stage, delivery)).toMatchObject({ leaseOwner: other, leaseUntil: expect.any(Date) })

    await releaseLeases(stage.db, other, [delivery])
    expect(await row(stage, delivery)).toMatchObject({ leaseOwner: null, leaseUntil: null })
  })
})

const loaded = { id: 'd' } as LoadedDelivery
const leasedFor = (ms: number) => ({ workspaceId: 'w', id: 'd', webhookId: 'h', leaseEndsAt: performance.now() + ms })

/** A database that is away for so many questions. */
function database(awayFor: number) {
  let asked = 0
  const load = async () => {
    asked += 1
    if (asked <= awayFor) throw new Error('database away')
    return loaded
  }
  return { load, asked: () => asked }
}

test('what is leased is loaded again for as long as the database is away', async () => {
  const { load, asked } = database(2)
  const closing = new AbortController().signal
  expect(await loadInTime(load, leasedFor(600_000), { attemptMs: 1_000, closing })).toBe(loaded)
  expect(asked()).toBe(3)
})

test('it is not once the lease leaves no time for an attempt, nor when the process ends', async () => {
  const { load, asked } = database(Infinity)
  const closing = new AbortController()
  expect(await loadInTime(load, leasedFor(500), { attemptMs: 1_000, closing: closing.signal })).toBeNull()
  expect(asked()).toBe(0)

  const loading = loadInTime(load, leasedFor(600_000), { attemptMs: 1_000, closing: closing.signal })
  closing.abort()
  await expect(loading).rejects.toThrow('database away')
  expect(asked()).toBe(1)
})
