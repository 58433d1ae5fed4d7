import { describe, expect, test } from 'vitest'
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

describe('in log lines and answers', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

  test('a trace goes through to the service, and its id is in the log line', async () => {
    const { log, lines } = logLines()
    await using edge = await startEdge({ log })
    const { token } = edge.service.key()

    await edge.call('GET', '/api/v1/me', { token, headers: { traceparent, tracestate: 'a=1' } })
    await edge.call('POST', '/api/mcp', { token, body: { id: 1 }, headers: { traceparent } })
    await edge.call('GET', '/api/v1/me', { token, headers: { traceparent: 'junk' } })
    await eventually(() => lines.length === 3, 'three lines')

    expect(edge.service.calls.slice(0, 2).map(({ headers }) => headers['traceparent'])).toEqual([
      traceparent,
      traceparent,
    ])
    expect(edge.service.calls[0]?.headers['tracestate']).toBe('a=1')
    expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([traceId, traceId, undefined])
  })

  test.each([
    ['one safe character', 'a', true],
    ['128 of them', 'a'.repeat(128), true],
    ['129', 'a'.repeat(129), false],
    ['what could break a log line', 'a b"c', false],
    ['nothing', '', false],
  ])('X-Request-Id of %s: %s is echoed: %s', async (_name, id, echoed) => {
    await using edge = await startEdge()
    const { headers } = await edge.call('GET', '/api/v1/me', {
      token: edge.service.key().token,
      headers: { 'x-request-id': id },
    })

    const answered = headers.get('x-request-id')
    expect(answered === id).toBe(echoed)
    expect(answered).toMatch(/^[\w-]{1,128}$/)
    expect(edge.service.calls[0]?.headers['x-request-id']).toBe(answered)
  })
})
