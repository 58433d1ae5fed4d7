// The line of each request, and the ids that a caller may give it.
import { expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { requestIdFrom } from '../../../gateway/request/request-context.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'
import { logLines } from '../support/log-lines.ts'
import { workspaceA } from '../support/service.ts'

test('a harmless request id is kept, any other is replaced', () => {
  for (const id of ['abc-1.2:3/4', 'x'.repeat(128)]) expect(requestIdFrom(id)).toBe(id)
  for (const bad of [undefined, '', 'a b', 'ä', 'a"b', 'x'.repeat(129), ['a', 'b'], 'a\u0000'])
    expect(requestIdFrom(bad)).toMatch(/^[0-9a-f-]{36}$/)
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

test('each request leaves one line with its trace, its own or a new one, which goes on to the service, without the query, the token or its hash', async () => {
  const { log, lines } = logLines()
  await using edge = await startEdge({ log, trustedProxies: ['127.0.0.1'] })
  const { token, record } = edge.service.key()
  const traced = {
    'x-request-id': 'r1',
    traceparent,
    tracestate: 'a=1',
    'x-forwarded-for': '198.51.100.9, 203.0.113.7',
  }
  const harmful = { traceparent: 'junk', tracestate: 'a=1', 'x-request-id': 'a b"c' }

  await edge.call('GET', `/api/v1/projects/${workspaceA}?secret=hidden`, { token, headers: traced })
  await edge.call('POST', '/api/mcp', { token, body: { id: 1 }, headers: traced })
  const { headers } = await edge.call('GET', '/api/v1/me', { token, headers: harmful })
  await edge.call('GET', '/nowhere?secret=hidden', { token, headers: traced })
  await eventually(() => lines.length === 4, 'four lines')

  const ofKey = { keyId: record.id, status: 200 }
  // The address that the trusted proxy saw.
  const from = { clientAddress: '203.0.113.7', requestId: 'r1' }
  const said = lines.map((line) => JSON.parse(line))
  expect(said).toMatchObject([
    {
      method: 'GET',
      route: '/api/v1/projects/{id}',
      ms: expect.any(Number),
      workspaceId: workspaceA,
      ...ofKey,
      traceId,
    },
    { method: 'POST', route: '/api/mcp', ...from, ...ofKey, traceId },
    {
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientAddress: '127.0.0.1',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
    { route: 'none', status: 404, keyId: null, ...from, traceId },
  ])
  expect(said[0]).toMatchObject(from)
  expect(headers.get('x-request-id')).toBe(said[2].requestId)
  const begun = { 'x-request-id': said[2].requestId, traceparent: expect.stringContaining(`00-${said[2].traceId}-`) }
  const arrived = [{ traceparent, tracestate: 'a=1' }, { traceparent, tracestate: 'a=1' }, begun]
  expect(edge.service.calls.map((call) => call.headers)).toMatchObject(arrived)
  expect(edge.service.calls[2]?.headers).not.toHaveProperty('tracestate')
  expect(lines.join('')).not.toMatch(new RegExp(`hidden|${token}|${edge.service.asked[0]}`))
})

test('a token is in no line, wherever the caller puts it, and neither is one in an error behind us', async () => {
  const lines: string[] = []
  const log = logger('trace', 'gateway', { write: (line) => void lines.push(line) })
  await using edge = await startEdge({ log })
  const { token } = edge.service.key()
  const everywhere = ['x-request-id', 'user-agent', 'x-forwarded-for', 'traceparent', 'cookie', 'x-workspace-id', 'te']
  for (const header of everywhere) {
    await edge.call('GET', '/api/v1/me', { token, headers: { [header]: token } })
    await edge.call('POST', '/api/mcp', { token, headers: { [header]: token }, body: {} })
  }
  for (const path of [`/${token}`, `/api/v1/projects/${token}?a=${token}`, `/api/v1/projects?workspaceId=${token}`])
    await edge.call('GET', path, { token })
  edge.service.respond = (request) => void request.socket.destroy(new Error(token))
  await edge.call('GET', '/api/v1/me', { token })
  edge.service.beforeKey = () => Promise.resolve(500)
  await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

  await eventually(() => lines.filter((line) => line.includes('"msg":"request"')).length === 19, 'the lines')
  expect(lines.join('')).not.toContain(token.slice(-30))
  expect(lines.join('')).toContain('[redacted]')
})
