// What the gateway answers by itself at /api/mcp: status, headers and body of each case, as clients rely on them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { atMost, startEdge, type Edge } from '../support/edge.ts'
import { workspaceA, workspaceB } from '../support/service.ts'
import { openWire } from '../support/wire.ts'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'

type Given = {
  readonly method?: string
  readonly body?: unknown
  /** Null: none is sent. */
  readonly token?: string | null
  readonly headers?: Record<string, string>
}
type Expected = {
  readonly status: number
  readonly code: number
  readonly name: string
  /** Undefined: the answer has none. */
  readonly id: string | number | null | undefined
  readonly headers?: Record<string, unknown>
  readonly data?: object
}

let edge: Edge
const keys: Record<string, string> = {}
beforeAll(async () => {
  edge = await startEdge({ failedCredentialsPerMinute: 1_000 })
  const key = (name: string, more?: Parameters<Edge['service']['key']>[0]) =>
    (keys[name] = edge.service.key(more).token)
  key('full')
  key('reader', { scopes: ['projects:read'] })
  key('revoked', { revokedAt: '2026-01-01T00:00:00.000Z' })
  key('expired', { expiresAt: '2026-01-01T00:00:00.000Z' })
  key('unbound', { bound: false })
  key('suspended', { workspaces: [{ id: workspaceA, suspended: true, refusals: [] }] })
  key('http', { surfaces: ['http'] })
  key('nothing', { scopes: [] })
})
afterAll(() => edge?.[Symbol.asyncDispose]())
beforeEach(() => void edge.service.calls.splice(0))

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
const create = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'projects.create', arguments: {} } }
const batchOf = (entries: number) => Array.from({ length: entries }, (_, id) => ({ ...ping, id }))
const challenge = 'Bearer realm="service"'
const invalidToken = {
  'www-authenticate': expect.stringMatching(
    /^Bearer realm="service", error="invalid_token", error_description="[^"]+"$/,
  ),
}
const needs = (scope: string) => ({ 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` })
const as = (key: string, body: unknown = ping): Given => ({ token: key, body })
const withHeaders = (headers: Record<string, string>, body: unknown = ping): Given => ({ headers, body })

async function ask({ method = 'POST', body, token = 'full', headers }: Given, on = edge) {
  const options = { ...(token !== null && { token: keys[token] ?? token }), ...(headers && { headers }) }
  return on.call(method, '/api/mcp', { ...options, ...(body !== undefined && { body }) })
}

test.each<[string, Given, Expected]>([
  [
    'no key',
    { token: null, body: ping },
    { ...refusal(401, -31_001, 'missing_credentials', 7), headers: { 'www-authenticate': challenge } },
  ],
  [
    'an unknown key',
    as(makeToken('wsk').token),
    { ...refusal(401, -31_001, 'invalid_api_key', 7), headers: invalidToken },
  ],
  ['no key at all in form', as('nonsense'), { ...refusal(401, -31_001, 'invalid_api_key', 7), headers: invalidToken }],
  ['a revoked key', as('revoked'), { ...refusal(401, -31_001, 'api_key_revoked', 7), headers: invalidToken }],
  ['an expired key', as('expired'), { ...refusal(401, -31_001, 'api_key_expired', 7), headers: invalidToken }],
  [
    'a revoked key, batch',
    as('revoked', [ping]),
    { ...refusal(401, -31_001, 'api_key_revoked', null), headers: invalidToken },
  ],
  ['a key for HTTP', as('http'), refusal(403, -31_003, 'surface_not_allowed', 7)],
  ['a key without scopes', as('nothing'), refusal(403, -31_003, 'api_key_has_no_scopes', 7)],
  [
    'a scope is lacking',
    as('reader', create),
    {
      ...refusal(403, -31_003, 'insufficient_scope', 'a'),
      headers: needs('projects:write'),
      data: { requiredScopes: ['projects:write'] },
    },
  ],
  ['no workspace', as('unbound'), refusal(400, -31_002, 'workspace_required', 7)],
  ['a malformed workspace', withHeaders({ 'x-workspace-id': 'acme' }), refusal(400, -31_002, 'workspace_invalid', 7)],
  [
    'a foreign workspace',
    withHeaders({ 'x-workspace-id': workspaceB }),
    refusal(403, -31_003, 'workspace_not_allowed', 7),
  ],
  ['a suspended workspace', as('suspended'), refusal(403, -31_003, 'workspace_suspended', 7)],
  [
    'a foreign page',
    withHeaders({ origin: 'https://evil.example' }),
    refusal(403, -31_003, 'origin_not_allowed', undefined),
  ],
  ['a page without origin', withHeaders({ origin: 'null' }), refusal(403, -31_003, 'origin_not_allowed', undefined)],
  [
    'a foreign page, preflight',
    { method: 'OPTIONS', token: null, headers: { origin: 'https://evil.example' } },
    refusal(403, -31_003, 'origin_not_allowed', undefined),
  ],
  ...['GET', 'DELETE', 'PUT', 'PATCH'].flatMap((method): [string, Given, Expected][] => [
    [
      `${method} without a key`,
      { method, token: null },
      { ...refusal(401, -31_001, 'missing_credentials', undefined), headers: { 'www-authenticate': challenge } },
    ],
    [
      `${method} with an unknown key`,
      { method, token: makeToken('wsk').token },
      { ...refusal(401, -31_001, 'invalid_api_key', undefined), headers: invalidToken },
    ],
    [
      `${method} with a revoked key`,
      { method, token: 'revoked' },
      { ...refusal(401, -31_001, 'api_key_revoked', undefined), headers: invalidToken },
    ],
  ]),
  ...['GET', 'DELETE', 'PUT', 'PATCH'].map((method): [string, Given, Expected] => [
    method,
    { method },
    {
      ...refusal(405, -32_600, 'method_not_allowed', undefined),
      headers: { allow: 'POST' },
      data: { allowed: ['POST'] },
    },
  ]),
  [
    'another content type',
    withHeaders({ 'content-type': 'text/plain' }),
    refusal(415, -32_600, 'unsupported_media_type', null),
  ],
  ['packed', withHeaders({ 'content-encoding': 'gzip' }), refusal(415, -32_600, 'unsupported_media_type', null)],
  ['no acceptable type', withHeaders({ accept: 'text/html' }), refusal(406, -32_600, 'not_acceptable', 7)],
  [
    'a body that is too long',
    { body: 'a'.repeat(mcpBodyBytesMax + 1) },
    { ...refusal(413, -32_600, 'body_too_large', null), data: { limitBytes: 524_288 } },
  ],
  ['no body', { body: '' }, refusal(400, -32_700, 'invalid_json', null)],
  [
    'no body, as a form',
    withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }, ''),
    refusal(400, -32_700, 'invalid_json', null),
  ],
  ['broken JSON', { body: '{"id":7,' }, refusal(400, -32_700, 'invalid_json', null)],
  ['a number', { body: '7' }, refusal(400, -32_600, 'validation_failed', null)],
  ['null', { body: 'null' }, refusal(400, -32_600, 'validation_failed', null)],
  ['an empty batch', { body: [] }, refusal(400, -32_600, 'validation_failed', null)],
  ['51 entries', { body: batchOf(51) }, { ...refusal(400, -32_600, 'too_many_items', null), data: { limit: 50 } }],
])('%s', async (_case, given, { status, code, name, id, headers = {}, data = {} }) => {
  const answer = await ask(given)

  expect([answer.status, answer.body]).toEqual([
    status,
    { jsonrpc: '2.0', ...(id !== undefined && { id }), error: expect.anything() },
  ])
  expect(answer.body.error).toMatchObject({
    code,
    data: { code: name, requestId: answer.headers.get('x-request-id'), ...data },
  })
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(Object.fromEntries(answer.headers)).toMatchObject(headers)
  expect(edge.service.calls).toEqual([])
})

function refusal(status: number, code: number, name: string, id: Expected['id']): Expected {
  return { status, code, name, id }
}

describe('passes to the service', () => {
  test.each<[string, Given]>([
    ['without Accept', { body: ping }],
    ['Accept of JSON', withHeaders({ accept: 'application/json' })],
    ['Accept of a stream', withHeaders({ accept: 'text/event-stream' })],
    ['Accept of anything', withHeaders({ accept: '*/*' })],
    ['a lacking scope in a batch', as('reader', [create])],
    ['an unknown tool', { body: { ...create, params: { name: 'no.such' } } }],
    ['50 entries', { body: batchOf(50) }],
    ['the parameter charset', withHeaders({ 'content-type': 'application/json; charset=utf-8' })],
  ])('%s', async (_case, given) => {
    expect((await ask(given)).status).toBe(200)
    expect(edge.service.calls).toHaveLength(1)
  })
})

describe('beyond the rate limit', () => {
  test('a call, and a batch as a whole, are refused before any of it runs', async () => {
    await using own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(3)) })
    const token = own.service.key().token
    await ask({ token, body: [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }] }, own)

    for (const [body, id] of [
      [batchOf(2), null],
      [batchOf(3), null],
    ] as const) {
      const { status, headers, body: answered } = await ask({ token, body }, own)
      const { code, data } = answered.error

      expect([status, answered.id, code, data.code]).toEqual([429, id, -31_029, 'rate_limited'])
      expect([data.retryAfterSeconds, data['violated-policies']]).toEqual([Number(headers.get('retry-after')), ['key']])
      expect(headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+$/)
      expect(headers.get('ratelimit-policy')).toContain('"key";q=')
    }
    // The last token: the notification of the first batch has cost one.
    expect((await ask({ token, body: ping }, own)).status).toBe(200)
    expect((await ask({ token, body: ping }, own)).body).toMatchObject({ id: 7, error: { code: -31_029 } })
    expect(own.service.calls).toHaveLength(2)
  })

  test.each(['initialize', 'server/discover'])('%s is 429 like any other call', async (method) => {
    await using own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(1)) })
    const given = { token: own.service.key().token, body: { ...ping, method } }

    expect((await ask(given, own)).status).toBe(200)
    const { status, headers, body } = await ask(given, own)

    expect([status, body.id, body.error.code, body.error.data.code]).toEqual([429, 7, -31_029, 'rate_limited'])
    expect(body.error.data.retryAfterSeconds).toBe(Number(headers.get('retry-after')))
  })
})

test('where a client looks for an authorization server it is told that there is none, and of the key', async () => {
  for (const [method, path] of [
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/api/mcp'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/oauth-authorization-server/api/mcp'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/api/mcp/.well-known/openid-configuration'],
    ['POST', '/register'],
    ['GET', '/authorize'],
    ['POST', '/token'],
  ] as const) {
    const { status, headers, body } = await edge.call(method, path)

    expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'route_not_found' })
    expect(body.hint).toMatch(/no authorization server.*API key/)
    expect(headers.get('www-authenticate')).toBeNull()
  }
  expect((await edge.call('GET', '/registers')).body.hint).toBeUndefined()
})

test('a call that names no host at all is refused as JSON-RPC like any other', async () => {
  const wire = await openWire(edge.gateway.port)

  wire.send('POST /api/mcp HTTP/1.1\r\ncontent-length: 0\r\n\r\n')

  expect(await wire.hear('"data":{"code":"invalid_header"')).toContain('{"jsonrpc":"2.0","error":{"code":-32600,')
})
