// Reports of activity are added up by hour and by day, under the workspace in which the key was made, and kept for a time.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { keptRequestsMax, type AnsweredRequest } from '#contract/usage.ts'
import { latencyBucketsCount, type KeyActivity } from '#contract/internal/reports.ts'
import type { Database } from '#prisma/client.ts'
import { addActivity, deleteOutdatedActivity } from '../../../service/api-keys/activity.ts'
import { addUsage } from '../../../service/api-keys/usage.ts'
import { freshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { services } from '../../support/services.ts'
import { makeKey, makeWorkspace } from '../audit/audit-log-fixture.ts'

const noon = '2026-11-21T12:00:00.000Z'
const latency = (bucket: number, count: number): number[] =>
  Array.from({ length: latencyBucketsCount }, (_, n) => (n === bucket ? count : 0))

const activityOf = (keyId: string, more: Partial<KeyActivity> = {}): KeyActivity => ({
  ...{ keyId, until: noon, statuses: [2, 0, 1, 0, 0], latency: latency(3, 3) },
  operations: [{ operation: 'tasks.list', surface: 'http', requests: 3, failed: 1 }],
  requests: [],
  ...more,
})

const requestAt = (at: string, requestId: string): AnsweredRequest => ({
  ...{ at, requestId, method: 'GET', path: '/api/v1/tasks', operation: 'tasks.list', surface: 'http' },
  ...{ status: 200, ms: 1.5, ip: '192.0.2.1', workspaceId: null },
})

async function makeOne(db: Database) {
  const workspaceId = await makeWorkspace(db)
  return { workspaceId, key: await makeKey({ db, workspaceId }) }
}

const secondsAfterNoon = (second: number): string => new Date(Date.parse(noon) + second * 1_000).toISOString()

onEachEngine((kind) => {
  test('reports add up in their hour and their day, status by status and operation by operation', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { workspaceId, key } = await makeOne(db)
    const listing = { operation: 'tasks.list', surface: 'mcp', requests: 1, failed: 0 } as const

    await addActivity(db, [activityOf(key), activityOf(uuid())])
    await addActivity(db, [
      activityOf(key, {
        ...{ until: '2026-11-21T13:30:00.000Z', statuses: [0, 0, 0, 4, 1], latency: latency(4, 5) },
        operations: [{ operation: 'tasks.list', surface: 'http', requests: 4, failed: 4 }, listing],
      }),
    ])

    const rows = await db.apiKeyActivity.findMany({ orderBy: [{ unit: 'asc' }, { since: 'asc' }] })
    expect(rows.map((row) => [row.workspaceId, row.unit, row.since.toISOString(), row.statuses.map(Number)])).toEqual([
      [workspaceId, 'day', '2026-11-21T00:00:00.000Z', [2, 0, 1, 4, 1]],
      [workspaceId, 'hour', '2026-11-21T12:00:00.000Z', [2, 0, 1, 0, 0]],
      [workspaceId, 'hour', '2026-11-21T13:00:00.000Z', [0, 0, 0, 4, 1]],
    ])
    expect(rows[0]?.latency.map(Number)).toEqual(latency(3, 3).map((count, n) => (n === 4 ? 5 : count)))
    expect(rows[0]?.operations).toEqual({ 'http tasks.list': [7, 5], 'mcp tasks.list': [1, 0] })
  })

  test('of the requests that several gateways report, the newest are kept', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { key } = await makeOne(db)
    const reported = (from: number, by: number) =>
      Array.from({ length: keptRequestsMax }, (_, n) => from + n * by).map((second) =>
        requestAt(secondsAfterNoon(second), `r${second}`),
      )

    await addActivity(db, [activityOf(key, { requests: reported(1, 2) })])
    await addActivity(db, [activityOf(key, { requests: reported(0, 2).toReversed() })])

    const { requests } = await db.apiKeyRequests.findFirstOrThrow()
    const ids = (requests as AnsweredRequest[]).map(({ requestId }) => requestId)
    expect(ids).toEqual(Array.from({ length: keptRequestsMax }, (_, n) => `r${2 * keptRequestsMax - 1 - n}`))
  })

  test('hours are kept for two days, days for a month, and last requests for a month after the last', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { key } = await makeOne(db)
    const { key: unused } = await makeOne(db)
    const requests = [requestAt(noon, 'r')]
    const daysAfter = (days: number): Date => new Date(Date.parse(noon) + days * 86_400_000)
    await addActivity(db, [activityOf(unused, { requests })])
    await addActivity(db, [activityOf(key, { requests, until: daysAfter(29).toISOString() })])
    const used = { requests: 1, lastUsedIp: '192.0.2.1', lastUsedUserAgent: null }
    await addUsage(db, [{ ...used, keyId: unused, lastUsedAt: noon }])
    await addUsage(db, [{ ...used, keyId: key, lastUsedAt: daysAfter(29).toISOString() }])

    await deleteOutdatedActivity(db, daysAfter(31))
    const after31 = await db.apiKeyActivity.findMany({ orderBy: [{ since: 'asc' }, { unit: 'asc' }] })
    const kept = await db.apiKeyRequests.findMany()
    await deleteOutdatedActivity(db, daysAfter(36))
    const after36 = await db.apiKeyActivity.findMany()

    expect(after31.map(({ unit, apiKeyId }) => [unit, apiKeyId])).toEqual([
      ['day', unused],
      ['day', key],
      ['hour', key],
    ])
    expect(kept.map(({ apiKeyId }) => apiKeyId)).toEqual([key])
    expect(after36.map(({ unit, apiKeyId }) => [unit, apiKeyId])).toEqual([['day', key]])
    expect((await db.apiKeyUsage.findMany()).map(({ apiKeyId }) => apiKeyId)).toEqual([key])
  })
})

test.skipIf(services().postgres === null)('reports of the same keys in opposite orders never deadlock', async () => {
  await using database = await freshDatabase('postgres')
  const { db } = database
  const workspaceId = await makeWorkspace(db)
  const keys = await Promise.all(Array.from({ length: 50 }, () => makeKey({ db, workspaceId })))
  const report = (round: number) =>
    (round % 2 === 0 ? keys : keys.toReversed()).map((key) =>
      activityOf(key, { requests: [requestAt(secondsAfterNoon(round), `r${round}`)] }),
    )

  await Promise.all(Array.from({ length: 12 }, (_, round) => addActivity(db, report(round))))

  const rows = await db.apiKeyActivity.findMany({ where: { workspaceId, unit: 'day' } })
  expect(new Set(rows.map(({ statuses }) => Number(statuses[0])))).toEqual(new Set([24]))
})
