// When the dispatcher gives a receiver up, and that it then sends nothing more: the change of state is the service's.
import { expect, test } from 'vitest'
import { failingDaysMax, failuresMin } from '#contract/webhook-schema.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { warnOfFailing } from '../../../service/webhooks/failing.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { leasedAgain, me, noReceiver, result } from '../leased.ts'
import { sharedStages, type Stage } from '../stage.ts'

const openStage = sharedStages()
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const healthOf = (stage: Stage) => stage.db.webhookHealth.findFirstOrThrow()

/** Each failure is of a delivery of its own. */
async function fail(stage: Stage, times = 1): Promise<void> {
  for (let n = 0; n < times; n++) await writeResultRows(stage.db, me, [result(await leasedAgain(stage), 'dead')])
}

/** A webhook as a dispatcher would have left it: so many failures in a row since then. */
async function failing(stage: Stage, consecutiveFailures: number, failingSince: Date): Promise<void> {
  const webhookId = await stage.webhook({ url: noReceiver })
  const { workspaceId } = stage
  await stage.db.webhookHealth.create({ data: { workspaceId, webhookId, consecutiveFailures, failingSince } })
}

onEachEngine((kind) => {
  test('a receiver that answers 410 is not called again, though its webhook still says active', async () => {
    await using stage = await openStage(kind)
    await using gone = await startReceiver([410])
    await using other = await startReceiver()
    const webhook = await stage.webhook({ url: gone.url })
    const healthy = await stage.webhook({ url: other.url })
    const { happen } = await stage.start({ scheduleSeconds: [0.01] })
    await stage.becomes('retrying', await happen(), webhook)

    const second = await happen()
    await stage.becomes('delivered', second, healthy)
    await stage.becomes('delivered', await happen(), healthy)

    expect(gone.calls).toHaveLength(1)
    expect(await stage.delivery(second, webhook)).toMatchObject({ status: 'pending', attemptCount: 0 })
    const health = await stage.db.webhookHealth.findFirst({ where: { webhookId: webhook } })
    expect(health).toMatchObject({ goneReason: 'gone' })
  })

  test('a receiver is given up that has failed for five days, in enough attempts; for less time or in fewer it is not', async () => {
    await using stage = await openStage(kind)
    await failing(stage, 1_000, daysAgo(failingDaysMax - 1))
    await fail(stage)
    expect(await healthOf(stage)).toMatchObject({ goneAt: null })
    const failingSince = daysAgo(failingDaysMax + 1)
    await stage.db.webhookHealth.updateMany({ data: { consecutiveFailures: failuresMin - 2, failingSince } })
    await fail(stage)
    expect(await healthOf(stage)).toMatchObject({ consecutiveFailures: failuresMin - 1, goneAt: null })

    await fail(stage)

    expect(await healthOf(stage)).toMatchObject({
      consecutiveFailures: failuresMin,
      goneReason: 'failing',
      goneAt: expect.any(Date),
    })
  })

  test('half and nine tenths of the way are recorded, told of once however many look, and forgotten with a success', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    await using other = await startReceiver()
    await failing(stage, failuresMin / 2 - 2, daysAgo(failingDaysMax))
    const parts = changeDeps(stage.db)
    const warn = async () => {
      const [one, other] = await Promise.all([warnOfFailing(parts), warnOfFailing(parts)])
      return one + other
    }

    await fail(stage)
    expect(await healthOf(stage)).toMatchObject({ warnedPercent: 0 })
    await fail(stage, 2)
    expect(await warn()).toBe(1)
    await stage.db.webhookHealth.updateMany({ data: { consecutiveFailures: 17 } })
    await fail(stage)
    expect(await warn()).toBe(1)
    expect(await healthOf(stage)).toMatchObject({ warnedPercent: 90, toldPercent: 90, goneAt: null })
    const told = await stage.db.event.findMany({ where: { type: 'webhooks.failing' }, orderBy: { sequence: 'asc' } })
    expect(told.map(({ body }) => JSON.parse(body).data.failing)).toMatchObject([
      { percent: 50 },
      { percent: 90, failedTries: 18 },
    ])

    await stage.db.webhook.updateMany({ data: { url: receiver.url } })
    await stage.webhook({ url: other.url, eventTypes: ['webhooks.*'] })
    const { happen } = await stage.start()
    await happen()
    await other.count(1)
    await eventually(async () => (await healthOf(stage)).warnedPercent === 0, 'a success')
    expect(await healthOf(stage)).toMatchObject({ consecutiveFailures: 0, failingSince: null, goneAt: null })
    expect(receiver.calls.filter(({ body }) => body.includes('webhooks.failing'))).toEqual([])
  })
})
