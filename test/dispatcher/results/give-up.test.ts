// When the dispatcher gives a receiver or a delivery up, on its own or because the receiver asks for it, and what is
// told of it: the change of the webhook's state is the service's.
import { expect, test } from 'vitest'
import { deliveryId } from '#contract/internal/webhook-request.ts'
import { failingDaysMax, failuresMin } from '#contract/webhook-schema.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { tellDeadLetters } from '../../../service/webhooks/dead-letters.ts'
import { warnOfFailing } from '../../../service/webhooks/failing.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { inSeconds, leasedAgain, me, replay, result } from '../leased.ts'
import { noReceiver, sharedStages, type Stage } from '../stage.ts'

const { openStage, delivering } = sharedStages()
const daysAgo = (days: number) => inSeconds(-days * 86_400)
const healthOf = (stage: Stage) => stage.db.webhookHealth.findFirstOrThrow()
/** What has been told of this kind, oldest first. */
const toldOf = async ({ db }: Stage, type: string) =>
  (await db.event.findMany({ where: { type }, orderBy: { sequence: 'asc' } })).map(({ body }) => JSON.parse(body))

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

async function giveUp(stage: Stage, webhookId: string, count: number, eventType = 'projects.updated') {
  const { db, workspaceId } = stage
  for (let n = 0; n < count; n += 1) {
    const eventId = await stage.event({ type: eventType })
    const id = deliveryId(eventId, webhookId)
    const made = { status: 'pending', origin: 'live', maxAttempts: 1, createdAt: new Date() }
    await db.delivery.create({ data: { workspaceId, id, eventId, eventType, webhookId, ...made } })
    const lastErrorCode = n % 2 === 0 ? 'timeout' : 'http_error'
    const data = { status: 'dead_letter', deadLetteredAt: new Date(), lastErrorCode }
    await db.delivery.updateMany({ where: { id }, data })
  }
}

const minutePasses = ({ db }: Stage) => db.webhookHealth.updateMany({ data: { deadLettersToldAt: inSeconds(-61) } })

onEachEngine((kind) => {
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

    const gone = { goneReason: 'failing', goneAt: expect.any(Date) }
    expect(await healthOf(stage)).toMatchObject({ consecutiveFailures: failuresMin, ...gone })
  })

  test('half and nine tenths of the way are recorded, told of once however many look, and forgotten with a success', async () => {
    await using stage = await openStage(kind)
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
    const told = await toldOf(stage, 'webhooks.failing')
    const ninety = { percent: 90, failedTries: 18 }
    expect(told.map(({ data }) => data.failing)).toMatchObject([{ percent: 50 }, ninety])

    await writeResultRows(stage.db, me, [result(await leasedAgain(stage), 'delivered')])
    const well = { consecutiveFailures: 0, failingSince: null, warnedPercent: 0, goneAt: null }
    expect(await healthOf(stage)).toMatchObject(well)
  })

  test('each webhook has one event for all of its dead letters, and no second one within a minute', async () => {
    await using stage = await openStage(kind)
    const parts = changeDeps(stage.db)
    const [one, other] = [await stage.webhook({ url: noReceiver }), await stage.webhook({ url: noReceiver })]
    await giveUp(stage, one, 25)
    await giveUp(stage, other, 1)

    const told = await Promise.all([tellDeadLetters(parts), tellDeadLetters(parts)])
    await giveUp(stage, one, 3)

    expect(told[0] + told[1]).toBe(2)
    expect(await tellDeadLetters(parts)).toBe(0)
    const first = await toldOf(stage, 'deliveries.dead_lettered')
    const [ofOne, ofOther] = [one, other].map((id) => first.find(({ data }) => data.webhookId === id))
    expect(ofOne).toMatchObject({
      actor: { type: 'system' },
      resource: { type: 'deliveries', id: one, version: null },
      data: { object: 'dead_letters', count: 25, errorCodes: ['http_error', 'timeout'] },
    })
    expect(new Set(ofOne.data.deliveryIds).size).toBe(20)
    expect(ofOther.data).toMatchObject({ count: 1, errorCodes: ['timeout'] })
    await minutePasses(stage)
    expect(await tellDeadLetters(parts)).toBe(1)
    expect((await toldOf(stage, 'deliveries.dead_lettered')).at(-1).data).toMatchObject({ webhookId: one, count: 3 })
    await minutePasses(stage)
    expect(await tellDeadLetters(parts)).toBe(0)
  })

  test('nothing is told of dead letters of these events, or of a webhook that is deleted', async () => {
    await using stage = await openStage(kind)
    const [one, gone] = [await stage.webhook({ url: noReceiver }), await stage.webhook({ url: noReceiver })]
    await giveUp(stage, one, 2, 'deliveries.dead_lettered')
    await giveUp(stage, gone, 2)
    await stage.db.webhook.updateMany({ where: { id: gone }, data: { deletedAt: new Date() } })

    expect(await tellDeadLetters(changeDeps(stage.db))).toBe(0)

    expect(await stage.db.untoldDeadLetter.count()).toBe(0)
  })
})

const saying = (status: number, command: string) => ({ status, headers: { 'X-Service-Webhook': command } })

/** A delivery that was made at this time, and that nobody has tried yet. */
async function waiting(answers: Parameters<Stage['receiving']>[0], createdAt: Date) {
  const { stage, receiver, webhook, happen, dispatcher } = await delivering({ answers, status: 'paused' })
  const event = await happen()
  await stage.becomes('pending', event, webhook)
  await dispatcher.close()
  await stage.db.delivery.updateMany({ data: { createdAt, nextAttemptAt: new Date() } })
  await stage.db.webhook.updateMany({ data: { status: 'active' } })
  return { stage, receiver, webhook, event }
}

onPostgres(() => {
  test('a probe whose answer disables the webhook closes the circuit, and nothing more is sent', async () => {
    const { stage, receiver, webhook, event } = await waiting(() => saying(404, 'disable'), new Date())
    const open = { consecutiveFailures: 5, unwell: 5, circuitOpenUntil: daysAgo(1), circuitSeconds: 30 }
    await stage.db.webhookHealth.create({ data: { workspaceId: stage.workspaceId, webhookId: webhook, ...open } })

    const { happen } = await stage.start({ scheduleSeconds: [0.01] })
    await stage.becomes('retrying', event, webhook)

    expect(await stage.db.webhookHealth.findFirst()).toMatchObject({ circuitSeconds: null, goneReason: 'asked' })
    const { webhook: other } = await stage.receiving()
    await stage.becomes('delivered', await happen(), other)
    expect(receiver.calls).toHaveLength(1)
  })

  test('no try begins five days after a delivery was made, and a replay gives it five more', async () => {
    const { stage, webhook, event } = await waiting([500, 200], daysAgo(5.01))
    await stage.start()

    const expired = { attemptCount: 0, lastErrorCode: 'expired', leaseOwner: null }
    expect(await stage.becomes('dead_letter', event, webhook)).toMatchObject(expired)
    await replay(stage, daysAgo(4.9))
    expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ attemptCount: 2 })
  })
})
