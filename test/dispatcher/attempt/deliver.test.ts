// What happens between the lease of a delivery and its send: it is loaded, and not where it is no longer ours to send.
import { expect, test } from 'vitest'
import { requestSettings } from '../../../dispatcher/attempt/build-request.ts'
import { deliverer, type AttemptResult, type DelivererOptions } from '../../../dispatcher/attempt/deliver.ts'
import { releaseLeases } from '../../../dispatcher/queue/leases.ts'
import { deliveryLoader, loadInTime, type LoadDelivery } from '../../../dispatcher/queue/load-delivery.ts'
import { type LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { webhookKeyring } from '#prisma/sealing-rows.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { leased, me } from '../leased.ts'
import { secretOfTests, sharedStages, silent, type Stage } from '../stage.ts'

const { openStage } = sharedStages()
const rowOf = (stage: Stage) => stage.db.delivery.findFirstOrThrow()

/** Has a deliverer take the one that is leased, and says what came of it. */
async function delivered({ db }: Stage, { goodMs, ...more }: Partial<DelivererOptions> & { goodMs?: number }) {
  const sent: string[] = []
  const recorded: AttemptResult[] = []
  const deliver = deliverer({
    db,
    owner: me,
    settings: {
      ...requestSettings('service', webhookKeyring({ internalSecret: secretOfTests }).open),
      send: async ({ url }) => {
        sent.push(url)
        return { kind: 'failed', error: 'connect_error' }
      },
      scheduleSeconds: [5],
      now: () => new Date(),
      random: () => 0.5,
    },
    load: deliveryLoader(db, me).load,
    postpone: async () => {},
    expire: async () => {},
    record: async (result) => void recorded.push(result),
    interrupted: () => {},
    hosts: { admit: async () => null, noteDelivered: () => {} },
    tracing: null,
    bounds: { attemptMs: 1_000, closing: AbortSignal.abort(), ...(goodMs !== undefined && { goodMs }) },
    log: silent,
    ...more,
  })
  await deliver({ ...(await db.delivery.findFirstOrThrow()), leaseEndsAt: performance.now() + 600_000 }, () => {})
  return { sent, recorded }
}

onEachEngine((kind) => {
  test('what somebody else took while the process was frozen is not sent', async () => {
    await using stage = await openStage(kind)
    await leased(stage)
    // Frozen after the database has answered the first load.
    const load: LoadDelivery = async (key) => {
      const loaded = await deliveryLoader(stage.db, me).load(key)
      await stage.db.delivery.updateMany({ data: { leaseOwner: 'other' } })
      return loaded
    }

    expect(await delivered(stage, { load, goodMs: 0 })).toEqual({ sent: [], recorded: [] })
    expect(await rowOf(stage)).toMatchObject({ leaseOwner: 'other' })
  })

  test('what is loaded is marked as being sent, and what is released no longer', async () => {
    await using stage = await openStage(kind)
    const { id, webhookId } = await leased(stage)
    await stage.db.delivery.updateMany({ data: { sendingSince: null } })
    const key = { ...(await rowOf(stage)), leaseEndsAt: 0 }
    expect(await deliveryLoader(stage.db, me).load(key)).toMatchObject({ id, webhookId })
    expect(await rowOf(stage)).toMatchObject({ leaseOwner: me, sendingSince: expect.any(Date) })

    expect(await delivered(stage, { load: async () => null })).toMatchObject({ sent: [] })
    expect(await rowOf(stage)).toMatchObject({ sendingSince: null, leaseOwner: null })
  })
})

onPostgres(() => {
  test.each<[string, object, object?, object?]>([
    ['is leased to another', { leaseOwner: 'other' }],
    ['is leased to nobody', { leaseOwner: null, leaseUntil: null }],
    ['has been delivered', { status: 'delivered', nextAttemptAt: null }],
    ['has been cancelled', { status: 'cancelled', nextAttemptAt: null }],
    ['has a paused webhook', {}, { status: 'paused' }],
    ['has a deleted webhook', {}, { deletedAt: new Date() }],
    ['has one that is gone', {}, {}, { goneAt: new Date(), goneReason: 'gone' }],
  ])(
    'one that %s is not loaded, nor marked as being sent',
    async (_what, ofDelivery, ofWebhook = {}, ofHealth = {}) => {
      await using stage = await openStage()
      const delivery = await leased(stage)
      const { workspaceId, webhookId } = delivery
      await stage.db.delivery.updateMany({ data: { sendingSince: null, ...ofDelivery } })
      await stage.db.webhook.updateMany({ data: { name: 'Taken', ...ofWebhook } })
      await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, consecutiveFailures: 0, ...ofHealth } })

      expect(await deliveryLoader(stage.db, me).load(delivery)).toBeNull()
      expect(await rowOf(stage)).toMatchObject({ sendingSince: null })
    },
  )

  test('a lease that another has taken over is not released', async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    await stage.db.delivery.updateMany({ data: { leaseOwner: 'other' } })

    await releaseLeases(stage.db, me, [delivery])
    expect(await rowOf(stage)).toMatchObject({ leaseOwner: 'other', leaseUntil: expect.any(Date) })

    await releaseLeases(stage.db, 'other', [delivery])
    expect(await rowOf(stage)).toMatchObject({ leaseOwner: null, leaseUntil: null })
  })

  test('a delivery that a transaction holds is neither waited for nor sent', async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    await stage.db.delivery.updateMany({ data: { sendingSince: null } })
    await stage.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS held FROM delivery FOR UPDATE`
      expect(await deliveryLoader(stage.db, me).load(delivery)).toBeNull()
    })
    expect(await deliveryLoader(stage.db, me).load(delivery)).toMatchObject({ id: delivery.id })
  })
})

/** A database that is away for so many questions, and what is leased for so long. */
function given(awayFor: number, leasedMs = 600_000) {
  const closing = new AbortController()
  const delivery = { id: 'd' } as LoadedDelivery
  let asked = 0
  const load = async () => {
    asked += 1
    if (asked <= awayFor) throw new Error('database away')
    return delivery
  }
  const key = { workspaceId: 'w', id: 'd', webhookId: 'h', leaseEndsAt: performance.now() + leasedMs }
  const loading = loadInTime(load, key, { attemptMs: 1_000, closing: closing.signal })
  return { delivery, loading, closing, asked: () => asked }
}

test('what is leased is loaded again for as long as the database is away', async () => {
  const { delivery, loading, asked } = given(2)

  expect([await loading, asked()]).toEqual([delivery, 3])
})

test('it is not once the lease leaves no time for an attempt, nor when the process ends', async () => {
  const { loading: late, asked: askedLate } = given(Infinity, 500)
  expect([await late, askedLate()]).toEqual([null, 0])

  const { loading, closing, asked } = given(Infinity)
  closing.abort()
  await expect(loading).rejects.toThrow('database away')
  expect(asked()).toBe(1)
})
