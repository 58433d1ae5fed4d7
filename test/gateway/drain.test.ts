// A gateway that is to stop first says so in /ready, and goes on serving meanwhile.
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startEdge } from './support/edge.ts'
import { openWire, type Wire } from './support/wire.ts'

const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }

test('while it drains it is not ready, alive, and serves every call, after which the connection closes', async () => {
  await using edge = await startEdge({ drainSeconds: 1 })
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
  const held: ServerResponse[] = []
  edge.service.respond = (_request, response, { body }) => {
    if (body.includes('subscriptions/listen'))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    else held.push(response)
  }
  const wires = await Promise.all(Array.from({ length: 3 }, () => openWire(edge.gateway.port)))
  const [idle, calling, listening] = wires as [Wire, Wire, Wire]
  idle.send('GET /health HTTP/1.1\r\nhost: gateway\r\n\r\n')
  await idle.hear('{"status":"ok"}')
  calling.send(`GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`)
  const subscribe = JSON.stringify(listen)
  listening.send(
    `POST /api/mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${subscribe.length}\r\n\r\n${subscribe}`,
  )
  await listening.hear('text/event-stream')
  await eventually(() => held.length === 1, 'the call is under way')

  const closed = edge.gateway.close()
  expect((await edge.call('GET', '/ready')).status).toBe(503)
  await eventually(() => idle.closed(), 'the idle connection is closed')
  expect([calling.closed(), listening.closed()]).toEqual([false, false])

  held[0]!.end('{"late":true}')
  expect(await calling.hear('{"late":true}')).toMatch(/connection: close/i)
  await eventually(() => listening.closed(), 'the stream ends')
  await closed
  await edge.service.close()
})
