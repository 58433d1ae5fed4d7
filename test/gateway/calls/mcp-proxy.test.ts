// What the proxy of MCP calls must not do, although it would by itself.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEdge, type Edge } from '../support/edge.ts'
import { openWire } from '../support/wire.ts'

let edge: Edge
let token: string
beforeAll(async () => {
  edge = await startEdge()
  token = edge.service.key().token
})
afterAll(() => edge[Symbol.asyncDispose]())

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const call = () => edge.call('POST', '/api/mcp', { token, body: ping })

test('hop-by-hop headers of the caller, and what Connection names, stay behind', async () => {
  const wire = await openWire(edge.gateway.port)
  const hop = [
    'connection: keep-alive, x-secret',
    'x-secret: 1',
    'te: trailers',
    'keep-alive: timeout=9',
    'upgrade: h2c',
    'proxy-authorization: Basic x',
    'proxy-connection: keep-alive',
    'cookie: a=b',
    'x-internal-principal: forged',
  ]
  const head = ['POST /api/mcp HTTP/1.1', 'host: localhost', `authorization: Bearer ${token}`, ...hop]
  const body = ['content-type: application/json', 'accept: application/json, text/event-stream']

  wire.send([...head, ...body, `content-length: ${ping.length}`, '', ping].join('\r\n'))
  await wire.hear('{"ok":true}')

  const { headers, principal } = edge.service.calls.at(-1)!
  const forbidden = /^(?:te|keep-alive|upgrade|proxy-.*|cookie|authorization|x-secret)$/
  expect(Object.keys(headers).filter((name) => forbidden.test(name))).toEqual([])
  expect([principal?.kind, headers.connection]).toEqual(['api_key', 'keep-alive'])
  wire.socket.destroy()
})

test('connections to the service are used again', async () => {
  const ports = new Set<number | undefined>()
  edge.service.respond = ({ socket }, response) => {
    ports.add(socket.remotePort)
    response.setHeader('content-type', 'application/json').end('{}')
  }

  for (let calls = 0; calls < 20; calls++) expect((await call()).status).toBe(200)

  expect(ports.size).toBe(1)
})

test('an answer that is packed passes as it is, with all its cookies; a redirect is not followed', async () => {
  const packed = gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}')
  edge.service.respond = (_request, response) =>
    void response
      .writeHead(307, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': packed.length,
        'set-cookie': ['a=1', 'b=2'],
        location: '/elsewhere',
      })
      .end(packed)
  const before = edge.service.calls.length

  const answer = await fetch(`${edge.gateway.url}/api/mcp`, {
    method: 'POST',
    redirect: 'manual',
    body: ping,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })

  expect([answer.status, answer.headers.getSetCookie(), await answer.json()]).toEqual([
    307,
    ['a=1', 'b=2'],
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
  expect([answer.headers.get('content-length'), edge.service.calls.length]).toEqual([String(packed.length), before + 1])
})
