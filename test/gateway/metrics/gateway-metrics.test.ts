// What the gateway counts, scraped as Prometheus does: each figure moves when the thing happens.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveMetrics, type MetricsServer } from '#runtime/metrics/metrics-server.ts'
import { redisRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { savedMax } from '../../../gateway/upstream/address-pool.ts'
import { eventually } from '../../support/eventually.ts'
import { figure, scrape, type Exposed } from '../../support/exposition.ts'
import { amply, edgeOfFile } from '../support/edge.ts'
import { answerOk, answerWith, holding, workspaceA } from '../support/service.ts'
import { openWire, requestText } from '../support/wire.ts'

// A Redis to which nobody can connect.
const { edge, token } = edgeOfFile({ rateLimiter: redisRateLimiter('redis://127.0.0.1:1', 'test', amply, () => {}) })
let metrics: MetricsServer
beforeAll(async () => {
  metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [edge.gateway.metrics])
})
afterAll(() => metrics.close())

type Labels = Record<string, string>
const scraped = (): Promise<Exposed> => scrape(metrics.url!)
const now = async (name: string, labels: Labels = {}) => figure(await scraped(), name, labels)
const becomes = (name: string, value: number, labels: Labels = {}) =>
  eventually(async () => (await now(name, labels)) === value, `${name} is ${value}`)
/** By how much a figure has grown: a request is counted a moment after its answer. */
async function grows(name: string, labels: Labels, act: () => unknown, by = 1): Promise<void> {
  const before = await now(name, labels)
  await act()
  await becomes(name, before + by, labels)
}
const requests = 'http_server_requests_total'
const me = '/api/v1/me'

describe('requests', () => {
  test('a call is counted by operation and outcome, with its time here apart from its time in the service', async () => {
    const labels = { tier: 'gateway', operation: 'projects.list', surface: 'http', status: '2xx' }
    const call = () => edge.call('GET', '/api/v1/projects', { token })

    await grows(requests, { ...labels, code: '' }, call)
    await grows('http_server_request_duration_seconds', labels, call)
    await grows('gateway_own_duration_seconds', labels, call)
    await grows('gateway_upstream_duration_seconds', labels, call)
  })

  test('a refusal is kept and counted with its code, and has no time in the service; one by the service has no code', async () => {
    const labels = { operation: 'projects.list', surface: 'http', status: '4xx' }
    const refused = () => edge.call('GET', '/api/v1/projects', { token: 'wrong' })
    await grows(requests, { ...labels, code: 'invalid_api_key' }, refused)
    await grows('gateway_own_duration_seconds', labels, refused)
    await grows('gateway_refusals_kept', {}, refused)
    for (const name of ['gateway_refusals_dropped_total', 'gateway_denied_calls_dropped_total'])
      expect(await now(name)).toBe(0)
    expect(await now('gateway_upstream_duration_seconds', labels)).toBe(0)

    edge.service.respond = answerWith(404)
    const ofService = { operation: 'projects.get', surface: 'http', status: '4xx', code: '' }
    await grows(requests, ofService, () => edge.call('GET', `/api/v1/projects/${workspaceA}`, { token }))
  })

  test('the operator, MCP, pages and unknown addresses are told apart', async () => {
    const call = { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } }
    const mcp = { surface: 'mcp', operation: 'mcp' }
    const operator = { surface: 'settings', operation: 'workspaces.list', code: 'missing_credentials' }

    await grows(requests, operator, () => edge.call('GET', '/settings/api/workspaces'))
    await grows(requests, { ...mcp, status: '2xx' }, () => edge.call('POST', '/api/mcp', { token, ...call }))
    const unknown = { ...mcp, code: 'invalid_api_key' }
    await grows(requests, unknown, () => edge.call('POST', '/api/mcp', { token: 'wrong', ...call }))
    await grows(requests, { surface: 'public', status: '2xx' }, () => edge.call('GET', '/api/v1/health'))
    await grows(requests, { surface: 'none', code: 'route_not_found' }, () => edge.call('GET', '/nowhere/at/all'))
  })

  test('a caller that leaves is counted as such; until then it is active, and its body is held in memory', async () => {
    edge.service.respond = () => {}
    const wire = await openWire(edge.gateway.port)
    const body = JSON.stringify({ name: 'x'.repeat(5_000) })
    const headers = [`content-length: ${body.length}`]

    await grows(requests, { operation: 'projects.create', code: 'client_closed_request' }, async () => {
      wire.send(requestText('POST /api/v1/projects', { token, headers, body }))
      await becomes('http_server_active_requests', 1)
      await becomes('gateway_body_bytes_held', body.length)
      wire.socket.destroy()
    })

    expect(await now('http_server_active_requests')).toBe(0)
    await becomes('gateway_body_bytes_held', 0)
  })

  test('bytes of requests and answers are counted, heads included, and every request once on its connection', async () => {
    const wire = await openWire(edge.gateway.port)
    const text = requestText('GET /api/v1/webhooks', { token })
    const labels = { operation: 'webhooks.list' }

    for (let calls = 0; calls < 2; calls++)
      await grows('http_server_received_bytes_total', labels, () => wire.send(text), text.length)

    expect(await now('http_server_sent_bytes_total', labels)).toBe(wire.socket.bytesRead)
    wire.socket.destroy()
  })

  test('what is no HTTP, and what is refused before it has a route, is counted by code', async () => {
    for (const [name, labels, text] of [
      ['gateway_refused_connections_total', { code: 'invalid_http' }, 'nonsense\r\n\r\n'],
      [requests, { surface: 'none', status: '4xx' }, `GET ${me} HTTP/1.1\r\n\r\n`],
    ] as const) {
      const wire = await openWire(edge.gateway.port)
      await grows(name, labels, () => wire.send(text))
      wire.socket.destroy()
    }
  })

  test('no label holds a key, a workspace, an id or a path', async () => {
    const { token: own, record } = edge.service.key()
    await edge.call('GET', `/api/v1/projects/${workspaceA}?workspaceId=${workspaceA}`, { token: own })
    await edge.call('GET', `/${own}/nowhere`, { token: own })

    const text = await (await fetch(metrics.url!)).text()

    expect(text).not.toMatch(new RegExp([own, record.id, workspaceA, '/api/', 'nowhere'].join('|')))
  })
})

describe('what it rests on', () => {
  test('the first call with a key is a miss and a fetch, the second a hit', async () => {
    const { token: own } = edge.service.key()
    const before = await scraped()

    for (let calls = 0; calls < 2; calls++) await edge.call('GET', me, { token: own })

    const after = await scraped()
    const growth = (name: string, labels: Labels = {}) => figure(after, name, labels) - figure(before, name, labels)
    const lookups = ['miss', 'hit', 'stale'].map((result) => growth('gateway_key_cache_lookups_total', { result }))
    expect([lookups, growth('gateway_key_fetches_total')]).toEqual([[1, 1, 0], 1])
    expect(figure(after, 'gateway_key_cache_entries')).toBeGreaterThan(0)
  })

  test('without Redis the limiter says that it counts alone, and how often', async () => {
    await becomes('gateway_rate_limit_degraded', 1)

    await grows('gateway_rate_limit_counted_alone_total', {}, () => edge.call('GET', me, { token }))

    expect(await now('gateway_rate_limit_gateways')).toBe(1)
  })

  test('a call at the service holds a slot; one that finds none waits, and its wait is counted', async () => {
    const { held, respond } = holding()
    edge.service.respond = respond

    const calls = Array.from({ length: 17 }, () => edge.call('GET', me, { token }))
    await becomes('gateway_slots_waiting', 1, { holder: 'keys' })

    expect(await now('gateway_slots_in_use', { holder: 'keys' })).toBe(16)
    edge.service.respond = answerOk
    held.forEach((response) => response.end('{}'))
    await Promise.all(calls)
    await becomes('gateway_slots_in_use', 0)
    expect(await now('gateway_slot_wait_seconds')).toBe(1)
  })

  test('addresses of the service, and what is heard of keys, are shown while it answers, and that it does not', async () => {
    await becomes('gateway_key_changes_up_to_date', 1)
    await eventually(
      async () => (await now('gateway_invalidation_lag_seconds')) < 4,
      'what was heard is less old than 4 s',
    )
    expect(await now('gateway_retries_left')).toBe(savedMax)
    expect(await now('gateway_service_addresses', { state: 'usable' })).toBe(1)
    expect(await now('gateway_service_addresses')).toBe(1)

    await edge.service.close()

    await becomes('gateway_service_addresses', 1, { state: 'unreachable' })
    await becomes('gateway_key_changes_up_to_date', 0)
    expect(await now('gateway_invalidation_lag_seconds')).toBeGreaterThanOrEqual(4)
  })
})
