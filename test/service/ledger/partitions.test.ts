// The partitions of the ledger: added before their time, dropped after it, and nothing that is still to be done goes
// with them.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { deliveryId } from '#contract/internal/deliveries.ts'
import type { Database } from '#prisma/client.ts'
import { positionAfter, readFeed } from '../../../service/ledger/feed.ts'
import { maintainPartitions } from '../../../service/ledger/partition-maintenance.ts'
import { missingPartitions, readPartitions, type Partition } from '../../../service/ledger/partitions.ts'
import { stageOn, type Rows } from '../../dispatcher/stage.ts'
import { freshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'

const dayMs = 86_400_000
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const present = (name: string, until: string): Partition => ({ name, until: day(until) })

test.each([
  { title: 'enough are there', until: '2026-12-21', strayed: null, now: '2026-12-01', missing: [] },
  { title: 'the last one has begun', until: '2026-12-10', strayed: null, now: '2026-12-01', missing: ['20261210'] },
  { title: 'nobody was there for weeks', until: '2026-10-01', strayed: null, now: '2026-12-01', missing: ['20261201'] },
  {
    title: 'an event found none today',
    until: '2026-10-01',
    strayed: '2026-12-01',
    now: '2026-12-01',
    missing: ['20261202'],
  },
  { title: 'there is none at all', until: null, strayed: null, now: '2026-12-01', missing: ['20261201'] },
])('partitions for at least two weeks: $title', ({ until, strayed, now, missing }) => {
  const known = until === null ? [] : [present('one', until)]
  const noon = day(now) + dayMs / 2

  const planned = missingPartitions(known, strayed === null ? null : day(strayed), noon)

  expect(planned.map(({ name }) => name).slice(0, 1)).toEqual(missing)
  const ends = [...known, ...planned].map(({ until }) => until)
  expect(ends.at(-1)).toBeGreaterThanOrEqual(noon + 14 * dayMs)
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
    await keep(db, at(20))
    const later = await delivered(rows, new Date(at(35)))
    await db.outbox.deleteMany({ where: { eventId: { not: unsent } } })
    await db.delivery.updateMany({
      where: { eventId: replayed },
      data: { status: 'pending', nextAttemptAt: new Date() },
    })

    await keep(db, at(60))
    expect(await eventIds(db)).toEqual([settled, replayed, unsent, later])
    await expect(readFeed(db, rows.workspaceId, { after: 1, types: [], limit: 10 })).rejects.toThrow('no longer kept')
    expect(await positionAfter(db, rows.workspaceId, new Date(0))).toBe(3)

    await db.delivery.updateMany({ where: { eventId: replayed }, data: { status: 'delivered', nextAttemptAt: null } })
    await keep(db, at(60))
    expect(await eventIds(db)).toEqual([settled, replayed, unsent, later])

    await db.outbox.deleteMany()
    await keep(db, at(60))
    expect(await eventIds(db)).toEqual([later])
    expect(await db.delivery.findMany({ select: { eventId: true } })).toEqual([{ eventId: later }])
    expect(await db.attempt.count()).toBe(1)
    const partitions = await readPartitions(db)
    expect(partitions.map(({ name }) => name)).not.toContain('first')
    expect(partitions.at(-1)?.until).toBeGreaterThanOrEqual(at(74))
  })

  test('what is written at a time without a partition is read, replayed and fanned out like the rest', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const rows = await stageOn(db)
    const strayed = Date.now() + 40 * dayMs
    const [first, second] = [await delivered(rows), await delivered(rows, new Date(strayed))]

    await keep(db, strayed)

    expect(await eventIds(db)).toEqual([first, second])
    const [where] = await db.$queryRaw<{ name: string }[]>`
      SELECT d.tableoid::regclass::text AS name FROM delivery d
      WHERE workspace_id = ${rows.workspaceId}::uuid AND event_id = ${second}::uuid`
    expect(where).toEqual({ name: 'delivery_default' })
    const { id = '' } = (await db.delivery.findFirst({ where: { eventId: second } })) ?? {}
    expect(
      await db.delivery.findUnique({ where: { workspaceId_id: { workspaceId: rows.workspaceId, id } } }),
    ).not.toBeNull()
    expect((await readPartitions(db)).at(-1)?.until).toBeGreaterThanOrEqual(strayed + 14 * dayMs)
  })
})

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test('a partition stays for deliveries that wait for a paused webhook, or in a line', async () => {
    await using database = await freshDatabase('postgres')
    const { db } = database
    const rows = await stageOn(db)
    const id = await delivered(rows)
    await db.outbox.deleteMany()
    const afterAll = Date.now() + 60 * dayMs
    const waits = { status: 'pending', nextAttemptAt: null }

    await db.webhook.updateMany({ data: { status: 'paused', statusChangedAt: new Date() } })
    await db.delivery.updateMany({ data: waits })
    await keep(db, afterAll)
    expect(await eventIds(db)).toEqual([id])

    await db.webhook.updateMany({ data: { status: 'active' } })
    await db.delivery.updateMany({ data: { ...waits, orderKey: rows.workspaceId, place: 1 } })
    await keep(db, afterAll)
    expect(await eventIds(db)).toEqual([id])

    await db.delivery.updateMany({ data: { status: 'cancelled' } })
    await keep(db, afterAll)
    expect(await eventIds(db)).toEqual([])
  })

  test('an event has one delivery to a webhook, and one place in the feed', async () => {
    await using database = await freshDatabase('postgres')
    const rows = await stageOn(database.db)
    const eventId = await delivered(rows)
    const delivery = await database.db.delivery.findFirstOrThrow({ where: { eventId } })
    const event = await database.db.event.findFirstOrThrow({ where: { id: eventId } })

    await expect(database.db.delivery.create({ data: { ...delivery, id: uuid() } })).rejects.toThrow()
    await expect(database.db.event.create({ data: { ...event, id: uuid() } })).rejects.toThrow()
    await database.db.event.deleteMany({ where: { workspaceId: rows.workspaceId, id: eventId } })
    expect(await database.db.attempt.count()).toBe(0)
  })

  test('services that keep the ledger at once do each step once', async () => {
    await using database = await freshDatabase('postgres')
    const { db } = database
    const rows = await stageOn(db)
    await delivered(rows)
    await db.outbox.deleteMany()
    const now = Date.now() + 80 * dayMs

    await Promise.all([1, 2, 3].map(() => keep(db, now)))

    const partitions = await readPartitions(db)
    expect(partitions.map(({ name }) => name)).not.toContain('first')
    expect(partitions.at(-1)?.until).toBeGreaterThanOrEqual(now + 14 * dayMs)
    expect(await db.event.count()).toBe(0)
  })
})

/** An event with a delivery and an attempt; its outbox row is still there. */
async function delivered(rows: Rows, createdAt = new Date()): Promise<string> {
  const { db, workspaceId } = rows
  const webhook = await db.webhook.findFirst({ where: { workspaceId } })
  const webhookId = webhook?.id ?? (await rows.webhook({ url: 'https://example.com/hook' }))
  const eventId = await rows.event({ createdAt })
  const id = deliveryId(eventId, webhookId)
  const [counts, at] = [{ attemptCount: 1, tries: 1, maxAttempts: 3 }, { createdAt }]
  await db.delivery.create({
    data: {
      workspaceId,
      id,
      eventId,
      eventType: 'x',
      webhookId,
      status: 'delivered',
      origin: 'live',
      ...counts,
      ...at,
    },
  })
  await db.attempt.create({
    data: {
      workspaceId,
      deliveryId: id,
      number: 1,
      trigger: 'automatic',
      startedAt: createdAt,
      durationMs: 1,
      url: '',
      payload: 'full',
      requestHeaders: {},
      truncated: false,
      outcome: 'success',
    },
  })
  return eventId
}

/** Whoever reads at that moment may be in its way: then it is tried again. */
const keep = (db: Database, now: number): Promise<boolean> =>
  eventually(
    () =>
      maintainPartitions(db, now).then(
        () => true,
        () => false,
      ),
    'the locks of the ledger',
  )

const eventIds = async (db: Database): Promise<string[]> =>
  (await db.event.findMany({ orderBy: { sequence: 'asc' }, select: { id: true } })).map(({ id }) => id)
