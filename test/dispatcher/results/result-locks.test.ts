// Results whose rows somebody else is at work on: which of them wait, and what is there afterwards.
import { describe, expect, test } from 'vitest'
import type { Prisma } from '#prisma/generated/client.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { leased, me, result } from '../leased.ts'
import { openStage, type Stage } from '../stage.ts'

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

const attemptsOf = async (stage: Stage) =>
  (await stage.db.attempt.findMany({ orderBy: { number: 'asc' } })).map(({ number, outcome }) => [number, outcome])

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test.each(['delivered', 'retry'] as const)(
    'a result is not lost when its row was changed while it waited for it: %s',
    async (kind) => {
      await using stage = await openStage()
      const delivery = await leased(stage)
      const release = await holding(stage, (tx) => tx.delivery.updateMany({ data: { maxAttempts: 7 } }))

      const writing = writeResultRows(stage.db, me, [result(delivery, kind)])
      await eventually(() => someoneWaits(stage), 'the result to wait for the row')
      await release()
      await writing

      expect(await stage.db.delivery.findFirst()).toMatchObject({
        status: kind === 'delivered' ? 'delivered' : 'retrying',
        attemptCount: 1,
        maxAttempts: 7,
        leaseOwner: null,
      })
      expect(await attemptsOf(stage)).toEqual([[1, kind === 'delivered' ? 'success' : 'failed']])
    },
  )

  test('a failure that waited for its row while somebody else took the delivery changes nothing', async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    const release = await holding(stage, (tx) => tx.delivery.updateMany({ data: { leaseOwner: 'other' } }))

    const writing = writeResultRows(stage.db, me, [result(delivery, 'retry')])
    await eventually(() => someoneWaits(stage), 'the result to wait for the row')
    await release()
    await writing

    expect(await stage.db.delivery.findFirst()).toMatchObject({ status: 'pending', leaseOwner: 'other' })
    expect(await attemptsOf(stage)).toEqual([])
  })

  test('a success of a healthy webhook neither waits for the row of its health nor writes it', async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    const { workspaceId, webhookId } = delivery
    await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, consecutiveFailures: 0 } })
    const version = () => stage.db.$queryRaw`SELECT xmin::text, xmax::text, ctid::text FROM webhook_health`
    const release = await holding(stage, (tx) => tx.$queryRaw`SELECT 1 AS held FROM webhook_health FOR UPDATE`)
    const before = await version()

    await writeResultRows(stage.db, me, [result(delivery, 'delivered')])

    expect(await stage.db.delivery.findFirst()).toMatchObject({ status: 'delivered' })
    await release()
    expect(await version()).toEqual(before)
  })

  test('a success ends the failures that were counted before', async () => {
    await using stage = await openStage()
    const delivery = await leased(stage)
    const { workspaceId, webhookId } = delivery
    const failing = { consecutiveFailures: 3, failingSince: new Date() }
    await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, ...failing } })

    await writeResultRows(stage.db, me, [result(delivery, 'delivered')])

    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ consecutiveFailures: 0, failingSince: null })
  })
})
