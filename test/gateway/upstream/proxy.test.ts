// What crosses the gateway, in both directions, and what happens when either side behaves badly.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { eventually } from '../../support/eventually.ts'
import { operatorToken, startEdge, type Edge } from '../support/edge.ts'
import { standIn, workspaceA, workspaceB, type Respond } from '../support/service.ts'
import { openWire } from '../support/wire.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'

let edge: Edge
let token: string
const timeouts = { connectMs: 500, headersMs: 900, bodyMs: 900, requestMs: 30_000 }
const answerOk: Respond = (_request, response) =>
  void response.setHeader('content-type', 'application/json').end('{"ok":true}')

beforeAll(async () => {
  edge = await startEdge({ timeouts, failedCredentialsPerMinute: 1_000 })
  token = edge.service.key().token
})
afterAll(() => edge[Symbol.asyncDispose]())
beforeEach(() => {
  edge.service.calls.splice(0)
  edge.service.cancelled = 0
  edge.service.respond = answerOk
})
const last = () => edge.service.calls.at(-1)!

test('a permitted call reaches the service with its principal, its body and without its credentials', async () => {
  const { token: own, record } = edge.service.key({ name: 'Zoë' })
  const headers = { 'x-request-id': 'abc-1', cookie: 'a=b', 'idempotency-key': 'k1', 'user-agent': 'test/1' }
  const answer = await edge.call('POST', '/api/v1/projects', { token: own, body: { name: 'Grüße' }, headers })
  expect([answer.status, answer.body, answer.headers.get('x-request-id')]).toEqual([200, { ok: true }, 'abc-1'])
  const { method, url, body, headers: sent, principal } = last()
  expect([method, url, body]).toEqual(['POST', '/api/v1/projects', '{"name":"Grüße"}'])
  expect(principal).toEqual({
    kind: 'api_key',
    id: record.id,
    name: 'Zoë',
    workspaceId: workspaceA,
    scopes: record.scopes,
    surface: 'http',
    requestId: 'abc-1',
    clientAddress: '127.0.0.1',
    userAgent: 'test/1',
    quota: { limit: 60_000, remaining: 9_999, resetSeconds: 1 },
  })
  expect([sent.authorization, sent.cookie, sent['x-request-id'], sent['idempotency-key']]).toEqual([
    undefined,
    undefined,
    'abc-1',
    'k1',
  ])
  expect([sent['user-agent'], sent['content-type'], sent['content-length']]).toEqual([
    'test/1',
    'application/json',
    '18',
  ])
})

test('the query goes on byte for byte, without workspaceId', async () => {
  await edge.call('GET', `/api/v1/projects?limit=2&work%73paceId=${workspaceA.toUpperCase()}&status=a%2Cb&x`, { token })
  expect(last().url).toBe('/api/v1/projects?limit=2&status=a%2Cb&x')
  expect(last().principal?.workspaceId).toBe(workspaceA)
  await edge.call('GET', `/api/v1/me?workspaceId=${workspaceB}`, { token })
  expect([last().url, last().principal?.workspaceId]).toEqual(['/api/v1/me', null])
})

test('headers of ours, hop-by-hop headers and what Connection names never cross', async () => {
  const wire = await openWire(edge.gateway.port)
  const mine = [
    'x-internal-principal: forged',
    'x-internal-x: 1',
    'x-forwarded-for: 9.9.9.9',
    'x-forwarded-host: evil',
    'expect: 100-continue',
  ]
  const hop = [
    'connection: close, x-secret',
    'x-secret: 1',
    'te: trailers',
    'keep-alive: timeout=9',
    'proxy-authorization: Basic x',
    'upgrade: h2c',
  ]
  wire.send(
    ['GET /api/v1/me HTTP/1.1', 'host: gateway', `authorization: Bearer ${token}`, ...mine, ...hop, '', ''].join(
      '\r\n',
    ),
  )
  await wire.hear('{"ok":true}')
  const names = Object.keys(last().headers)
  expect(
    names.filter((name) => /^x-(internal-x|forwarded|secret)|^(te|keep-alive|upgrade|proxy-.*|expect)$/.test(name)),
  ).toEqual([])
  expect(last().principal?.kind).toBe('api_key')
  expect(last().headers.connection).toBe('keep-alive')
})

test('of the answer, hop-by-hop and internal headers stay behind; all else passes, two cookies too', async () => {
  edge.service.respond = (_request, response) => {
    const headers = {
      connection: 'keep-alive, x-hop',
      'x-hop': '1',
      'x-internal-cost': '3',
      'proxy-authenticate': 'Basic',
      etag: '"7"',
    }
    response.writeHead(201, { ...headers, 'set-cookie': ['a=1', 'b=2'], location: '/api/v1/projects/1' }).end('{}')
  }
  const { status, headers } = await edge.call('GET', '/api/v1/me', { token })
  expect([status, headers.get('etag'), headers.get('location'), headers.getSetCookie()]).toEqual([
    201,
    '"7"',
    '/api/v1/projects/1',
    ['a=1', 'b=2'],
  ])
  expect([headers.get('x-hop'), headers.get('x-internal-cost'), headers.get('proxy-authenticate')]).toEqual([
    null,
    null,
    null,
  ])
  expect(headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/)
  expect(headers.get('ratelimit-policy')).toBe('"key";q=60000;w=60, "workspace";q=60000;w=60')
})

test('HEAD is answered where GET is, without a body', async () => {
  const { status, body } = await edge.call('HEAD', '/api/v1/me', { token })
  expect([status, body, last().method]).toEqual([200, null, 'HEAD'])
})

test('a call that the service refuses is passed on as it is, and sent only once', async () => {
  edge.service.respond = (_request, response) =>
    void response.writeHead(503, { 'retry-after': '2' }).end('{"code":"unavailable"}')
  const answer = await edge.call('GET', '/api/v1/me', { token })
  expect([answer.status, answer.headers.get('retry-after'), edge.service.calls.length]).toEqual([503, '2', 1])
})

test.each([
  ['authorization', `authorization: Bearer x`],
  ['host', 'host: other'],
  ['x-workspace-id', `x-workspace-id: ${workspaceA}\r\nx-workspace-id: ${workspaceB}`],
])('a doubled %s is refused', async (_name, line) => {
  const wire = await openWire(edge.gateway.port)
  wire.send(`GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n${line}\r\n\r\n`)
  expect(await wire.hear('\r\n\r\n')).toContain('400 Bad Request')
  await wire.hear('"code":"invalid_header"')
  expect(edge.service.calls).toEqual([])
})

test.each(['http://127.0.0.1/api/v1/me', '//api/v1/me', '/api/v1//me', '*'])(
  'the target %s is no address',
  async (target) => {
    const wire = await openWire(edge.gateway.port)
    wire.send(`GET ${target} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await wire.hear('"code":"route_not_found"')
    expect(edge.service.calls).toEqual([])
  },
)

test.each([
  ['two lengths', 'content-length: 1\r\ncontent-length: 2\r\n\r\nx', '400'],
  ['length and chunks', 'content-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx', '400'],
  ['a folded header', 'x-a: 1\r\n 2\r\n\r\n', '400'],
  ['too many headers', `x-a: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
])('%s: refused as no HTTP, and the connection ends', async (_name, rest, status) => {
  const wire = await openWire(edge.gateway.port)
  wire.send(`POST /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n${rest}`)
  expect(await wire.hear('\r\n\r\n')).toContain(`HTTP/1.1 ${status}`)
  await eventually(() => wire.closed(), 'the connection ends')
  expect(edge.service.calls).toEqual([])
})

test('a body that claims to be too large is refused before it is sent, and the connection lives on', async () => {
  const wire = await openWire(edge.gateway.port)
  const head = (length: number) =>
    `POST /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  wire.send(head(apiBodyBytesMax + 1))
  expect(await wire.hear('"limitBytes":1048576}')).toContain('"code":"body_too_large"')
  wire.send('a'.repeat(apiBodyBytesMax + 1) + head(2) + '{}')
  await wire.hear('{"ok":true}')
  expect(edge.service.calls.map(({ body }) => body)).toEqual(['{}'])
})

test('a body in chunks is cut off at the limit, and the connection lives on', async () => {
  const wire = await openWire(edge.gateway.port)
  const head = `POST /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
  wire.send(head + chunk.repeat(17))
  expect(await wire.hear('"limitBytes":1048576}')).toContain('"code":"body_too_large"')
  wire.send(`0\r\n\r\n${head}2\r\n{}\r\n0\r\n\r\n`)
  await wire.hear('{"ok":true}')
  expect(edge.service.calls.map(({ body }) => body)).toEqual(['{}'])
})

test('a caller that goes on and on after the refusal is cut off', async () => {
  const wire = await openWire(edge.gateway.port)
  wire.send(
    `POST /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n`,
  )
  await wire.hear('"code":"body_too_large"')
  wire.send('a'.repeat(9 * 1024 * 1024))
  await eventually(() => wire.closed(), 'the connection ends')
})

test('a caller that leaves before the answer begins ends the call to the service', async () => {
  edge.service.respond = () => {}
  const wire = await openWire(edge.gateway.port)
  wire.send(`GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await eventually(() => edge.service.calls.length === 1, 'the call arrives')
  wire.socket.destroy()
  await eventually(() => edge.service.cancelled === 1, 'the call to the service ends', 700)
})

test('a hundred callers that leave leave nothing behind', async () => {
  edge.service.respond = () => {}
  const wires = await Promise.all(Array.from({ length: 100 }, () => openWire(edge.gateway.port)))
  for (const wire of wires) {
    const { token: own } = edge.service.key({
      workspaces: [{ id: crypto.randomUUID(), suspended: false, refusals: [] }],
    })
    wire.send(`GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${own}\r\n\r\n`)
  }
  await eventually(() => edge.service.calls.length === 100, 'the calls arrive')
  for (const wire of wires) wire.socket.destroy()
  await eventually(() => edge.service.cancelled === 100, 'the calls to the service end')
  edge.service.respond = answerOk
  expect((await edge.call('GET', '/api/v1/me', { token })).status).toBe(200)
})

test('a service that does not answer in time is answered 504, one that breaks off 502', async () => {
  edge.service.respond = () => {}
  const late = await edge.call('GET', '/api/v1/me', { token })
  expect([late.status, late.body.code]).toEqual([504, 'timeout'])
  edge.service.respond = (request) => void request.socket.destroy()
  const broken = await edge.call('GET', '/api/v1/me', { token })
  expect([broken.status, broken.body.code, broken.body.detail]).toEqual([
    502,
    'upstream_error',
    'The service broke off.',
  ])
})

test('an answer that breaks off in the middle ends the connection instead of hanging', async () => {
  edge.service.respond = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setImmediate(() => response.destroy())
  }
  await expect(edge.call('GET', '/api/v1/me', { token })).rejects.toThrow()
})

test('a service that is away: 503 with Retry-After, with a body and without; served again when it is back', async () => {
  await using own = await startEdge()
  const key = own.service.key()
  expect((await own.call('GET', '/api/v1/me', { token: key.token })).status).toBe(200)
  await own.service.close()
  for (const body of [undefined, { name: 'x' }]) {
    const answer = await own.call(body ? 'POST' : 'GET', body ? '/api/v1/projects' : '/api/v1/me', {
      token: key.token,
      body,
    })
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
  }
  await eventually(async () => (await own.call('GET', '/ready')).status === 503, 'that it is not ready')
  await using back = await standIn(Number(new URL(own.service.url).port))
  expect((await own.call('GET', '/api/v1/me', { token: key.token })).status).toBe(200)
  await eventually(async () => (await own.call('GET', '/ready')).status === 200, 'that it is ready again')
  expect(back.calls.length).toBe(1)
})

test('several addresses take turns, and one that refuses connections is left out', async () => {
  await using one = await standIn()
  await using two = await standIn()
  const key = one.key()
  two.beforeKey = async () => 500
  await using own = await startEdge({ services: [one.url, two.url] })
  await eventually(
    async () => (await own.call('GET', '/api/v1/me', { token: key.token })).status === 200,
    'the key is asked for at the first',
  )
  for (let calls = 0; calls < 4; calls++) await own.call('GET', '/api/v1/me', { token: key.token })
  expect(Math.min(one.calls.length, two.calls.length)).toBeGreaterThan(1)
  await two.close()
  for (let calls = 0; calls < 4; calls++)
    expect((await own.call('GET', '/api/v1/me', { token: key.token })).status).toBe(200)
})

test('the settings API takes the operator’s token, the API takes keys, and neither the other', async () => {
  edge.service.respond = answerOk
  await using own = await startEdge()
  const key = own.service.key()
  const path = `/settings/api/workspaces/${workspaceA.toUpperCase()}/webhooks?limit=1`
  expect((await own.call('GET', path, { token: operatorToken })).status).toBe(200)
  const { url, principal } = own.service.calls.at(-1)!
  expect(url).toBe(path)
  expect(principal).toMatchObject({
    kind: 'operator',
    id: 'operator',
    workspaceId: workspaceA,
    scopes: [...scopes],
    surface: 'settings',
    quota: null,
  })
  expect((await own.call('GET', '/settings/api/workspaces', { token: operatorToken })).status).toBe(200)
  expect(own.service.calls.at(-1)?.principal?.workspaceId).toBeNull()
  expect((await own.call('GET', path, { token: key.token })).body.code).toBe('invalid_api_key')
  expect((await own.call('GET', path)).body.code).toBe('missing_credentials')
  expect((await own.call('GET', '/api/v1/me', { token: operatorToken })).body.code).toBe('invalid_api_key')
  expect((await own.call('GET', '/settings/api/workspaces/acme/webhooks', { token: operatorToken })).body.code).toBe(
    'workspace_invalid',
  )
  const text = { token: operatorToken, body: 'x', headers: { 'content-type': 'text/plain' } }
  expect((await own.call('POST', '/settings/api/workspaces', text)).body.code).toBe('unsupported_media_type')
})
