// What the gateway counts of requests, scraped as Prometheus does.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveMetrics, type MetricsServer } from '#runtime/metrics/metrics-server.ts'
import { eventually } from '../../support/eventually.ts'
import { figure, scrape, type Exposed } from '../../support/exposition.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import { workspaceA } from '../support/service.ts'
import { openWire } from '../support/wire.ts'

let edge: Edge
let metrics: MetricsServer
beforeAll(async () => {
  edge = await startEdge()
  metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [edge.gateway.metrics])
})
afterAll(async () => {
  await metrics.close()
  await edge[Symbol.asyncDispose]()
})

const scraped = (): Promise<Exposed> => scrape(metrics.url!)
/** By how much a figure has grown: a request is counted a moment after its answer. */
async function grows(name: string, labels: Record<string, string>, act: () => Promise<unknown>, by = 1): Promise<void> {
  const before = figure(await scraped(), name, labels)
  await act()
  await eventually(async () => figure(await scraped(), name, labels) === before + by, `${name} grows by ${by}`)
}
const requests = 'http_server_requests_total'

test('a call is counted by operation and outcome, with its time here apart from its time in the service', async () => {
  const { token } = edge.service.key()
  const labels = { tier: 'gateway', operation: 'projects.list', surface: 'http', status: '2xx' }
  const call = () => edge.call('GET', '/api/v1/projects', { token })

  await grows(requests, { ...labels, code: '' }, call)
  await grows('http_server_request_duration_seconds', labels, call)
  await grows('gateway_own_duration_seconds', labels, call)
  await grows('gateway_upstream_duration_seconds', labels, call)
})

test('a refusal is counted with its code, and has no time in the service', async () => {
  const labels = { operation: 'projects.list', surface: 'http', status: '4xx' }
  const refused = () => edge.call('GET', '/api/v1/projects', { token: 'wrong' })

  await grows(requests, { ...labels, code: 'invalid_api_key' }, refused)
  await grows('gateway_own_duration_seconds', labels, refused)

  expect(figure(await scraped(), 'gateway_upstream_duration_seconds', labels)).toBe(0)
})

test('a refusal by the service has no code of the gateway', async () => {
  edge.service.respond = (_request, response) => void response.writeHead(404).end('{}')
  const { token } = edge.service.key()
  const labels = { operation: 'projects.get', surface: 'http', status: '4xx', code: '' }

  await grows(requests, labels, () => edge.call('GET', `/api/v1/projects/${workspaceA}`, { token }))

  edge.service.respond = (_request, response) => void response.end('{}')
})

test('the operator, MCP, pages and unknown addresses are told apart', async () => {
  const { token } = edge.service.key()
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

  await grows(requests, { surface: 'settings', operation: 'workspaces.list', code: 'missing_credentials' }, () =>
    edge.call('GET', '/settings/api/workspaces'),
  )
  await grows(requests, { surface: 'mcp', operation: 'mcp', status: '2xx' }, () =>
    edge.call('POST', '/api/mcp', {
      token,
      body: call,
      headers: { accept: 'application/json, text/event-stream' },
    }),
  )
  await grows(requests, { surface: 'mcp', operation: 'mcp', code: 'invalid_api_key' }, () =>
    edge.call('POST', '/api/mcp', { token: 'wrong', body: call }),
  )
  await grows(requests, { surface: 'public', status: '2xx' }, () => edge.call('GET', '/api/v1/health'))
  await grows(requests, { surface: 'none', code: 'route_not_found' }, () => edge.call('GET', '/nowhere/at/all'))
})

test('a caller that leaves is counted as such, and is active until then', async () => {
  edge.service.respond = () => {}
  const wire = await openWire(edge.gateway.port)
  const { token } = edge.service.key()

  await grows(requests, { operation: 'me.get', code: 'client_closed_request' }, async () => {
    wire.send(`GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await eventually(async () => figure(await scraped(), 'http_server_active_requests') === 1, 'one is active')
    wire.socket.destroy()
  })

  expect(figure(await scraped(), 'http_server_active_requests')).toBe(0)
  edge.service.respond = (_request, response) => void response.end('{}')
})

test('bytes of requests and answers are counted, heads included, and every request once on its connection', async () => {
  const wire = await openWire(edge.gateway.port)
  const { token } = edge.service.key()
  const head = `GET /api/v1/webhooks HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`
  const labels = { operation: 'webhooks.list' }

  await grows('http_server_received_bytes_total', labels, async () => wire.send(head), head.length)
  await grows('http_server_received_bytes_total', labels, async () => wire.send(head), head.length)

  expect(figure(await scraped(), 'http_server_sent_bytes_total', labels)).toBe(wire.socket.bytesRead)
  wire.socket.destroy()
})

test('no label holds a key, a workspace, an id or a path', async () => {
  const { token, record } = edge.service.key()
  await edge.call('GET', `/api/v1/projects/${workspaceA}?workspaceId=${workspaceA}`, { token })
  await edge.call('GET', `/${token}/nowhere`, { token })

  const text = await (await fetch(metrics.url!)).text()

  expect(text).not.toMatch(new RegExp([token, record.id, workspaceA, '/api/', 'nowhere'].join('|')))
})

test('addresses of the service are counted by their state', async () => {
  const exposed = await scraped()

  expect(figure(exposed, 'gateway_service_addresses', { state: 'usable' })).toBe(1)
  expect(figure(exposed, 'gateway_service_addresses')).toBe(1)
})
