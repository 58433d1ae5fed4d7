// POST /api/mcp: refusals as JSON-RPC errors, the tokens that are consumed, and what reaches the service.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { eventually } from '../../support/eventually.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { atMost, startEdge, type Edge } from '../support/edge.ts'
import { standIn, workspaceA, workspaceB } from '../support/service.ts'
import { logLines } from '../support/log-lines.ts'
import { openWire } from '../support/wire.ts'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'

let edge: Edge
let token: string
const timeouts = { connectMs: 500, headersMs: 900, bodyMs: 900, requestMs: 30_000 }

beforeAll(async () => {
  edge = await startEdge({ timeouts, failedCredentialsPerMinute: 1_000 })
  token = edge.service.key().token
})
afterAll(() => edge[Symbol.asyncDispose]())
beforeEach(() => {
  edge.service.calls.splice(0)
  edge.service.cancelled = 0
  edge.service.respond = (_request, response) =>
    void response.setHeader('content-type', 'application/json').end('{"ok":true}')
})

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
const toolCall = (name: string) => ({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name, arguments: {} } })
const post = (body: unknown, options: Parameters<Edge['call']>[2] = {}) =>
  edge.call('POST', '/api/mcp', { token, body, ...options })

async function refused(
  answer: ReturnType<Edge['call']>,
  status: number,
  code: number,
  name: string,
  id: unknown = null,
) {
  const { status: got, body, headers } = await answer
  expect([got, body.error.code, body.error.data.code, body.id ?? null]).toEqual([status, code, name, id])
  expect(body).toMatchObject({ jsonrpc: '2.0', error: { data: { requestId: headers.get('x-request-id') } } })
  expect(edge.service.calls).toEqual([])
  return { body, headers }
}

test('the very bytes that were checked reach the service, with the principal', async () => {
  const text = `  {"jsonrpc":"2.0", "id":1,\n"method":"ping","x":"ä"}`
  const answer = await edge.call('POST', `/api/mcp?workspaceId=${workspaceA}`, {
    token,
    body: text,
    headers: { te: 'trailers', cookie: 'a=b' },
  })
  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  const { body, url, headers, principal } = edge.service.calls[0]!
  expect([body, url, headers['content-length'], headers.authorization, headers.cookie, headers['te']]).toEqual([
    text,
    '/api/mcp',
    '53',
    undefined,
    undefined,
    undefined,
  ])
  expect(principal).toMatchObject({ kind: 'api_key', surface: 'mcp', workspaceId: workspaceA })
  expect(answer.headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/)
  expect(answer.headers.get('x-request-id')).toBe(principal?.requestId)
})

test('a body in chunks arrives as one with a length', async () => {
  const wire = await openWire(edge.gateway.port)
  wire.send(
    `POST /api/mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  wire.send('2\r\n{"\r\n')
  wire.send('5\r\nid":1\r\n1\r\n}\r\n0\r\n\r\n')
  await wire.hear('{"ok":true}')
  expect(edge.service.calls[0]).toMatchObject({ body: '{"id":1}', headers: { 'content-length': '8' } })
  expect(edge.service.calls[0]?.headers['transfer-encoding']).toBeUndefined()
})

test('who calls is signed when the call is sent on, however long its body took', async () => {
  const wire = await openWire(edge.gateway.port)
  const key = edge.service.key()
  const asked = edge.service.asked.length
  const head = ['POST /api/mcp HTTP/1.1', 'host: localhost', `authorization: Bearer ${key.token}`]
  wire.send([...head, 'content-type: application/json', 'content-length: 8', '', '{"id'].join('\r\n'))
  await eventually(() => edge.service.asked.length > asked, 'the key to be checked')

  const at = Date.now()
  wire.send('":1}')
  await wire.hear('{"ok":true}')

  expect(edge.service.calls[0]?.signedAt).toBeGreaterThanOrEqual(at)
})

test('other methods are answered 405 with the one that works', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { headers } = await refused(edge.call(method, '/api/mcp', { token }), 405, -32_600, 'method_not_allowed')
    expect(headers.get('allow')).toBe('POST')
  }
})

test('bad credentials: 401 with the id of a single readable request', async () => {
  const { headers } = await refused(post(ping, { token: makeToken('wsk').token }), 401, -31_001, 'invalid_api_key', 7)
  expect(headers.get('www-authenticate')).toBe(
    'Bearer realm="service", error="invalid_token", error_description="This token is not known here."',
  )
  await refused(edge.call('POST', '/api/mcp', { body: ping }), 401, -31_001, 'missing_credentials', 7)
  await refused(edge.call('POST', '/api/mcp', { body: [ping, ping] }), 401, -31_001, 'missing_credentials')
  await refused(edge.call('POST', '/api/mcp', { body: { id: 1.5 } }), 401, -31_001, 'missing_credentials')
})

test('a key that is not for this surface is refused', async () => {
  await refused(
    post(ping, { token: edge.service.key({ surfaces: ['http'] }).token }),
    403,
    -31_003,
    'surface_not_allowed',
    7,
  )
})

describe('a page in a browser', () => {
  const page = 'http://localhost:5173'
  const preflight = (origin: string, headers: Record<string, string> = {}) =>
    edge.call('OPTIONS', '/api/mcp', { headers: { origin, 'access-control-request-method': 'POST', ...headers } })
  const shown = (headers: Headers) => headers.get('access-control-allow-origin')

  test('is told that it may call, without a key and without a call of the service', async () => {
    const asked = 'authorization, mcp-param-Region, mcp-param-*, x-evil'

    const { status, headers, body } = await preflight(page, { 'access-control-request-headers': asked })

    expect([status, body, shown(headers), headers.get('access-control-allow-methods')]).toEqual([
      204,
      null,
      page,
      'POST',
    ])
    const taken = headers.get('access-control-allow-headers')?.split(', ')
    expect(taken).toEqual(expect.arrayContaining(['authorization', 'mcp-protocol-version', 'x-workspace-id']))
    expect(taken?.filter((name) => /param|evil/.test(name))).toEqual(['mcp-param-region'])
    expect(headers.get('access-control-max-age')).toBe('7200')
    expect(headers.get('vary')).toBe('origin, access-control-request-headers')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(edge.service.calls).toEqual([])
  })

  test('may read answers and refusals alike', async () => {
    const from = { headers: { origin: page } }
    edge.service.respond = (_request, response) => void response.setHeader('vary', 'accept-encoding').end('{}')

    const answers = [
      await post(ping, from),
      await edge.call('POST', '/api/mcp', { body: ping, ...from }),
      await post('{', from),
      await edge.call('GET', '/api/mcp', { token, ...from }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 400, 405])
    for (const { headers } of answers) {
      expect(shown(headers)).toBe(page)
      expect(headers.get('access-control-expose-headers')).toContain('retry-after')
      expect(headers.get('vary')).toMatch(/\borigin\b/)
    }
    expect(answers[0]?.headers.get('vary')?.split(', ').toSorted()).toEqual(['accept-encoding', 'origin'])
  })

  test('of another origin is refused, and shown nothing', async () => {
    const answers = [
      await preflight('https://evil.example'),
      await preflight('null'),
      await post(ping, { headers: { origin: 'https://evil.example' } }),
    ]

    for (const { status, body, headers } of answers) {
      expect([status, body.error.data.code, 'id' in body]).toEqual([403, 'origin_not_allowed', false])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(headers.get('vary')).toBe('origin')
    }
  })

  test('of an origin that is allowed may call, by the public name of the gateway alone', async () => {
    const app = 'https://app.example.com'
    await using own = await startEdge({ publicUrl: 'https://api.example.com', allowedOrigins: [app] })
    const wire = await openWire(own.gateway.port)
    const ask = async (host: string) => {
      wire.send(`OPTIONS /api/mcp HTTP/1.1\r\nhost: ${host}\r\norigin: ${app}\r\n\r\n`)
      return wire.hear('\r\n\r\n')
    }

    expect(await ask('api.example.com')).toMatch(/^HTTP\/1.1 204 [^]*access-control-allow-origin: https:\/\/app/)
    expect(await ask('evil.example')).toMatch(/^HTTP\/1.1 403 /)
  })
})

test('workspace missing, malformed, foreign or suspended: the same codes as over HTTP', async () => {
  const unbound = edge.service.key({ bound: false }).token
  await refused(post(ping, { token: unbound }), 400, -31_002, 'workspace_required', 7)
  await refused(post(ping, { headers: { 'x-workspace-id': 'acme' } }), 400, -31_002, 'workspace_invalid', 7)
  await refused(post(ping, { headers: { 'x-workspace-id': workspaceB } }), 403, -31_003, 'workspace_not_allowed', 7)
  const suspended = edge.service.key({ workspaces: [{ id: workspaceA, suspended: true, refusals: [] }] }).token
  await refused(post(ping, { token: suspended }), 403, -31_003, 'workspace_suspended', 7)
})

test('a tool call without its scope is refused alone, and left to the service in a batch', async () => {
  const reader = edge.service.key({ scopes: ['projects:read'] }).token
  const { headers, body } = await refused(
    post(toolCall('projects.create'), { token: reader }),
    403,
    -31_003,
    'insufficient_scope',
    'a',
  )
  expect(headers.get('www-authenticate')).toBe(
    'Bearer realm="service", error="insufficient_scope", scope="projects:write"',
  )
  expect(body.error.data.requiredScopes).toEqual(['projects:write'])
  expect((await post([toolCall('projects.create')], { token: reader })).status).toBe(200)
  expect((await post(toolCall('projects.list'), { token: reader })).status).toBe(200)
  expect((await post(toolCall('no.such'), { token: reader })).status).toBe(200)
})

test('what is no JSON-RPC at all is refused with 400, the wrong type with 415', async () => {
  await refused(post('{'), 400, -32_700, 'invalid_json')
  await refused(post(''), 400, -32_700, 'invalid_json')
  await refused(post('"text"'), 400, -32_600, 'validation_failed')
  await refused(post([]), 400, -32_600, 'validation_failed')
  const { body } = await refused(post(Array.from({ length: 51 }, () => ping)), 400, -32_600, 'too_many_items')
  expect(body.error.data.limit).toBe(50)
  await refused(post(ping, { headers: { 'content-type': 'text/plain' } }), 415, -32_600, 'unsupported_media_type')
})

test('a body over the limit is refused with 413, declared or in chunks, and the connection lives on', async () => {
  const wire = await openWire(edge.gateway.port)
  const head = `POST /api/mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  wire.send(`${head}content-length: ${mcpBodyBytesMax + 1}\r\n\r\n`)
  await wire.hear('"limitBytes":524288')
  wire.send('a'.repeat(mcpBodyBytesMax + 1))
  wire.send(`${head}transfer-encoding: chunked\r\n\r\n${`10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(9)}`)
  expect(await wire.hear('"limitBytes":524288')).toContain('HTTP/1.1 413')
  wire.send(`0\r\n\r\n${head}content-length: 2\r\n\r\n{}`)
  await wire.hear('{"ok":true}')
  expect(edge.service.calls.length).toBe(1)
})

test('a body of just the limit is taken, declared or in chunks', async () => {
  const exact = JSON.stringify({ ...ping, params: { padding: '' } }).replace(
    '""',
    () => `"${'a'.repeat(mcpBodyBytesMax - JSON.stringify({ ...ping, params: { padding: '' } }).length)}"`,
  )
  const inChunks = new Blob([exact.slice(0, 1_000), exact.slice(1_000)]).stream()
  const url = `${edge.gateway.url}/api/mcp`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  const answers = [await post(exact), await fetch(url, { method: 'POST', headers, body: inChunks, duplex: 'half' })]

  expect(Buffer.byteLength(exact)).toBe(mcpBodyBytesMax)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(edge.service.calls.map(({ body }) => body === exact)).toEqual([true, true])
})

test('each entry of a batch counts as one call, all of them or none, and initialize is not refused with them', async () => {
  await using own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(5)) })
  const key = own.service.key().token
  const ask = (body: unknown) => own.call('POST', '/api/mcp', { token: key, body })
  expect((await ask([ping, ping, ping])).headers.get('ratelimit')).toMatch(/^"key";r=2;/)
  const refusal = await ask([ping, ping, ping])
  expect([refusal.status, refusal.body.id, refusal.body.error.code]).toEqual([429, null, -31_029])
  expect(refusal.body.error.data.retryAfterSeconds).toBe(Number(refusal.headers.get('retry-after')))
  expect([(await ask(ping)).status, (await ask(ping)).status]).toEqual([200, 200])
  expect((await ask(ping)).body).toMatchObject({ id: 7, error: { data: { code: 'rate_limited' } } })
  expect((await ask('{')).status).toBe(429)
  for (const method of ['initialize', 'server/discover']) expect((await ask({ ...ping, method })).status).toBe(429)
  expect(own.service.calls.length).toBe(3)
})

test.each(['initialize', 'server/discover'])(
  'a client for each conversation may call %s as often as anything else, and is then told which limit it has met',
  async (method) => {
    await using own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(40)) })
    const [key, other] = [own.service.key().token, own.service.key().token]
    const open = (token: string) => own.call('POST', '/api/mcp', { token, body: { ...ping, method } })

    for (let conversations = 0; conversations < 40; conversations++) expect((await open(key)).status).toBe(200)
    const { status, body, headers } = await open(key)

    expect([status, body.id, body.error.code, body.error.data.code]).toEqual([429, 7, -31_029, 'rate_limited'])
    expect(body.error.message).toBe('The key has used up the requests for now: 1 a minute, 40 at once.')
    expect(body.error.data).toMatchObject({ 'violated-policies': ['key'], hint: expect.stringContaining('one client') })
    expect(Number(headers.get('retry-after'))).toBe(body.error.data.retryAfterSeconds)
    expect(headers.get('ratelimit-policy')).toBe('"key";q=1;w=60, "workspace";q=60000;w=60')
    expect((await open(other)).status).toBe(200)
  },
)

test.each(['initialize', 'server/discover', 'ping'])(
  'an address that guesses keys is refused %s for that, and not as if something had failed',
  async (method) => {
    await using own = await startEdge({ failedCredentialsPerMinute: 1 })
    const guess = () => own.call('POST', '/api/mcp', { token: makeToken('wsk').token, body: { ...ping, method } })
    while ((await guess()).status !== 429) continue

    const { body, headers } = await guess()

    expect([body.id, body.error.code, body.error.data.code]).toEqual([7, -31_029, 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBe(body.error.data.retryAfterSeconds)
  },
)

describe('a caller that leaves ends the call to the service at once', () => {
  const send = (body: unknown, key = token) => {
    const text = JSON.stringify(body)
    const headers = ['host: localhost', `authorization: Bearer ${key}`, 'content-type: application/json']
    return ['POST /api/mcp HTTP/1.1', ...headers, `content-length: ${text.length}`, '', text].join('\r\n')
  }

  test.each([
    ['a single call', ping],
    ['a batch', [ping, { ...ping, id: 8 }]],
    ['a handshake', { ...ping, method: 'initialize' }],
    ['a stream', { ...ping, method: 'subscriptions/listen' }],
  ])('%s, before any of the answer', async (_what, body) => {
    edge.service.respond = () => {}
    const wire = await openWire(edge.gateway.port)
    wire.send(send(body))
    await eventually(() => edge.service.calls.length === 1, 'the call arrives')
    wire.socket.destroy()
    await eventually(() => edge.service.cancelled === 1, 'the call to the service ends', 700)
  })

  test('in the middle of its answer', async () => {
    edge.service.respond = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
    const wire = await openWire(edge.gateway.port)
    wire.send(send(ping))
    await wire.hear(': here')
    wire.socket.destroy()
    await eventually(() => edge.service.cancelled === 1, 'the call to the service ends', 700)
  })

  test('while it waits for a slot: then it never gets there', async () => {
    const { log, lines } = logLines()
    await using own = await startEdge({ log })
    const waiting = Promise.withResolvers<void>()
    own.service.respond = (_request, response) => void waiting.promise.then(() => response.end('{}'))
    const key = own.service.key().token
    const all = Array.from({ length: 16 }, () => own.call('POST', '/api/mcp', { token: key, body: ping }))
    await eventually(() => own.service.calls.length === 16, 'all slots of the key to be taken')

    const wire = await openWire(own.gateway.port)
    wire.send(send({ ...ping, id: 'gone' }, key))
    wire.socket.destroy()
    await eventually(() => lines.some((line) => line.includes('"status":499')), 'the gateway to notice')
    waiting.resolve()
    await Promise.all(all)
    await own.call('POST', '/api/mcp', { token: key, body: { ...ping, id: 'last' } })

    expect(own.service.calls.slice(16).map(({ body }) => JSON.parse(body).id)).toEqual(['last'])
  })
})

test('what the protocol says in headers crosses the gateway in both directions', async () => {
  const sent = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'ping',
    'mcp-name': 'x',
    'mcp-param-region': 'eu',
    'x-mcp-readonly': 'true',
    'x-mcp-toolsets': 'tasks',
    'x-mcp-tool-names': 'underscore',
    'last-event-id': '4',
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    accept: 'application/json, text/event-stream',
  }
  const answered = { 'mcp-session-id': 's1', 'x-accel-buffering': 'no', 'content-type': 'text/event-stream' }
  edge.service.respond = (_request, response) => void response.writeHead(200, answered).end('data: 1\n\n')

  const response = await fetch(`${edge.gateway.url}/api/mcp`, {
    method: 'POST',
    body: JSON.stringify(ping),
    headers: { ...sent, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })

  expect(await response.text()).toBe('data: 1\n\n')
  expect(edge.service.calls[0]?.headers).toMatchObject(sent)
  expect(Object.fromEntries(response.headers)).toMatchObject(answered)
})

test('an event stream passes as it comes, and without hop-by-hop headers', async () => {
  const stream = Promise.withResolvers<void>()
  edge.service.respond = (_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      connection: 'x-hop',
      'x-hop': '1',
      'x-internal-a': '1',
    })
    response.write('data: 1\n\n')
    void stream.promise.then(() => response.end('data: 2\n\n'))
  }
  const response = await fetch(`${edge.gateway.url}/api/mcp`, {
    method: 'POST',
    body: JSON.stringify(ping),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const text = async () => (await reader.read()).value
  expect(await text()).toBe('data: 1\n\n')
  stream.resolve()
  expect(await text()).toBe('data: 2\n\n')
  expect([response.headers.get('x-hop'), response.headers.get('x-internal-a')]).toEqual([null, null])
})

test('a service that is late, breaks off or is away is answered with the id', async () => {
  edge.service.respond = () => {}
  const late = await post(ping)
  expect([late.status, late.body.id, late.body.error.code, late.body.error.data.code]).toEqual([
    504,
    7,
    -32_603,
    'timeout',
  ])
  edge.service.respond = (request) => void request.socket.destroy()
  const broken = await post(ping)
  expect([broken.status, broken.body.error.data.code]).toEqual([502, 'upstream_error'])
  edge.service.respond = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setImmediate(() => response.destroy())
  }
  await expect(post(ping)).rejects.toThrow()
  await using own = await startEdge()
  const key = own.service.key().token
  await own.call('GET', '/api/v1/me', { token: key })
  await own.service.close()
  const away = await own.call('POST', '/api/mcp', { token: key, body: ping })
  expect([away.status, away.body.id, away.body.error.data.code, away.headers.get('retry-after')]).toEqual([
    503,
    7,
    'unavailable',
    '1',
  ])
})

test('of several addresses, one that takes no connection does not fail the call', async () => {
  await using one = await standIn()
  await using gone = await standIn()
  const key = one.key().token
  await gone.close()
  await using own = await startEdge({ services: [gone.url, one.url] })
  for (let calls = 0; calls < 3; calls++)
    expect((await own.call('POST', '/api/mcp', { token: key, body: ping })).status).toBe(200)
  expect(one.calls.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(ping)))
})
