// One trace of a call through all tiers, from the caller's headers to the receiver of the webhook: as spans at a
// collector, and as one id in the log lines of every tier.
import { logger } from '#runtime/log.ts'
import { expect, test } from 'vitest'
import { traceIdOf } from '#runtime/tracing/trace-context.ts'
import { freshDatabase } from '../support/database.ts'
import { clientOf, must, type Tenant } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { lacksForeign } from '../support/foreign.ts'
import { start } from '../support/processes.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { startCollector, type CollectedSpan } from '../support/servers/collector.ts'
import { freePort } from '../support/servers/server.ts'
import { describeModes, modes, startSystem } from '../support/system.ts'
import { tracingTo } from '../support/tracing.ts'

const spanId = '00f067aa0ba902b7'
const traceOf = (digit: string): string => `4bf92f3577b34da6a3ce929d0e0e473${digit}`
const traceparentOf = (traceId: string, flags: string): string => `00-${traceId}-${spanId}-${flags}`

type Line = Readonly<Record<string, unknown>>
const traced = (lines: readonly Line[], traceId: string): string[] =>
  lines.filter((line) => line['traceId'] === traceId).map(({ msg }) => String(msg))
/** Of the gateway, of the service, and of the dispatcher for one attempt. */
const oneOfEachTier = ['attempt', 'call', 'request']

const parse = (line: string): Line => JSON.parse(line) as Line

async function subscribed(tenant: Tenant, { url }: Receiver): Promise<void> {
  const hook = { name: 'W', url: `${url}/secret-of-the-path?key=of-the-query`, eventTypes: ['projects.*'] }
  must(await tenant.api('POST', '/api/v1/webhooks', hook))
}

const create = async (tenant: Tenant, headers: Record<string, string>) =>
  must(await tenant.api('POST', '/api/v1/projects?', { name: 'private words' }, headers))

const named = (spans: readonly CollectedSpan[], name: string, kind: string): CollectedSpan[] =>
  spans.filter((span) => span.name === name && span.kind === kind)

/** The only span of this name and kind. */
function only(spans: readonly CollectedSpan[], name: string, kind: string): CollectedSpan {
  const [found, ...others] = named(spans, name, kind)
  if (found === undefined || others.length > 0) throw new Error(`${others.length} others of ${kind} ${name}`)
  return found
}

/** Two attempts were made, of which the first has failed. */
function expectOneTree(spans: readonly CollectedSpan[], receiver: Receiver): void {
  const [edge, called] = named(spans, 'POST /api/v1/projects', 'server').toSorted((one, other) =>
    one.startedAt < other.startedAt ? -1 : 1,
  )
  const sent = only(spans, 'send webhooks.events', 'producer')
  const processed = only(spans, 'process webhooks.events', 'consumer')
  const posts = named(spans, 'POST', 'client')
  const forwarded = posts.find((span) => span.id === called?.parentId)
  const [first, second] = posts
    .filter((span) => span !== forwarded)
    .toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
  const statements = spans.filter((span) => span.attributes['db.system.name'] === 'postgresql')

  expect(edge).toMatchObject({ parentId: spanId, tracestate: 'vendor=1' })
  expect(forwarded).toMatchObject({ parentId: edge?.id, attributes: { 'http.response.status_code': 201 } })
  expect(called?.attributes).toMatchObject({ 'http.route': '/api/v1/projects', 'operation.name': 'projects.create' })
  expect(new Set(statements.map((span) => span.parentId))).toEqual(new Set([called?.id]))
  expect(statements.map((span) => span.name)).toEqual(
    expect.arrayContaining(['UPDATE event_sequence INSERT event INSERT outbox']),
  )
  expect([sent.parentId, processed.parentId]).toEqual([called?.id, sent.id])
  expect(first).toMatchObject({ parentId: processed.id, isError: true, attributes: { 'error.type': '500' } })
  // A later attempt is a part of what the event is stored with.
  expect(second).toMatchObject({ parentId: called?.id, isError: false, attributes: { 'http.request.resend_count': 1 } })
  expect(receiver.calls.map(({ headers }) => headers['traceparent'])).toEqual(
    [first, second].map((span) => `00-${span?.traceId}-${span?.id}-01`),
  )
  for (const span of spans) expect(span.startedAt <= span.endedAt).toBe(true)
}

describeModes('traces', (mode) => {
  test.skipIf(lacksForeign)(
    'of one call are one tree, and one id in the log and at the receiver',
    { timeout: 60_000 },
    async () => {
      await using collector = await startCollector()
      await using receiver = await startReceiver([500, 200])
      const { tracing, flush } = await tracingTo(collector.url)
      const lines: string[] = []
      const log = logger('debug', 'test', { write: (line) => void lines.push(line) })
      const database = await freshDatabase(mode === 'standalone' ? 'pglite' : 'postgres', { traced: true })
      await using system = await startSystem(mode, { tracing }, log, database)
      const tenant = await system.tenant()
      await subscribed(tenant, receiver)
      const traceId = traceOf('6')

      await create(tenant, { traceparent: traceparentOf(traceId, '01'), tracestate: 'vendor=1' })
      await receiver.count(2)
      await eventually(() => traced(lines.map(parse), traceId).length === 4, 'the lines of both attempts')
      await flush()

      expectOneTree(
        collector.spans.filter((span) => span.traceId === traceId),
        receiver,
      )
      expect(traced(lines.map(parse), traceId).toSorted()).toEqual(['attempt', ...oneOfEachTier])
      const sent = Buffer.concat(collector.requests.map(({ body }) => body)).toString('latin1')
      for (const secret of [
        tenant.secret,
        system.operatorToken,
        system.settings.internalSecret,
        'private words',
        'secret-of-the-path',
        'of-the-query',
        'whsec_',
      ])
        expect(sent).not.toContain(secret)
    },
  )

  test('that are not sampled export nothing, and have one id all the same', { timeout: 60_000 }, async () => {
    await using collector = await startCollector()
    await using receiver = await startReceiver()
    const { tracing, flush } = await tracingTo(collector.url, 'parentbased_always_off')
    const lines: string[] = []
    const log = logger('debug', 'test', { write: (line) => void lines.push(line) })
    await using system = await startSystem(mode, { tracing }, log)
    const tenant = await system.tenant()
    await subscribed(tenant, receiver)
    const traceId = traceOf('7')

    await create(tenant, { traceparent: traceparentOf(traceId, '00') })
    await create(tenant, { traceparent: 'junk', tracestate: 'vendor=1' })
    const calls = await receiver.count(2)
    const ids = calls.map(({ headers }) => traceIdOf(String(headers['traceparent'])))
    const linesOf = (id: string): string[] => traced(lines.map(parse), id).toSorted()
    await eventually(() => ids.every((id) => linesOf(id).length === 3), 'the lines of both calls')
    await flush()

    expect(collector.requests).toEqual([])
    expect(ids.includes(traceId)).toBe(true)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(linesOf(id)).toEqual(oneOfEachTier)
    for (const { headers, body } of calls) {
      expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
      expect(headers['tracestate']).toBeUndefined()
      expect(ids.filter((id) => body.includes(id))).toEqual([])
    }
    const { id } = must(await tenant.api('GET', '/api/v1/deliveries')).data[0]
    // The receiver has its request before the dispatcher has written down what became of it.
    const attempt = await eventually(
      async () => must(await tenant.api('GET', `/api/v1/deliveries/${id}/attempts`)).data[0],
      'the attempt to be recorded',
    )
    expect(calls.map(({ headers }) => headers['traceparent'])).toContain(attempt.request.headers.traceparent)
  })

  test(
    'of a call without a trace of its own begin in the gateway, without an exporter too',
    { timeout: 60_000 },
    async () => {
      await using receiver = await startReceiver()
      const lines: string[] = []
      const log = logger('debug', 'test', { write: (line) => void lines.push(line) })
      await using system = await startSystem(mode, {}, log)
      const tenant = await system.tenant()
      await subscribed(tenant, receiver)
      const traceId = traceOf('8')

      await create(tenant, {})
      const [delivered] = await receiver.count(1)
      const began = traceIdOf(String(delivered?.headers['traceparent']))
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
      const params = { name: 'whoami', arguments: {}, _meta: { traceparent: traceparentOf(traceId, '01') } }
      const accept = { accept: 'application/json, text/event-stream' }
      must(await tenant.api('POST', '/api/mcp', { ...call, params }, accept))
      await eventually(() => traced(lines.map(parse), traceId).length === 2, 'the lines of the tool')
      await eventually(() => traced(lines.map(parse), began).length === 3, 'the lines of the create')

      expect(traced(lines.map(parse), began).toSorted()).toEqual(oneOfEachTier)
      expect(traced(lines.map(parse), traceId).toSorted()).toEqual(['call', 'request'])
      const calls = lines.map(parse).filter(({ msg }) => msg === 'request' || msg === 'call')
      expect(calls.filter((line) => !/^[0-9a-f]{32}$/.test(String(line['traceId'])))).toEqual([])
    },
  )
})

test.skipIf(lacksForeign || !modes.includes('distributed'))(
  'three processes under Node’s permission model send one trace, each with its name, and all of it before they end',
  { timeout: 120_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const collector = stack.use(await startCollector())
    const receiver = stack.use(await startReceiver([500, 200]))
    const { env, operatorToken, close } = await openStores({
      LOG_LEVEL: 'debug',
      NODE_OPTIONS: '--permission --allow-fs-read=*',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=hunter2hunter2',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    })
    stack.defer(close)
    const metricsPorts = await Promise.all([freePort(), freePort(), freePort()])
    const [atGateway, atService, atDispatcher] = metricsPorts.map((port) => ({ METRICS_PORT: String(port) }))
    const service = stack.use(await start('service/main.ts', { ...env, ...atService }))
    const dispatcher = stack.use(await start('dispatcher/main.ts', { ...env, ...atDispatcher }))
    const ofGateway = { ...env, ...atGateway, SERVICE_URLS: service.url }
    const gateway = stack.use(await start('gateway/main.ts', ofGateway))
    const tenant = await clientOf(gateway.url, operatorToken).tenant()
    await subscribed(tenant, receiver)
    const traceId = traceOf('9')

    await create(tenant, { traceparent: traceparentOf(traceId, '01'), tracestate: 'vendor=1' })
    await receiver.count(2)
    for (const port of metricsPorts) {
      const spans = async (outcome: string) =>
        figure(await scrape(`http://127.0.0.1:${port}/metrics`), 'trace_spans_total', { outcome })
      await eventually(async () => (await spans('exported')) > 0, 'exported spans to be counted')
      expect(await spans('dropped')).toBe(0)
    }
    const ended = []
    for (const each of [gateway, service, dispatcher]) ended.push(await each.kill('SIGTERM'))

    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    // Nothing but what this one caller has asked for.
    expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
    expectOneTree(collector.spans, receiver)
    const processes = (name: string, kind: string) =>
      named(collector.spans, name, kind).map(({ resource }) => String(resource['service.name']))
    expect(processes('POST /api/v1/projects', 'server').toSorted()).toEqual(['gateway', 'service'])
    expect(processes('send webhooks.events', 'producer')).toEqual(['service'])
    expect(processes('process webhooks.events', 'consumer')).toEqual(['dispatcher'])
    expect(collector.requests.every(({ headers }) => headers['x-collector-key'] === 'hunter2hunter2')).toBe(true)
    for (const { stdout } of ended)
      expect(stdout.split('\n').filter((line) => line.includes(traceId)).length).toBeGreaterThan(0)
    const sent = Buffer.concat(collector.requests.map(({ body }) => body)).toString('latin1')
    for (const secret of [tenant.secret, env['INTERNAL_SECRET'], operatorToken, 'hunter2', 'private words'])
      expect(sent).not.toContain(secret)
  },
)
