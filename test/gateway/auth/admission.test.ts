// Each refusal that the gateway gives over HTTP, with its code, in the promised order.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operatorToken, startEdge, type Edge } from '../support/edge.ts'
import { workspaceA, workspaceB } from '../support/service.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { pathSegmentLengthMax } from '#contract/route-paths.ts'

let edge: Edge
beforeAll(async () => void (edge = await startEdge({ failedCredentialsPerMinute: 1_000 })))
afterAll(() => edge[Symbol.asyncDispose]())
beforeEach(() => void edge.service.calls.splice(0))

const day = 86_400_000
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

async function refused(
  method: string,
  path: string,
  options: Parameters<Edge['call']>[2],
  status: number,
  code: string,
) {
  const answer = await edge.call(method, path, options)
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
  expect(answer.body.instance).toBe(path.split('?')[0])
  expect(edge.service.calls).toEqual([])
  return answer
}

test('an address that does not exist is answered 404, with or without a key', async () => {
  const { token } = edge.service.key()
  await refused('GET', '/api/v1/nothing', {}, 404, 'route_not_found')
  await refused('GET', '/api/v1/nothing', { token }, 404, 'route_not_found')
  await refused('GET', '/nothing', {}, 404, 'route_not_found')
  await refused('GET', '/internal/keys/00', { token }, 404, 'route_not_found')
  await refused('GET', '/api/v1/projects/', { token }, 404, 'route_not_found')
})

test('a known address with another method is answered 405 with the methods that it takes', async () => {
  const answer = await refused('PUT', '/api/v1/projects', {}, 405, 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  expect((await refused('POST', '/health', {}, 405, 'method_not_allowed')).headers.get('allow')).toBe('GET, HEAD')
})

test('a path that cannot be decoded is answered 400, as is one with a segment that is too long', async () => {
  const { token } = edge.service.key()
  await refused('GET', '/api/v1/projects/%zz', { token }, 400, 'invalid_parameter')
  await refused('GET', `/api/v1/projects/${'a'.repeat(pathSegmentLengthMax + 1)}`, { token }, 400, 'invalid_parameter')
})

test('no credentials: 401 that says how to send them', async () => {
  const answer = await refused('GET', '/api/v1/projects', {}, 401, 'missing_credentials')
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="service"')
  await refused('GET', '/api/v1/projects', { headers: { authorization: 'Basic dTpw' } }, 401, 'missing_credentials')
  await refused('GET', '/api/v1/projects', { headers: { 'x-api-key': 'wsk_1' } }, 401, 'missing_credentials')
})

test('a token that no key of ours looks like is refused without asking the service', async () => {
  const asked = edge.service.asked.length
  const answer = await refused('GET', '/api/v1/projects', { token: 'wsk_junk' }, 401, 'invalid_api_key')
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
  await refused('GET', '/api/v1/projects', { token: operatorToken }, 401, 'invalid_api_key')
  expect(edge.service.asked.length).toBe(asked)
})

test('a well-formed key that does not exist is asked for once, then refused from memory', async () => {
  const asked = edge.service.asked.length
  const { token } = makeToken('wsk')
  await refused('GET', '/api/v1/projects', { token }, 401, 'invalid_api_key')
  await refused('GET', '/api/v1/projects', { token }, 401, 'invalid_api_key')
  expect(edge.service.asked.length).toBe(asked + 1)
})

test('a revoked key, an expired key and an old secret whose overlap is over are refused', async () => {
  const { service } = edge
  await refused('GET', '/api/v1/me', { token: service.key({ revokedAt: ago(0) }).token }, 401, 'api_key_revoked')
  await refused('GET', '/api/v1/me', { token: service.key({ expiresAt: ago(1) }).token }, 401, 'api_key_expired')
  const secret = { createdAt: ago(day), expiresAt: ago(1) }
  await refused('GET', '/api/v1/me', { token: service.key({ secret }).token }, 401, 'api_key_expired')
})

test('a key is refused from an address off its list, whatever X-Forwarded-For says', async () => {
  const { token } = edge.service.key({ ipAllowlist: ['10.0.0.0/8'] })
  await refused('GET', '/api/v1/me', { token }, 403, 'ip_not_allowed')
  await refused('GET', '/api/v1/me', { token, headers: { 'x-forwarded-for': '10.0.0.1' } }, 403, 'ip_not_allowed')
})

test('a secret older than the rotation policy is refused', async () => {
  const { token } = edge.service.key({ maxAgeDays: 30, secret: { createdAt: ago(30 * day + 1), expiresAt: null } })
  await refused('GET', '/api/v1/me', { token }, 403, 'api_key_rotation_required')
})

test('a key without scopes, and a key for another surface, are refused', async () => {
  const { service } = edge
  await refused('GET', '/api/v1/me', { token: service.key({ scopes: [] }).token }, 403, 'api_key_has_no_scopes')
  await refused('GET', '/api/v1/me', { token: service.key({ surfaces: ['mcp'] }).token }, 403, 'surface_not_allowed')
})

test('two different workspaces, a malformed one, and none where one is needed are refused', async () => {
  const { token } = edge.service.key({ bound: false, workspaces: [{ id: workspaceA, suspended: false, refusals: [] }] })
  const both = { token, headers: { 'x-workspace-id': workspaceB } }
  await refused('GET', `/api/v1/projects?workspaceId=${workspaceA}`, both, 400, 'workspace_conflict')
  await refused('GET', '/api/v1/projects?workspaceId=acme', { token }, 400, 'workspace_invalid')
  await refused('GET', '/api/v1/projects', { token }, 400, 'workspace_required')
  await refused(
    'GET',
    `/api/v1/projects?workspaceId=${workspaceA}&workspaceId=${workspaceA}`,
    { token },
    400,
    'invalid_parameter',
  )
})

test('a foreign workspace and one that does not exist are refused alike, a suspended one by its own code', async () => {
  const { token } = edge.service.key({ workspaces: [{ id: workspaceA, suspended: true, refusals: [] }] })
  const foreign = await refused(
    'GET',
    `/api/v1/projects?workspaceId=${workspaceB}`,
    { token },
    403,
    'workspace_not_allowed',
  )
  const nowhere = await refused(
    'GET',
    '/api/v1/projects?workspaceId=0190a000-0000-7000-8000-0000000000ff',
    { token },
    403,
    'workspace_not_allowed',
  )
  expect({ ...nowhere.body, requestId: '' }).toEqual({ ...foreign.body, requestId: '' })
  await refused('GET', '/api/v1/projects', { token }, 403, 'workspace_suspended')
})

test('a key without the scope is refused with the scope that it lacks', async () => {
  const { token } = edge.service.key({ scopes: ['projects:read'] })
  const answer = await refused('POST', '/api/v1/projects', { token, body: { name: 'x' } }, 403, 'insufficient_scope')
  expect(answer.body.requiredScopes).toEqual(['projects:write'])
  expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="projects:write"')
})

test('a body of another type or encoding is refused, a merge patch only where something is patched', async () => {
  const { token } = edge.service.key()
  const as = (type: string, more = {}) => ({ token, body: '{}', headers: { 'content-type': type, ...more } })
  await refused('POST', '/api/v1/projects', as('text/plain'), 415, 'unsupported_media_type')
  await refused('POST', '/api/v1/projects', as('not a type'), 415, 'unsupported_media_type')
  await refused('POST', '/api/v1/projects', as('application/merge-patch+json'), 415, 'unsupported_media_type')
  await refused(
    'POST',
    '/api/v1/projects',
    as('application/json', { 'content-encoding': 'gzip' }),
    415,
    'unsupported_media_type',
  )
  expect(
    (await edge.call('PATCH', `/api/v1/projects/${workspaceA}`, as('application/merge-patch+json; charset=utf-8')))
      .status,
  ).toBe(200)
})

test('what fails on our side says nothing but the request id', async () => {
  const { token } = edge.service.key({ ipAllowlist: ['a record that cannot be read'] })
  const { body } = await refused('GET', '/api/v1/me', { token }, 500, 'internal_error')
  expect(JSON.stringify(body)).not.toContain('cannot be read')
})

test('checks come in the promised order: what is wrong first is what is answered', async () => {
  const { service } = edge
  const everythingWrong = {
    revokedAt: ago(0),
    ipAllowlist: ['10.0.0.0/8'],
    maxAgeDays: 1,
    secret: { createdAt: ago(2 * day), expiresAt: null },
    scopes: [] as string[],
    surfaces: ['mcp' as const],
    workspaces: [],
  }
  const { token, record } = service.key(everythingWrong)
  const ask = async () => {
    edge.forgetKeys()
    return (
      await edge.call('POST', '/api/v1/projects?workspaceId=acme', {
        token,
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      })
    ).body.code
  }
  expect(await ask()).toBe('api_key_revoked')
  record.revokedAt = null
  expect(await ask()).toBe('ip_not_allowed')
  record.ipAllowlist = []
  expect(await ask()).toBe('api_key_rotation_required')
  record.maxAgeDays = null
  expect(await ask()).toBe('api_key_has_no_scopes')
  record.scopes = ['projects:read']
  expect(await ask()).toBe('surface_not_allowed')
  record.surfaces = ['http']
  expect(await ask()).toBe('workspace_invalid')
})
