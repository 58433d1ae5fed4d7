// The spans of a request to the gateway, where the service answers and where it does not.
import { expect, test } from 'vitest'
import { samplerOf } from '#runtime/tracing/sampler.ts'
import type { EndedSpan } from '#runtime/tracing/span.ts'
import { isSampled, spanIdOf, traceIdOf } from '#runtime/tracing/trace-context.ts'
import { tracingWith } from '#runtime/tracing/tracing.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

function recording(ratio = 1) {
  const spans: EndedSpan[] = []
  const tracing = tracingWith({ export: (span) => void spans.push(span) }, samplerOf('traceidratio', ratio))
  const ofKind = (kind: EndedSpan['kind']) => spans.filter((span) => span.kind === kind)
  return { spans, tracing, ofKind }
}

test('a call that a service answers hands on the span of its attempt, which is a part of the call’s', async () => {
  const { tracing, ofKind } = recording()
  await using edge = await startEdge({ tracing })
  const { token, record } = edge.service.key()

  await edge.call('GET', '/api/v1/projects/01999999-0000-7000-8000-000000000000?q=private-words', {
    token,
    headers: { traceparent, tracestate: 'vendor=1', 'x-request-id': 'r1' },
  })
  await eventually(() => ofKind('server').length === 1, 'the span of the call')

  const [[call], [attempt]] = [ofKind('server'), ofKind('client')]
  expect(call).toMatchObject({
    name: 'GET /api/v1/projects/{id}',
    parentId: spanIdOf(traceparent),
    tracestate: 'vendor=1',
    error: null,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/projects/{id}',
      'http.response.status_code': 200,
      'http.request.header.x-request-id': ['r1'],
      'api_key.id': record.id,
    },
  })
  expect(attempt).toMatchObject({
    name: 'GET',
    parentId: spanIdOf(call?.traceparent ?? ''),
    error: null,
    attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200, 'http.request.resend_count': null },
  })
  expect([call, attempt].map((span) => traceIdOf(span?.traceparent ?? ''))).toEqual([traceId, traceId])
  expect(edge.service.calls[0]?.headers).toMatchObject({ traceparent: attempt?.traceparent, tracestate: 'vendor=1' })
  expect(JSON.stringify([call, attempt])).not.toContain('private-words')
})

test('of a call that no service answers every attempt and the call itself have failed', async () => {
  const { tracing, ofKind } = recording()
  await using edge = await startEdge({ tracing })
  const { token } = edge.service.key()
  await edge.call('GET', '/api/v1/me', { token })
  edge.service.respond = (request) => void request.socket.destroy()

  const { status } = await edge.call('GET', '/api/v1/me', { token })
  await eventually(() => ofKind('server').length === 2, 'the span of the call')

  const call = ofKind('server').at(-1)
  const attempts = ofKind('client').filter(({ parentId }) => parentId === spanIdOf(call?.traceparent ?? ''))
  expect([status, call?.error]).toEqual([502, 'upstream_error'])
  expect(attempts.map(({ error }) => error)).toEqual(attempts.map(() => 'unanswered'))
  expect(attempts.length).toBeGreaterThan(0)
})

test('a refusal is no error of the gateway; a call that is not sampled hands on its trace, and that nobody records it', async () => {
  const [all, none] = [recording(), recording(0)]
  await using edge = await startEdge({ tracing: all.tracing })
  await using quiet = await startEdge({ tracing: none.tracing })

  await edge.call('GET', '/api/v1/me', { token: 'wrong' })
  await quiet.call('GET', '/api/v1/me', { token: quiet.service.key().token, headers: { traceparent } })
  await eventually(() => all.ofKind('server').length === 1, 'the span of the refusal')

  expect(all.spans).toMatchObject([{ name: 'GET /api/v1/me', parentId: null, error: null }])
  expect(none.spans).toEqual([])
  const handedOn = String(quiet.service.calls[0]?.headers['traceparent'])
  expect([traceIdOf(handedOn), isSampled(handedOn)]).toEqual([traceId, false])
})
