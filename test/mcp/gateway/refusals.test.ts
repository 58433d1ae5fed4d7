// What the gateway answers by itself at /api/mcp: status, headers and body of each case, as clients rely on them.
import { beforeAll, describe, expect, test } from 'vitest'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { atMost, edgeOfFile, startEdge, type Edge } from '../../gateway/support/edge.ts'
import { openWire } from '../../gateway/support/wire.ts'
import { ping, request, toolCall } from '../support/messages.ts'

/** `key`: by its name, or a token; null: none is sent. */
type Given = { method?: string; body?: unknown; key?: string | null; headers?: Record<string, string> }
/** Without `id` the answer has none. */
type Expected = { id?: string | number | null; headers?: Record<string, unknown>; data?: object }
type Case = [name: string, given: Given, status: number, rpcCode: number, code: string, expected: Expected]

const { edge, token } = edgeOfFile({ failedCredentialsPerMinute: 1_000 })
const keys: Record<string, string> = { full: token }
beforeAll(() => {
  const others: Record<string, Parameters<Edge['service']['key']>[0]> = {
    reader: { scopes: ['projects:read'] },
    revoked: { revokedAt: '2026-01-01T00:00:00.000Z' },
    unbound: { bound: false },
    http: { surfaces: ['http'] },
  }
  for (const [name, more] of Object.entries(others)) keys[name] = edge.service.key(more).token
})

async function ask({ method = 'POST', body, key = 'full', headers = {} }: Given, on = edge) {
  return on.call(method, '/api/mcp', { ...(key !== null && { token: keys[key] ?? key }), headers, body })
}

const create = toolCall('projects.create', {}, 'a')
const batchOf = (entries: number) => Array.from({ length: entries }, (_, id) => ({ ...ping, id }))
const unknown = makeToken('wsk').token
const as = (key: string | null, body: unknown = ping): Given => ({ key, body })
const headed = (headers: Record<string, string>, body: unknown = ping): Given => ({ headers, body })

const challenge = { 'www-authenticate': 'Bearer realm="service"' }
const described = /^Bearer realm="service", error="invalid_token", error_description="[^"]+"$/
const invalidToken = { 'www-authenticate': expect.stringMatching(described) }
const scopeLacking = {
  id: create.id,
  headers: { 'www-authenticate': 'Bearer realm="service", error="insufficient_scope", scope="projects:write"' },
  data: { requiredScopes: ['projects:write'] },
}
const ofPing = { id: ping.id }
const noId = { id: null }
const onlyPost = { headers: { allow: 'POST' }, data: { allowed: ['POST'] } }
const long = 'a'.repeat(mcpBodyBytesMax + 1)
const tooLong = { ...noId, data: { limitBytes: 524_288 } }
const otherMethods = ['GET', 'DELETE', 'PUT', 'PATCH']

test.each<Case>([
  ['no key', as(null), 401, -31_001, 'missing_credentials', { id: 7, headers: challenge }],
  ['no key, batch', as(null, [ping, ping]), 401, -31_001, 'missing_credentials', { id: null, headers: challenge }],
  ['an unknown key', as(unknown), 401, -31_001, 'invalid_api_key', { id: 7, headers: invalidToken }],
  ['a revoked key', as('revoked'), 401, -31_001, 'api_key_revoked', { id: 7, headers: invalidToken }],
  ['a key for HTTP', as('http'), 403, -31_003, 'surface_not_allowed', ofPing],
  ['a scope is lacking', as('reader', create), 403, -31_003, 'insufficient_scope', scopeLacking],
  ['no workspace', as('unbound'), 400, -31_002, 'workspace_required', ofPing],
  ...otherMethods.flatMap((method): Case[] => [
    [`${method} without a key`, { method, key: null }, 401, -31_001, 'missing_credentials', { headers: challenge }],
    [`${method}, unknown key`, { method, key: unknown }, 401, -31_001, 'invalid_api_key', { headers: invalidToken }],
    [`${method}, revoked key`, { method, key: 'revoked' }, 401, -31_001, 'api_key_revoked', { headers: invalidToken }],
    [method, { method }, 405, -32_600, 'method_not_allowed', onlyPost],
  ]),
  ['another content type', headed({ 'content-type': 'text/plain' }), 415, -32_600, 'unsupported_media_type', noId],
  ['packed', headed({ 'content-encoding': 'gzip' }), 415, -32_600, 'unsupported_media_type', noId],
  ['no acceptable type', headed({ accept: 'text/html' }), 406, -32_600, 'not_acceptable', ofPing],
  ['a body that is too long', { body: long }, 413, -32_600, 'body_too_large', tooLong],
  ['no body', { body: '' }, 400, -32_700, 'invalid_json', noId],
  ['broken JSON', { body: '{"id":7,' }, 400, -32_700, 'invalid_json', noId],
  ['a number', { body: '7' }, 400, -32_600, 'validation_failed', noId],
  ['51 entries', { body: batchOf(51) }, 400, -32_600, 'too_many_items', { id: null, data: { limit: 50 } }],
])('%s', async (_case, given, status, rpcCode, code, { headers = {}, data = {}, ...id }) => {
  const answer = await ask(given)

  const requestId = answer.headers.get('x-request-id')
  expect([answer.status, answer.body]).toEqual([status, { jsonrpc: '2.0', ...id, error: expect.anything() }])
  expect(answer.body.error).toMatchObject({ code: rpcCode, data: { code, requestId, ...data } })
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(Object.fromEntries(answer.headers)).toMatchObject(headers)
  expect(edge.service.calls).toEqual([])
})

test.each<[string, Given]>([
  ['without Accept', { body: ping }],
  ['Accept of a stream', headed({ accept: 'text/event-stream' })],
  ['a lacking scope in a batch', as('reader', [create])],
  ['a tool within the scopes', as('reader', toolCall('projects.list'))],
  ['an unknown tool', { body: toolCall('no.such') }],
  ['50 entries', { body: batchOf(50) }],
])('%s passes to the service', async (_case, given) => {
  expect((await ask(given)).status).toBe(200)
  expect(edge.service.calls).toHaveLength(1)
})

describe('a page in a browser', () => {
  const page = 'http://localhost:5173'
  const evil = 'https://evil.example'
  const preflight = (origin: string, headers: Record<string, string> = {}) =>
    ask({ method: 'OPTIONS', key: null, headers: { origin, 'access-control-request-method': 'POST', ...headers } })

  test('is told that it may call, without a key and without a call of the service', async () => {
    const asked = 'authorization, mcp-param-Region, mcp-param-*, x-evil'

    const { status, headers, body } = await preflight(page, { 'access-control-request-headers': asked })

    expect([status, body]).toEqual([204, null])
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '7200',
      vary: 'origin, access-control-request-headers',
    })
    const taken = headers.get('access-control-allow-headers')?.split(', ')
    expect(taken).toEqual(expect.arrayContaining(['authorization', 'mcp-protocol-version', 'x-workspace-id']))
    expect(taken?.filter((name) => /param|evil/.test(name))).toEqual(['mcp-param-region'])
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(edge.service.calls).toEqual([])
  })

  test('may read answers and refusals alike', async () => {
    const headers = { origin: page }
    await using own = await startEdge()
    own.service.respond = (_request, response) => void response.setHeader('vary', 'accept-encoding').end('{}')
    const key = own.service.key().token

    const answers = [
      await ask({ key, body: ping, headers }, own),
      await ask({ key: null, body: ping, headers }, own),
      await ask({ key, body: '{', headers }, own),
      await ask({ method: 'GET', key, headers }, own),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 400, 405])
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(page)
      expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
      expect(answer.headers.get('vary')).toMatch(/\borigin\b/)
    }
    expect(answers[0]?.headers.get('vary')?.split(', ').toSorted()).toEqual(['accept-encoding', 'origin'])
  })

  test('of another origin is refused, and shown nothing', async () => {
    const foreign = [evil, 'null'].map((origin) => ask(headed({ origin })))

    for (const { status, body, headers } of await Promise.all([preflight(evil), preflight('null'), ...foreign])) {
      expect([status, 'id' in body]).toEqual([403, false])
      expect(body.error).toMatchObject({ code: -31_003, data: { code: 'origin_not_allowed' } })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(headers.get('vary')).toBe('origin')
    }
    expect(edge.service.calls).toEqual([])
  })

  test('of an origin that is allowed may call, by the public name of the gateway alone', async () => {
    const app = 'https://app.example.com'
    await using own = await startEdge({ publicUrl: 'https://api.example.com', allowedOrigins: [app] })
    const wire = await openWire(own.gateway.port)
    const asked = async (host: string) => {
      wire.send(`OPTIONS /api/mcp HTTP/1.1\r\nhost: ${host}\r\norigin: ${app}\r\n\r\n`)
      return wire.hear('\r\n\r\n')
    }

    expect(await asked('api.example.com')).toMatch(/^HTTP\/1.1 204 [^]*access-control-allow-origin: https:\/\/app/)
    expect(await asked('evil.example')).toMatch(/^HTTP\/1.1 403 /)
  })
})

describe('beyond the rate limit', () => {
  test('each entry of a batch counts as one call, and all of them are served or none', async () => {
    await using own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(3)) })
    const key = own.service.key().token
    await ask({ key, body: [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }] }, own)

    const { status, headers, body } = await ask({ key, body: batchOf(2) }, own)
    const { code, data } = body.error

    expect([status, body.id, code, data.code]).toEqual([429, null, -31_029, 'rate_limited'])
    expect([data.retryAfterSeconds, data['violated-policies']]).toEqual([Number(headers.get('retry-after')), ['key']])
    expect(headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+$/)
    expect(own.service.calls).toHaveLength(1)
    expect((await ask({ key, body: ping }, own)).status).toBe(200)
    expect((await ask({ key, body: '{' }, own)).status).toBe(429)
  })

  const methods = ['initialize', 'server/discover', 'ping']
  test.each(methods)(
    '%s counts like any call, and who is made anew too often is told to keep one client',
    async (method) => {
      await using own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(3)) })
      const key = own.service.key().token
      const open = () => ask({ key, body: request(method) }, own)
      for (let conversations = 0; conversations < 3; conversations++) expect((await open()).status).toBe(200)

      const { status, body, headers } = await open()

      const hint = method !== 'ping' && { hint: expect.stringContaining('one client') }
      const data = { code: 'rate_limited', retryAfterSeconds: Number(headers.get('retry-after')), ...hint }
      expect([status, body.id]).toEqual([429, 7])
      expect(body.error).toMatchObject({ code: -31_029, data })
      expect(body.error.message).toBe('The key has reached its rate limit: 1 requests per minute, burst 3.')
    },
  )
})

const discovery = ['', '/api/mcp'].flatMap((of) => [
  ...['protected-resource', 'authorization-server'].map((what) => `GET /.well-known/oauth-${what}${of}`),
  `GET ${of}/.well-known/openid-configuration`,
])
test.each([...discovery, 'POST /register', 'GET /authorize', 'POST /token'])(
  'who looks for an authorization server by %s is told that there is none, and of the key',
  async (asked) => {
    const [method = '', path = ''] = asked.split(' ')

    const { status, headers, body } = await edge.call(method, path)

    expect({ status, code: body.code }).toEqual({ status: 404, code: 'route_not_found' })
    expect(body.hint).toMatch(/no authorization server.*API key/)
    expect(headers.get('www-authenticate')).toBeNull()
    expect((await edge.call('GET', '/registers')).body.hint).toBeUndefined()
  },
)

test('a call that names no host at all is refused as JSON-RPC like any other', async () => {
  const wire = await openWire(edge.gateway.port)

  wire.send('POST /api/mcp HTTP/1.1\r\ncontent-length: 0\r\n\r\n')

  expect(await wire.hear('"data":{"code":"invalid_header"')).toContain('{"jsonrpc":"2.0","error":{"code":-32600,')
})
