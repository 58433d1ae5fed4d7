// The gateway around the checks: what is not read, and how it stops.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startEdge } from './support/edge.ts'
import { logLines } from './support/log-lines.ts'
import { holding } from './support/service.ts'
import { openWire, requestText, sendOnEach, type Wire } from './support/wire.ts'

test('what the gateway answers itself, and nobody reads, is cut off as well', async () => {
  const { log, lines } = logLines()
  await using edge = await startEdge({ log, timeouts: { stalledMs: 300 } })
  const wire = await openWire(edge.gateway.port)
  wire.socket.pause()

  wire.send(requestText('GET /api/v1/openapi.json').repeat(40))

  await eventually(() => lines.some((line) => JSON.parse(line).status === 499), 'a line')
  wire.socket.destroy()
})

test('while it drains it is not ready, alive, and serves every call, after which the connection closes', async () => {
  await using edge = await startEdge({ drainSeconds: 0.3 })
  const { token } = edge.service.key()

  const drained = edge.gateway.drain()

  expect((await edge.call('GET', '/ready')).status).toBe(503)
  expect((await edge.call('GET', '/health')).status).toBe(200)
  const { status, headers } = await edge.call('GET', '/api/v1/me', { token })
  expect([status, headers.get('connection')]).toEqual([200, 'close'])
  await drained
  expect((await edge.call('GET', '/api/v1/me', { token })).status).toBe(200)
})

test('it stops in order: not ready, connections end with their answers, idle ones are closed, calls are finished, streams end last', async () => {
  const edge = await startEdge()
  const { token } = edge.service.key()
  const { held, respond } = holding()
  edge.service.respond = (request, response, arrived) => {
    if (arrived.url === '/api/v1/me') respond(request, response, arrived)
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  }
  const [idle, calling, listening] = (await sendOnEach(edge.gateway.port, 3, '')) as [Wire, Wire, Wire]
  idle.send(requestText('GET /health'))
  await idle.hear('{"status":"ok"}')
  calling.send(requestText('GET /api/v1/me', { token }))
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} })
  const headers = [`content-length: ${body.length}`, 'accept: application/json, text/event-stream']
  listening.send(requestText('POST /api/mcp', { token, headers, body }).replace('host: gateway', 'host: localhost'))
  await listening.hear('text/event-stream')
  await eventually(() => held.length === 1, 'the call is under way')

  const closed = edge.gateway.close()
  const ready = await edge.call('GET', '/ready')
  await eventually(() => idle.closed(), 'the idle connection is closed')
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
  expect([calling.closed(), listening.closed()]).toEqual([false, false])

  held[0]!.end('{"late":true}')
  expect(await calling.hear('{"late":true}')).toMatch(/connection: close/i)
  await listening.hear('0\r\n\r\n')
  await eventually(() => listening.closed() && edge.service.cancelled === 1, 'the stream ends, here and at the service')
  await closed
  await expect(edge.call('GET', '/health')).rejects.toThrow()
  await edge.service.close()
})
