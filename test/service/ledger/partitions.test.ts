// How long the ledger is kept: partitions are added before their time and dropped after it, and outdated events are
// deleted; nothing that is still to be done goes with them.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { deliveryId } from '#contract/internal/webhook-request.ts'
import type { Database } from '#prisma/client.ts'
import { positionAfter, readFeed } from '../../../service/ledger/feed.ts'
import { deleteOutdatedEvents } from '../../../service/ledger/partition-maintenance.ts'
import { missingPartitions, readPartitions } from '../../../service/ledger/partitions.ts'
import { keepPartitions, type Rows, stageOn } from '../../dispatcher/stage.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { freshDatabase } from '../../support/database.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const now = day('2026-12-01') + dayMs / 2

test.each<[string, string | null, string | null, string[]]>([
  ['enough are there', '2026-12-21', null, []],
  ['the last one has begun', '2026-12-10', null, ['20261210']],
  ['nobody was there for weeks', '2026-10-01', null, ['20261201']],
  ['an event found none today', '2026-10-01', '2026-12-01', ['20261202']],
  ['there is none at all', null, null, ['20261201']],
])('partitions for at least two weeks: %s', (_title, until, strayed, missing) => {
  const known = until === null ? [] : [{ name: 'one', until: day(until) }]

  const planned = missingPartitions(known, strayed === null ? null : day(strayed), now)

  expect(planned.map(({ name }) => name).slice(0, 1)).toEqual(missing)
  expect([...known, ...planned].at(-1)?.until).toBeGreaterThanOrEqual(now + 14 * dayMs)
  for (const [at, { from }] of planned.entries()) if (at > 0) expect(from).toBe(planned[at - 1]?.until)
})

onEachEngine((kind) => {
  test('as time goes by, partitions are added ahead and dropped behind, and the feed ends where they do', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const rows = await stageOn(db)
    const start = Date.now()
    const [settled, replayed, unsent] = [await delivered(rows), await delivered(rows), await delivered(rows)]
    const at = (days: number) => start + days * dayMs
    await keepPartitions(db, at(20))
    const later = await delivered(rows, { createdAt: new Date(at(35)) })
    await db.outbox.deleteMany({ where: { eventId: { not: unsent } } })
    const replayIs = (status: string, nextAttemptAt: Date | null) =>
      db.delivery.updateMany({ where: { eventId: replayed }, data: { status, nextAttemptAt } })

    await replayIs('pending', new Date())
    await keepPartitions(db, at(60))
    expect(await eventIds(db)).toEqual([settled, replayed, unsent, later])
    await expect(readFeed(db, rows.workspaceId, { after: 1, types: [], limit: 10 })).rejects.toThrow('no longer kept')
    expect(await positionAfter(db, rows.workspaceId, new Date(0))).toBe(3)

    await replayIs('delivered', null)
    await keepPartitions(db, at(60))
    expect(await eventIds(db)).toEqual([settled, replayed, unsent, later])

    await db.outbox.deleteMany()
    await keepPartitions(db, at(60))
    expect(await eventIds(db)).toEqual([later])
    expect(await db.delivery.findMany({ select: { eventId: true } })).toEqual([{ eventId: later }])
    expect(await db.attempt.count()).toBe(1)
    const { names, end } = await partitionsOf(db)
    expect(names).not.toContain('first')
    expect(end).toBeGreaterThanOrEqual(at(74))
  })

  test('events of a workspace with a legal hold stay, and are read, until it is released; those of others leave', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const [held, other] = [await stageOn(db), await stageOn(db)]
    const { workspaceId } = held
    const [kept] = [await delivered(held), await delivered(other)]
    const old = await delivered(held, { createdAt: daysAgo(50) })
    await delivered(other, { createdAt: daysAgo(50) })
    await db.outbox.deleteMany()
    await db.legalHold.create({ data: { workspaceId, reason: 'Case 4711', createdAt: new Date(), createdBy: {} } })
    const later = Date.now() + 60 * dayMs
    const feed = () => readFeed(db, workspaceId, { after: 0, types: ['projects.created'], limit: 10 })

    expect(await deleteOutdatedEvents(db)).toBe(1)
    await keepPartitions(db, later)

    const left = await db.event.findMany({ where: { workspaceId }, select: { id: true } })
    expect(left.map(({ id }) => id).toSorted()).toEqual([old, kept].toSorted())
    expect(await db.delivery.count({ where: { workspaceId } })).toBe(2)
    await expect(feed()).resolves.toBeDefined()
    await db.legalHold.deleteMany()
    expect(await deleteOutdatedEvents(db)).toBe(1)
    await keepPartitions(db, later)
    expect(await eventIds(db)).toEqual([])
    await expect(feed()).rejects.toThrow('no longer kept')
  })

  test('what is written at a time without a partition is read, replayed and fanned out like the rest', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const rows = await stageOn(db)
    const strayed = Date.now() + 40 * dayMs
    const [first, second] = [await delivered(rows), await delivered(rows, { createdAt: new Date(strayed) })]

    await keepPartitions(db, strayed)

    expect(await eventIds(db)).toEqual([first, second])
    const { workspaceId } = rows
    const [where] = await db.$queryRaw<{ name: string }[]>`
      SELECT d.tableoid::regclass::text AS name FROM delivery d
      WHERE workspace_id = ${workspaceId}::uuid AND event_id = ${second}::uuid`
    expect(where).toEqual({ name: 'delivery_default' })
    const { id = '' } = (await db.delivery.findFirst({ where: { eventId: second } })) ?? {}
    expect(await db.delivery.findUnique({ where: { workspaceId_id: { workspaceId, id } } })).not.toBeNull()
    expect((await partitionsOf(db)).end).toBeGreaterThanOrEqual(strayed + 14 * dayMs)
  })

  test('outdated events are deleted with their deliveries and attempts, unless one is still to be delivered or fanned out', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const rows = await stageOn(db)
    await delivered(rows, { createdAt: daysAgo(50) })
    await delivered(rows, { createdAt: daysAgo(49), status: 'dead_letter' })
    const retrying = await delivered(rows, { createdAt: daysAgo(48), status: 'retrying' })
    const unsent = await rows.event({ createdAt: daysAgo(47) })
    const young = await rows.event({ createdAt: daysAgo(43) })
    await db.outbox.deleteMany({ where: { eventId: { not: unsent } } })

    expect(await deleteOutdatedEvents(db, 1)).toBe(2)

    expect(await eventIds(db)).toEqual([retrying, unsent, young])
    expect(await db.delivery.findMany({ select: { eventId: true } })).toEqual([{ eventId: retrying }])
    expect(await db.attempt.count()).toBe(1)
    expect(await db.eventSequence.findFirst()).toMatchObject({ expired: 2n, last: 5n })
    expect(await deleteOutdatedEvents(db)).toBe(0)

    await db.delivery.updateMany({ data: { status: 'delivered' } })
    expect(await deleteOutdatedEvents(db)).toBe(1)
    expect(await db.eventSequence.findFirst()).toMatchObject({ expired: 3n })
  })

  test('several processes at once delete every outdated event, each workspace by itself', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const stages = [await stageOn(db), await stageOn(db)]
    for (const { event } of stages) for (let n = 0; n < 5; n++) await event({ createdAt: daysAgo(45) })
    await db.outbox.deleteMany()

    const deleted = await Promise.all([1, 2].map(() => deleteOutdatedEvents(db, 2)))

    expect(deleted.reduce((sum, count) => sum + count)).toBe(10)
    expect(await db.event.count()).toBe(0)
    expect((await db.eventSequence.findMany()).map(({ expired }) => expired)).toEqual([5n, 5n])
  })
})

onPostgres(() => {
  test('a partition stays for deliveries that wait for a paused webhook, or in a line; several services drop it once', async () => {
    await using database = await freshDatabase('postgres')
    const { db } = database
    const rows = await stageOn(db)
    const id = await delivered(rows)
    await db.outbox.deleteMany()
    const afterAll = Date.now() + 60 * dayMs
    const waits = { status: 'pending', nextAttemptAt: null }

    for (const [status, more] of [
      ['paused', {}],
      ['active', { orderKey: rows.workspaceId, place: 1 }],
    ] as const) {
      await db.webhook.updateMany({ data: { status, statusChangedAt: new Date() } })
      await db.delivery.updateMany({ data: { ...waits, ...more } })
      await keepPartitions(db, afterAll)
      expect(await eventIds(db)).toEqual([id])
    }

    await db.delivery.updateMany({ data: { status: 'cancelled' } })
    await Promise.all([1, 2, 3].map(() => keepPartitions(db, afterAll)))
    expect(await eventIds(db)).toEqual([])
    const { names, end } = await partitionsOf(db)
    expect(names).not.toContain('first')
    expect(end).toBeGreaterThanOrEqual(afterAll + 14 * dayMs)
  })

  test('an event has one delivery to a webhook, and one place in the feed', async () => {
    await using database = await freshDatabase('postgres')
    const { db } = database
    const rows = await stageOn(db)
    const eventId = await delivered(rows)
    const delivery = await db.delivery.findFirstOrThrow({ where: { eventId } })
    const event = await db.event.findFirstOrThrow({ where: { id: eventId } })

    await expect(db.delivery.create({ data: { ...delivery, id: uuid() } })).rejects.toThrow()
    await expect(db.event.create({ data: { ...event, id: uuid() } })).rejects.toThrow()
    await db.event.deleteMany({ where: { workspaceId: rows.workspaceId, id: eventId } })
    expect(await db.attempt.count()).toBe(0)
  })
})

/** An event with a delivery and an attempt; its outbox row is still there. */
async function delivered(rows: Rows, { createdAt = new Date(), status = 'delivered' } = {}): Promise<string> {
  const { db, workspaceId } = rows
  const webhook = await db.webhook.findFirst({ where: { workspaceId } })
  const webhookId = webhook?.id ?? (await rows.webhook({ url: 'https://example.com/hook' }))
  const eventId = await rows.event({ createdAt })
  const id = deliveryId(eventId, webhookId)
  const delivery = { workspaceId, id, eventId, eventType: 'x', webhookId, status, origin: 'live', createdAt }
  await db.delivery.create({ data: { ...delivery, attemptCount: 1, tries: 1, maxAttempts: 3 } })
  const request = { url: '', payload: 'full', requestHeaders: {}, truncated: false, outcome: 'success' }
  const times = { number: 1, trigger: 'automatic', startedAt: createdAt, durationMs: 1 }
  await db.attempt.create({ data: { workspaceId, deliveryId: id, ...times, ...request } })
  return eventId
}

async function partitionsOf(db: Database) {
  const partitions = await readPartitions(db)
  return { names: partitions.map(({ name }) => name), end: partitions.at(-1)?.until }
}

const eventIds = async (db: Database): Promise<string[]> =>
  (await db.event.findMany({ orderBy: { sequence: 'asc' }, select: { id: true } })).map(({ id }) => id)
