// What HTTP clients send by themselves: a content type without a body, and lists in forms of their own.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, type Audience, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { missingId } from '../support/client.ts'
import { foreign, lacksForeign } from '../support/foreign.ts'
import { must, sharedSystem } from '../support/system.ts'
import { callsOf, type Body } from './calls.ts'

const { default: axios } = await foreign(() => import('axios'))
const { ofetch } = await foreign(() => import('ofetch'))
const { default: createClient } = await foreign(() => import('openapi-fetch'))
const { default: superagent } = await foreign(() => import('superagent'))

type Answered = { responses: { 200: { content: { 'application/json': object } } } }
type Paths = { '': { post: Answered; get: Answered & { parameters: { query: { status: string[] } } } } }
const form = 'application/x-www-form-urlencoded'

type Said = { readonly status: number; readonly code: unknown; readonly errors: unknown }
type Head = Readonly<Record<string, string>>

/** Sends the head as it is given, and a body of the bytes that are given. */
async function send(method: string, url: string, headers: Head, body = ''): Promise<Said> {
  const sent = request(url, { method, headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const answered = await text(response)
  const { code = null, errors = null } = (answered === '' ? {} : JSON.parse(answered)) as Partial<Said>
  return { status: response.statusCode ?? 0, code, errors }
}

/** Nothing, as it is said by `axios.post(url)` and `curl -d ''`, by a stream that ends at once, and by others. */
const emptyBodies: readonly (readonly [string, Head])[] = [
  ['a form of no length', { 'content-type': form, 'content-length': '0' }],
  ['a form that is chunked', { 'content-type': form, 'transfer-encoding': 'chunked' }],
  ['a chunked body without a type', { 'transfer-encoding': 'chunked' }],
  ['packed text', { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }],
  ['JSON of no length', { 'content-type': 'application/json', 'content-length': '0' }],
  ['what is no type', { 'content-type': 'form', 'content-length': '0' }],
]

const calls = operations
  .filter((operation) => methodOf(operation) !== 'GET')
  .flatMap((operation) => operation.audiences.map((audience) => [operation.name, audience, operation] as const))

describe('HTTP clients', () => {
  const { system, tenant } = sharedSystem('standalone')
  const { get, post, remove } = callsOf(tenant)
  beforeAll(async () => {
    const quotas = { apiKeys: 1_000 }
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { quotas }))
  })

  const pathOf = (operation: Operation, audience: Audience): string =>
    pathFor(operation, audience)
      .replace('{workspaceId}', tenant.workspaceId)
      .replaceAll(/\{\w+\}/g, missingId)

  test.each(calls)('a body of no bytes has no content type to judge: %s, %s', async (name, audience, operation) => {
    const [method, url] = [methodOf(operation), system.url + pathOf(operation, audience)]
    // Each call of it changes the key that it is called with.
    const secret = async () => (name === 'me.rotate' ? (await tenant.key(scopes)).secret : tenant.secret)
    // As a page of the settings does: those that need no credentials ask where the call comes from.
    const ask = async (head: Head) => {
      const credentials = audience === 'api' ? await secret() : system.operatorToken
      return send(method, url, { authorization: `Bearer ${credentials}`, origin: system.url, ...head })
    }

    const plain = await ask({ 'content-length': '0' })

    expect(plain.status).not.toBe(415)
    for (const [way, head] of emptyBodies) expect(await ask(head), way).toEqual(plain)
  })

  describe('actions without a body, by clients as they are', () => {
    type Headers = { readonly authorization: string }
    type Post = (url: string, headers: Headers) => Promise<{ status: number }>
    const sent =
      (head: Head): Post =>
      (url, headers) =>
        send('POST', url, { ...headers, accept: '*/*', ...head })
    const fetched =
      (more: () => RequestInit): Post =>
      (url, headers) =>
        fetch(url, { headers, method: 'POST', ...more() })
    const installed: [string, Post][] = [
      ['axios.post(url)', (url, headers) => axios.post(url, undefined, { headers })],
      ['axios over fetch', (url, headers) => axios.post(url, null, { headers, adapter: 'fetch' })],
      ['superagent, a form', (url, headers) => superagent.post(url).type('form').set(headers)],
      ['ofetch', (url, headers) => ofetch.raw(url, { headers, method: 'POST' })],
      [
        'openapi-fetch',
        async (baseUrl, headers) => (await createClient<Paths>({ baseUrl }).POST('', { headers })).response,
      ],
    ]
    const clients: [string, Post][] = [
      ['fetch of an empty stream', fetched(() => ({ body: new Blob([]).stream(), duplex: 'half' }))],
      // Those of curl 8 and of Python's requests 2.
      ["curl -d ''", sent({ 'user-agent': 'curl/8.14.1', 'content-length': '0', 'content-type': form })],
      ['curl -T - of nothing', sent({ 'transfer-encoding': 'chunked', 'content-type': form })],
      ['requests.post(url)', sent({ 'user-agent': 'python-requests/2.34.2', 'content-length': '0' })],
    ]

    const archivesAndRestores = async (_name: string, client: Post) => {
      const project = `/projects/${(await post('/projects', { name: 'Website' })).id}`
      const hook = { name: 'In', url: 'https://hooks.example.com/in', eventTypes: ['*'] }
      const webhook = `/webhooks/${(await post('/webhooks', hook)).id}`
      const settings = `/settings/api/workspaces/${tenant.workspaceId}`
      const asked = async (path: string, secret = tenant.secret) =>
        (await client(system.url + path, { authorization: `Bearer ${secret}` })).status

      const statuses = [
        await asked(`/api/v1${project}/archive`),
        await asked(`/api/v1${webhook}/pause`),
        await asked(`${settings}${webhook}/enable`, system.operatorToken),
      ]
      const [{ archivedAt }, { status }] = [await get(project), await get(webhook)]
      await remove(project)
      statuses.push(await asked(`/api/v1${project}/restore`))
      await remove(webhook)

      expect(statuses).toEqual([200, 200, 200, 200])
      expect([archivedAt, status]).toEqual([expect.any(String), 'active'])
    }
    test.skipIf(lacksForeign).each(installed)('%s archives, pauses and restores', archivesAndRestores)
    test.each(clients)('%s archives, pauses and restores', archivesAndRestores)

    test('a read takes the same, and a body that lacks is refused by what it lacks', async () => {
      const [url, authorization] = [`${system.url}/api/v1/projects`, `Bearer ${tenant.secret}`]
      const errors = [{ pointer: '/name', code: 'required' }]
      for (const [name, head] of emptyBodies) {
        expect((await send('GET', url, { authorization, ...head })).status, name).toBe(200)
        const refused = await send('POST', url, { authorization, ...head })
        expect(refused, name).toMatchObject({ status: 422, code: 'validation_failed', errors })
      }
    })

    test.each([
      ['POST', '/api/v1/projects'],
      ['POST', '/api/mcp'],
      ['POST', '/settings/api/sessions'],
    ])('a form of one byte is refused by its type: %s %s', async (method, path) => {
      const authorization = `Bearer ${path.startsWith('/settings') ? system.operatorToken : tenant.secret}`
      const headers = { authorization, origin: system.url, 'content-type': form }

      for (const length of [{ 'content-length': '1' }, { 'transfer-encoding': 'chunked' }])
        expect((await send(method, system.url + path, { ...headers, ...length }, 'a')).status).toBe(415)
    })
  })

  describe('a list of values, however a client writes it', () => {
    const status = ['planned', 'active']
    type Get = (url: string, headers: Record<string, string>) => Promise<{ readonly data?: unknown }>
    const querySerializer = { array: { style: 'form', explode: false } } as const
    const params = { query: { status } }
    const clients: [string, Get][] = [
      ['axios', (url, headers) => axios.get(url, { headers, params: { status } })],
      ['ofetch', async (url, headers) => ({ data: await ofetch(url, { headers, query: { status } }) })],
      [
        'superagent',
        async (url, headers) => ({ data: (await superagent.get(url).set(headers).query({ status })).body }),
      ],
      [
        'openapi-fetch',
        (baseUrl, headers) => createClient<Paths>({ baseUrl, querySerializer }).GET('', { headers, params }),
      ],
    ]

    test.skipIf(lacksForeign).each(clients)('%s filters by two values', async (_name, get) => {
      const own = await system.tenant()
      for (const each of [...status, 'paused']) await callsOf(own).post('/projects', { name: each, status: each })

      const { data } = await get(`${system.url}/api/v1/projects`, { authorization: `Bearer ${own.secret}` })

      const found: string[] = (data as Body).data.map(({ name }: Body) => name)
      expect(found.toSorted()).toEqual(['active', 'planned'])
    })
  })
})
