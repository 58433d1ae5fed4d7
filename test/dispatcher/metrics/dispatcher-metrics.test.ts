// The figures of the dispatcher, scraped as Prometheus does.

import { generateKeySync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyring } from '#runtime/keyring.ts'
import { serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { oldestDueSeconds } from '../../../dispatcher/metrics/dispatcher-metrics.ts'
import { eventually } from '../../support/eventually.ts'
import { figure, scrape } from '../../support/exposition.ts'
import { startReceiver } from '../../support/receiver.ts'
import { leased } from '../leased.ts'
import { openStage } from '../stage.ts'

test('attempts are counted by outcome, events by the way they were found', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver([500, 200])
  const webhook = await stage.webhook({ url: receiver.url })
  const { dispatcher, notify } = await stage.start()
  const metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [dispatcher.metrics])
  const event = await stage.event()

  notify(event)
  await stage.becomes('delivered', event, webhook)

  const exposed = await scrape(metrics.url!)
  const attempts = (labels: Record<string, string>) => figure(exposed, 'dispatcher_attempts_total', labels)
  expect(attempts({ outcome: 'retry', error: 'http_status' })).toBe(1)
  expect(attempts({ outcome: 'delivered', error: '' })).toBe(1)
  expect(figure(exposed, 'dispatcher_attempt_duration_seconds', { outcome: 'delivered' })).toBe(1)
  expect(figure(exposed, 'dispatcher_events_fanned_out_total')).toBe(1)
  expect(figure(exposed, 'dispatcher_deliveries_claimed_total')).toBe(1)
  expect(figure(exposed, 'dispatcher_broker_up')).toBe(1)
  await eventually(async () => {
    const now = await scrape(metrics.url!)
    return ['queued', 'in_flight'].every((state) => figure(now, `dispatcher_deliveries_${state}`) === 0)
  }, 'nothing is under way')
  await metrics.close()
})

test('stored secrets are counted by whether this dispatcher has their key, and an alert watches those without', async () => {
  await using stage = await openStage()
  await stage.webhook({ url: 'https://example.com/' })
  const others = keyring([], 'another secret, long enough for all', 'webhook-secrets')
  const first = keyring([{ id: 'x', key: generateKeySync('aes', { length: 256 }) }], 'unused', 'webhook-secrets')
  await stage.db.webhook.updateMany({ data: { sealedHeaders: first.seal('{}', 'headers') } })
  const { dispatcher } = await stage.start({ keyring: others })
  const metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [dispatcher.metrics])

  const exposed = await scrape(metrics.url!)

  expect(figure(exposed, 'dispatcher_sealed_values', { state: 'unknown' })).toBe(1)
  expect(await dispatcher.missingKeys()).toEqual({ x: 1 })
  const alerts = readFileSync(join(import.meta.dirname, '../../../docs/operating/metrics.md'), 'utf8')
  expect(alerts).toMatch(/alert: SealingKeyMissing\n +expr: .*max\(dispatcher_sealed_values\{state="unknown"\}\) > 0/)
  await metrics.close()
})

test('what a fan-out that fails had counted on is free again: its deliveries are queued, not left to be claimed', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const webhook = await stage.webhook({ url: receiver.url })
  await stage.db.$executeRaw`CREATE SEQUENCE tries`
  await stage.db.$executeRaw`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM nextval(''tries''); RAISE EXCEPTION ''not now''; END'`
  await stage.db.$executeRaw`CREATE TRIGGER refuse BEFORE DELETE ON outbox EXECUTE FUNCTION refuse()`
  const events = await Promise.all(Array.from({ length: 15 }, () => stage.event()))
  const { dispatcher, notify } = await stage.start()
  const metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [dispatcher.metrics])
  notify(...events)
  // Twenty may wait: what two tries had counted on is more.
  await eventually(async () => {
    const [tries] = await stage.db.$queryRaw<{ count: number }[]>`SELECT last_value::int AS count FROM tries`
    return (tries?.count ?? 0) >= 3
  }, 'three tries')

  await stage.db.$executeRaw`DROP TRIGGER refuse ON outbox`

  await eventually(
    async () => (await stage.db.delivery.count({ where: { webhookId: webhook, status: 'delivered' } })) === 15,
    '15 delivered',
  )
  expect(figure(await scrape(metrics.url!), 'dispatcher_deliveries_claimed_total')).toBe(0)
  await metrics.close()
})

test('the oldest due delivery tells how late the dispatchers are', async () => {
  await using stage = await openStage()
  expect(await oldestDueSeconds(stage.db)).toBe(0)
  await leased(stage)
  await leased(stage)
  const waits = (seconds: number) => stage.db.$executeRaw`
    UPDATE delivery SET next_attempt_at = now() + ${seconds}::int * interval '1 second'
    WHERE workspace_id = ${stage.workspaceId}::uuid AND id = (
      SELECT id FROM delivery WHERE workspace_id = ${stage.workspaceId}::uuid ORDER BY webhook_id LIMIT 1)`
  await stage.db.$executeRaw`
    UPDATE delivery SET next_attempt_at = now() + interval '1 hour' WHERE workspace_id = ${stage.workspaceId}::uuid`

  await waits(600)
  expect(await oldestDueSeconds(stage.db)).toBe(0)
  await waits(-600)

  expect(Math.floor((await oldestDueSeconds(stage.db)) / 600)).toBe(1)
})
