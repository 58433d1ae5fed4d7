// What happens between the load of a delivery and its send.
import { expect, test } from 'vitest'
import { requestSettings } from '../../../dispatcher/attempt/build-request.ts'
import { deliverer, type AttemptResult, type DelivererOptions } from '../../../dispatcher/attempt/deliver.ts'
import { deliveryLoader, type LoadDelivery } from '../../../dispatcher/queue/load-delivery.ts'
import { type LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { webhookKeyring } from '#prisma/sealing-rows.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { services } from '../../support/services.ts'
import { leased, me } from '../leased.ts'
import { secretOfTests, sharedStages, silent, type Stage } from '../stage.ts'

const openStage = sharedStages()

/** A deliverer that counts what it sends. */
function given(
  { db }: Stage,
  { goodMs, ...more }: Partial<DelivererOptions> & { load: LoadDelivery; goodMs?: number },
) {
  const sent: string[] = []
  const recorded: AttemptResult[] = []
  const deliver = deliverer({
    db,
    owner: me,
    settings: {
      ...requestSettings('service', webhookKeyring({ internalSecret: secretOfTests }).open),
      send: async (url) => {
        sent.push(url)
        return { kind: 'failed', error: 'connect_error' }
      },
      scheduleSeconds: [5],
      now: () => new Date(),
      random: () => 0.5,
    },
    postpone: async () => {},
    expire: async () => {},
    record: async (result) => void recorded.push(result),
    interrupted: () => {},
    hosts: { admit: async () => null, noteDelivered: () => {} },
    bounds: { attemptMs: 1_000, closing: AbortSignal.abort(), ...(goodMs !== undefined && { goodMs }) },
    log: silent,
    ...more,
  })
  return { deliver, sent, recorded }
}

const item = (delivery: LoadedDelivery) => ({ ...delivery, leaseEndsAt: performance.now() + 600_000 })

onEachEngine((kind) => {
  test('what somebody else took while the process was frozen is not sent', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    // Frozen after the database has answered the first load.
    const load: LoadDelivery = async (key) => {
      const loaded = await deliveryLoader(stage.db, me).load(key)
      await stage.db.delivery.updateMany({ data: { leaseOwner: 'other' } })
      return loaded
    }
    const { deliver, sent, recorded } = given(stage, { load, goodMs: 0 })

    await deliver(item(delivery), () => {})

    expect([sent, recorded]).toEqual([[], []])
    expect(await stage.db.delivery.findFirst()).toMatchObject({ leaseOwner: 'other' })
  })

  test('what its host has to wait for is not sent, and no attempt is counted', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    const postponed: string[] = []
    const { deliver, sent, recorded } = given(stage, {
      load: deliveryLoader(stage.db, me).load,
      hosts: { admit: async () => 'host_unproven', noteDelivered: () => {} },
      postpone: async (_item, { code }) => void postponed.push(code),
    })

    await deliver(item(delivery), () => {})

    expect([sent, recorded, postponed]).toEqual([[], [], ['host_unproven']])
  })

  test('what is sent is marked as being sent, and what is released no longer', async () => {
    await using stage = await openStage(kind)
    const delivery = await leased(stage)
    expect(await stage.db.delivery.findFirst()).toMatchObject({ sendingSince: expect.any(Date) })

    const { deliver, sent } = given(stage, { load: async () => null })
    await deliver(item(delivery), () => {})

    expect(sent).toEqual([])
    expect(await stage.db.delivery.findFirst()).toMatchObject({ sendingSince: null, leaseOwner: null })
  })
})

test.skipIf(services().postgres === null)(
  'a delivery that a transaction holds is neither waited for nor sent',
  async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    await stage.db.delivery.updateMany({ data: { sendingSince: null } })
    await stage.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS held FROM delivery FOR UPDATE`
      expect(await deliveryLoader(stage.db, me).load(delivery)).toBeNull()
    })
    expect(await deliveryLoader(stage.db, me).load(delivery)).toMatchObject({ id: delivery.id })
  },
)
