// The gateway's figures of what it rests on: each moves when the thing happens.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveMetrics, type MetricsServer } from '#runtime/metrics/metrics-server.ts'
import { redisRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { savedMax } from '../../../gateway/upstream/address-pool.ts'
import { eventually } from '../../support/eventually.ts'
import { figure, scrape, type Exposed } from '../../support/exposition.ts'
import { amply, startEdge, type Edge } from '../support/edge.ts'
import { openWire } from '../support/wire.ts'

let edge: Edge
let metrics: MetricsServer
beforeAll(async () => {
  // A Redis to which nobody can connect.
  const rateLimiter = redisRateLimiter('redis://127.0.0.1:1', 'metrics-test', amply, () => {})
  edge = await startEdge({ rateLimiter })
  metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [edge.gateway.metrics])
})
afterAll(async () => {
  await metrics.close()
  await edge[Symbol.asyncDispose]()
})

const scraped = (): Promise<Exposed> => scrape(metrics.url!)
const now = async (name: string, labels: Record<string, string> = {}) => figure(await scraped(), name, labels)

test('the first call with a key is a miss and a fetch, the second a hit', async () => {
  const { token } = edge.service.key()
  const before = await scraped()
  const growth = (after: Exposed, result: string) =>
    figure(after, 'gateway_key_cache_lookups_total', { result }) -
    figure(before, 'gateway_key_cache_lookups_total', { result })

  await edge.call('GET', '/api/v1/me', { token })
  await edge.call('GET', '/api/v1/me', { token })

  const after = await scraped()
  expect([growth(after, 'miss'), growth(after, 'hit'), growth(after, 'stale')]).toEqual([1, 1, 0])
  expect(figure(after, 'gateway_key_fetches_total') - figure(before, 'gateway_key_fetches_total')).toBe(1)
  expect(figure(after, 'gateway_key_cache_entries')).toBeGreaterThan(0)
})

test('without Redis the limiter says that it counts alone, and how often', async () => {
  await eventually(async () => (await now('gateway_rate_limit_degraded')) === 1, 'it is degraded')
  const before = await now('gateway_rate_limit_counted_alone_total')

  await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

  expect(await now('gateway_rate_limit_counted_alone_total')).toBeGreaterThan(before)
  expect(await now('gateway_rate_limit_gateways')).toBe(1)
})

test('a call at the service holds a slot; one that finds none waits, and its wait is counted', async () => {
  const answers: (() => void)[] = []
  edge.service.respond = (_request, response) => void answers.push(() => response.end('{}'))
  const { token } = edge.service.key()

  const calls = Array.from({ length: 17 }, () => edge.call('GET', '/api/v1/me', { token }))
  await eventually(async () => (await now('gateway_slots_waiting', { holder: 'keys' })) === 1, 'one waits')

  expect(await now('gateway_slots_in_use', { holder: 'keys' })).toBe(16)
  edge.service.respond = (_request, response) => void response.end('{}')
  answers.forEach((answer) => answer())
  await Promise.all(calls)
  await eventually(async () => (await now('gateway_slots_in_use')) === 0, 'none is held')
  expect(await now('gateway_slot_wait_seconds')).toBe(1)
})

test('a body that is held in memory shows while its call is under way, and no longer', async () => {
  const { token } = edge.service.key({ scopes: ['projects:write'] })
  edge.service.respond = () => {}
  const wire = await openWire(edge.gateway.port)
  const body = JSON.stringify({ name: 'x'.repeat(5_000) })
  const head = ['POST /api/v1/projects HTTP/1.1', 'host: g', `authorization: Bearer ${token}`]
  wire.send([...head, 'content-type: application/json', `content-length: ${body.length}`, '', body].join('\r\n'))

  await eventually(async () => (await now('gateway_body_bytes_held')) === body.length, 'it is held')

  wire.socket.destroy()
  await eventually(async () => (await now('gateway_body_bytes_held')) === 0, 'it is free')
  edge.service.respond = (_request, response) => void response.end('{}')
})

test('a refusal is kept, and denied calls that find room are not dropped', async () => {
  const before = await now('gateway_refusals_kept')

  await edge.call('GET', '/api/v1/projects', { token: edge.service.key({ scopes: ['tasks:read'] }).token })

  expect(await now('gateway_refusals_kept')).toBe(before + 1)
  expect([await now('gateway_refusals_dropped_total'), await now('gateway_denied_calls_dropped_total')]).toEqual([0, 0])
})

test('what is no HTTP, and what is refused before it has a route, is counted by code', async () => {
  const wire = await openWire(edge.gateway.port)
  wire.send('nonsense\r\n\r\n')
  await eventually(async () => (await now('gateway_refused_connections_total', { code: 'invalid_http' })) >= 1, 'one')

  const other = await openWire(edge.gateway.port)
  other.send('GET /api/v1/me HTTP/1.1\r\n\r\n')

  await eventually(
    async () => (await now('http_server_requests_total', { surface: 'none', status: '4xx' })) >= 1,
    'a request without Host',
  )
  for (const { socket } of [wire, other]) socket.destroy()
})

test('changes of keys are heard of while the service answers; without it, its address and the lag say so', async () => {
  await eventually(async () => (await now('gateway_key_changes_up_to_date')) === 1, 'up to date')
  expect(await now('gateway_invalidation_lag_seconds')).toBeLessThan(4)

  expect(await now('gateway_retries_left')).toBe(savedMax)

  await edge.service.close()

  await eventually(async () => (await now('gateway_service_addresses', { state: 'unreachable' })) === 1, 'unreachable')
  await eventually(async () => (await now('gateway_key_changes_up_to_date')) === 0, 'not up to date')
  expect(await now('gateway_invalidation_lag_seconds')).toBeGreaterThanOrEqual(4)
})
