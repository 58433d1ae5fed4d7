// Webhooks with a strict order, delivered by dispatchers, and what their lines cost where very many wait.
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { Prisma } from '#prisma/generated/client.ts'
import { deliveryLoader } from '../../../dispatcher/queue/load-delivery.ts'
import { beforeAllWebhooks, claimSpan } from '../../../dispatcher/queue/claim-rows.ts'
import type { LeasedDelivery } from '../../../dispatcher/queue/leases.ts'
import { advanceHeads, headsStatement } from '../../../dispatcher/queue/ordering-rows.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { restart, toDelivery } from '../../../service/deliveries/rows.ts'
import { startReceiver } from '../../support/receiver.ts'
import { services } from '../../support/services.ts'
import { insertBacklog } from './backlog.ts'
import { claimAs, fanOutAs, me, noReceiver, result } from '../leased.ts'
import { openStage as openOwnStage, sharedStages } from '../stage.ts'

const openStage = sharedStages()
const sequenceIn = (body: Buffer): number => (JSON.parse(String(body)) as { sequence: number }).sequence

test('two dispatchers deliver an ordered webhook in the order of events, over retries; others do not wait for it', async () => {
  await using stage = await openStage()
  await using ordered = await startReceiver((_call, number) => (number % 4 === 1 ? 500 : 200))
  await using byObject = await startReceiver()
  const [all, each] = [
    await stage.webhook({ url: ordered.url, order: 'webhook' }),
    await stage.webhook({ url: byObject.url, order: 'object' }),
  ]
  const [first, second] = [uuid(), uuid()]
  const [one, two] = [await stage.start(), await stage.start()]
  const events: string[] = []
  for (let n = 0; n < 12; n++) events.push(await stage.event({ resourceId: n % 2 === 0 ? first : second }))
  one.notify(...events.filter((_, n) => n % 3 === 0).toReversed())
  two.notify(...events.filter((_, n) => n % 3 !== 0).toReversed())

  await stage.delivered(24)
  const taken = ordered.calls.map(({ body }) => sequenceIn(body)).filter((sequence, n, all) => sequence !== all[n - 1])
  expect(taken).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  const sequences = byObject.calls.map(({ body }) => sequenceIn(body))
  expect(sequences.filter((n) => n % 2 === 0)).toEqual([2, 4, 6, 8, 10, 12])
  expect(sequences.filter((n) => n % 2 === 1)).toEqual([1, 3, 5, 7, 9, 11])
  expect(await stage.db.delivery.count({ where: { webhookId: { in: [all, each] }, orderKey: null } })).toBe(0)
})

test('a replayed delivery goes to the end of its line, and starts beside none that is under way', async () => {
  await using stage = await openStage()
  const webhookId = await stage.webhook({ url: noReceiver, order: 'webhook' })
  const events = [await stage.event(), await stage.event(), await stage.event()]
  await fanOutAs(stage.db, me, events, { hasSlot: () => true })
  const idOf = async (n: number) => (await stage.delivery(events[n] ?? '', webhookId))?.id
  async function next() {
    await advanceHeads(stage.db, [{ webhookId, key: webhookId }])
    return (await claimAs(stage.db, me, [webhookId])).claimed
  }
  async function deliver(rows: readonly LeasedDelivery[]) {
    const loaded = await Promise.all(rows.map(deliveryLoader(stage.db, me).load))
    const results = loaded.filter((one) => one !== null).map((one) => result(one, 'delivered'))
    await writeResultRows(stage.db, me, results)
    return rows.map(({ id }) => id)
  }

  expect(await deliver(await next())).toEqual([await idOf(0)])
  const second = await next()
  const first = await stage.delivery(events[0] ?? '', webhookId)
  if (first === null) throw new Error('There is no delivery')
  await stage.db.$transaction((tx) => restart(tx, toDelivery(first), new Date()))
  expect(await next()).toEqual([])
  expect(await deliver(second)).toEqual([await idOf(1)])
  expect(await deliver(await next())).toEqual([await idOf(2)])
  expect(await deliver(await next())).toEqual([await idOf(0)])
})

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test('a line of 20,000 costs a turn some look-ups and a claim nothing', async () => {
    await using stage = await openOwnStage()
    const webhookId = await stage.webhook({ url: noReceiver, order: 'webhook' })
    await insertBacklog(stage, webhookId, 20_000)
    await stage.db.$executeRaw`
      UPDATE delivery d SET order_key = webhook_id, place = e.sequence, next_attempt_at = NULL
      FROM event e WHERE e.workspace_id = d.workspace_id AND e.id = d.event_id`
    await stage.db.$executeRaw`ANALYZE delivery`
    const line = { webhookId, key: webhookId }
    const plan = () =>
      stage.db.$queryRaw<{ 'QUERY PLAN': [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }] }[]>`
        EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${headsStatement(
          Prisma.sql`SELECT ${webhookId}::uuid AS webhook_id, ${webhookId}::uuid AS order_key, 0 AS n`,
        )}`
    const pagesOf = ([row]: Awaited<ReturnType<typeof plan>>) => {
      const { Plan } = row?.['QUERY PLAN'][0] ?? {}
      return (Plan?.['Shared Hit Blocks'] ?? Infinity) + (Plan?.['Shared Read Blocks'] ?? Infinity)
    }

    const [giving, taken] = [pagesOf(await plan()), await advanceHeads(stage.db, [line])]
    const capacity = { free: 100, perWebhook: 100, known: new Map() }
    const { claimed } = await claimSpan(stage.db, { owner: 'me', takesOver: false }, capacity, beforeAllWebhooks)

    // The rows lie on more than 300 pages.
    expect(giving).toBeLessThan(60)
    expect(taken.webhookIds).toEqual([])
    expect(claimed).toHaveLength(1)
    expect(pagesOf(await plan())).toBeLessThan(60)
  })
})
