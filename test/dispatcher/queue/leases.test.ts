// A fan-out or a claim is committed, and its answer is lost: the dispatcher has leases that it does not know of.
import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { insertBacklog } from './backlog.ts'
import { sharedStages } from '../stage.ts'

const openStage = sharedStages()
const soon = { unansweredAfterMs: 500 }

/** Loses the next answer that is like this, after its statement was committed. */
function losing(db: Database, isLost: (row: Record<string, unknown>) => boolean) {
  let next = true
  async function $queryRaw(...statement: Parameters<Database['$queryRaw']>) {
    const rows = await db.$queryRaw<Record<string, unknown>[]>(...statement)
    if (!next || !rows.some((row) => isLost(row))) return rows
    next = false
    throw new Error('Connection terminated unexpectedly')
  }
  return new Proxy(db, {
    get: (target, name) => (name === '$queryRaw' ? $queryRaw : Reflect.get(target, name)),
  })
}
const ofFanOut = ({ inserted }: Record<string, unknown>) => Array.isArray(inserted) && inserted.length > 0
const ofClaim = ({ claimed }: Record<string, unknown>) => Array.isArray(claimed) && claimed.length > 0

test('what a fan-out whose answer was lost has leased is sent once, long before the leases would expire', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  const { happen } = await stage.start({ ...soon, db: losing(stage.db, ofFanOut) })
  const event = await happen()

  const { id } = await stage.becomes('delivered', event, webhook)
  expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id])
  expect(await stage.db.attempt.findMany({ where: { deliveryId: id } })).toMatchObject([
    { number: 1, outcome: 'success' },
  ])
})

test('leases of others stay, and younger ones, whose answers may still come', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const first = await stage.webhook({ url: receiver.url, eventTypes: ['tasks.*'] })
  const leased = await stage.webhook({ url: receiver.url, eventTypes: ['projects.*'] })
  const { happen } = await stage.start({ ...soon, db: losing(stage.db, ofFanOut) })
  const me = await eventually(async () => (await stage.db.dispatcherProcess.findFirst())?.owner ?? null, 'a heartbeat')
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000)
  await insertBacklog(stage, leased, 1, { owner: 'another', until: inSeconds(50) })
  await insertBacklog(stage, leased, 1, { owner: me, until: inSeconds(90) })
  const before = await stage.db.delivery.findMany({ where: { webhookId: leased } })
  const event = await happen({ type: 'tasks.created' })

  await stage.becomes('delivered', event, first)
  expect(await stage.db.delivery.findMany({ where: { webhookId: leased } })).toEqual(before)
})

test('what a claim whose answer was lost has leased is sent once, long before the leases would expire', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  await insertBacklog(stage, webhook, 3)

  await stage.start({ ...soon, db: losing(stage.db, ofClaim) })

  await receiver.count(3)
  await stage.delivered(3, { webhookId: webhook })
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  expect(await stage.db.attempt.count()).toBe(3)
})

test('the lease of a delivery that is in hand stays, however long its receiver takes', async () => {
  await using stage = await openStage()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await using slow = await startReceiver(() => released.then(() => 200))
  await using quick = await startReceiver()
  const patient = await stage.webhook({ url: slow.url, eventTypes: ['projects.*'] })
  const other = await stage.webhook({ url: quick.url, eventTypes: ['tasks.*'] })
  const isOfOther = (row: Record<string, unknown>) => ofFanOut(row) && quick.calls.length === 0 && slow.calls.length > 0
  const { happen } = await stage.start({ ...soon, sendTimeoutMs: 40_000, db: losing(stage.db, isOfOther) })
  const first = await happen({ type: 'projects.created' })
  await slow.count(1)
  const before = await stage.delivery(first, patient)
  await eventually(async () => {
    const [row] = await stage.db.$queryRaw<{ old: boolean }[]>`
      SELECT lease_until < now() + interval '59 seconds' AS old FROM delivery
      WHERE workspace_id = ${stage.workspaceId}::uuid AND id = ${before?.id}::uuid`
    return row?.old === true
  }, 'a lease that is old enough')

  await stage.becomes('delivered', await happen({ type: 'tasks.created' }), other)

  expect(await stage.delivery(first, patient)).toEqual(before)
  release()
  await stage.becomes('delivered', first, patient)
  expect(slow.calls).toHaveLength(1)
})
