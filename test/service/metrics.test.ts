// The figures of the service, scraped as Prometheus does.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveMetrics, type MetricsServer } from '#runtime/metrics/metrics-server.ts'
import type { Method } from '#contract/operation.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape, type Exposed } from '../support/exposition.ts'
import { quietService, type QuietService } from './quiet-service.ts'

let service: QuietService
let metrics: MetricsServer
let url: string
beforeAll(async () => {
  service = await quietService('postgres')
  url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [service.metrics])
})
afterAll(async () => {
  await metrics.close()
  await service[Symbol.asyncDispose]()
})

const scraped = (): Promise<Exposed> => scrape(metrics.url!)
async function grows(name: string, labels: Record<string, string>, act: () => Promise<unknown>): Promise<void> {
  const before = figure(await scraped(), name, labels)
  await act()
  await eventually(async () => figure(await scraped(), name, labels) === before + 1, `${name} grows`)
}
/** Over HTTP: an answer is complete when its connection has taken it. */
async function send(method: Method, path: string, body?: object, surface?: 'mcp'): Promise<string> {
  const types = { accept: 'application/json, text/event-stream', ...(body && { 'content-type': 'application/json' }) }
  const headers = { ...service.headersFor(method, path, undefined, surface), ...types }
  return (await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).text()
}
const callTool = (name: string) =>
  send('POST', mcpPath, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }, 'mcp')

test('a call is counted by operation and outcome, with the code of a refusal', async () => {
  const labels = { tier: 'service', surface: 'http' }
  const list = { operation: 'projects.list', status: '2xx' }
  const refused = { ...labels, operation: 'projects.create', code: 'unknown_field' }
  const read = () => send('GET', '/api/v1/projects')

  await grows('http_server_requests_total', { ...labels, ...list, code: '' }, read)
  await grows('http_server_request_duration_seconds', list, read)
  await grows('http_server_requests_total', refused, () => send('POST', '/api/v1/projects', { nonsense: 1 }))
})

test('a call of a tool is counted by tool and outcome', async () => {
  const name = 'projects.list'

  await grows('mcp_tool_calls_total', { tool: name, outcome: 'success', code: '' }, () => callTool(name))
  await grows('mcp_tool_call_duration_seconds', { tool: name }, () => callTool(name))
  await grows('mcp_tool_calls_total', { tool: 'whoami', outcome: 'failed', code: 'not_found' }, () =>
    callTool('whoami'),
  )
  await grows('http_server_requests_total', { operation: name, surface: 'mcp', status: '2xx' }, () => callTool(name))
})

test('events that nobody has taken are counted, with the age of the oldest', async () => {
  const before = figure(await scraped(), 'service_outbox_rows')
  await send('POST', '/api/v1/projects', { name: 'Waits' })

  await eventually(async () => figure(await scraped(), 'service_outbox_rows') === before + 1, 'one more waits')
  await eventually(async () => figure(await scraped(), 'service_outbox_oldest_seconds') > 0, 'it grows old')
})

test('slots, connections and what is reached are told', async () => {
  const exposed = await scraped()

  expect(figure(exposed, 'service_database_slots')).toBeGreaterThan(0)
  expect(figure(exposed, 'service_database_slots_in_use')).toBe(0)
  expect(figure(exposed, 'service_database_connections', { state: 'idle' })).toBeGreaterThan(0)
  expect(figure(exposed, 'service_dependency_up', { dependency: 'database' })).toBe(1)
})
