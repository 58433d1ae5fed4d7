// Usage reports of gateways are added up, each once, and none blocks another.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { KeyUsage } from '#contract/internal/reports.ts'
import type { Database } from '#prisma/client.ts'
import { addUsage } from '../../../service/keys/usage/rows.ts'
import { countOnce, deleteOutdatedReports } from '../../../service/gateway-endpoints.ts'
import { freshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { services } from '../../support/services.ts'
import { makeKey, makeWorkspace } from '../audit/audit-log-fixture.ts'

const useOf = (keyId: string, lastUsedIp = '192.0.2.1', lastUsedAt = '2026-11-21T12:00:00.000Z'): KeyUsage => ({
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

    await addUsage(db, [useOf(uuid()), useOf(key, '192.0.2.2', '2026-11-21T12:00:02.000Z')])
    await addUsage(db, [useOf(key, '192.0.2.1', '2026-11-21T12:00:01.000Z')])

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

test.skipIf(services().postgres === null)('reports of the same keys in opposite orders never deadlock', async () => {
  await using database = await freshDatabase('postgres')
  const { db } = database
  const keys = await makeKeys(db, 300)
  const at = (second: number) => new Date(Date.parse('2026-11-21T12:00:00.000Z') + second * 1_000).toISOString()
  const report = (round: number) =>
    (round % 2 === 0 ? keys : keys.toReversed()).map((key) => useOf(key, '192.0.2.1', at(round)))

  await Promise.all(Array.from({ length: 20 }, (_, round) => addUsage(db, report(round))))

  expect(new Set(await requestsOf(db))).toEqual(new Set([20]))
})
