// Reports of gateways are added up under the workspace in which the key was made, each once, and kept for a time.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { latencyBucketsCount, type KeyActivity, type KeyUsage } from '#contract/internal/reports.ts'
import { keptRequestsMax, type AnsweredRequest } from '#contract/usage.ts'
import type { Database } from '#prisma/client.ts'
import { countOnce, deleteOutdatedReports } from '../../../../service/gateway-endpoints.ts'
import { addActivity, deleteOutdatedActivity, addUsage } from '../../../../service/keys/usage/rows.ts'
import { onEachEngine } from '../../../support/database-engines.ts'
import { freshDatabase } from '../../../support/database.ts'
import { services } from '../../../support/services.ts'
import { makeKey, makeWorkspace } from '../../audit/audit-log-fixture.ts'

const noon = '2026-11-21T12:00:00.000Z'
const latency = (bucket: number, count: number): number[] =>
  Array.from({ length: latencyBucketsCount }, (_, n) => (n === bucket ? count : 0))

const activityOf = (keyId: string, more: Partial<KeyActivity> = {}): KeyActivity => ({
  keyId,
  until: noon,
  statuses: [2, 0, 1, 0, 0],
  latency: latency(3, 3),
  operations: [{ operation: 'tasks.list', surface: 'http', requests: 3, failed: 1 }],
  requests: [],
  ...more,
})

const requestAt = (at: string, requestId: string): AnsweredRequest => ({
  at,
  requestId,
  method: 'GET',
  path: '/api/v1/tasks',
  operation: 'tasks.list',
  surface: 'http',
  status: 200,
  ms: 1.5,
  ip: '192.0.2.1',
  workspaceId: null,
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
        until: '2026-11-21T13:30:00.000Z',
        statuses: [0, 0, 0, 4, 1],
        latency: latency(4, 5),
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

test.skipIf(services().postgres === null)(
  'reports of the activity of the same keys in opposite orders never deadlock',
  async () => {
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
  },
)

const useOf = (keyId: string, lastUsedIp = '192.0.2.1', lastUsedAt = noon): KeyUsage => ({
  keyId,
  requests: 1,
  lastUsedAt,
  lastUsedIp,
  lastUsedUserAgent: null,
})

async function makeKeys(db: Database, count: number): Promise<string[]> {
  const workspaceId = await makeWorkspace(db)
  return Promise.all(Array.from({ length: count }, () => makeKey({ db, workspaceId })))
}

async function requestsOf(db: Database): Promise<number[]> {
  const rows = await db.apiKeyUsage.findMany()
  return rows.map(({ requests }) => requests)
}

onEachEngine((kind) => {
  test('a report that is sent twice counts once, also while the first is still being counted', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const [key = ''] = await makeKeys(db, 1)
    const report = uuid()
    const count = (id: string) => countOnce(db, id, (tx) => addUsage(tx, [useOf(key)]))

    await Promise.all([count(report), count(report), count(report)])
    await count(uuid())

    expect(await requestsOf(db)).toEqual([2])
  })

  test('a report that failed was not counted and may be sent again', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const [key = ''] = await makeKeys(db, 1)
    const report = uuid()
    const broken = countOnce(db, report, async (tx) => {
      await addUsage(tx, [useOf(key)])
      throw new Error('broken')
    })

    await expect(broken).rejects.toThrow('broken')
    await countOnce(db, report, (tx) => addUsage(tx, [useOf(key)]))

    expect(await requestsOf(db)).toEqual([1])
  })

  test('lastUsed is the latest use, in whatever order reports come; keys that do not exist any more are skipped', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const [key = ''] = await makeKeys(db, 1)

    await addUsage(db, [useOf(uuid()), useOf(key, '192.0.2.2', secondsAfterNoon(2))])
    await addUsage(db, [useOf(key, '192.0.2.1', secondsAfterNoon(1))])

    expect(await db.apiKey.findMany()).toMatchObject([{ lastUsedIp: '192.0.2.2' }])
    expect(await requestsOf(db)).toEqual([2])
  })

  test('the ids of reports are kept for a day', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const young = uuid()
    await db.gatewayReport.createMany({
      data: [
        { id: uuid(), receivedAt: hoursAgo(25) },
        { id: young, receivedAt: hoursAgo(23) },
      ],
    })

    await deleteOutdatedReports(db)

    expect(await db.gatewayReport.findMany({ select: { id: true } })).toEqual([{ id: young }])
  })
})

test.skipIf(services().postgres === null)(
  'reports of the use of the same keys in opposite orders never deadlock',
  async () => {
    await using database = await freshDatabase('postgres')
    const { db } = database
    const keys = await makeKeys(db, 300)
    const report = (round: number) =>
      (round % 2 === 0 ? keys : keys.toReversed()).map((key) => useOf(key, '192.0.2.1', secondsAfterNoon(round)))

    await Promise.all(Array.from({ length: 20 }, (_, round) => addUsage(db, report(round))))

    expect(new Set(await requestsOf(db))).toEqual(new Set([20]))
  },
)
