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
import { codeOf } from '../../support/faults.ts'
import { principalHeaders, principalWith } from '../../support/principal-headers.ts'
import { quietService, type QuietService } from '../quiet-service.ts'

const key = deriveKey(secretOfTests, 'principal')
const [workspaceId, elsewhere] = [randomUUID(), randomUUID()]

const caller = principalWith({ workspaceId, scopes: [...scopes] })
const operator: Principal = { ...caller, kind: 'operator', id: 'operator', surface: 'settings' }

let service: QuietService
beforeAll(async () => {
  service = await quietService('pglite')
})
afterAll(() => service[Symbol.asyncDispose]())

const now = 1_800_000_000_000
const tasks = '/api/v1/tasks'
const verdictOn = (method: string, path: string, header: unknown, at = now): string =>
  codeOf(() => principalFromHeader({ method, path, header }, key, at)) ?? 'taken'
const headerFor = (method: string, url: string): string =>
  principalHeaders(key, caller, method, url, now)[principalHeader] ?? ''

test.each([
  ['taken', [0, principalValidMs, -principalValidMs]],
  ['unavailable', [principalValidMs + 1, -principalValidMs - 1, 86_400_000]],
])(
  'a signature is good for 30 s, whichever of the two clocks is ahead: it is %s after each of %j ms',
  (verdict, ms) => {
    const verdicts = ms.map((apart) => verdictOn('GET', tasks, headerFor('GET', tasks), now + apart))

    expect(verdicts).toEqual(ms.map(() => verdict))
  },
)

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

      expect(verdictOn(method, path, header)).toBe('taken')
      expect(verdictOn(otherMethod, otherPath, header)).toBe(isSame ? 'taken' : 'missing_credentials')
      expect(verdictOn(method, path, changed)).toBe(changed === header ? 'taken' : 'missing_credentials')
      expect(verdictOn(method, path, header + character)).toBe('missing_credentials')
    }),
  )
})

test('what is signed rightly and says nothing, or too much, is no principal', () => {
  const { kind, id, name, scopes: held, surface } = caller
  const identity = { kind, id, name, workspaceId, scopes: held, surface }
  const facts = factsText(caller, now)
  const textOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (identityText: string, factsText: string) => {
    const mac = macOf(key, signedText(digestOf(identityText), factsText, 'GET', tasks))
    return verdictOn('GET', tasks, `${identityText};${factsText};${mac}`)
  }

  const wrongIdentities = ['x', ...[null, {}, { ...identity, more: 1 }, { ...identity, id: 1 }].map(textOf)]
  const wrongFacts = [
    '',
    ';;;;',
    `${now}`,
    `x${facts}`,
    ...[';', '1,2', '1,2,x', '1,2,3,4'].map((more) => facts + more),
  ]

  expect(signed(textOf(identity), facts)).toBe('taken')
  for (const [who, said] of [
    ...wrongIdentities.map((wrong) => [wrong, facts]),
    ...wrongFacts.map((wrong) => [textOf(identity), wrong]),
  ] as [string, string][])
    expect([who, said, signed(who, said)]).toEqual([who, said, 'missing_credentials'])
  for (const header of [undefined, '', '.', ['a.b']])
    expect(verdictOn('GET', tasks, header)).toBe('missing_credentials')
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

test('the operator acts in the workspace of the path and in no other', async () => {
  const at = (id: string) => `/settings/api/workspaces/${id}/members`
  const own = { ...operator, workspaceId: service.workspaceId }

  for (const id of [service.workspaceId, service.workspaceId.toUpperCase()])
    expect(await heardBy(own, 'GET', at(id))()).toBe('200')
  // Overheard for one workspace or method, sent for another.
  for (const again of [{ url: at(elsewhere) }, { method: 'POST' as const }])
    expect(await heardBy(own, 'GET', at(service.workspaceId))(again)).toBe('missing_credentials')
  // Signed, but with another workspace than the path's.
  for (const signedFor of [own, { ...operator, workspaceId: null }])
    expect(await heardBy(signedFor, 'GET', at(elsewhere))()).toBe('route_not_found')
})

test('the gateway, the operator, a key and a key over HTTP find nothing at the addresses of others', async () => {
  const gateway: Principal = { ...caller, kind: 'gateway', id: 'gateway', surface: 'internal' }
  const found = [
    heardBy(gateway, 'GET', tasks)(),
    heardBy(operator, 'GET', tasks)(),
    heardBy(caller, 'GET', '/settings/api/workspaces')(),
    heardBy(caller, 'POST', mcpPath)(),
  ]

  expect(await Promise.all(found)).toEqual(found.map(() => 'route_not_found'))
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
