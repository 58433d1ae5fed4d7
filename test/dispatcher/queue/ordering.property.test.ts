// Random schedules of events, fan-outs, turns, claims, results, crashes, replays and pauses, by two claimers at once.
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { deliveryLoader } from '../../../dispatcher/queue/load-delivery.ts'
import type { LeasedDelivery } from '../../../dispatcher/queue/leases.ts'
import { advanceHeadsAfter } from '../../../dispatcher/queue/ordering-rows.ts'
import { writeResultRows } from '../../../dispatcher/results/rows.ts'
import { restart, toDelivery } from '../../../service/deliveries/rows.ts'
import { holdPending, releasePending } from '../../../service/webhooks/rows.ts'
import { claimAs, fanOutAs, noReceiver, result } from '../leased.ts'
import { openStage, stageOn, type Rows } from '../stage.ts'

type Step = readonly [
  'event' | 'fan out' | 'delivered' | 'retry' | 'dead' | 'crash' | 'replay' | 'pause' | 'enable' | 'storm',
  number,
]
type InFlight = { readonly owner: string; readonly row: LeasedDelivery }
type Known = { readonly key: string; readonly sequence: number; replayed: boolean; finished: boolean }

const nil = '00000000-0000-0000-0000-000000000000'
const beforeAll = { webhookId: nil, key: nil }
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    ...(['event', 'event', 'event', 'fan out', 'fan out', 'storm', 'storm', 'storm', 'storm', 'delivered'] as const),
    ...(['delivered', 'retry', 'dead', 'crash', 'replay', 'replay', 'replay', 'pause', 'enable', 'enable'] as const),
  ),
  fc.nat(1_000),
)

/** What a service and two dispatchers do, and what must hold whenever a delivery starts. */
async function simulate({ db, workspaceId, webhook, event }: Rows, order: 'webhook' | 'object') {
  const id = await webhook({ url: noReceiver, order })
  const resources = [uuid(), uuid(), uuid()]
  const unfanned: string[] = []
  const known = new Map<string, Known>()
  const inFlight = new Map<string, InFlight>()
  const owners = [uuid(), uuid()]
  let sequence = 0

  async function addEvent(n: number): Promise<void> {
    const resourceId = resources[n % resources.length] ?? ''
    const eventId = await event({ resourceId })
    unfanned.push(eventId)
    known.set(eventId, {
      key: order === 'webhook' ? id : resourceId,
      sequence: ++sequence,
      replayed: false,
      finished: false,
    })
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
    const mustHaveEnded = others.filter(([, { sequence: n, replayed }]) => !replayed && n < (own?.sequence ?? 0))
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
    Object.assign(own, { replayed: true, finished: false })
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
  'in the order of each %s none starts before those ahead of it have ended, and all of them end',
  async (order) => {
    await using stage = await openStage()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
        const { take, drain } = await simulate(await stageOn(stage.db), order)
        for (const one of steps) await take(one)
        await drain()
      }),
      { numRuns: 4 },
    )
  },
)
