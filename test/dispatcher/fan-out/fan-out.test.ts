// A fan-out and a pause of its webhook at the same instant: one of them waits for the other.
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { fanOut } from '../../../dispatcher/fan-out/fan-out.ts'
import { takeByEventIds } from '../../../dispatcher/fan-out/outbox-rows.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { openStage, type Stage } from '../stage.ts'

const options = { owner: uuid(), maxAttempts: 3, hasCapacity: () => true }

const isWaitedFor = async ({ db }: Stage): Promise<boolean> => {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return Number(row?.count) > 0
}

// PGlite runs one transaction after the other.
describe.skipIf(services().postgres === null)('on postgres', () => {
  test.each([
    ['pausing', { status: 'paused' }, { status: 'pending', nextAttemptAt: null, leaseOwner: null }],
    ['deleting', { deletedAt: new Date() }, null],
  ])('while a user is %s a webhook, its events wait, and are treated as the user has decided', async (...given) => {
    const [, change, delivery] = given
    await using stage = await openStage()
    const webhook = await stage.webhook({ url: 'http://127.0.0.1:1/' })
    const event = await stage.event()
    let done = false

    const fannedOut = await stage.db.$transaction(async (tx) => {
      // As the service locks it, before it holds or cancels what waits (service/webhooks/rows.ts).
      await tx.$queryRaw`SELECT 1 FROM webhook WHERE id = ${webhook}::uuid FOR UPDATE`
      const running = fanOut(stage.db, takeByEventIds([event]), options).finally(() => (done = true))
      await eventually(async () => done || (await isWaitedFor(stage)), 'the fan-out to wait, or to end')
      await tx.webhook.updateMany({ where: { id: webhook }, data: change })
      return { running }
    })
    await fannedOut.running

    if (delivery === null) expect(await stage.delivery(event, webhook)).toBeNull()
    else expect(await stage.delivery(event, webhook)).toMatchObject(delivery)
    expect(await stage.db.outbox.count()).toBe(0)
  })
})
