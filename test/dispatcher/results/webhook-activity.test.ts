// How receivers answered is added up by hour and by day, from what dispatchers have counted, and is shown.
import { expect, test } from 'vitest'
import { latencyBucketsCount, placeOfLatency } from '#contract/internal/reports.ts'
import { addedTallies, tallyOf } from '../../../dispatcher/results/webhook-activity.ts'
import { addWebhookActivity } from '../../../dispatcher/results/activity-rows.ts'
import { deleteOutdatedCounts } from '../../../service/keys/usage/rows.ts'
import { startReceiver } from '../../support/receiver.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { sharedStages } from '../stage.ts'

const openStage = sharedStages()
const startedAt = new Date('2026-11-21T12:30:00.000Z')
const attempt = (answer: object, durationMs = 30) =>
  ({ delivery: { workspaceId: 'w', webhookId: 'h' }, startedAt, durationMs, answer }) as Parameters<typeof tallyOf>[0]
const answered = (status: number, durationMs?: number) => attempt({ kind: 'answered', status }, durationMs)

test.each([
  ['200', answered(200), [1, 0, 0, 0, 0, 0]],
  ['302', answered(302), [0, 1, 0, 0, 0, 0]],
  ['410', answered(410), [0, 0, 1, 0, 0, 0]],
  ['429', answered(429), [0, 0, 0, 1, 0, 0]],
  ['503', answered(503), [0, 0, 0, 0, 1, 0]],
  ['no answer', attempt({ kind: 'failed', error: 'timeout' }), [0, 0, 0, 0, 0, 1]],
])('an attempt that got %s is counted in its place', (_what, counted, statuses) => {
  expect(tallyOf(counted).statuses).toEqual(statuses)
})

test('how long it took is counted of answers alone', () => {
  const slow = tallyOf(answered(500, 2_000)).latency

  expect(slow.flatMap((count, n) => (count > 0 ? [n] : []))).toEqual([placeOfLatency(2_000)])
  expect(tallyOf(attempt({ kind: 'failed', error: 'timeout' }, 15_000)).latency).toEqual(slow.map(() => 0))
  expect(slow).toHaveLength(latencyBucketsCount)
})

test('tallies are added place by place, until the later of both', () => {
  const later = { ...tallyOf(answered(200)), until: '2026-11-21T12:31:00.000Z' }
  const both = addedTallies(later, tallyOf(answered(503)))

  expect(both).toMatchObject({ until: later.until, statuses: [1, 0, 0, 0, 1, 0] })
})

onEachEngine((kind) => {
  test('what a dispatcher has sent is written when it closes, under the hour and the day', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver([503, 200])
    const webhook = await stage.webhook({ url: receiver.url })
    const { happen, dispatcher } = await stage.start()
    const event = await happen()
    await stage.becomes('delivered', event, webhook)
    expect(await stage.db.webhookActivity.count()).toBe(0)

    await dispatcher.close()

    const rows = await stage.db.webhookActivity.findMany({ orderBy: { unit: 'asc' } })
    expect(rows.map((row) => [row.workspaceId, row.webhookId, row.unit, row.statuses.map(Number)])).toEqual([
      [stage.workspaceId, webhook, 'day', [1, 0, 0, 0, 1, 0]],
      [stage.workspaceId, webhook, 'hour', [1, 0, 0, 0, 1, 0]],
    ])
    expect(rows[0]?.latency.reduce((sum, count) => sum + Number(count), 0)).toBe(2)
  })

  test('several dispatchers add up, webhooks that are gone are skipped, and hours are kept for two days', async () => {
    await using stage = await openStage(kind)
    const webhookId = await stage.webhook({ url: 'http://127.0.0.1:1024/' })
    const { workspaceId, db } = stage
    const one = { ...tallyOf(answered(200)), workspaceId, webhookId }
    const gone = { ...one, webhookId: workspaceId }

    await Promise.all([addWebhookActivity(db, [one, gone]), addWebhookActivity(db, [one])])
    await addWebhookActivity(db, [{ ...one, until: '2026-11-21T13:00:00.000Z' }])

    const counts = async () =>
      (await db.webhookActivity.findMany({ orderBy: [{ unit: 'asc' }, { since: 'asc' }] })).map((row) => [
        row.unit,
        row.since.toISOString(),
        Number(row.statuses[0]),
      ])
    expect(await counts()).toEqual([
      ['day', '2026-11-21T00:00:00.000Z', 3],
      ['hour', '2026-11-21T12:00:00.000Z', 2],
      ['hour', '2026-11-21T13:00:00.000Z', 1],
    ])
    await deleteOutdatedCounts(db, 'webhook_activity', new Date('2026-11-24T12:30:00.000Z'))
    expect(await counts()).toEqual([['day', '2026-11-21T00:00:00.000Z', 3]])
  })
})
