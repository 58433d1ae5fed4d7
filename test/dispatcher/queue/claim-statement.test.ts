// Which rows a claim takes, in which order, and what it costs where very many wait.
import { describe, expect, test } from 'vitest'
import type { Capacity } from '../../../dispatcher/queue/scheduler.ts'
import { claimForWebhooks, beforeAllWebhooks, claimSpan, spanStatement } from '../../../dispatcher/queue/claim-rows.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { services } from '../../support/services.ts'
import { openStage as openOwnStage, sharedStages, type Stage } from '../stage.ts'
import { insertBacklog, insertWebhooks } from './backlog.ts'

const openStage = sharedStages()
const claimant = { owner: 'me', takesOver: false }
const capacity = (free: number, known: Record<string, number> = {}): Capacity => ({
  free,
  perWebhook: 4,
  known: new Map(Object.entries(known)),
})
const webhook = (stage: Stage) => stage.webhook({ url: 'http://127.0.0.1:1/' })

/** How many of each webhook. */
const counted = (claimed: readonly { webhookId: string }[]) =>
  Object.fromEntries([...Map.groupBy(claimed, ({ webhookId }) => webhookId)].map(([id, rows]) => [id, rows.length]))

onEachEngine((kind) => {
  test('of each webhook as many are claimed as it has capacity for, the longest due first, and none twice', async () => {
    await using stage = await openStage(kind)
    const [one, two, full] = [await webhook(stage), await webhook(stage), await webhook(stage)]
    for (const id of [full, one, two]) await insertBacklog(stage, id, 6)

    const first = await claimSpan(stage.db, claimant, capacity(100, { [two]: 1, [full]: 0 }), beforeAllWebhooks)
    const second = await claimSpan(stage.db, claimant, capacity(100), beforeAllWebhooks)
    const third = await claimForWebhooks(stage.db, claimant, capacity(100), [two, full])

    expect(counted(first.claimed)).toEqual({ [one]: 4, [two]: 1 })
    expect(counted(second.claimed)).toEqual({ [one]: 2, [two]: 4, [full]: 4 })
    expect(counted(third.claimed)).toEqual({ [two]: 1, [full]: 2 })
    const oldest = await stage.db.delivery.findFirstOrThrow({
      where: { webhookId: two },
      orderBy: { nextAttemptAt: 'asc' },
    })
    expect(first.claimed.map(({ id }) => id)).toContain(oldest.id)
    const ids = [first, second, third].flatMap(({ claimed }) => claimed.map(({ id }) => id))
    expect(new Set(ids).size).toBe(18)
  })

  test('a row whose lease still runs is left to whoever has it, whoever asks, and is free once it has run out', async () => {
    await using stage = await openStage(kind)
    const id = await webhook(stage)
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000)
    await insertBacklog(stage, id, 1, { owner: 'another', until: inSeconds(30) })
    await insertBacklog(stage, id, 1, { owner: claimant.owner, until: inSeconds(30) })

    const taken = async () => counted((await claimSpan(stage.db, claimant, capacity(100), beforeAllWebhooks)).claimed)
    const asked = async () => counted((await claimForWebhooks(stage.db, claimant, capacity(100), [id])).claimed)
    expect([await taken(), await asked()]).toEqual([{}, {}])

    await stage.db.delivery.updateMany({ where: { leaseOwner: 'another' }, data: { leaseUntil: inSeconds(-1) } })
    expect([await taken(), await asked()]).toEqual([{ [id]: 1 }, {}])
  })

  test('what may be claimed is shared out: a webhook with many that have been due for long leaves some for those after it', async () => {
    await using stage = await openStage(kind)
    const [first, second, third] = [await webhook(stage), await webhook(stage), await webhook(stage)]
    await insertBacklog(stage, first, 20)
    for (const id of [second, third]) await insertBacklog(stage, id, 2)

    const roomy = { ...capacity(6), perWebhook: 20 }
    const { claimed, share } = await claimSpan(stage.db, claimant, roomy, beforeAllWebhooks)
    const alone = await claimForWebhooks(stage.db, claimant, roomy, [first])

    expect([counted(claimed), share]).toEqual([{ [first]: 2, [second]: 2, [third]: 2 }, 2])
    expect([counted(alone.claimed), alone.share]).toEqual([{ [first]: 6 }, 6])
  })

  test('nothing is taken of a webhook that is paused or gone, nor before it is due', async () => {
    await using stage = await openStage(kind)
    const [active, paused, gone] = [await webhook(stage), await webhook(stage), await webhook(stage)]
    for (const id of [active, paused, gone]) await insertBacklog(stage, id, 1)
    await stage.db.webhook.updateMany({ where: { id: paused }, data: { status: 'paused' } })
    const health = { consecutiveFailures: 1, goneAt: new Date(), goneReason: 'gone' }
    await stage.db.webhookHealth.create({ data: { workspaceId: stage.workspaceId, webhookId: gone, ...health } })
    await insertBacklog(stage, active, 1)
    const last = await stage.db.delivery.findFirstOrThrow({
      where: { webhookId: active },
      orderBy: { nextAttemptAt: 'desc' },
    })
    const nextAttemptAt = new Date(Date.now() + 60_000)
    await stage.db.delivery.updateMany({ where: { id: last.id }, data: { nextAttemptAt } })

    const { claimed, nextDueMs } = await claimSpan(stage.db, claimant, capacity(100), beforeAllWebhooks)

    expect(counted(claimed)).toEqual({ [active]: 1 })
    expect(claimed[0]?.id).not.toBe(last.id)
    // The clocks of test and database are the same.
    expect(nextDueMs).toBeGreaterThan(0)
    expect(nextDueMs).toBeLessThanOrEqual(60_000)
  })
})

describe.skipIf(services().postgres === null)('where very many wait, on Postgres', () => {
  test.each([
    ['none', 0],
    ['little', 3],
  ])('a claim does not read 50,000 rows of a webhook that has %s capacity', async (_much, left) => {
    await using stage = await openOwnStage()
    const [hanging, other] = [await webhook(stage), await webhook(stage)]
    await insertBacklog(stage, hanging, 12, { owner: 'me', until: new Date(Date.now() + 60_000) })
    await insertBacklog(stage, hanging, 50_000)
    await insertBacklog(stage, other, 3)
    await insertWebhooks(stage, other, 100, 3_600)
    await stage.db.$executeRaw`ANALYZE delivery`

    const [row] = await stage.db.$queryRaw<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
      EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${spanStatement(claimant, capacity(200, { [hanging]: left }), beforeAllWebhooks)}`
    const plan = row?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('There is no plan')
    const scans = nodesOf(plan).filter(
      (node) => node['Relation Name'] === 'delivery_first' && 'Rows Removed by Filter' in node,
    )

    expect(await stage.db.delivery.count({ where: { leaseOwner: 'me', webhookId: other } })).toBe(3)
    expect(await stage.db.delivery.count({ where: { leaseOwner: 'me', webhookId: hanging } })).toBe(12 + left)
    expect(
      nodesOf(plan)
        // The other partition is empty.
        .filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'delivery_default')
        .map((node) => node['Relation Name']),
    ).toEqual([])
    // On the way to the next rows lie those that are in hand.
    expect(Math.max(...scans.map((node) => node['Rows Removed by Filter'] ?? 0))).toBeLessThanOrEqual(12)
    // About five for each of the 102 webhooks; the rows of the one that hangs lie on more than 800 pages.
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(800)
  })

  test('however many webhooks wait, a claim looks at a bounded number of them, and the next one goes on from there', async () => {
    await using stage = await openOwnStage()
    const like = await webhook(stage)
    await insertBacklog(stage, like, 1)
    await insertWebhooks(stage, like, 1_200, -1)
    const claimed: string[] = []
    let [after, claims]: [string | null, number] = [beforeAllWebhooks, 0]
    while (after !== null && claims < 10) {
      const span = await claimSpan(stage.db, claimant, capacity(10_000), after)
      claimed.push(...span.claimed.map(({ id }) => id))
      expect(span.claimed.length).toBeLessThanOrEqual(500)
      ;[after, claims] = [span.upTo, claims + 1]
    }

    expect(claims).toBe(3)
    expect(claimed).toHaveLength(1_201)
    expect(new Set(claimed).size).toBe(1_201)
  })
})

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
