// When the dispatcher gives a receiver up, and that it then sends nothing more: the change of state is the service's.
import { expect, test } from 'vitest'
import { warnOfFailing } from '../../../service/webhooks/failing.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { eventually } from '../../support/eventually.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { startReceiver } from '../../support/receiver.ts'
import { openStage, type Stage } from '../stage.ts'
import { failingDaysMax, failuresMin } from '#contract/webhook-schema.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

const healthOf = (stage: Stage) => stage.db.webhookHealth.findFirstOrThrow()

/** As a dispatcher would have left it: so many failures in a row since then. */
const failing = (stage: Stage, webhookId: string, consecutiveFailures: number, failingSince: Date) =>
  stage.db.webhookHealth.create({
    data: { workspaceId: stage.workspaceId, webhookId, consecutiveFailures, failingSince },
  })

/** One delivery that fails for good at its first attempt. */
async function failOnce(stage: Stage, webhook: string, scheduleSeconds: readonly number[] = []): Promise<void> {
  const { notify, dispatcher } = await stage.start({ scheduleSeconds })
  const event = await stage.event()
  notify(event)
  await stage.becomes(scheduleSeconds.length === 0 ? 'dead_letter' : 'retrying', event, webhook)
  await dispatcher.close()
}

onEachEngine((kind) => {
  test('a receiver that answers 410 is not called again, though its webhook still says active', async () => {
    await using stage = await openStage(kind)
    await using gone = await startReceiver([410])
    await using other = await startReceiver()
    const webhook = await stage.webhook({ url: gone.url })
    const healthy = await stage.webhook({ url: other.url })
    const { notify } = await stage.start({ scheduleSeconds: [0.01] })
    const first = await stage.event()
    notify(first)
    await stage.becomes('retrying', first, webhook)

    const second = await stage.event()
    notify(second)
    await stage.becomes('delivered', second, healthy)
    const third = await stage.event()
    notify(third)
    await stage.becomes('delivered', third, healthy)

    expect(gone.calls).toHaveLength(1)
    expect(await stage.delivery(second, webhook)).toMatchObject({ status: 'pending', attemptCount: 0 })
    expect(await stage.db.webhookHealth.findFirst({ where: { webhookId: webhook } })).toMatchObject({
      goneReason: 'gone',
    })
  })

  test('a receiver that has failed for five days, in enough attempts, is given up', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver([500])
    const webhook = await stage.webhook({ url: receiver.url })
    await failing(stage, webhook, failuresMin - 1, daysAgo(failingDaysMax + 1))

    await failOnce(stage, webhook)

    const health = await healthOf(stage)
    expect(health).toMatchObject({ consecutiveFailures: failuresMin, goneReason: 'failing' })
    expect(health.goneAt).not.toBeNull()
  })

  test('half and nine tenths of the way are recorded, told of once however many look, and forgotten with a success', async () => {
    await using stage = await openStage(kind)
    let status = 500
    await using receiver = await startReceiver(() => status)
    await using other = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url })
    await failing(stage, webhook, failuresMin / 2 - 2, daysAgo(failingDaysMax))
    const parts = changeDeps(stage.db)
    const warn = async () => {
      const [one, other] = await Promise.all([warnOfFailing(parts), warnOfFailing(parts)])
      return one + other
    }

    await failOnce(stage, webhook)
    expect(await healthOf(stage)).toMatchObject({ warnedPercent: 0 })
    await Promise.all([failOnce(stage, webhook), failOnce(stage, webhook)])
    expect(await warn()).toBe(1)
    await stage.db.webhookHealth.updateMany({ data: { consecutiveFailures: 17 } })
    await failOnce(stage, webhook)
    expect(await warn()).toBe(1)
    expect(await healthOf(stage)).toMatchObject({ warnedPercent: 90, toldPercent: 90, goneAt: null })
    const told = await stage.db.event.findMany({ where: { type: 'webhooks.failing' }, orderBy: { sequence: 'asc' } })
    expect(told.map(({ body }) => JSON.parse(body).data.failing)).toMatchObject([
      { percent: 50 },
      { percent: 90, failedTries: 18 },
    ])

    status = 200
    await stage.webhook({ url: other.url, eventTypes: ['webhooks.*'] })
    const { notify } = await stage.start()
    notify(await stage.event())
    await other.count(1)
    await eventually(async () => (await healthOf(stage)).warnedPercent === 0, 'a success')
    expect(receiver.calls.filter(({ body }) => body.includes('webhooks.failing'))).toEqual([])
  })

  test('one that has failed for less time, or in fewer attempts, is not', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver([500])
    const early = await stage.webhook({ url: receiver.url })
    await failing(stage, early, 1_000, daysAgo(failingDaysMax - 1))
    await failOnce(stage, early)
    await stage.db.webhookHealth.updateMany({
      data: { consecutiveFailures: failuresMin - 2, failingSince: daysAgo(failingDaysMax + 1) },
    })

    await failOnce(stage, early)

    expect(await healthOf(stage)).toMatchObject({ consecutiveFailures: failuresMin - 1, goneAt: null })
  })

  test('a success ends the failing', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url })
    await failing(stage, webhook, 1_000, daysAgo(failingDaysMax + 1))
    const { notify } = await stage.start()
    const event = await stage.event()

    notify(event)
    await stage.becomes('delivered', event, webhook)

    expect(await healthOf(stage)).toMatchObject({ consecutiveFailures: 0, failingSince: null, goneAt: null })
  })

  test('what happens while a webhook is disabled waits for it', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver()
    const disabled = await stage.webhook({ url: receiver.url, status: 'disabled' })
    const active = await stage.webhook({ url: receiver.url })
    const { notify } = await stage.start()
    const event = await stage.event()

    notify(event)
    await stage.becomes('delivered', event, active)

    expect(await stage.delivery(event, disabled)).toMatchObject({ status: 'pending', nextAttemptAt: null })
    expect(receiver.calls).toHaveLength(1)
  })
})
