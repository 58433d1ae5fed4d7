// Webhooks with a strict order, delivered by dispatchers, and what their lines cost where very many wait.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { Prisma } from '#prisma/generated/client.ts'
import { deliveryLoader } from '../../../dispatcher/queue/load-delivery.ts'
import { beforeAllWebhooks } from '../../../dispatcher/queue/claim-rows.ts'
import type { LeasedDelivery } from '../../../dispatcher/queue/leases.ts'
import { advanceHeads, headsStatement, advanceHeadsAfter } from '../../../dispatcher/queue/ordering-rows.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { restart, toDelivery } from '../../../service/deliveries/rows.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { claimAll, claimAs, fanOutAs, insertBacklog, result } from '../leased.ts'
import { noReceiver, openStage as openOwnStage, sharedStages, stageOn, type Rows } from '../stage.ts'
import fc from 'fast-check'
import { holdPending, releasePending } from '../../../service/webhooks/rows.ts'

const { openStage } = sharedStages()
const sequenceIn = (body: Buffer): number => (JSON.parse(String(body)) as { sequence: number }).sequence

test('two dispatchers deliver an ordered webhook in the order of events, over retries; others do not wait for it', async () => {
  await using stage = await openStage()
  const fickle = (_call: unknown, number: number) => (number % 4 === 1 ? 500 : 200)
  const { receiver: ordered } = await stage.receiving(fickle, { order: 'webhook' })
  const { receiver: byObject } = await stage.receiving([200], { order: 'object' })
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
  expect(await stage.db.delivery.count({ where: { orderKey: null } })).toBe(0)
})

onPostgres(() => {
  test('a line of 20,000 costs a turn some look-ups and a claim nothing', async () => {
    await using stage = await openOwnStage()
    const webhookId = await stage.webhook({ url: noReceiver, order: 'webhook' })
    for (let n = 0; n < 4; n++) await insertBacklog(stage, webhookId, 5_000)
    await stage.db.$executeRaw`
      UPDATE delivery d SET order_key = webhook_id, place = e.sequence, next_attempt_at = NULL
      FROM event e WHERE e.workspace_id = d.workspace_id AND e.id = d.event_id`
    await stage.db.$executeRaw`ANALYZE delivery`
    const line = Prisma.sql`SELECT ${webhookId}::uuid AS webhook_id, ${webhookId}::uuid AS order_key, 0 AS n`
    type Plan = Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>
    const pages = async () => {
      const [row] = await stage.db.$queryRaw<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
        EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${headsStatement(line)}`
      const { Plan } = row!['QUERY PLAN'][0]
      return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
    }

    const [giving, taken] = [await pages(), await advanceHeads(stage.db, [{ webhookId, key: webhookId }])]
    const claimed = await claimAll(stage.db, 'me')

    // The rows lie on more than 300 pages.
    expect(giving).toBeLessThan(60)
    expect(taken.webhookIds).toEqual([])
    expect(claimed).toHaveLength(1)
    expect(await pages()).toBeLessThan(60)
  })
})

// Random schedules of events, fan-outs, turns, claims, results, crashes, replays and pauses, by two claimers at once.

type InFlight = { readonly owner: string; readonly row: LeasedDelivery }
/** A replayed delivery stands behind all events that there are by then. */
type Known = { readonly key: string; place: number; finished: boolean }

const beforeAll = { webhookId: beforeAllWebhooks, key: beforeAllWebhooks }
const what = fc.oneof(
  { arbitrary: fc.constant('storm' as const), weight: 4 },
  { arbitrary: fc.constantFrom('event', 'replay'), weight: 6 },
  { arbitrary: fc.constantFrom('fan out', 'delivered', 'enable'), weight: 6 },
  { arbitrary: fc.constantFrom('retry', 'dead', 'crash', 'pause'), weight: 4 },
)
const step = fc.tuple(what, fc.nat(1_000))
type Step = readonly [typeof what extends fc.Arbitrary<infer What> ? What : never, number]

/** What a service and two dispatchers do, and what must hold whenever a delivery starts. */
async function simulate({ db, workspaceId, webhook, event }: Rows, order: 'webhook' | 'object') {
  const id = await webhook({ url: noReceiver, order })
  const resources = [uuid(), uuid(), uuid()]
  const unfanned: string[] = []
  const known = new Map<string, Known>()
  const inFlight = new Map<string, InFlight>()
  const owners = [uuid(), uuid()]
  let [sequence, replays] = [0, 0]

  async function addEvent(n: number): Promise<void> {
    const resourceId = resources[n % resources.length] ?? ''
    const eventId = await event({ resourceId })
    unfanned.push(eventId)
    const key = order === 'webhook' ? id : resourceId
    known.set(eventId, { key, place: ++sequence, finished: false })
  }

  async function fanOutOne(n: number): Promise<void> {
    const [eventId] = unfanned.splice(n % Math.max(1, unfanned.length), 1)
    if (eventId === undefined) return
    await fanOutAs(db, uuid(), [eventId], { maxAttempts: 100, hasSlot: () => true })
  }

  async function claim(owner: string): Promise<InFlight[]> {
    const { claimed } = await claimAs(db, owner, [id])
    return claimed.map((row) => ({ owner, row }))
  }

  async function start(begun: InFlight): Promise<void> {
    const { eventId } = await db.delivery.findFirstOrThrow({ where: { workspaceId, id: begun.row.id } })
    const own = known.get(eventId)
    const others = [...known].filter(([other, { key }]) => other !== eventId && key === own?.key)
    expect(others.filter(([other]) => inFlight.has(other))).toEqual([])
    const mustHaveEnded = others.filter(([, { place }]) => place < (own?.place ?? 0))
    expect(mustHaveEnded.filter(([, { finished }]) => !finished)).toEqual([])
    inFlight.set(eventId, begun)
  }

  async function storm(n: number): Promise<void> {
    const [one, other] = await Promise.all([
      ...owners.map(claim),
      advanceHeadsAfter(db, beforeAll).then(() => []),
      fanOutOne(n).then(() => advanceHeadsAfter(db, beforeAll)),
    ])
    for (const begun of [...(one as InFlight[]), ...(other as InFlight[])]) await start(begun)
  }

  async function end(n: number, kind: 'delivered' | 'retry' | 'dead'): Promise<void> {
    const [eventId, begun] = [...inFlight][n % Math.max(1, inFlight.size)] ?? []
    if (eventId === undefined || begun === undefined) return
    const loaded = await deliveryLoader(db, begun.owner).load(begun.row)
    if (loaded === null) return
    await writeResultRows(db, begun.owner, [result(loaded, kind)])
    await db.webhookHealth.deleteMany({ where: { workspaceId } })
    await db.delivery.updateMany({
      where: { workspaceId, status: 'retrying', nextAttemptAt: { not: null } },
      data: { nextAttemptAt: new Date() },
    })
    inFlight.delete(eventId)
    const own = known.get(eventId)
    if (own !== undefined && kind !== 'retry') own.finished = true
  }

  async function crash(n: number): Promise<void> {
    const [eventId, begun] = [...inFlight][n % Math.max(1, inFlight.size)] ?? []
    if (eventId === undefined || begun === undefined) return
    inFlight.delete(eventId)
    const data = { leaseUntil: new Date(Date.now() - 1_000) }
    await db.delivery.updateMany({ where: { workspaceId, id: begun.row.id }, data })
  }

  async function replay(n: number): Promise<void> {
    const ended = [...known].filter(([, { finished }]) => finished)
    const [eventId, own] = ended[n % Math.max(1, ended.length)] ?? []
    if (eventId === undefined || own === undefined) return
    const row = await db.delivery.findFirstOrThrow({ where: { workspaceId, eventId } })
    Object.assign(own, { place: sequence + ++replays / 1_000, finished: false })
    await db.$transaction((tx) => restart(tx, toDelivery(row), new Date()))
  }

  async function become(status: 'paused' | 'active'): Promise<void> {
    await db.$transaction(async (tx) => {
      await tx.webhook.updateMany({ where: { workspaceId, id }, data: { status } })
      await (status === 'paused' ? holdPending(tx, workspaceId, id) : releasePending(tx, workspaceId, id, new Date()))
    })
  }

  async function take([what, n]: Step): Promise<void> {
    if (what === 'event') await addEvent(n)
    else if (what === 'fan out') await fanOutOne(n)
    else if (what === 'crash') await crash(n)
    else if (what === 'replay') await replay(n)
    else if (what === 'storm') await storm(n)
    else if (what === 'pause' || what === 'enable') await become(what === 'pause' ? 'paused' : 'active')
    else await end(n, what)
  }

  /** Everything gets its turn in the end. */
  async function drain(): Promise<void> {
    await become('active')
    const open = () => [...known.values()].some(({ finished }) => !finished)
    for (let n = 0; open() && n < 5 * known.size + 10; n++) {
      await storm(n)
      await end(n, 'delivered')
    }
    expect(open()).toBe(false)
  }
  return { take, drain }
}

test.each(['webhook', 'object'] as const)(
  'in the order of each %s none starts before those ahead have ended, and all end',
  async (order) => {
    await using stage = await openStage()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
        const { take, drain } = await simulate(await stageOn(stage.db), order)
        for (const one of steps) await take(one)
        await drain()
      }),
      { numRuns: 6 },
    )
  },
)
