// What a receiver may ask for in a header of its answer, and for how long a delivery is tried.
import { describe, expect, test } from 'vitest'
import { startChain } from '../../service/audit/rows.ts'
import { disableGivenUp } from '../../service/webhooks/failing.ts'
import { changeDeps } from '../support/change-deps.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { sharedStages, type Stage } from './stage.ts'

const openStage = sharedStages()
const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const saying = (status: number, command: string) => ({ status, headers: { 'X-Service-Webhook': command } })

/** As the service does it. */
const replay = (stage: Stage, restartedAt: Date) => {
  const anew = { status: 'pending', origin: 'replay', tries: 0, nextAttemptAt: new Date(), deadLetteredAt: null }
  return stage.db.delivery.updateMany({ data: { ...anew, restartedAt } })
}

/** A delivery that was made at this time, and that nobody has tried yet. */
async function waiting(stage: Stage, url: string, createdAt: Date) {
  const webhook = await stage.webhook({ url, status: 'paused' })
  const { happen, dispatcher } = await stage.start()
  const event = await happen()
  await stage.becomes('pending', event, webhook)
  await dispatcher.close()
  await stage.db.delivery.updateMany({ data: { createdAt, nextAttemptAt: new Date() } })
  await stage.db.webhook.updateMany({ data: { status: 'active' } })
  return { webhook, event }
}

describe.skipIf(services().postgres === null)('what a receiver asks for', () => {
  test('an answer that says so disables the webhook, even one that takes the delivery, and the reason is told', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver(() => saying(200, 'disable'))
    await using other = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url })
    const healthy = await stage.webhook({ url: other.url })
    const { happen } = await stage.start()
    await stage.becomes('delivered', await happen(), webhook)

    await stage.becomes('delivered', await happen(), healthy)
    await startChain(stage.db, stage.workspaceId)
    await disableGivenUp(changeDeps(stage.db))

    expect(receiver.calls).toHaveLength(1)
    expect(await stage.db.webhook.findFirst({ where: { id: webhook } })).toMatchObject({
      status: 'disabled',
      disabledReason: 'The receiver asked for it, in a header of its answer.',
    })
  })

  test('a probe whose answer disables the webhook closes the circuit, and nothing more is sent', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver(() => saying(404, 'disable'))
    const { webhook, event } = await waiting(stage, receiver.url, new Date())
    const open = { consecutiveFailures: 5, unwell: 5, circuitOpenUntil: daysAgo(1), circuitSeconds: 30 }
    await stage.db.webhookHealth.create({ data: { workspaceId: stage.workspaceId, webhookId: webhook, ...open } })

    await stage.start({ scheduleSeconds: [0.01] })
    await stage.becomes('retrying', event, webhook)

    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ circuitSeconds: null, goneReason: 'asked' })
    await using other = await startReceiver()
    await stage.webhook({ url: other.url })
    const { happen } = await stage.start()
    await happen()
    await other.count(1)
    expect(receiver.calls).toHaveLength(1)
  })

  test('an aborted delivery is a dead letter after one try, and a replay begins anew', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver((_call, number) => (number === 1 ? saying(500, 'abort') : 200))
    const webhook = await stage.webhook({ url: receiver.url })
    const { happen } = await stage.start()
    const event = await happen()

    const dead = await stage.becomes('dead_letter', event, webhook)

    expect(dead).toMatchObject({ attemptCount: 1, lastErrorCode: 'aborted', lastStatusCode: 500, nextAttemptAt: null })
    expect(await stage.db.attempt.findFirst()).toMatchObject({
      errorCode: 'http_status',
      responseHeaders: { 'x-service-webhook': 'abort' },
    })
    await replay(stage, new Date())
    expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ attemptCount: 2 })
  })

  test('no try begins five days after a delivery was made, and a replay gives it five more', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver([500, 200])
    const { webhook, event } = await waiting(stage, receiver.url, daysAgo(5.01))
    await stage.start()

    expect(await stage.becomes('dead_letter', event, webhook)).toMatchObject({
      attemptCount: 0,
      lastErrorCode: 'expired',
      leaseOwner: null,
    })
    await replay(stage, daysAgo(4.9))
    expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ attemptCount: 2 })
  })
})
