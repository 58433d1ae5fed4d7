// The rate of a webhook: how many of its deliveries are leased, over all dispatchers.
import { expect, test } from 'vitest'
import { onEachEngine } from '../../support/database-engines.ts'
import { startReceiver } from '../../support/receiver.ts'
import { services } from '../../support/services.ts'
import { claimAs, fanOutAs, noReceiver } from '../leased.ts'
import { sharedStages, type Stage } from '../stage.ts'
import { insertBacklog } from './backlog.ts'

const openStage = sharedStages()

/** Saves tokens since an hour ago. */
async function limited(stage: Stage, perMinute: number, url = noReceiver): Promise<string> {
  const webhookId = await stage.webhook({ url })
  await stage.db.webhookRate.create({ data: { workspaceId: stage.workspaceId, webhookId, perMinute } })
  await saveTokens(stage, webhookId)
  return webhookId
}
const saveTokens = (stage: Stage, webhookId: string) =>
  stage.db.webhookRate.updateMany({ where: { webhookId }, data: { freeAt: new Date(Date.now() - 3_600_000) } })

const claim = (stage: Stage, owner: string, webhookIds: readonly string[]) => claimAs(stage.db, owner, webhookIds)

onEachEngine((kind) => {
  test('of a webhook with a rate no more are leased than its bucket holds, whichever dispatchers ask; others are not held up', async () => {
    await using stage = await openStage(kind)
    const [slow, free] = [await limited(stage, 1), await stage.webhook({ url: noReceiver })]
    const quicker = await limited(stage, 60)
    for (const id of [slow, free, quicker]) await insertBacklog(stage, id, 20)

    const claims = await Promise.all(['one', 'two', 'three'].map((owner) => claim(stage, owner, [slow, free])))
    const rows = claims.flatMap(({ claimed }) => claimed)
    const { claimed, nextDueMs } = await claim(stage, 'one', [slow])
    // It was idle for an hour, and has saved ten seconds of its rate.
    const saved = await claim(stage, 'one', [quicker])

    expect(rows.filter(({ webhookId }) => webhookId === slow)).toHaveLength(1)
    expect(rows.filter(({ webhookId }) => webhookId === free)).toHaveLength(20)
    expect(saved.claimed).toHaveLength(10)
    expect(claimed).toEqual([])
    expect(nextDueMs).toBeGreaterThan(0)
    expect(nextDueMs).toBeLessThanOrEqual(60_000)
  })

  test('what is fanned out is left to the claim, at once where there is a token', async () => {
    await using stage = await openStage(kind)
    const webhook = await limited(stage, 1)
    const fanOutOne = async () => fanOutAs(stage.db, 'one', [await stage.event()])

    const first = await fanOutOne()
    expect((await claim(stage, 'one', [webhook])).claimed).toHaveLength(1)
    const second = await fanOutOne()

    expect(first).toMatchObject({ events: 1, leased: [], claimable: [webhook] })
    expect(second).toMatchObject({ events: 1, leased: [], claimable: [] })
  })
})

test('what waits for its rate holds up nobody, and is sent when there is a token', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  await using other = await startReceiver()
  const slow = await limited(stage, 1, receiver.url)
  await stage.webhook({ url: other.url })
  const { happen } = await stage.start()
  for (let n = 0; n < 3; n++) await happen()

  await other.count(3)
  await receiver.count(1)
  expect(receiver.calls).toHaveLength(1)
  expect(await stage.db.delivery.count({ where: { webhookId: slow, leaseOwner: null, status: 'pending' } })).toBe(2)

  await saveTokens(stage, slow)
  await receiver.count(2)
})

test.skipIf(services().postgres === null)('a bucket that another dispatcher takes from is left to it', async () => {
  await using stage = await openStage()
  const webhook = await limited(stage, 60)
  await insertBacklog(stage, webhook, 5)

  const meanwhile = await stage.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM webhook_rate WHERE webhook_id = ${webhook}::uuid FOR NO KEY UPDATE`
    return claim(stage, 'two', [webhook])
  })

  expect(meanwhile.claimed).toEqual([])
  expect((await claim(stage, 'two', [webhook])).claimed).toHaveLength(5)
})
