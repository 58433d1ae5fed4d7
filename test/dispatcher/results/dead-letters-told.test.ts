// Dead letters become events, gathered by webhook: whoever gives a delivery up, and however many they are.
import { expect, test } from 'vitest'
import { deliveryId } from '#contract/internal/deliveries.ts'
import { tellDeadLetters } from '../../../service/webhooks/dead-letters.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { sharedStages, type Stage } from '../stage.ts'

const openStage = sharedStages()
const url = 'https://example.com/hook'

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

const eventsOf = async (stage: Stage) => {
  const where = { type: 'deliveries.dead_lettered' }
  const events = await stage.db.event.findMany({ where, orderBy: { sequence: 'asc' } })
  return events.map(({ body }) => JSON.parse(body))
}
const minutePasses = (stage: Stage) =>
  stage.db.webhookHealth.updateMany({ data: { deadLettersToldAt: new Date(Date.now() - 61_000) } })

onEachEngine((kind) => {
  test('each webhook has one event for all of its dead letters, and no second one within a minute', async () => {
    await using stage = await openStage(kind)
    const parts = changeDeps(stage.db)
    const [one, other] = [await stage.webhook({ url }), await stage.webhook({ url })]
    await giveUp(stage, one, 25)
    await giveUp(stage, other, 1)

    const told = await Promise.all([tellDeadLetters(parts), tellDeadLetters(parts)])
    await giveUp(stage, one, 3)

    expect(told[0] + told[1]).toBe(2)
    expect(await tellDeadLetters(parts)).toBe(0)
    const first = await eventsOf(stage)
    const ofOne = first.find(({ data }) => data.webhookId === one)
    expect(ofOne).toMatchObject({
      actor: { type: 'system' },
      resource: { type: 'deliveries', id: one, version: null },
      data: { object: 'dead_letters', count: 25, errorCodes: ['http_error', 'timeout'] },
    })
    expect(new Set(ofOne.data.deliveryIds).size).toBe(20)
    expect(first.find(({ data }) => data.webhookId === other).data).toMatchObject({ count: 1, errorCodes: ['timeout'] })
    await minutePasses(stage)
    expect(await tellDeadLetters(parts)).toBe(1)
    expect((await eventsOf(stage)).at(-1).data).toMatchObject({ webhookId: one, count: 3 })
    await minutePasses(stage)
    expect(await tellDeadLetters(parts)).toBe(0)
  })

  test('nothing is told of dead letters of these events, or of a webhook that is deleted', async () => {
    await using stage = await openStage(kind)
    const parts = changeDeps(stage.db)
    const [one, gone] = [await stage.webhook({ url }), await stage.webhook({ url })]
    await giveUp(stage, one, 2, 'deliveries.dead_lettered')
    await giveUp(stage, gone, 2)
    await stage.db.webhook.updateMany({ where: { id: gone }, data: { deletedAt: new Date() } })

    expect(await tellDeadLetters(parts)).toBe(0)

    expect(await stage.db.untoldDeadLetter.count()).toBe(0)
  })
})
