// The figures of the dispatcher, scraped as Prometheus does.
import { generateKeySync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { keyring } from '#runtime/keyring.ts'
import { serveMetrics } from '#runtime/metrics/metrics-server.ts'
import type { Dispatcher } from '../../../dispatcher/dispatcher.ts'
import { oldestDueSeconds } from '../../../dispatcher/queue/claim-rows.ts'
import { eventually } from '../../support/eventually.ts'
import { figure, scrape } from '../../support/exposition.ts'
import { inSeconds, leased } from '../leased.ts'
import { openStage as openOwnStage, sharedStages } from '../stage.ts'

const { openStage, delivering } = sharedStages()

async function figuresOf({ metrics }: Dispatcher) {
  const served = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [metrics])
  onTestFinished(served.close)
  return async () => {
    const exposed = await scrape(served.url!)
    return (name: string, labels?: Record<string, string>) => figure(exposed, `dispatcher_${name}`, labels)
  }
}

test('attempts are counted by outcome, events by the way they were found', async () => {
  const { stage, webhook, dispatcher, happen } = await delivering({ answers: [500, 200] })
  const figures = await figuresOf(dispatcher)

  await stage.becomes('delivered', await happen(), webhook)

  const now = await figures()
  expect(now('attempts_total', { outcome: 'retry', error: 'http_status' })).toBe(1)
  expect(now('attempts_total', { outcome: 'delivered', error: '' })).toBe(1)
  expect(now('attempt_duration_seconds', { outcome: 'delivered' })).toBe(1)
  for (const name of ['events_fanned_out_total', 'deliveries_claimed_total', 'broker_up'])
    expect(now(name), name).toBe(1)
  await eventually(async () => {
    const later = await figures()
    return later('deliveries_queued') === 0 && later('deliveries_in_flight') === 0
  }, 'nothing is under way')
})

test('stored secrets are counted by whether this dispatcher has their key', async () => {
  const others = keyring([], { internalSecret: 'another secret, long enough for all' }, 'webhook-secrets')
  const first = keyring(
    [{ id: 'x', key: generateKeySync('aes', { length: 256 }) }],
    { internalSecret: 'unused' },
    'webhook-secrets',
  )
  const { stage, dispatcher } = await delivering({ as: { keyring: others } })
  await stage.db.webhook.updateMany({ data: { sealedHeaders: first.seal('{}', 'headers') } })
  const figures = await figuresOf(dispatcher)

  expect((await figures())('sealed_values', { state: 'unknown' })).toBe(1)
  expect(await dispatcher.missingKeys()).toEqual({ x: 1 })
})

test('what a fan-out that fails had counted on is free again: its deliveries are queued, not left to be claimed', async () => {
  await using stage = await openOwnStage()
  await stage.receiving()
  await stage.db.$executeRaw`CREATE SEQUENCE tries`
  await stage.db.$executeRaw`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM nextval(''tries''); RAISE EXCEPTION ''not now''; END'`
  await stage.db.$executeRaw`CREATE TRIGGER refuse BEFORE DELETE ON outbox EXECUTE FUNCTION refuse()`
  // The sweeper leaves them to the notification, for it would try at the same time and count on as many again.
  const createdAt = inSeconds(600)
  const events = await Promise.all(Array.from({ length: 15 }, () => stage.event({ createdAt })))
  const { dispatcher, notify } = await stage.start()
  const figures = await figuresOf(dispatcher)
  notify(...events)
  // Twenty may wait: what two tries had counted on is more.
  await eventually(async () => {
    const [tries] = await stage.db.$queryRaw<{ count: number }[]>`SELECT last_value::int AS count FROM tries`
    return (tries?.count ?? 0) >= 3
  }, 'three tries')

  await stage.db.$executeRaw`DROP TRIGGER refuse ON outbox`

  await stage.delivered(15)
  expect((await figures())('deliveries_claimed_total')).toBe(0)
})

test('the oldest due delivery tells how late the dispatchers are', async () => {
  await using stage = await openStage()
  expect(await oldestDueSeconds(stage.db)).toBe(0)
  const [{ id }] = [await leased(stage), await leased(stage)]
  const waits = (seconds: number) => ({ data: { nextAttemptAt: inSeconds(seconds) } })
  await stage.db.delivery.updateMany(waits(3_600))

  await stage.db.delivery.updateMany({ where: { id }, ...waits(600) })
  expect(await oldestDueSeconds(stage.db)).toBe(0)
  await stage.db.delivery.updateMany({ where: { id }, ...waits(-600) })

  expect(Math.floor((await oldestDueSeconds(stage.db)) / 600)).toBe(1)
})
