// Which rows a claim takes, in which order, what it costs where very many wait, and when the next one follows.
import { expect, test } from 'vitest'
import { afterSpan, firstSpan, type Round, type Span } from '../../../dispatcher/queue/claim-loop.ts'
import type { Capacity } from '../../../dispatcher/queue/scheduler.ts'
import { claimForWebhooks, beforeAllWebhooks, claimSpan, spanStatement } from '../../../dispatcher/queue/claim-rows.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { inSeconds, insertBacklog, insertWebhooks } from '../leased.ts'
import { noReceiver, openStage as openOwnStage, sharedStages, type Stage } from '../stage.ts'

const { openStage } = sharedStages()
const claimant = { owner: 'me', takesOver: false }
const capacity = (free: number, known: Record<string, number> = {}): Capacity => ({
  free,
  perWebhook: 4,
  known: new Map(Object.entries(known)),
})
const webhook = (stage: Stage) => stage.webhook({ url: noReceiver })

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
    const oldest = await stage.db.delivery.findFirst({ where: { webhookId: two }, orderBy: { nextAttemptAt: 'asc' } })
    expect(first.claimed.map(({ id }) => id)).toContain(oldest?.id)
    const ids = [first, second, third].flatMap(({ claimed }) => claimed.map(({ id }) => id))
    expect(new Set(ids).size).toBe(18)
  })

  test('a row whose lease still runs is left to whoever has it, whoever asks, and is free once it has run out', async () => {
    await using stage = await openStage(kind)
    const id = await webhook(stage)
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
    const newest = { where: { webhookId: active }, orderBy: { nextAttemptAt: 'desc' } } as const
    const last = await stage.db.delivery.findFirstOrThrow(newest)
    await stage.db.delivery.updateMany({ where: { id: last.id }, data: { nextAttemptAt: inSeconds(60) } })

    const { claimed, nextDueMs } = await claimSpan(stage.db, claimant, capacity(100), beforeAllWebhooks)

    expect(counted(claimed)).toEqual({ [active]: 1 })
    expect(claimed[0]?.id).not.toBe(last.id)
    // The clocks of test and database are the same.
    expect(nextDueMs).toBeGreaterThan(0)
    expect(nextDueMs).toBeLessThanOrEqual(60_000)
  })
})

onPostgres(() => {
  test('a claim does not read 50,000 rows of a webhook that has little or no capacity', async () => {
    await using stage = await openOwnStage()
    const [hanging, other] = [await webhook(stage), await webhook(stage)]
    await insertBacklog(stage, hanging, 12, { owner: 'me', until: inSeconds(60) })
    // Each within the time that a statement may take.
    for (let n = 0; n < 5; n++) await insertBacklog(stage, hanging, 10_000)
    await insertBacklog(stage, other, 3)
    await insertWebhooks(stage, other, 100, 3_600)
    await stage.db.$executeRaw`ANALYZE delivery`

    for (const left of [0, 3]) {
      const statement = spanStatement(claimant, capacity(200, { [hanging]: left }), beforeAllWebhooks)
      const [row] = await stage.db.$queryRaw<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
        EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${statement}`
      const { Plan: plan } = row!['QUERY PLAN'][0]
      const nodes = nodesOf(plan)
      const scans = nodes.filter((node) => node['Relation Name'] === 'delivery_first')
      // The other partition is empty.
      const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'])

      const mine = await stage.db.delivery.findMany({ where: { leaseOwner: 'me' } })
      expect(counted(mine)).toEqual({ [other]: 3, [hanging]: 12 + left })
      expect(whole.filter((name) => name !== 'delivery_default')).toEqual([])
      // On the way to the next rows lie those that are in hand.
      expect(Math.max(...scans.map((node) => node['Rows Removed by Filter'] ?? 0))).toBeLessThanOrEqual(12)
      // About five for each of the 102 webhooks; the rows of the one that hangs lie on more than 800 pages.
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(800)
    }
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

type Plan = Record<'Node Type' | 'Relation Name', string> &
  Record<'Rows Removed by Filter' | 'Shared Hit Blocks' | 'Shared Read Blocks', number> & { readonly Plans?: Plan[] }
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const nothing: Span = { upTo: null, nextDueMs: null, tookMs: 2, more: false, full: false }
const more: Partial<Round> = { more: true }

test.each<[string, Partial<Round>, Partial<Span>, number]>([
  ['a second at most after the last span', {}, {}, 1_000],
  ['as long as until the next row comes due', {}, { nextDueMs: 300 }, 300],
  ['as long as until one of an earlier span does', { nextDueMs: 200 }, { nextDueMs: 300 }, 198],
  ['a second where the next comes due later', {}, { nextDueMs: 90_000 }, 1_000],
  ['nine times as long as it looked, between spans', {}, { upTo: 'w', tookMs: 5, nextDueMs: 100 }, 45],
  ['nine times as long as it looked, also where a row is due', {}, { tookMs: 20, nextDueMs: 1 }, 180],
  ['a second at most after a slow look', {}, { tookMs: 5_000, nextDueMs: 1 }, 1_000],
  ['not at all after a full batch', {}, { upTo: 'w', more: true, full: true }, 0],
  ['as long as for its cost where the round left something', more, { nextDueMs: 900 }, 18],
])('a claimer pauses %s', (_how, round, span, pauseMs) => {
  expect(afterSpan({ ...firstSpan, ...round }, { ...nothing, ...span }).pauseMs).toBe(pauseMs)
})

test('a round goes on after the webhook that was the last, and begins anew after all', () => {
  const next = (span: Partial<Span>) => afterSpan(firstSpan, { ...nothing, ...span }).next

  expect(next({})).toEqual(firstSpan)
  expect(next({ upTo: 'w', tookMs: 5, nextDueMs: 100 })).toEqual({ after: 'w', nextDueMs: 55, more: false })
  expect(next({ upTo: 'w', more: true, full: true })).toEqual({ after: 'w', nextDueMs: Infinity, more: true })
})
