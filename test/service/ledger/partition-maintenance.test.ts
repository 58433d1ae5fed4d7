import { expect, test } from 'vitest'
import { deleteOutdatedEvents } from '../../../service/ledger/partition-maintenance.ts'
import { stageOn } from '../../dispatcher/stage.ts'
import { freshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

onEachEngine((kind) => {
  test('outdated events are deleted with their deliveries and attempts, unless one is still to be delivered or fanned out', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { workspaceId, ...rows } = await stageOn(db)
    const webhookId = await rows.webhook({ url: 'https://example.com/hook' })
    const deliver = async (eventId: string, status: string) => {
      const at = daysAgo(45)
      const counts = { attemptCount: 1, tries: 1, maxAttempts: 3 }
      await db.delivery.create({
        data: {
          workspaceId,
          id: eventId,
          eventId,
          eventType: 'projects.updated',
          webhookId,
          status,
          origin: 'live',
          ...counts,
          createdAt: at,
        },
      })
      await db.attempt.create({
        data: {
          workspaceId,
          deliveryId: eventId,
          number: 1,
          trigger: 'automatic',
          startedAt: at,
          durationMs: 1,
          url: '',
          payload: 'full',
          requestHeaders: {},
          truncated: false,
          outcome: 'failed',
        },
      })
    }
    const [delivered, dead, retrying, unsent, young] = [
      await rows.event({ createdAt: daysAgo(50) }),
      await rows.event({ createdAt: daysAgo(49) }),
      await rows.event({ createdAt: daysAgo(48) }),
      await rows.event({ createdAt: daysAgo(47) }),
      await rows.event({ createdAt: daysAgo(43) }),
    ]
    await deliver(delivered, 'delivered')
    await deliver(dead, 'dead_letter')
    await deliver(retrying, 'retrying')
    await db.outbox.deleteMany({ where: { eventId: { not: unsent } } })

    expect(await deleteOutdatedEvents(db, 1)).toBe(2)

    const kept = await db.event.findMany({ orderBy: { sequence: 'asc' }, select: { id: true } })
    expect(kept.map(({ id }) => id)).toEqual([retrying, unsent, young])
    expect(await db.delivery.findMany({ select: { id: true } })).toEqual([{ id: retrying }])
    expect(await db.attempt.count()).toBe(1)
    expect(await db.eventSequence.findFirst()).toMatchObject({ expired: 2n, last: 5n })
    expect(await deleteOutdatedEvents(db)).toBe(0)

    await db.delivery.updateMany({ data: { status: 'delivered' } })
    expect(await deleteOutdatedEvents(db)).toBe(1)
    expect(await db.eventSequence.findFirst()).toMatchObject({ expired: 3n })
  })

  test('several processes at once delete every outdated event, each workspace by itself', async () => {
    await using database = await freshDatabase(kind)
    const stages = [await stageOn(database.db), await stageOn(database.db)]
    for (const { event } of stages) for (let n = 0; n < 5; n++) await event({ createdAt: daysAgo(45) })
    await database.db.outbox.deleteMany()

    const deleted = await Promise.all([1, 2].map(() => deleteOutdatedEvents(database.db, 2)))

    expect(deleted.reduce((sum, count) => sum + count)).toBe(10)
    expect(await database.db.event.count()).toBe(0)
    expect((await database.db.eventSequence.findMany()).map(({ expired }) => expired)).toEqual([5n, 5n])
  })
})
