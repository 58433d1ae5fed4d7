// Reports of gateways are added up under the workspace in which the key was made, each once, and kept for a time. What
// is shown of them: percentiles, against values that are all written out and sorted, and the risks of keys.
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/api-keys.ts'
import { type KeyActivity, type KeyUsage, latencyBoundsMs, latencyBucketsCount } from '#contract/internal/reports.ts'
import { type AnsweredRequest, keptRequestsMax } from '#contract/usage.ts'
import { countOnce, deleteOutdatedReports } from '../../../service/gateway-endpoints.ts'
import {
  addActivity,
  addPreviousSecretUse,
  addUsage,
  deleteOutdatedActivity,
} from '../../../service/keys/usage/rows.ts'
import { added, answeredCounts, keyRisks, noTallies, percentileOf } from '../../../service/keys/usage/rules.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../../support/database-engines.ts'
import { makeKey, makeWorkspace } from '../audit/audit-log-fixture.ts'

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
    const failing = { operation: 'tasks.list', surface: 'http', requests: 4, failed: 4 } as const
    const later = { until: '2026-11-21T13:30:00.000Z', statuses: [0, 0, 0, 4, 1], latency: latency(4, 5) }

    await addActivity(db, [activityOf(key), activityOf(uuid())])
    await addActivity(db, [activityOf(key, { ...later, operations: [failing, listing] })])

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
      return rows.map(({ unit, apiKeyId }) => `${unit} ${apiKeyId}`)
    }

    await deleteOutdatedActivity(db, daysAfterNoon(31))
    const after31 = await activity()
    const kept = await db.apiKeyRequests.findMany(ofWorkspace)
    await deleteOutdatedActivity(db, daysAfterNoon(36))

    expect(after31).toEqual([`day ${unused}`, `day ${key}`, `hour ${key}`])
    expect(kept).toMatchObject([{ apiKeyId: key }])
    expect(await activity()).toEqual([`day ${key}`])
    expect(await db.apiKeyUsage.findMany(ofWorkspace)).toMatchObject([{ apiKeyId: key }])
  })

  test('a report that failed may be sent again; sent twice it counts once, also while the first is still being counted', async () => {
    const { db, key, requests } = await given()
    const report = uuid()
    const count = (id: string) => countOnce(db, id, (tx) => addUsage(tx, [useOf(key)]))
    const broken = countOnce(db, report, async (tx) => {
      await addUsage(tx, [useOf(key)])
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')

    await Promise.all([count(report), count(report), count(report)])
    await count(uuid())

    expect(await requests()).toEqual([2])
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

  test('of a previous secret the use since the last rotation counts, in whatever order reports come', async () => {
    const { db, workspaceId, key } = await given()
    const other = await makeKey({ db, workspaceId })
    await db.apiKeySecret.updateMany({ where: { workspaceId }, data: { createdAt: noon } })
    const use = (second: number, requests: number, keyId = key) => ({
      keyId,
      requests,
      lastUsedAt: secondsAfterNoon(second),
      lastUsedIp: `192.0.2.${Math.abs(second)}`,
    })

    await addPreviousSecretUse(db, [use(5, 2), use(-1, 40, other), use(9, 1, uuid())])
    await addPreviousSecretUse(db, [use(3, 4)])

    const ofKey = { previousSecretRequests: 6, previousSecretLastUsedIp: '192.0.2.5' }
    const none = { previousSecretRequests: 0, previousSecretLastUsedAt: null, previousSecretLastUsedIp: null }
    expect(await db.apiKey.findMany({ where: { workspaceId }, orderBy: { createdAt: 'asc' } })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: key, ...ofKey, previousSecretLastUsedAt: new Date(secondsAfterNoon(5)) }),
        expect.objectContaining({ id: other, ...none }),
      ]),
    )
  })

  test('the ids of reports are kept for a day', async () => {
    const { db } = database
    const [old, young] = [25, 23].map((hours) => ({ id: uuid(), receivedAt: hoursAgo(hours) }))
    await db.gatewayReport.createMany({ data: [old!, young!] })

    await deleteOutdatedReports(db)

    expect(await db.gatewayReport.findMany({ where: { id: { in: [old!.id, young!.id] } } })).toEqual([young])
  })
})

onPostgres(() => {
  const database = sharedDatabase('postgres')

  test('reports of the same keys in opposite orders never deadlock', async () => {
    const { db } = database
    const workspaceId = await makeWorkspace(db)
    const keys = await Promise.all(Array.from({ length: 100 }, () => makeKey({ db, workspaceId })))
    const rounds = Array.from({ length: 20 }, (_, round) => secondsAfterNoon(round))
    const reported = <R>(report: (key: string, at: string) => R): R[][] =>
      rounds.map((at, round) => (round % 2 === 0 ? keys : keys.toReversed()).map((key) => report(key, at)))
    const activity = reported((key, at) => activityOf(key, { requests: [requestAt(at, at)] }))
    const usage = reported((key, at) => useOf(key, { lastUsedAt: at }))

    await Promise.all(activity.map((report) => addActivity(db, report)))
    await Promise.all(usage.map((report) => addUsage(db, report)))

    const days = await db.apiKeyActivity.findMany({ where: { workspaceId, unit: 'day' } })
    expect(new Set(days.map(({ statuses }) => Number(statuses[0])))).toEqual(new Set([40]))
    const uses = await db.apiKeyUsage.findMany({ where: { workspaceId } })
    expect(uses.map(({ requests }) => requests)).toEqual(keys.map(() => 20))
  })
})

const size = { minLength: latencyBucketsCount, maxLength: latencyBucketsCount }
const counts = fc.array(fc.integer({ min: 0, max: 40 }), size)
const percent = fc.integer({ min: 1, max: 100 })

/** Every value of every bucket, evenly between its bounds; then the one of nearest rank. */
function writtenOut(tallies: readonly number[], percentile: number): number | null {
  const values = tallies.flatMap((count, n) => {
    const lower = n === 0 ? 0 : latencyBoundsMs[n - 1]!
    const upper = n === latencyBoundsMs.length ? lower : latencyBoundsMs[n]!
    return Array.from({ length: count }, (_, place) => lower + ((upper - lower) * (place + 1)) / count)
  })
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percentile) / 100) - 1] ?? null
}

test('a percentile is the value of nearest rank, had all values been written out', () => {
  fc.assert(
    fc.property(counts, percent, (tallies, percentile) => {
      const expected = writtenOut(tallies, percentile)
      const given = percentileOf(tallies, percentile)
      if (expected === null) return given === null
      return given !== null && Math.abs(given - expected) < 0.051
    }),
  )
})

test('nothing counted has no percentiles, and what is longer than the last bound counts as that', () => {
  expect(answeredCounts(noTallies)).toMatchObject({ requests: 0, p50Ms: null, p95Ms: null, p99Ms: null })
  const slow = noTallies.latency.map((_, n) => (n === latencyBoundsMs.length ? 7 : 0))
  expect(percentileOf(slow, 50)).toBe(latencyBoundsMs.at(-1))
})

test('tallies are added place by place', () => {
  const one = { statuses: [1, 2, 3, 4, 5], latency: noTallies.latency.map((_, n) => n) }

  const statuses = { status2xx: 2, status3xx: 4, status4xx: 6, status429: 8, status5xx: 10 }
  expect(answeredCounts(added(one, one))).toMatchObject({ requests: 30, ...statuses })
  expect(added(one, one).latency[3]).toBe(6)
})

const now = new Date('2026-11-22T12:00:00.000Z')
const daysFromNow = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString()

const used = { createdAt: daysFromNow(-200), lastUsedAt: daysFromNow(-89) }
const ends = { expiresAt: daysFromNow(100), rotateBy: daysFromNow(15) }
/** Without a risk, but for what is said. */
const keyWith = (more: Partial<ApiKey>): ApiKey =>
  ({ status: 'active', ipAllowlist: ['192.0.2.1'], ...ends, ...used, ...more }) as ApiKey
const none = { active: 1, neverExpires: 0, noIpAllowlist: 0, idle: 0, rotationDue: 0 }

test.each([
  ['without a risk', {}, none],
  ['that never expires', { expiresAt: null }, { ...none, neverExpires: 1 }],
  ['usable from any address', { ipAllowlist: [] }, { ...none, noIpAllowlist: 1 }],
  ['idle for 90 days', { lastUsedAt: daysFromNow(-91) }, { ...none, idle: 1 }],
  ['that was never used, and made long ago', { lastUsedAt: null }, { ...none, idle: 1 }],
  ['that was never used, and made of late', { lastUsedAt: null, createdAt: daysFromNow(-1) }, none],
  ['due in 14 days', { rotateBy: daysFromNow(14) }, { ...none, rotationDue: 1 }],
  ['overdue', { rotateBy: daysFromNow(-1), status: 'rotation_due' as const }, { ...none, rotationDue: 1 }],
  ['revoked', { status: 'revoked' as const, expiresAt: null, ipAllowlist: [] }, { ...none, active: 0 }],
])('a key %s', (_what, more, expected) => {
  expect(keyRisks([keyWith(more)], now)).toEqual(expected)
})
