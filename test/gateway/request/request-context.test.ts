import { expect, test } from 'vitest'
import { requestIdFrom } from '../../../gateway/request/request-context.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'
import { logLines } from '../support/log-lines.ts'

test('a harmless request id is kept, any other is replaced', () => {
  expect(requestIdFrom('abc-1.2:3/4')).toBe('abc-1.2:3/4')
  for (const bad of [undefined, '', 'a b', 'ä', 'a"b', 'x'.repeat(129), ['a', 'b'], 'a\u0000'])
    expect(requestIdFrom(bad)).toMatch(/^[0-9a-f-]{36}$/)
  expect(requestIdFrom('x'.repeat(128))).toHaveLength(128)
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

test('a trace goes through to the service, and its id is in the log line; a harmful request id is replaced everywhere', async () => {
  const { log, lines } = logLines()
  await using edge = await startEdge({ log })
  const { token } = edge.service.key()

  await edge.call('GET', '/api/v1/me', { token, headers: { traceparent, tracestate: 'a=1' } })
  await edge.call('POST', '/api/mcp', { token, body: { id: 1 }, headers: { traceparent } })
  const junk = { traceparent: 'junk', 'x-request-id': 'a b"c' }
  const { headers } = await edge.call('GET', '/api/v1/me', { token, headers: junk })
  await eventually(() => lines.length === 3, 'three lines')

  const [overHttp, overMcp, other] = edge.service.calls.map((call) => call.headers)
  expect(overHttp).toMatchObject({ traceparent, tracestate: 'a=1' })
  expect(overMcp).toMatchObject({ traceparent })
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(other?.['x-request-id']).toBe(headers.get('x-request-id'))
  expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([traceId, traceId, undefined])
})
