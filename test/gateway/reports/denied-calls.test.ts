// Refused calls of known keys reach the service, counted, for its audit log.
import { expect, test, vi } from 'vitest'
import { Fault, type FaultCode } from '#contract/faults/fault.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { getMe } from '#contract/me.ts'
import type { DeniedCall } from '#contract/internal/reports.ts'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import type { Report } from '../../../gateway/reports/buffered-reporter.ts'
import { openDeniedCalls } from '../../../gateway/reports/denied-calls.ts'
import { openContext, type IncomingCall } from '../../../gateway/request/request-context.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { eventually } from '../../support/eventually.ts'
import { atMost, startEdge } from '../support/edge.ts'
import { workspaceA, workspaceB } from '../support/service.ts'

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()
const day = 86_400_000
const refusing = (rule: PolicyRule) => ({ id: workspaceA, suspended: false, refusals: [{ rule, from: ago(1) }] })

test.each<[FaultCode, Partial<KeyRecord>, string?]>([
  ['api_key_revoked', { revokedAt: ago(0) }],
  ['api_key_expired', { expiresAt: ago(1) }],
  ['api_key_rotation_required', { maxAgeDays: 1, secret: { createdAt: ago(2 * day), expiresAt: null } }],
  ['ip_allowlist_required', { workspaces: [refusing('requireIpAllowlist')] }],
  ['key_expiry_required', { workspaces: [refusing('requireExpiry')] }],
  ['api_key_has_no_scopes', { scopes: [] }],
  ['ip_not_allowed', { ipAllowlist: ['10.0.0.0/8'] }],
  ['surface_not_allowed', { surfaces: ['mcp'] }],
  ['workspace_not_allowed', {}, workspaceB],
])('%s is reported before any workspace is settled', async (code, record, workspace) => {
  const edge = await startEdge()
  const key = edge.service.key(record)
  const headers: Record<string, string> = { 'x-request-id': 'r1', 'user-agent': 'test/1' }
  if (workspace !== undefined) headers['x-workspace-id'] = workspace

  await edge.call('GET', '/api/v1/projects', { token: key.token, headers })
  await edge.gateway.close()

  expect(edge.service.denials).toEqual([
    {
      keyId: key.record.id,
      workspaceId: null,
      code,
      operation: 'projects.list',
      surface: 'http',
      ip: '127.0.0.1',
      userAgent: 'test/1',
      requestId: 'r1',
      at: expect.any(String),
      count: 1,
    },
  ])
  await edge.service.close()
})

test.each<[FaultCode, Partial<KeyRecord>]>([
  ['unbound_key_not_allowed', { bound: false, workspaces: [refusing('allowUnboundKeys')] }],
  ['workspace_suspended', { workspaces: [{ id: workspaceA, suspended: true, refusals: [] }] }],
  ['insufficient_scope', { scopes: ['webhooks:read'] }],
])('%s is reported with its workspace', async (code, record) => {
  const edge = await startEdge()
  const { token } = edge.service.key(record)

  await edge.call('GET', '/api/v1/projects', { token, headers: { 'x-workspace-id': workspaceA } })
  await edge.gateway.close()

  expect(edge.service.denials).toMatchObject([{ code, workspaceId: workspaceA, operation: 'projects.list' }])
  await edge.service.close()
})

test('refusals over MCP name no operation', async () => {
  const edge = await startEdge()
  const { token } = edge.service.key({ surfaces: ['http'] })

  await edge.call('POST', '/api/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
  await edge.gateway.close()

  expect(edge.service.denials).toMatchObject([{ code: 'surface_not_allowed', surface: 'mcp', operation: null }])
  await edge.service.close()
})

test('too many calls, unknown keys, mistakes in the request and whatever was permitted are not reported', async () => {
  const edge = await startEdge({ rateLimiter: memoryRateLimiter(atMost(3)) })
  const { token } = edge.service.key()
  const ask = (path: string) => edge.call('GET', path, { token })

  await ask('/api/v1/projects')
  await ask('/api/v1/projects?workspaceId=acme')
  await ask('/api/v1/projects')
  expect((await ask('/api/v1/projects')).status).toBe(429)
  await edge.call('GET', '/api/v1/projects', { token: 'wsk_junk' })
  await edge.gateway.close()

  expect(edge.service.denials).toEqual([])
  await edge.service.close()
})

test('while the gateway runs, they arrive within moments; what could not be posted is posted later', async () => {
  await using edge = await startEdge()
  const { token } = edge.service.key({ scopes: [] })
  edge.service.reportStatus = 503
  await edge.call('GET', '/api/v1/me', { token })
  await edge.call('GET', '/api/v1/me', { token })

  edge.service.reportStatus = 204

  await eventually(() => edge.service.denials.reduce((sum, { count }) => sum + count, 0) === 2, 'both refusals')
})

const deniedCall = (
  key: string,
  more: Partial<IncomingCall['context']> = {},
): Parameters<ReturnType<typeof openDeniedCalls>['record']> => {
  const context = Object.assign(openContext('r', null), { keyId: key, ...more })
  const call = {
    method: 'GET',
    query: '',
    headers: {},
    rawHeaders: [],
    address: null,
    bytesCome: async () => false,
    context,
  }
  return [new Fault('ip_not_allowed', ''), { call, surface: 'http', operation: getMe }]
}

function collected(post: (denials: readonly DeniedCall[]) => Promise<void> = async () => {}) {
  const parts: DeniedCall[][] = []
  const on = { error: vi.fn<(error: unknown) => void>(), dropped: vi.fn<(count: number) => void>() }
  const report = async ({ items }: Report<DeniedCall>): Promise<void> => {
    await post(items)
    parts.push([...items])
  }
  return { log: openDeniedCalls(report, on), parts, on }
}

test('equal ones are one with a count, which keeps the first request id', async () => {
  const { log, parts } = collected()

  log.record(...deniedCall('a', { requestId: 'first' }))
  log.record(...deniedCall('a', { requestId: 'second' }))
  log.record(...deniedCall('a', { requestId: 'third', workspaceId: workspaceA }))
  await log.close()

  expect(parts.flat().map(({ requestId, count, workspaceId }) => [requestId, count, workspaceId])).toEqual([
    ['first', 2, null],
    ['third', 1, workspaceA],
  ])
})

test('many are posted in parts; beyond 5,000 kinds only known kinds go on counting, and the number of the others is reported', async () => {
  const { log, parts, on } = collected()

  for (let n = 0; n < 5_010; n++) log.record(...deniedCall(`k${n}`))
  log.record(...deniedCall('k0'))
  await log.close()

  expect(parts.flat()).toHaveLength(5_000)
  expect(Math.max(...parts.map(({ length }) => length))).toBe(200)
  expect(parts.flat().find(({ keyId }) => keyId === 'k0')?.count).toBe(2)
  expect(on.dropped.mock.calls).toEqual([[10]])
})

test('what could not be posted goes before newcomers, what comes meanwhile is counted, and an outage is reported once', async () => {
  let away = true
  const { log, parts, on } = collected(async () => {
    // A refusal that comes while the post is under way.
    if (away) log.record(...deniedCall('a'))
    if (away) throw new Error('away')
  })
  log.record(...deniedCall('a'))

  await log.flush()
  await log.flush()
  for (let n = 0; n < 5_000; n++) log.record(...deniedCall(`k${n}`))
  away = false
  await log.close()

  expect(on.error).toHaveBeenCalledTimes(1)
  const [first, ...rest] = parts.flat()
  expect(first).toMatchObject({ keyId: 'a', count: 1 })
  expect(rest.find(({ keyId }) => keyId === 'a')?.count).toBe(2)
  expect(on.dropped.mock.calls).toEqual([[2]])
})

test('a part that the service does not accept is reported and dropped, so that it holds up none of the others', async () => {
  const { log, parts, on } = collected(async (denials) => {
    if (denials.some(({ keyId }) => keyId === 'poison')) throw new Fault('validation_failed', '')
  })
  log.record(...deniedCall('poison'))
  for (let n = 0; n < 300; n++) log.record(...deniedCall(`k${n}`))

  await log.flush()

  expect(parts.flat()).toHaveLength(101)
  expect(on.error).toHaveBeenCalledTimes(1)
  await log.close()
  expect(parts.flat()).toHaveLength(101)
})
