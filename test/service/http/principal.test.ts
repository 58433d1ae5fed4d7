// Who calls is signed for one call: what was seen on the way from gateway to service is of no use elsewhere or later.
import { randomUUID } from 'node:crypto'
import { connect, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  factsText,
  signedText,
  principalHeader,
  principalValidMs,
  type Principal,
} from '#contract/internal/principal.ts'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { deriveKey, digestOf, macOf } from '#runtime/sealing-and-signing.ts'
import { principalFromHeader } from '../../../service/http/principal.ts'
import { secretOfTests } from '../../dispatcher/stage.ts'
import { principalHeaders } from '../../support/principal-headers.ts'
import { quietService, type QuietService } from '../quiet-service.ts'

const key = deriveKey(secretOfTests, 'principal')
const [workspaceId, elsewhere] = [randomUUID(), randomUUID()]

const principalIn = (more: Partial<Principal> = {}): Principal => ({
  kind: 'api_key',
  id: randomUUID(),
  name: 'Sync',
  workspaceId,
  scopes: [...scopes],
  surface: 'http',
  requestId: 'r',
  clientAddress: '127.0.0.1',
  quota: null,
  ...more,
})
const operator = principalIn({ kind: 'operator', id: 'operator', surface: 'settings' })

let service: QuietService
beforeAll(async () => {
  service = await quietService('pglite')
})
afterAll(() => service[Symbol.asyncDispose]())

const now = 1_800_000_000_000
const codeOf = (method: string, path: string, header: unknown, at = now): string => {
  try {
    principalFromHeader({ method, path, header }, key, at)
    return 'taken'
  } catch (thrown) {
    return (thrown as { code: string }).code
  }
}
const headerFor = (method: string, url: string, signedAt = now): string =>
  principalHeaders(key, principalIn(), method, url, signedAt)[principalHeader] ?? ''

test('a signature is good for 30 s, whichever of the two clocks is ahead', () => {
  const header = headerFor('GET', '/api/v1/tasks')
  for (const [apartMs, expected] of [
    [0, 'taken'],
    [principalValidMs, 'taken'],
    [-principalValidMs, 'taken'],
    [principalValidMs + 1, 'unavailable'],
    [-principalValidMs - 1, 'unavailable'],
    [86_400_000, 'unavailable'],
  ] as const) {
    expect([apartMs, codeOf('GET', '/api/v1/tasks', header, now + apartMs)]).toEqual([apartMs, expected])
  }
})

test('a signature is good for the method and path that it was made for, and no character of it may change', () => {
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')
  const paths = fc.constantFrom('/api/v1/tasks', '/api/v1/task', '/api/v1/tasks/', '/api/mcp', '/')
  fc.assert(
    fc.property(methods, paths, methods, paths, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (...drawn) => {
      const [method, path, otherMethod, otherPath, place, character] = drawn
      const header = headerFor(method, path)
      const at = place % header.length
      const changed = header.slice(0, at) + character + header.slice(at + 1)
      const isSame = method === otherMethod && path === otherPath

      expect(codeOf(method, path, header)).toBe('taken')
      expect(codeOf(otherMethod, otherPath, header)).toBe(isSame ? 'taken' : 'missing_credentials')
      expect(codeOf(method, path, changed)).toBe(changed === header ? 'taken' : 'missing_credentials')
      expect(codeOf(method, path, header + character)).toBe('missing_credentials')
    }),
  )
})

test('what is signed rightly and says nothing, or too much, is no principal', () => {
  const path = '/api/v1/tasks'
  const rightly = (identity: string, facts: string) =>
    `${identity};${facts};${macOf(key, signedText(digestOf(identity), facts, 'GET', path))}`
  const jsonText = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { kind, id, name, scopes: held, surface } = principalIn()
  const whole = { kind, id, name, workspaceId, scopes: held, surface }
  const facts = factsText(principalIn(), now)

  expect(codeOf('GET', path, rightly(jsonText(whole), facts))).toBe('taken')
  for (const identity of [
    'x',
    jsonText(null),
    jsonText({}),
    jsonText({ ...whole, more: 1 }),
    jsonText({ ...whole, id: 1 }),
  ])
    expect(codeOf('GET', path, rightly(identity, facts))).toBe('missing_credentials')
  for (const wrong of [
    '',
    ';;;;',
    `${now}`,
    `${facts};`,
    `x${facts}`,
    `${facts}1,2`,
    `${facts}1,2,x`,
    `${facts}1,2,3,4`,
  ])
    expect([wrong, codeOf('GET', path, rightly(jsonText(whole), wrong))]).toEqual([wrong, 'missing_credentials'])
  for (const header of [undefined, '', '.', ['a.b']])
    expect(codeOf('GET', '/api/v1/tasks', header)).toBe('missing_credentials')
})

/** As whoever overheard one call of this principal would send it again. */
const heardBy = (principal: Principal, method: 'GET' | 'POST' | 'PATCH', url: string) => {
  const headers = principalHeaders(key, principal, method, url)
  return async (again: { method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; url?: string } = {}): Promise<string> => {
    const { statusCode, body } = await service.app.inject({ method, url, headers, ...again })
    type Refused = { code?: string; error?: { data: { code: string } } }
    const { code, error } = (body === '' ? {} : JSON.parse(body)) as Refused
    return code ?? error?.data.code ?? String(statusCode)
  }
}

test('a header that was overheard opens its own method and path only, after its key was revoked too', async () => {
  const asOperator = async (inWorkspace: string | null, method: 'POST' | 'DELETE', url: string, body?: object) => {
    const principal = { ...operator, workspaceId: inWorkspace }
    const headers = principalHeaders(key, principal, method, url)
    return service.app.inject({ method, url, headers, ...(body && { body }) })
  }
  const idOf = (answer: Awaited<ReturnType<typeof asOperator>>) => answer.json<{ id: string }>().id
  const owner = { name: 'Ada', email: 'ada@example.com' }
  const home = idOf(await asOperator(null, 'POST', '/settings/api/workspaces', { name: 'Acme', owner }))
  const keys = `/settings/api/workspaces/${home}/api-keys`
  const id = idOf(await asOperator(home, 'POST', keys, { name: 'Sync', scopes: ['projects:write'] }))
  const replay = heardBy(principalIn({ id, workspaceId: home }), 'GET', '/api/v1/projects')
  expect(await replay()).toBe('200')

  expect((await asOperator(home, 'DELETE', `${keys}/${id}`)).statusCode).toBe(204)

  // The gateway has judged this key before: until its 30 s are over the service takes the header for what it was made
  // for.
  expect(await replay()).toBe('200')
  expect(await replay({ url: '/api/v1/projects?limit=1' })).toBe('200')
  expect(await replay({ method: 'POST' })).toBe('missing_credentials')
  expect(await replay({ url: `/api/v1/projects/${randomUUID()}` })).toBe('missing_credentials')
  expect(await replay({ url: '/api/v1/tasks' })).toBe('missing_credentials')
  expect(await replay({ method: 'POST', url: mcpPath })).toBe('missing_credentials')
  expect(await replay({ url: `${internalPaths.keyByHash}/${'0'.repeat(64)}` })).toBe('missing_credentials')
})

test('the operator acts in the workspace of the path and in no other', async () => {
  const at = (id: string) => `/settings/api/workspaces/${id}/members`
  const own = { ...operator, workspaceId: service.workspaceId }

  expect(await heardBy(own, 'GET', at(service.workspaceId))()).toBe('200')
  expect(await heardBy(own, 'GET', at(service.workspaceId.toUpperCase()))()).toBe('200')
  // Overheard for one workspace, sent for another.
  expect(await heardBy(own, 'GET', at(service.workspaceId))({ url: at(elsewhere) })).toBe('missing_credentials')
  // Signed, but with another workspace than the path's.
  expect(await heardBy(own, 'GET', at(elsewhere))()).toBe('route_not_found')
  expect(await heardBy({ ...operator, workspaceId: null }, 'GET', at(elsewhere))()).toBe('route_not_found')
})

test('each kind of caller has its own addresses', async () => {
  const gateway = principalIn({ kind: 'gateway', id: 'gateway', surface: 'internal' })

  expect(await heardBy(gateway, 'GET', '/api/v1/projects')()).toBe('route_not_found')
  expect(await heardBy(operator, 'GET', '/api/v1/projects')()).toBe('route_not_found')
  expect(await heardBy(principalIn(), 'GET', '/settings/api/workspaces')()).toBe('route_not_found')
  expect(await heardBy(principalIn(), 'POST', mcpPath)()).toBe('route_not_found')
})

test('an unsigned call is refused at its head: its body is not waited for', async () => {
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const withoutBody = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', reject).once('data', (data) => {
        socket.destroy()
        resolve(data.toString().split('\r\n', 1)[0] ?? '')
      })
      const head = [`POST ${path} HTTP/1.1`, 'host: service', 'content-type: application/json', 'content-length: 100']
      socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    })

  const refused = 'HTTP/1.1 401 Unauthorized'
  for (const path of ['/api/v1/projects', mcpPath, internalPaths.keyUsage])
    expect(await withoutBody(path)).toBe(refused)
})
