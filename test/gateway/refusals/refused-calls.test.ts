// Each refusal of the gateway over HTTP: code, order, what the operator is told, what is reported for the log.
import { expect, test } from 'vitest'
import type { FaultCode } from '#contract/faults/fault.ts'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { Refusal } from '#contract/refusals.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { redisRefusals } from '../../../gateway/refusals/kept-refusals.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { atMost, edgeOfFile, operatorToken, startEdge, statusAndCode, type Edge } from '../support/edge.ts'
import { within, workspaceA, workspaceB } from '../support/service.ts'

const { edge } = edgeOfFile({ failedCredentialsPerMinute: 1_000 })
const list = '/api/v1/projects'
const me = '/api/v1/me'
const day = 86_400_000
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()
const refusing = (rule: PolicyRule) => ({ workspaces: [within(workspaceA, { refusals: [{ rule, from: ago(1) }] })] })
const suspended = { workspaces: [within(workspaceA, { suspended: true })] }

type Refused = {
  readonly code: FaultCode
  readonly status: number
  readonly by: Refusal['refusedBy']
  readonly key?: Partial<KeyRecord>
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** What the operator is told of it. */
  readonly says?: Partial<Refusal>
}
const asText = { 'content-type': 'text/plain' }
const undecided = { rateLimit: null, violatedPolicies: [], requiredScopes: [], retryAfterSeconds: null }
const factsOfMissed: Refusal['facts'] = { ipAllowlist: 'missed', ...undecided }
const scopesAtAllowed = { ipAllowlist: 'matched', requiredScopes: ['projects:read'], violatedPolicies: [] }
const inB = { 'x-workspace-id': workspaceB }

const key = (key: Partial<KeyRecord>, more: Partial<Refused> = {}): Partial<Refused> => ({ key, ...more })
const old = { maxAgeDays: 30, secret: { createdAt: ago(30 * day + 1), expiresAt: null } }
const forwarded = {
  headers: { 'x-forwarded-for': '10.0.0.1' },
  says: { clientAddress: '127.0.0.1', facts: factsOfMissed },
}
const unboundInA = { headers: { 'x-workspace-id': workspaceA } }
const reader: Partial<KeyRecord> = { scopes: ['webhooks:read'], ipAllowlist: ['127.0.0.0/8'] }
const inA = { says: { workspaceId: workspaceA, facts: expect.objectContaining(scopesAtAllowed) } }
const row = (status: number, code: FaultCode, by: Refusal['refusedBy'], more: Partial<Refused> = {}): Refused => ({
  code,
  status,
  by,
  ...more,
})

/** In the order in which calls are checked. Whose the key is, is known; whether it is of this workspace, not yet. */
const beforeWorkspace = [
  row(401, 'api_key_revoked', 'key_state', key({ revokedAt: ago(0) }, { says: { route: list } })),
  row(401, 'api_key_expired', 'key_state', key({ expiresAt: ago(1) })),
  row(403, 'ip_not_allowed', 'ip_allowlist', key({ ipAllowlist: ['10.0.0.0/8'] }, forwarded)),
  row(403, 'api_key_rotation_required', 'rotation', key(old)),
  row(403, 'ip_allowlist_required', 'workspace_key_policy', key(refusing('requireIpAllowlist'))),
  row(403, 'key_expiry_required', 'workspace_key_policy', key(refusing('requireExpiry'))),
  row(403, 'api_key_has_no_scopes', 'scope', key({ scopes: [] })),
  row(403, 'surface_not_allowed', 'surface', key({ surfaces: ['mcp'] })),
  row(403, 'workspace_not_allowed', 'workspace', { headers: inB }),
]
const unbound = { bound: false, ...refusing('allowUnboundKeys') }
const inWorkspace = [
  row(403, 'unbound_key_not_allowed', 'workspace_key_policy', key(unbound, unboundInA)),
  row(403, 'workspace_suspended', 'workspace', key(suspended)),
  row(403, 'insufficient_scope', 'scope', key(reader, inA)),
]
const mistakes = [
  row(404, 'route_not_found', 'route', { path: '/api/v1/nothing', says: { route: 'none' } }),
  row(404, 'route_not_found', 'route', { path: '/internal/keys/00' }),
  row(405, 'method_not_allowed', 'route', { method: 'PUT' }),
  row(400, 'invalid_parameter', 'http', { path: `${list}?workspaceId=a&workspaceId=a` }),
  row(400, 'workspace_conflict', 'workspace', { path: `${list}?workspaceId=${workspaceA}`, headers: inB }),
  row(400, 'workspace_invalid', 'workspace', { path: `${list}?workspaceId=acme` }),
  row(400, 'workspace_required', 'workspace', key({ bound: false })),
  row(415, 'unsupported_media_type', 'content_type', { method: 'POST', body: 'a', headers: asText }),
]

const ask = (of: Edge, token: string, { method = 'GET', path = list, headers = {}, body }: Partial<Refused>) =>
  of.call(method, path, { token, headers, ...(body !== undefined && { body }) })

/** What the operator is told; null while it is not known. */
const told = (of: Edge, requestId: string) =>
  eventually(async () => {
    const { status, body } = await of.call('GET', `/settings/api/refusals/${requestId}`, { token: operatorToken })
    return status === 200 && body?.object === 'refusal' ? (body as Refusal) : null
  }, 'the refusal')

test.each([...beforeWorkspace, ...inWorkspace, ...mistakes])(
  '$status $code is answered as a problem, and told to the operator as the refusal by $by',
  async (refused) => {
    const { token, record } = edge.service.key(refused.key)

    const { status, headers, body } = await ask(edge, token, refused)
    const refusal = await told(edge, body.requestId)

    const [instance] = (refused.path ?? list).split('?')
    expect([status, body]).toEqual([refused.status, expect.objectContaining({ code: refused.code, instance })])
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(headers.get('x-request-id')).toBe(body.requestId)
    expect(edge.service.calls).toEqual([])
    expect(checker(Refusal)(refusal)).toEqual([])
    const { code, by, says } = refused
    expect(refusal).toMatchObject({ requestId: body.requestId, status, code, refusedBy: by, ...says })
    expect([null, record.id]).toContain(refusal.apiKeyId)
  },
)

test('refused calls of known keys reach the service, those that come before any workspace is settled without one', async () => {
  const own = await startEdge()
  const expected = []
  for (const [workspaceId, refused] of [
    ...beforeWorkspace.map((each) => [null, each] as const),
    ...inWorkspace.map((each) => [workspaceA, each] as const),
  ]) {
    const { token, record } = own.service.key(refused.key)
    const headers = { ...refused.headers, 'user-agent': 'test/1' }
    const { body } = await ask(own, token, { ...refused, headers })
    const { code } = refused
    const call = { operation: 'projects.list', surface: 'http', ip: '127.0.0.1', userAgent: 'test/1' }
    const once = { requestId: body.requestId, at: expect.any(String), count: 1 }
    expected.push({ keyId: record.id, workspaceId, code, ...call, ...once })
  }
  const { token } = own.service.key({ surfaces: ['http'] })
  await own.call('POST', '/api/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })

  await own.gateway.close()

  expect(own.service.denials.slice(0, -1)).toEqual(expected)
  expect(own.service.denials.at(-1)).toMatchObject({ code: 'surface_not_allowed', surface: 'mcp', operation: null })
  await own.service.close()
})

test('too many calls, unknown keys, mistakes in the request and whatever was permitted are not reported', async () => {
  const own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(mistakes.length)) })
  const { token } = own.service.key()

  for (const mistake of mistakes.slice(0, -2)) await ask(own, token, mistake)
  await own.call('GET', list, { token: 'wsk_junk' })
  const answers = await Promise.all(Array.from({ length: mistakes.length + 1 }, () => own.call('GET', list, { token })))
  await own[Symbol.asyncDispose]()

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(own.service.denials).toEqual([])
})

test.each<[string, Parameters<Edge['call']>[2], FaultCode]>([
  ['nothing', {}, 'missing_credentials'],
  ['a key in another header', { headers: { 'x-api-key': 'wsk_1' } }, 'missing_credentials'],
  ['what looks like no key of ours', { token: 'wsk_junk' }, 'invalid_api_key'],
  ['the token of the operator', { token: operatorToken }, 'invalid_api_key'],
])('of %s the service is not asked, and the 401 says how to send a key', async (_what, options, code) => {
  const asked = edge.service.asked.length

  const { status, body, headers } = await edge.call('GET', list, options)

  expect([status, body.code, edge.service.asked.length]).toEqual([401, code, asked])
  const expected = code === 'missing_credentials' ? /^Bearer realm="service"$/ : /error="invalid_token"/
  expect(headers.get('www-authenticate')).toMatch(expected)
  expect(await told(edge, body.requestId)).toMatchObject({ refusedBy: 'credentials', apiKeyId: null })
})

test('a well-formed key that does not exist is asked for once, then refused from memory', async () => {
  const asked = edge.service.asked.length
  const { token } = makeToken('wsk')

  const answers = [await edge.call('GET', list, { token }), await edge.call('GET', list, { token })]

  expect(answers.map(statusAndCode)).toEqual(['401 invalid_api_key', '401 invalid_api_key'])
  expect(edge.service.asked.length).toBe(asked + 1)
})

test('the scope that a key lacks is named in the body and in WWW-Authenticate', async () => {
  const { token } = edge.service.key({ scopes: ['projects:read'] })

  const { body, headers } = await edge.call('POST', list, { token, body: { name: 'x' } })

  expect(body.requiredScopes).toEqual(['projects:write'])
  expect(headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="projects:write"')
})

test('what fails on our side says nothing but the request id', async () => {
  const { token } = edge.service.key({ ipAllowlist: ['a record that cannot be read'] })

  const answer = await edge.call('GET', me, { token })

  expect(statusAndCode(answer)).toBe('500 internal_error')
  expect(JSON.stringify(answer.body)).not.toContain('cannot be read')
})

test('checks come in the promised order: what is wrong first is what is answered', async () => {
  const { token, record } = edge.service.key({
    revokedAt: ago(0),
    ipAllowlist: ['10.0.0.0/8'],
    maxAgeDays: 1,
    secret: { createdAt: ago(2 * day), expiresAt: null },
    scopes: [],
    surfaces: ['mcp'],
    workspaces: [],
  })
  const wrong = { method: 'POST', path: `${list}?workspaceId=acme`, headers: asText, body: '{}' }

  for (const [code, mended] of [
    ['api_key_revoked', {}],
    ['ip_not_allowed', { revokedAt: null }],
    ['api_key_rotation_required', { ipAllowlist: [] }],
    ['api_key_has_no_scopes', { maxAgeDays: null }],
    ['surface_not_allowed', { scopes: ['projects:read'] }],
    ['workspace_invalid', { surfaces: ['http'] }],
  ] as const) {
    Object.assign(record, mended)
    edge.forgetKeys()
    expect((await ask(edge, token, wrong)).body.code).toBe(code)
  }
})

test('figures of the limit that decided are told, and never a token', async () => {
  await using own = await startEdge({ rateLimiter: memoryRateLimiter(atMost(1)) })
  const { token, record } = own.service.key()
  await own.call('GET', me, { token })

  const { headers, body } = await own.call('GET', `${me}?a=${token}`, { token })
  const refusal = await told(own, body.requestId)

  expect(refusal).toMatchObject({ code: 'rate_limited', refusedBy: 'rate_limit', apiKeyId: record.id })
  expect(refusal.facts).toMatchObject({
    rateLimit: { key: { limit: 1, remaining: 0, resetSeconds: expect.any(Number) } },
    violatedPolicies: ['key'],
    retryAfterSeconds: Number(headers.get('retry-after')),
  })
  expect(JSON.stringify(refusal)).not.toContain(token)
})

test.each<[string, string, string, Parameters<Edge['call']>[2], Partial<Refusal>]>([
  ['an address that cannot be decoded', 'GET', `${list}/%zz`, {}, { status: 400, route: 'none' }],
  ['a body over MCP', 'POST', '/api/mcp', { body: '{' }, { status: 400, route: '/api/mcp' }],
  ['a service that breaks off', 'POST', list, { body: {} }, { status: 502, refusedBy: 'service' }],
  ['a wrong operator token', 'GET', '/settings/api/workspaces', { token: 'a' }, { refusedBy: 'credentials' }],
])('%s is told of as well', async (_what, method, path, options, says) => {
  edge.service.respond = (request) => void request.socket.destroy()
  const { token } = edge.service.key()

  const { headers } = await edge.call(method, path, { token, ...options })

  expect(await told(edge, headers.get('x-request-id')!)).toMatchObject(says)
})

test('what is not known, and a call that is wrong in itself, go on to the service; others than the operator are refused', async () => {
  const paths = ['/settings/api/refusals/none', '/settings/api/refusals/none?a=b']

  for (const path of paths) await edge.call('GET', path, { token: operatorToken })
  const byKey = await edge.call('GET', paths[0]!, { token: edge.service.key().token })

  expect([edge.service.calls.map(({ url }) => url), byKey.status]).toEqual([paths, 401])
})

test.skipIf(services().redis === null)('with Redis any gateway can tell of what another has refused', async () => {
  const [url, brand] = [services().redis!, `test-${crypto.randomUUID()}`]
  await using one = await startEdge({ refusals: redisRefusals(url, brand, () => {}) })
  await using two = await startEdge({ refusals: redisRefusals(url, brand, () => {}), services: [one.service.url] })

  const { body } = await one.call('GET', list, { token: 'guessed' })

  expect(await told(two, body.requestId)).toMatchObject({ code: 'invalid_api_key' })
})
