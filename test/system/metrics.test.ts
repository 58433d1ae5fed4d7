// The figures of all tiers together: what is published, and what the documentation says of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Metric } from '#runtime/metrics/metric.ts'
import { processMetrics } from '#runtime/metrics/common-metrics.ts'
import { serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { dispatcherMetrics } from '../../dispatcher/metrics/dispatcher-metrics.ts'
import { gatewayMetrics } from '../../gateway/metrics/gateway-metrics.ts'
import { serviceMetrics } from '../../service/metrics.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeModes, must, startSystem, type System } from '../support/system.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const page = readFileSync(join(import.meta.dirname, '../../docs/operating/metrics.md'), 'utf8')
const declared: Metric[] = [gatewayMetrics, serviceMetrics, dispatcherMetrics, processMetrics].flatMap((metrics) =>
  Object.values(metrics),
)
const names = new Set(declared.map(({ name }) => name))
const { redisCalls, countedAlone, limitDegraded, gateways } = gatewayMetrics
/** With the embedded parts there is neither a pool nor Redis. */
const ofServers = new Set([
  ...[redisCalls, countedAlone, limitDegraded, gateways].map(({ name }) => name),
  'service_database_connections',
  'service_database_connections_waiting',
  'service_statements_cancelled_total',
])

/** Of parts that only a setting brings. */
const ofSettings = new Set([
  'service_replica_usable',
  'service_replica_behind_seconds',
  'service_replica_reads_total',
  'trace_spans_total',
  'service_mails_total',
  'service_mails_waiting',
  'service_mails_oldest_seconds',
])

/** Something of everything: a call, refusals, tools, a delivery. */
async function useAll(system: System): Promise<string> {
  await using receiver = await startReceiver()
  const { secret, api } = await system.tenant()
  must(await api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))
  must(await api('POST', '/api/v1/projects', { name: 'One' }))
  await system.call('GET', '/api/v1/projects', undefined, { authorization: 'Bearer wrong' })
  await api('POST', '/api/v1/projects', { nonsense: 1 })
  const callOf = (name: string, args: object) =>
    api('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, takes)
  await fetch(`${system.url}/api/v1/projects`, { headers: { 'x-long': 'x'.repeat(20_000) } })
  await callOf('projects.list', {})
  await callOf('projects.get', { id: 'NOPE' })
  await receiver.count(1)
  return secret
}

const takes = { accept: 'application/json, text/event-stream' }
const created = { tier: 'service', surface: 'http', operation: 'projects.create' }
/** What the service counts by operation, tool and outcome, with the code of a refusal. */
const counted: [name: string, labels: Record<string, string>][] = [
  ['http_server_requests_total', { ...created, status: '2xx', code: '' }],
  ['http_server_request_duration_seconds', { ...created, status: '2xx' }],
  ['http_server_requests_total', { ...created, code: 'unknown_field' }],
  ['http_server_requests_total', { tier: 'service', surface: 'mcp', operation: 'projects.list', status: '2xx' }],
  ['mcp_tool_calls_total', { tool: 'projects.list', outcome: 'success', code: '' }],
  ['mcp_tool_call_duration_seconds', { tool: 'projects.list' }],
  ['mcp_tool_calls_total', { tool: 'projects.get', outcome: 'failed', code: 'not_found' }],
  ['service_dependency_up', { dependency: 'database' }],
  ['build_info', { version, node: process.versions.node }],
]

describeModes('metrics', (mode) => {
  test(
    'one port has the figures of all tiers: each that is declared, and no other, and each call in its own',
    { timeout: 60_000 },
    async () => {
      await using system = await startSystem(mode)
      const metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, system.metrics)
      const secret = await useAll(system)
      const expected = [...names].filter(
        (name) => !ofSettings.has(name) && (mode === 'distributed' || !ofServers.has(name)),
      )

      const exposed = await eventually(async () => {
        const found = await scrape(metrics.url!)
        return figure(found, 'dispatcher_attempts_total') > 0 ? found : null
      }, 'an attempt is counted')

      expect([...exposed.keys()].toSorted()).toEqual(expected.toSorted())
      const seen = counted.map(([name, labels]) => [name, labels, figure(exposed, name, labels)])
      expect(seen).toEqual(counted.map((each) => [...each, 1]))
      expect(figure(exposed, 'service_database_slots')).toBeGreaterThan(0)
      const tiers = exposed.get('http_server_requests_total')?.samples.map(({ labels }) => labels['tier'])
      expect(new Set(tiers)).toEqual(new Set(['gateway', 'service']))
      expect(await (await fetch(metrics.url!)).text()).not.toContain(secret)
      expect(await (await fetch(`${system.url}/metrics`)).json()).toMatchObject({ code: 'route_not_found' })
      await metrics.close()
    },
  )
})

test('what the page names is published', () => {
  const named = [
    ...page.matchAll(/\b(?:build|http_server|log_lines|gateway|service|dispatcher|mcp|process|nodejs)_[a-z0-9_]+/g),
  ]
  const unknown = named.map(([name]) => name.replace(/_(?:bucket|sum|count)$/, '')).filter((name) => !names.has(name))

  expect(unknown).toEqual([])
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('a figure is named as Prometheus would have it, and once', () => {
  const odd = declared.filter(
    ({ name, type, labels }) =>
      !/^[a-z][a-z0-9_]*$/.test(name) ||
      (type === 'counter') !== name.endsWith('_total') ||
      labels.some((label) => !/^[a-z]+$/.test(label) || ['le', 'tier'].includes(label)),
  )

  expect(odd).toEqual([])
})
