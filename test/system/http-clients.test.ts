// What HTTP clients send where nobody has told them otherwise: a content type without a body, and lists in forms of
// their own. The clients as they are installed, and the bytes of those that are not of this language.
import { missingId } from '../support/client.ts'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { ofetch } from 'ofetch'
import createClient from 'openapi-fetch'
import superagent from 'superagent'
import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, type Audience, type Operation } from '#contract/operation.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { pathFor } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { sampleInput } from '../support/sample-value.ts'
import { must, sharedSystem } from '../support/system.ts'

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
  [
    'packed text that is chunked',
    { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' },
  ],
  ['JSON of no length', { 'content-type': 'application/json', 'content-length': '0' }],
  ['what is no type', { 'content-type': 'form', 'content-length': '0' }],
]

const changing = operations.filter((operation) => methodOf(operation) !== 'GET')
const of = (audience: Audience): (readonly [string, Operation])[] =>
  changing.filter(({ audiences }) => audiences.includes(audience)).map((operation) => [operation.name, operation])

describe('HTTP clients', () => {
  const { system, tenant } = sharedSystem('standalone')
  beforeAll(async () => {
    const quotas = { apiKeys: 1_000 }
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { quotas }))
  })

  const pathOf = (operation: Operation, audience: Audience): string =>
    pathFor(operation, audience)
      .replace('{workspaceId}', tenant.workspaceId)
      .replaceAll(/\{\w+\}/g, missingId)

  describe('a body of no bytes has no content type to judge', () => {
    /** Of some operations each call needs another key: they change the one that they are called with. */
    async function assertAlike(operation: Operation, audience: Audience, authorization: () => Promise<string>) {
      const [method, url] = [methodOf(operation), system.url + pathOf(operation, audience)]
      // As a page of the settings does: those that need no credentials ask where the call comes from.
      const who = async () => ({ authorization: await authorization(), origin: system.url })
      const plain = await send(method, url, { ...(await who()), 'content-length': '0' })

      expect(plain.status).not.toBe(415)
      for (const [name, head] of emptyBodies)
        expect(await send(method, url, { ...(await who()), ...head }), name).toEqual(plain)
    }

    test.each(of('api'))('%s, over the API', async (_name, operation) => {
      const own = async () => `Bearer ${(await tenant.key(scopes)).secret}`
      const shared = async () => `Bearer ${tenant.secret}`

      await assertAlike(operation, 'api', operation.name === 'me.rotate' ? own : shared)
    })

    test.each(of('settings'))('%s, in the settings', async (_name, operation) => {
      await assertAlike(operation, 'settings', async () => `Bearer ${system.operatorToken}`)
    })
  })

  describe('actions without a body, by clients as they are', () => {
    type Post = (url: string, headers: { authorization: string }) => Promise<{ status: number }>
    const sent =
      (head: Head): Post =>
      (url, headers) =>
        send('POST', url, { ...headers, accept: '*/*', ...head })
    const clients: [string, Post][] = [
      ['axios.post(url)', (url, headers) => axios.post(url, undefined, { headers })],
      ['axios.post(url, null)', (url, headers) => axios.post(url, null, { headers })],
      ['axios over fetch', (url, headers) => axios.post(url, null, { headers, adapter: 'fetch' })],
      ['superagent', (url, headers) => superagent.post(url).set(headers)],
      ['superagent, a form', (url, headers) => superagent.post(url).type('form').set(headers)],
      ['ofetch', (url, headers) => ofetch.raw(url, { headers, method: 'POST' })],
      [
        'openapi-fetch',
        async (url, headers) => (await createClient<Paths>({ baseUrl: url }).POST('', { headers })).response,
      ],
      [
        'fetch of an empty form',
        (url, headers) => fetch(url, { headers, method: 'POST', body: new URLSearchParams() }),
      ],
      [
        'fetch of an empty stream',
        (url, headers) => fetch(url, { headers, method: 'POST', body: new Blob([]).stream(), duplex: 'half' }),
      ],
      // Those of curl 8 and of Python's requests 2.
      ["curl -d ''", sent({ 'user-agent': 'curl/8.14.1', 'content-length': '0', 'content-type': form })],
      ['curl -T - of nothing', sent({ 'transfer-encoding': 'chunked', 'content-type': form })],
      ['requests.post(url)', sent({ 'user-agent': 'python-requests/2.34.2', 'content-length': '0' })],
    ]

    test.each(clients)('%s archives, pauses and restores', async (_name, post) => {
      const project = `/api/v1/projects/${must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' })).id}`
      const hook = { name: 'In', url: 'https://hooks.example.com/in', eventTypes: ['*'] }
      const webhook = `/webhooks/${must(await tenant.api('POST', '/api/v1/webhooks', hook)).id}`
      const settings = `/settings/api/workspaces/${tenant.workspaceId}`
      const asked = async (path: string, secret = tenant.secret) =>
        (await post(system.url + path, { authorization: `Bearer ${secret}` })).status

      expect(await asked(`${project}/archive`)).toBe(200)
      expect(await asked(`/api/v1${webhook}/pause`)).toBe(200)
      expect(await asked(`${settings}${webhook}/enable`, system.operatorToken)).toBe(200)
      expect(must(await tenant.api('GET', project)).archivedAt).not.toBeNull()
      expect(must(await tenant.api('GET', `/api/v1${webhook}`)).status).toBe('active')
      must(await tenant.api('DELETE', project))
      expect(await asked(`${project}/restore`)).toBe(200)
      must(await tenant.api('DELETE', `/api/v1${webhook}`))
    })

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
      ['POST', `/api/v1/projects/${missingId}/archive`],
      ['DELETE', `/api/v1/projects/${missingId}`],
      ['POST', '/api/v1/projects/batch'],
      ['POST', '/api/mcp'],
      ['POST', `/settings/api/workspaces/${missingId}/webhooks/${missingId}/pause`],
      ['POST', '/settings/api/sessions'],
    ])('a form of one byte is refused by its type: %s %s', async (method, path) => {
      const authorization = `Bearer ${path.startsWith('/settings') ? system.operatorToken : tenant.secret}`
      const headers = { authorization, origin: system.url, 'content-type': form }

      for (const length of [{ 'content-length': '1' }, { 'transfer-encoding': 'chunked' }])
        expect((await send(method, system.url + path, { ...headers, ...length }, 'a')).status).toBe(415)
    })
  })

  describe('a list of values, however a client writes it', () => {
    type Values = readonly [string, string]
    const both = (pair: (value: string, at: number) => string) => (values: Values) => values.map(pair).join('&')
    const forms: readonly (readonly [string, (name: string) => (values: Values) => string])[] = [
      ['one by one', (name) => both((value) => `${name}=${value}`)],
      ['with brackets', (name) => both((value) => `${name}[]=${value}`)],
      ['with brackets, encoded', (name) => both((value) => `${name}%5B%5D=${value}`)],
      ['numbered, as PHP does', (name) => both((value, at) => `${name}%5B${at}%5D=${value}`)],
    ]
    const withLists = operations.flatMap((operation) =>
      Object.entries(operation.input.properties as Record<string, SchemaNode>)
        .filter(([, { type }]) => methodOf(operation) === 'GET' && type === 'array')
        .map(([name, { items = {} }]) => [`${operation.name}?${name}`, operation, name, valuesOf(items)] as const),
    )

    test.each(withLists)('%s is the same as with commas', async (_name, operation, name, values) => {
      for (const audience of operation.audiences) {
        const path = pathOf(operation, audience)
        const needed = new URLSearchParams(queryNeededBy(operation, name)).toString()
        const ask = async (query: string) => {
          const call = audience === 'api' ? tenant.api : system.operator
          const { status, body } = await call('GET', `${path}?${needed}&${query}`)
          return { status, body: { ...body, requestId: null } }
        }
        const withCommas = await ask(`${name}=${values.join(',')}`)

        expect([200, 404], JSON.stringify(withCommas.body)).toContain(withCommas.status)
        for (const [way, query] of forms) expect(await ask(query(name)(values)), way).toEqual(withCommas)
      }
    })

    const status = ['planned', 'active']
    type List = { readonly data: readonly { readonly name: string }[] }
    type Get = (url: string, headers: Record<string, string>) => Promise<{ readonly data?: unknown }>
    const array = { style: 'form', explode: false } as const
    const clients: [string, Get][] = [
      ['axios', (url, headers) => axios.get(url, { headers, params: { status } })],
      ['ofetch', async (url, headers) => ({ data: await ofetch(url, { headers, query: { status } }) })],
      [
        'superagent',
        async (url, headers) => ({ data: (await superagent.get(url).set(headers).query({ status })).body }),
      ],
      [
        'openapi-fetch by the style of the document',
        (baseUrl, headers) =>
          createClient<Paths>({ baseUrl, querySerializer: { array } }).GET('', {
            headers,
            params: { query: { status } },
          }),
      ],
    ]

    test.each(clients)('%s filters by two values', async (_name, get) => {
      const own = await system.tenant()
      for (const each of ['planned', 'active', 'paused'])
        must(await own.api('POST', '/api/v1/projects', { name: each, status: each }))

      const { data } = await get(`${system.url}/api/v1/projects`, { authorization: `Bearer ${own.secret}` })

      expect((data as List).data.map(({ name }) => name).toSorted()).toEqual(['active', 'planned'])
    })

    test('a parameter that takes one value says so', async () => {
      for (const query of ['limit=1&limit=2', 'limit[]=1', 'limit[0]=1', 'limit[0]=1&limit[1]=2'])
        for (const [call, path] of [
          [tenant.api, '/api/v1/projects'],
          [tenant.settings, '/deliveries'],
          [tenant.settings, '/audit-entries'],
        ] as const) {
          const { status: answered, body } = await call('GET', `${path}?${query}`)

          expect([answered, body.errors[0].parameter], query).toEqual([400, 'limit'])
          expect(body.detail).toMatch(/takes one value/i)
        }
    })
  })
})

/** Two that the schema takes. */
function valuesOf(items: SchemaNode): readonly [string, string] {
  if (items.enum !== undefined) {
    const plain = items.enum.map(String).filter((value) => !value.startsWith('!'))
    return [plain[0]!, plain[1]!]
  }
  const named: Record<string, readonly [string, string]> = {
    'event-pattern': ['projects.*', 'tasks.*'],
    'audited-action': ['api-keys.create', 'webhooks.create'],
  }
  const ofFormat = named[items.format ?? '']
  if (ofFormat !== undefined) return ofFormat
  const isId = items.format !== undefined || items.pattern !== undefined
  return isId ? [uuid(), uuid()] : ['a', 'b']
}

/** Of the operation, beside the parameter. */
function queryNeededBy({ input }: Operation, beside: string): Record<string, string> {
  const inPath = new Set(['id', 'source', 'externalId', 'workspaceId'])
  const needed = Object.entries(sampleInput(input)).filter(([name]) => name !== beside && !inPath.has(name))
  return Object.fromEntries(needed.map(([name, value]) => [name, String(value)]))
}
