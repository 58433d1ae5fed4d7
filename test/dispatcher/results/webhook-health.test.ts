// How receivers answered is added up by hour and by day, from what dispatchers have counted, and is shown.
import { expect, test } from 'vitest'
import { latencyBucketsCount, placeOfLatency } from '#contract/internal/reports.ts'
import { addedTallies, tallyOf } from '../../../dispatcher/results/webhook-activity.ts'
import { addWebhookActivity } from '../../../dispatcher/results/activity-rows.ts'
import { deleteOutdatedCounts } from '../../../service/keys/usage/rows.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { noReceiver, sharedStages } from '../stage.ts'
import type { Answer } from '../../../dispatcher/attempt/send.ts'
import { healthChanges } from '../../../dispatcher/results/webhook-health.ts'

const { openStage, delivering } = sharedStages()
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

onPostgres(() => {
  test('what a dispatcher has sent is written when it closes, under the hour and the day', async () => {
    const { stage, webhook, happen, dispatcher } = await delivering({ answers: [503, 200] })
    await stage.becomes('delivered', await happen(), webhook)
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
    await using stage = await openStage()
    const webhookId = await stage.webhook({ url: noReceiver })
    const { workspaceId, db } = stage
    const one = { ...tallyOf(answered(200)), workspaceId, webhookId }
    const gone = { ...one, webhookId: workspaceId }

    await Promise.all([addWebhookActivity(db, [one, gone]), addWebhookActivity(db, [one])])
    await addWebhookActivity(db, [{ ...one, until: '2026-11-21T13:00:00.000Z' }])

    const counts = async () => {
      const rows = await db.webhookActivity.findMany({ orderBy: [{ unit: 'asc' }, { since: 'asc' }] })
      return rows.map(({ unit, since, statuses }) => [unit, since.toISOString(), Number(statuses[0])])
    }
    expect(await counts()).toEqual([
      ['day', '2026-11-21T00:00:00.000Z', 3],
      ['hour', '2026-11-21T12:00:00.000Z', 2],
      ['hour', '2026-11-21T13:00:00.000Z', 1],
    ])
    await deleteOutdatedCounts(db, 'webhook_activity', new Date('2026-11-24T12:30:00.000Z'))
    expect(await counts()).toEqual([['day', '2026-11-21T00:00:00.000Z', 3]])
  })
})

const judged = (webhookId: string, ...statuses: number[]) =>
  statuses.map((status, n) => ({
    delivery: { workspaceId: 'w', id: `d${n}`, webhookId },
    startedAt: new Date(startedAt.getTime() + n),
    outcome: { kind: status < 300 ? ('delivered' as const) : ('dead' as const) },
    answer: { kind: 'answered', status } as Answer,
    errorCode: status < 300 ? null : 'http_status',
    command: null,
  }))

const health = (...statuses: number[]) => healthChanges(judged('a', ...statuses))[0]

test('failures add up, and a success resets them', () => {
  const changes = healthChanges([...judged('a', 500, 503), ...judged('b', 500, 200), ...judged('c', 500, 200, 500)])

  expect(changes).toMatchObject([
    { workspace_id: 'w', webhook_id: 'a', failures: 2, recovered: false },
    { workspace_id: 'w', webhook_id: 'b', failures: 0, recovered: true },
    { workspace_id: 'w', webhook_id: 'c', failures: 1, recovered: true },
  ])
})

test.each([
  [[500, 503], { answered: false, unhealthy_ids: ['d0', 'd1'], unhealthy_more: 2, unhealthy_least: 2 }],
  [[500, 503, 200], { answered: true, unhealthy_more: 1, unhealthy_least: 1 }],
  [[200, 404, 500], { answered: true, unhealthy_ids: ['d2'], unhealthy_more: -1, unhealthy_least: 1 }],
  [[404, 200], { answered: true, unhealthy_ids: [], unhealthy_more: -2, unhealthy_least: 0 }],
])('an answer of an unwell receiver counts one, any other takes one off, down to nothing: %j', (statuses, wanted) => {
  expect(health(...statuses)).toMatchObject(wanted)
})

test('failing begins with the first failure after the last success', () => {
  expect(health(500, 500)?.failing_since).toEqual(startedAt)
  expect(health(500, 200)?.failing_since).toBeNull()
  expect(health(500, 200, 500, 500)?.failing_since).toEqual(new Date(startedAt.getTime() + 2))
})

test('how the last failure in a row ended is kept with it, and goes with a success', () => {
  expect(health(503, 404)).toMatchObject({ last_status_code: 404, last_error_code: 'http_status' })
  expect(health(404, 200)).toMatchObject({ last_status_code: null, last_error_code: null })
  const timeout = {
    ...judged('a', 500)[0]!,
    answer: { kind: 'failed', error: 'timeout' } as Answer,
    errorCode: 'timeout',
  }
  expect(healthChanges([timeout])).toMatchObject([{ last_status_code: null, last_error_code: 'timeout' }])
})

test('410 means gone, whatever comes after it; no other status does', () => {
  expect(health(500, 404, 503)?.gone).toBeNull()
  expect(health(500, 410, 500)?.gone).toBe('gone')
  expect(health(410, 200)).toMatchObject({ gone: 'gone', failures: 0 })
})

test('a receiver that asks for it is disabled, on success as well; the first reason holds', () => {
  const asking = (...statuses: number[]) =>
    healthChanges(judged('a', ...statuses).map((each) => ({ ...each, command: 'disable' as const })))[0]

  expect(asking(200)).toMatchObject({ gone: 'asked', failures: 0 })
  expect(asking(500, 410)).toMatchObject({ gone: 'asked', failures: 2 })
  expect(asking(410)).toMatchObject({ gone: 'gone' })
})
