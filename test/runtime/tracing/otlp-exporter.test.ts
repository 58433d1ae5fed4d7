// What becomes of spans where the collector takes them, and where it does not.
import { expect, test } from 'vitest'
import { openExporter } from '#runtime/tracing/otlp-exporter.ts'
import type { EndedSpan } from '#runtime/tracing/span.ts'
import { childOf, newTraceparent, sampled, spanIdOf, traceIdOf } from '#runtime/tracing/trace-context.ts'
import { openTracing, spanCounts } from '#runtime/tracing/tracing.ts'
import { tracingSettings } from '#runtime/tracing/settings.ts'
import { readSettings } from '#runtime/settings.ts'
import { eventually } from '../../support/eventually.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { freePort } from '../../support/servers/server.ts'
import { startCollector } from '../../support/servers/collector.ts'

const bounds = { queueMax: 20, batchMax: 10, everyMs: 10, answerWithinMs: 200 }
const about = { headers: { 'x-key': 'k' }, name: 'gateway', namespace: 'acme' }

const parent = sampled(newTraceparent())
const spanOf = (more: Partial<EndedSpan> = {}): EndedSpan => ({
  traceparent: childOf(parent),
  parentId: spanIdOf(parent),
  tracestate: 'vendor=1',
  name: 'GET /x',
  kind: 'server',
  attributes: { text: 'x', number: 7, isTrue: true, left: null },
  error: null,
  startedAt: performance.now() - 25,
  endedAt: performance.now(),
  ...more,
})

test.skipIf(lacksForeign)('a span arrives as it was, with its process, and the collector’s headers', async () => {
  await using collector = await startCollector()
  const exporter = openExporter({ endpoint: `${collector.url}/`, ...about }, bounds)
  const span = spanOf({ error: 'timeout', endedAt: performance.now() + 0.5 })
  const sentAt = BigInt(Date.now())

  exporter.export(span)
  await eventually(() => exporter.counts().exported === 1, 'the span to be taken')
  await exporter.close()

  const [found] = collector.spans
  expect(collector.spans).toHaveLength(1)
  expect(found).toMatchObject({
    traceId: traceIdOf(parent),
    id: spanIdOf(span.traceparent),
    parentId: spanIdOf(parent),
    tracestate: 'vendor=1',
    name: 'GET /x',
    kind: 'server',
    isError: true,
    attributes: { text: 'x', number: 7, isTrue: true, 'error.type': 'timeout' },
    resource: { 'service.name': 'gateway', 'service.namespace': 'acme' },
  })
  expect(found?.attributes).not.toHaveProperty('left')
  const [startedAt, endedAt] = [found?.startedAt ?? 0n, found?.endedAt ?? 0n]
  expect(Number(endedAt - startedAt) / 1e6).toBeCloseTo(span.endedAt - span.startedAt, 2)
  expect(Math.abs(Number(endedAt / 1_000_000n - sentAt))).toBeLessThan(1_000)
  expect(collector.requests[0]?.headers['x-key']).toBe('k')
})

test.skipIf(lacksForeign).each([
  ['refuses them', 500],
  ['does not answer', null],
])('of a collector that %s spans are dropped and counted, and closing ends', async (_how, status) => {
  await using collector = await startCollector(() => status)
  const exporter = openExporter({ endpoint: collector.url, ...about }, bounds)

  for (let sent = 0; sent < 100; sent++) exporter.export(spanOf())
  // Beyond one batch on its way and those that wait, all are dropped at once.
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 70 })
  await exporter.close().catch(() => {})

  await eventually(() => exporter.counts().dropped === 100, 'the others to be given up')
  expect(exporter.counts().exported).toBe(0)
})

test('a process whose collector is away closes, and counts what it has lost', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` }
  const { tracing, close } = await openTracing({ ...readSettings(tracingSettings('x'), env), brand: 'acme' })

  for (let sent = 0; sent < 10; sent++)
    tracing?.enter(newTraceparent(), true, null)?.end({ name: 'x', kind: 'internal', attributes: {} })
  await close()

  await eventually(() => spanCounts()?.dropped === 10, 'the spans to be given up')
})

test('without a collector there is no tracing, and nothing to close', async () => {
  const { tracing, close } = await openTracing({ ...readSettings(tracingSettings('x'), {}), brand: 'acme' })

  expect(tracing).toBeNull()
  await close()
})
