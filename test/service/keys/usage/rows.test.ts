// Reports of gateways are added up under the workspace in which the key was made, each once, and kept for a time.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { latencyBucketsCount, type KeyActivity, type KeyUsage } from '#contract/internal/reports.ts'
import { keptRequestsMax, type AnsweredRequest } from '#contract/usage.ts'
import { countOnce, deleteOutdatedReports } from '../../../../service/gateway-endpoints.ts'
import { addActivity, deleteOutdatedActivity, addUsage } from '../../../../service/keys/usage/rows.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../../../support/database-engines.ts'
import { makeKey, makeWorkspace } from '../../audit/audit-log-fixture.ts'

const noon = '2026-11-21T12:00:00.000Z'
const afterNoon = (ms: number): Date => new Date(Date.parse(noon) + ms)
const secondsAfterNoon = (second: number): string => afterNoon(second * 1_000).toISOString()
const daysAfterNoon = (days: number): Date => afterNoon(days * 86_400_000)
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)

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

const call = { method: 'GET', path: '/api/v1/tasks', operation: 'tasks.list', surface: 'http' } as const
const answer = { status: 200, ms: 1.5, ip: '192.0.2.1', workspaceId: null }
const requestAt = (at: string, requestId: string): AnsweredRequest => ({ at, requestId, ...call, ...answer })

const once = { requests: 1, lastUsedIp: '192.0.2.1', lastUsedAt: noon, lastUsedUserAgent: null }
const useOf = (keyId: string, more: Partial<KeyUsage> = {}): KeyUsage => ({ ...once, keyId, ...more })

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  async function given() {
    const { db } = database
    const workspaceId = await makeWorkspace(db)
    const key = await makeKey({ db, workspaceId })
    const requests = async () => {
      const rows = await db.apiKeyUsage.findMany({ where: { workspaceId } })
      return rows.map((row) => row.requests)
    }
    return { db, workspaceId, key, requests }
  }

  test('reports add up in their hour and their day, status by status and operation by operation', async () => {
    const { db, workspaceId, key } = await given()
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

    const rows = await db.apiKeyActivity.findMany({
      where: { workspaceId },
      orderBy: [{ unit: 'asc' }, { since: 'asc' }],
    })
    expect(rows.map((row) => [row.unit, row.since.toISOString(), row.statuses.map(Number)])).toEqual([
      ['day', '2026-11-21T00:00:00.000Z', [2, 0, 1, 4, 1]],
      ['hour', '2026-11-21T12:00:00.000Z', [2, 0, 1, 0, 0]],
      ['hour', '2026-11-21T13:00:00.000Z', [0, 0, 0, 4, 1]],
    ])
    expect(rows[0]?.latency.map(Number)).toEqual(latency(3, 3).map((count, n) => (n === 4 ? 5 : count)))
    expect(rows[0]?.operations).toEqual({ 'http tasks.list': [7, 5], 'mcp tasks.list': [1, 0] })
  })

  test('of the requests that several gateways report, the newest are kept', async () => {
    const { db, workspaceId, key } = await given()
    const reported = (from: number) =>
      Array.from({ length: keptRequestsMax }, (_, n) => from + n * 2).map((second) =>
        requestAt(secondsAfterNoon(second), `r${second}`),
      )

    await addActivity(db, [activityOf(key, { requests: reported(1) })])
    await addActivity(db, [activityOf(key, { requests: reported(0).toReversed() })])

    const { requests } = await db.apiKeyRequests.findFirstOrThrow({ where: { workspaceId } })
    const ids = (requests as AnsweredRequest[]).map(({ requestId }) => requestId)
    expect(ids).toEqual(Array.from({ length: keptRequestsMax }, (_, n) => `r${2 * keptRequestsMax - 1 - n}`))
  })

  test('hours are kept for two days, days for a month, and last requests for a month after the last', async () => {
    const { db, workspaceId, key } = await given()
    const unused = await makeKey({ db, workspaceId })
    const requests = [requestAt(noon, 'r')]
    await addActivity(db, [activityOf(unused, { requests })])
    await addActivity(db, [activityOf(key, { requests, until: daysAfterNoon(29).toISOString() })])
    await addUsage(db, [useOf(unused)])
    await addUsage(db, [useOf(key, { lastUsedAt: daysAfterNoon(29).toISOString() })])
    const ofWorkspace = { where: { workspaceId } }
    const activity = async () => {
      const rows = await db.apiKeyActivity.findMany({ ...ofWorkspace, orderBy: [{ since: 'asc' }, { unit: 'asc' }] })
      return rows.map(({ unit, apiKeyId }) => [unit, apiKeyId])
    }

    await deleteOutdatedActivity(db, daysAfterNoon(31))
    const after31 = await activity()
    const kept = await db.apiKeyRequests.findMany(ofWorkspace)
    await deleteOutdatedActivity(db, daysAfterNoon(36))

    expect(after31).toEqual([
      ['day', unused],
      ['day', key],
      ['hour', key],
    ])
    expect(kept).toMatchObject([{ apiKeyId: key }])
    expect(await activity()).toEqual([['day', key]])
    expect(await db.apiKeyUsage.findMany(ofWorkspace)).toMatchObject([{ apiKeyId: key }])
  })

  test('a report that is sent twice counts once, also while the first is still being counted', async () => {
    const { db, key, requests } = await given()
    const report = uuid()
    const count = (id: string) => countOnce(db, id, (tx) => addUsage(tx, [useOf(key)]))

    await Promise.all([count(report), count(report), count(report)])
    await count(uuid())

    expect(await requests()).toEqual([2])
  })

  test('a report that failed was not counted and may be sent again', async () => {
    const { db, key, requests } = await given()
    const report = uuid()
    const broken = countOnce(db, report, async (tx) => {
      await addUsage(tx, [useOf(key)])
      throw new Error('broken')
    })

    await expect(broken).rejects.toThrow('broken')
    await countOnce(db, report, (tx) => addUsage(tx, [useOf(key)]))

    expect(await requests()).toEqual([1])
  })

  test('lastUsed is the latest use, in whatever order reports come; keys that do not exist any more are skipped', async () => {
    const { db, workspaceId, key, requests } = await given()
    const use = (second: number) =>
      useOf(key, { lastUsedIp: `192.0.2.${second}`, lastUsedAt: secondsAfterNoon(second) })

    await addUsage(db, [useOf(uuid()), use(2)])
    await addUsage(db, [use(1)])

    expect(await db.apiKey.findMany({ where: { workspaceId } })).toMatchObject([{ lastUsedIp: '192.0.2.2' }])
    expect(await requests()).toEqual([2])
  })

  test('the ids of reports are kept for a day', async () => {
    const { db } = database
    const [old, young] = [uuid(), uuid()]
    for (const [id, hours] of [
      [old, 25],
      [young, 23],
    ] as const)
      await db.gatewayReport.create({ data: { id, receivedAt: hoursAgo(hours) } })

    await deleteOutdatedReports(db)

    expect(await db.gatewayReport.findMany({ where: { id: { in: [old, young] } } })).toMatchObject([{ id: young }])
  })
})

onPostgres(() => {
  const database = sharedDatabase('postgres')

  test('reports of the same keys in opposite orders never deadlock', async () => {
    const { db } = database
    const workspaceId = await makeWorkspace(db)
    const keys = await Promise.all(Array.from({ length: 100 }, () => makeKey({ db, workspaceId })))
    const rounds = Array.from({ length: 20 }, (_, round) => ({
      at: secondsAfterNoon(round),
      reported: round % 2 === 0 ? keys : keys.toReversed(),
    }))

    await Promise.all(
      rounds.map(({ at, reported }) =>
        addActivity(
          db,
          reported.map((key) => activityOf(key, { requests: [requestAt(at, at)] })),
        ),
      ),
    )
    await Promise.all(
      rounds.map(({ at, reported }) =>
        addUsage(
          db,
          reported.map((key) => useOf(key, { lastUsedAt: at })),
        ),
      ),
    )

    const days = await db.apiKeyActivity.findMany({ where: { workspaceId, unit: 'day' } })
    expect(new Set(days.map(({ statuses }) => Number(statuses[0])))).toEqual(new Set([40]))
    const uses = await db.apiKeyUsage.findMany({ where: { workspaceId } })
    expect(uses.map(({ requests }) => requests)).toEqual(keys.map(() => 20))
  })
})
