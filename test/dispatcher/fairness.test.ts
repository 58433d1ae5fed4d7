// Receivers that hang cost the others nothing: neither those of their own workspace nor those of another.
import { describe, expect, test } from 'vitest'
import { onEachEngine } from '../support/database-engines.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { insertBacklog } from './queue/backlog.ts'
import { sharedStages, stageOn, type Rows } from './stage.ts'

const openStage = sharedStages()

/** Nothing times out while a test looks. */
const patient = { sendTimeoutMs: 40_000 }
const hanging = () => startReceiver(() => new Promise<never>(() => {}))

/** Webhooks with many deliveries that are due. */
async function withBacklogs(rows: Rows, url: string, webhooks: number, each: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < webhooks; n++) ids.push(await rows.webhook({ url, eventTypes: ['tasks.*'] }))
  for (const id of ids) await insertBacklog(rows, id, each)
  return ids
}

onEachEngine((kind) => {
  test('twelve webhooks that hang, with all that waits for them, hold up neither their own workspace nor another', async () => {
    await using stage = await openStage(kind)
    const neighbour = await stageOn(stage.db)
    await using sick = await hanging()
    await using well = await startReceiver()
    await withBacklogs(stage, sick.url, 12, 150)
    const own = await stage.webhook({ url: well.url, eventTypes: ['projects.*'] })
    const theirs = await neighbour.webhook({ url: well.url, eventTypes: ['projects.*'] })
    const { notify } = await stage.start(patient)
    // They have begun to hang.
    await sick.count(10)

    const [event, other] = [await stage.event(), await neighbour.event()]
    notify(event, other)
    await stage.becomes('delivered', event, own)
    await stage.becomes('delivered', other, theirs)
    await insertBacklog(stage, own, 30)
    await insertBacklog(neighbour, theirs, 30)

    await well.count(62)
    const tried = { status: { not: 'pending' }, webhookId: { notIn: [own, theirs] } }
    expect(await stage.db.delivery.count({ where: tried })).toBe(0)
  })
})

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test('a webhook has two requests at a time, and ten once it has delivered', async () => {
    await using stage = await openStage()
    const answers = Array.from({ length: 18 }, () => Promise.withResolvers<number>())
    await using receiver = await startReceiver((_call, number) => answers[number - 1]?.promise ?? 200)
    const webhook = await stage.webhook({ url: receiver.url })
    await insertBacklog(stage, webhook, 60)
    await stage.start(patient)

    await receiver.count(2)
    answers.slice(0, 8).forEach(({ resolve }) => resolve(200))
    await receiver.count(18)
    await stage.delivered(8)

    expect(receiver.calls).toHaveLength(18)
    answers.forEach(({ resolve }) => resolve(200))
    await receiver.count(60)
  })
})
