// `refusals.get`: why a gateway refused a call, as the operator is told.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '#contract/refusals.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { secretLabel } from '#contract/api-keys.ts'
import { redisRefusals } from '../../../gateway/refusals/kept-refusals.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { atMost, operatorToken, startEdge, type Edge } from '../support/edge.ts'
import { workspaceA, workspaceB } from '../support/service.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge({ rateLimiter: memoryRateLimiter(atMost(2)) })
})
afterAll(() => edge?.[Symbol.asyncDispose]())

/** What the operator is told; null while it is not known. */
async function asked({ call }: Edge, requestId: string): Promise<Refusal | null> {
  const { status, body } = await call('GET', `/settings/api/refusals/${requestId}`, { token: operatorToken })
  return status === 200 && body?.object === 'refusal' ? (body as Refusal) : null
}
const told = (of: Edge, requestId: string) => eventually(() => asked(of, requestId), 'the refusal')

type Refused = { readonly by: string; readonly says: Partial<Refusal>; ask(): ReturnType<Edge['call']> }
const list = '/api/v1/projects'
const key = (more: Parameters<Edge['service']['key']>[0] = {}) => edge.service.key(more)

const refused: Refused[] = [
  {
    by: 'a token of no key',
    says: { status: 401, refusedBy: 'credentials', apiKeyId: null },
    ask: () => edge.call('GET', list, { token: makeToken(secretLabel).token }),
  },
  {
    by: 'a revoked key',
    says: { status: 401, refusedBy: 'key_state', route: list, method: 'GET' },
    ask: () => edge.call('GET', list, { token: key({ revokedAt: new Date().toISOString() }).token }),
  },
  {
    by: 'another address',
    says: {
      status: 403,
      refusedBy: 'ip_allowlist',
      clientAddress: '127.0.0.1',
      facts: factsOf({ ipAllowlist: 'missed' }),
    },
    ask: () => edge.call('GET', list, { token: key({ ipAllowlist: ['192.0.2.0/24'] }).token }),
  },
  {
    by: 'another workspace',
    says: { status: 403, refusedBy: 'workspace' },
    ask: () => edge.call('GET', list, { token: key().token, headers: { 'x-workspace-id': workspaceB } }),
  },
  {
    by: 'a scope that the key lacks, from an address on its list',
    says: { status: 403, refusedBy: 'scope', workspaceId: workspaceA, route: '/api/v1/tasks' },
    ask: () => edge.call('GET', '/api/v1/tasks', { token: key({ ipAllowlist: ['127.0.0.0/8'] }).token }),
  },
  {
    by: 'no such address, with a key',
    says: { status: 404, refusedBy: 'route', route: 'none' },
    ask: () => edge.call('GET', '/api/v1/nothing', { token: key().token }),
  },
  {
    by: 'a path that can be read in two ways',
    says: { status: 404, refusedBy: 'route', route: 'none' },
    ask: () => edge.call('GET', '/api//v1', { token: key().token }),
  },
  {
    by: 'a content type',
    says: { status: 415, refusedBy: 'content_type', method: 'POST' },
    ask: () => edge.call('POST', list, { token: key().token, body: 'a', headers: { 'content-type': 'text/plain' } }),
  },
  {
    by: 'a body over MCP',
    says: { status: 400, route: '/api/mcp' },
    ask: () => edge.call('POST', '/api/mcp', { token: key().token, body: '{' }),
  },
  {
    by: 'a wrong operator token',
    says: { status: 401, refusedBy: 'credentials' },
    ask: () => edge.call('GET', '/settings/api/workspaces', { token: 'guessed' }),
  },
]

test.each(refused)('a call that is refused for $by can be asked for by its request id', async ({ says, ask }) => {
  const { status, headers, body } = await ask()
  const requestId = headers.get('x-request-id') ?? ''

  const refusal = await told(edge, requestId)

  expect(checker(Refusal)(refusal)).toEqual([])
  const code = body.code ?? body.error.data.code
  expect(refusal).toMatchObject({ requestId, status, code, ...says })
})

test('facts that decided are told: figures of the limit, scopes, allowlist; never a token', async () => {
  const { token, record } = key({ ipAllowlist: ['127.0.0.0/8'], scopes: ['tasks:read'] })
  const scopes = await edge.call('GET', list, { token })
  await edge.call('GET', '/api/v1/me', { token })
  const limited = await edge.call('GET', `/api/v1/me?a=${token}`, { token, headers: { 'x-request-id': 'limited-1' } })
  expect([scopes.status, limited.status]).toEqual([403, 429])

  const [first, second] = [await told(edge, scopes.headers.get('x-request-id')!), await told(edge, 'limited-1')]

  expect(first.facts).toMatchObject({ ipAllowlist: 'matched', requiredScopes: ['projects:read'] })
  expect(second).toMatchObject({ code: 'rate_limited', refusedBy: 'rate_limit', apiKeyId: record.id })
  expect(second.facts).toMatchObject({
    rateLimit: { key: { limit: 1, remaining: 0, resetSeconds: expect.any(Number) } },
    violatedPolicies: ['key'],
    retryAfterSeconds: Number(limited.headers.get('retry-after')),
  })
  expect(JSON.stringify([first, second])).not.toContain(token)
})

test('a service that cannot be reached is told of as well', async () => {
  await using own = await startEdge()
  own.service.respond = (request) => void request.socket.destroy()
  const { headers, status } = await own.call('POST', list, { token: own.service.key().token, body: {} })

  expect(await told(own, headers.get('x-request-id')!)).toMatchObject({ status, refusedBy: 'service' })
})

test('what is not known, and a call that is wrong in itself, go on to the service; others than the operator are refused', async () => {
  const before = edge.service.calls.length
  await edge.call('GET', '/settings/api/refusals/none', { token: operatorToken })
  await edge.call('GET', '/settings/api/refusals/none?a=b', { token: operatorToken })
  expect(edge.service.calls.slice(before).map(({ url }) => url)).toEqual([
    '/settings/api/refusals/none',
    '/settings/api/refusals/none?a=b',
  ])

  expect((await edge.call('GET', '/settings/api/refusals/none', { token: key().token })).status).toBe(401)
})

test.skipIf(services().redis === null)('with Redis any gateway can tell of what another has refused', async () => {
  const [url, brand] = [services().redis!, `test-${crypto.randomUUID()}`]
  await using one = await startEdge({ refusals: redisRefusals(url, brand, () => {}) })
  await using two = await startEdge({ refusals: redisRefusals(url, brand, () => {}), services: [one.service.url] })

  const { headers } = await one.call('GET', list, { token: 'guessed' })

  expect(await told(two, headers.get('x-request-id')!)).toMatchObject({ code: 'invalid_api_key' })
})

function factsOf(more: Partial<Refusal['facts']>): Refusal['facts'] {
  const none = { rateLimit: null, violatedPolicies: [], requiredScopes: [], retryAfterSeconds: null }
  return { ipAllowlist: null, ...none, ...more }
}
