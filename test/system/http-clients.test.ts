// What HTTP clients send where nobody has told them otherwise: a content type without a body, and lists in forms of
// their own. The clients as they are installed, and the bytes of those that are not of this language.
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
const missingId = '01999999-0000-7000-8000-000000000000'

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
    must(
      await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { quotas: { apiKeys: 1_000 } }),
    )
  })

  describe('a body of no bytes has no content type to judge', () => {
    const addressOf = (operation: Operation, audience: Audience): string =>
      system.url +
      pathFor(operation, audience)
        .replace('{workspaceId}', tenant.workspaceId)
        .replaceAll(/\{\w+\}/g, missingId)

    /** Of some operations each call needs another key: they change the one that they are called with. */
    async function assertAlike(operation: Operation, audience: Audience, authorization: () => Promise<string>) {
      const method = methodOf(operation)
      const url = addressOf(operation, audience)
      // As a page of the settings does: those that need no credentials ask where the call comes from.
      const who = async () => ({ authorization: await authorization(), origin: system.url })
      const plain = await send(method, url, { ...(await who()), 'content-length': '0' })

      expect(plain.status).not.toBe(415)
      for (const [name, head] of emptyBodies)
        expect({ name, ...(await send(method, url, { ...(await who()), ...head })) }).toEqual({
          name,
          ...plain,
        })
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
    type Post = (url: string, authorization: string) => Promise<number>
    const named = (authorization: string) => ({ headers: { authorization } })
    const clients: [string, Post][] = [
      ['axios.post(url)', async (url, key) => (await axios.post(url, undefined, named(key))).status],
      ['axios.post(url, null)', async (url, key) => (await axios.post(url, null, named(key))).status],
      ['axios.post(url, {})', async (url, key) => (await axios.post(url, {}, named(key))).status],
      [
        'axios over fetch',
        async (url, key) => (await axios.post(url, null, { ...named(key), adapter: 'fetch' })).status,
      ],
      ['axios.request', async (url, key) => (await axios.request({ ...named(key), url, method: 'post' })).status],
      ['superagent', async (url, key) => (await superagent.post(url).set(named(key).headers)).status],
      [
        'superagent, a form',
        async (url, key) => (await superagent.post(url).type('form').set(named(key).headers)).status,
      ],
      ['ofetch', async (url, key) => (await ofetch.raw(url, { ...named(key), method: 'POST' })).status],
      [
        'openapi-fetch',
        async (url, key) => (await createClient<Paths>({ baseUrl: url }).POST('', named(key))).response.status,
      ],
      [
        'fetch of an empty form',
        async (url, key) => (await fetch(url, { ...named(key), method: 'POST', body: new URLSearchParams() })).status,
      ],
      [
        'fetch of an empty stream',
        async (url, key) =>
          (await fetch(url, { ...named(key), method: 'POST', body: new Blob([]).stream(), duplex: 'half' })).status,
      ],
      // Those of curl 8 and of Python's requests 2.
      [
        "curl -d ''",
        async (url, authorization) =>
          (
            await send('POST', url, {
              authorization,
              'user-agent': 'curl/8.14.1',
              accept: '*/*',
              'content-length': '0',
              'content-type': form,
            })
          ).status,
      ],
      [
        'curl -T - of nothing',
        async (url, authorization) =>
          (
            await send('POST', url, {
              authorization,
              accept: '*/*',
              'transfer-encoding': 'chunked',
              'content-type': form,
            })
          ).status,
      ],
      [
        'requests.post(url)',
        async (url, authorization) =>
          (
            await send('POST', url, {
              'user-agent': 'python-requests/2.34.2',
              accept: '*/*',
              connection: 'keep-alive',
              'content-length': '0',
              authorization,
            })
          ).status,
      ],
    ]

    test.each(clients)('%s archives, pauses and restores', async (_name, post) => {
      const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' })).id as string
      const webhook = must(
        await tenant.api('POST', '/api/v1/webhooks', {
          name: 'In',
          url: 'https://hooks.example.com/in',
          eventTypes: ['*'],
        }),
      ).id as string
      const key = `Bearer ${tenant.secret}`
      const settings = `${system.url}/settings/api/workspaces/${tenant.workspaceId}`

      expect(await post(`${system.url}/api/v1/projects/${project}/archive`, key)).toBe(200)
      expect(await post(`${system.url}/api/v1/webhooks/${webhook}/pause`, key)).toBe(200)
      expect(await post(`${settings}/webhooks/${webhook}/enable`, `Bearer ${system.operatorToken}`)).toBe(200)
      expect(must(await tenant.api('GET', `/api/v1/projects/${project}`)).archivedAt).not.toBeNull()
      expect(must(await tenant.api('GET', `/api/v1/webhooks/${webhook}`)).status).toBe('active')
      must(await tenant.api('DELETE', `/api/v1/projects/${project}`))
      expect(await post(`${system.url}/api/v1/projects/${project}/restore`, key)).toBe(200)
      must(await tenant.api('DELETE', `/api/v1/webhooks/${webhook}`))
    })

    test('a read takes the same', async () => {
      const authorization = `Bearer ${tenant.secret}`
      for (const [name, head] of emptyBodies)
        expect({
          name,
          ...(await send('GET', `${system.url}/api/v1/projects`, { authorization, ...head })),
        }).toMatchObject({ name, status: 200 })
    })

    test('a body that lacks is refused by what it lacks', async () => {
      const authorization = `Bearer ${tenant.secret}`
      for (const [, head] of emptyBodies)
        expect(await send('POST', `${system.url}/api/v1/projects`, { authorization, ...head })).toMatchObject({
          status: 422,
          code: 'validation_failed',
          errors: [{ pointer: '/name', code: 'required' }],
        })
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

      for (const length of [{ 'content-length': '1' }, { 'transfer-encoding': 'chunked' }])
        expect(
          (
            await send(
              method,
              system.url + path,
              { authorization, origin: system.url, 'content-type': form, ...length },
              'a',
            )
          ).status,
        ).toBe(415)
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
        const path = pathFor(operation, audience)
          .replace('{workspaceId}', tenant.workspaceId)
          .replaceAll(/\{\w+\}/g, missingId)
        const needed = new URLSearchParams(queryNeededBy(operation, name)).toString()
        const ask = async (query: string) => {
          const call = audience === 'api' ? tenant.api : system.operator
          const { status, body } = await call('GET', `${path}?${needed}&${query}`)
          return { status, body: { ...body, requestId: null } }
        }
        const withCommas = await ask(`${name}=${values.join(',')}`)

        expect([200, 404], JSON.stringify(withCommas.body)).toContain(withCommas.status)
        for (const [form, query] of forms)
          expect({ form, ...(await ask(query(name)(values))) }).toEqual({ form, ...withCommas })
      }
    })

    const status = ['planned', 'active']
    type List = { readonly data: readonly { readonly name: string }[] }
    type Get = (url: string, headers: Record<string, string>) => Promise<List>
    const clients: [string, Get][] = [
      ['axios', async (url, headers) => (await axios.get<List>(url, { headers, params: { status } })).data],
      [
        'axios without brackets',
        async (url, headers) =>
          (await axios.get<List>(url, { headers, params: { status }, paramsSerializer: { indexes: null } })).data,
      ],
      [
        'axios with numbers',
        async (url, headers) =>
          (await axios.get<List>(url, { headers, params: { status }, paramsSerializer: { indexes: true } })).data,
      ],
      ['ofetch', (url, headers) => ofetch<List>(url, { headers, query: { status } })],
      ['superagent', async (url, headers) => (await superagent.get(url).set(headers).query({ status })).body as List],
      [
        'openapi-fetch',
        async (url, headers) =>
          (await createClient<Paths>({ baseUrl: url }).GET('', { headers, params: { query: { status } } }))
            .data as List,
      ],
      [
        'openapi-fetch by the style of the document',
        async (url, headers) => {
          const querySerializer = { array: { style: 'form', explode: false } } as const
          return (
            await createClient<Paths>({ baseUrl: url, querySerializer }).GET('', {
              headers,
              params: { query: { status } },
            })
          ).data as List
        },
      ],
      [
        'URLSearchParams and requests',
        async (url, headers) => {
          const query = new URLSearchParams(status.map((each): [string, string] => ['status', each]))
          return (await fetch(`${url}?${query.toString()}`, { headers })).json() as Promise<List>
        },
      ],
    ]

    test.each(clients)('%s filters by two values', async (_name, get) => {
      const own = await system.tenant()
      for (const each of ['planned', 'active', 'paused'])
        must(await own.api('POST', '/api/v1/projects', { name: each, status: each }))

      const { data } = await get(`${system.url}/api/v1/projects`, { authorization: `Bearer ${own.secret}` })

      expect(data.map(({ name }) => name).toSorted()).toEqual(['active', 'planned'])
    })

    test.each(['limit=1&limit=2', 'limit[]=1', 'limit[0]=1', 'limit[0]=1&limit[1]=2'])(
      'a parameter that takes one value says so to %s',
      async (query) => {
        for (const [call, path] of [
          [tenant.api, '/api/v1/projects'],
          [tenant.settings, '/deliveries'],
          [tenant.settings, '/audit-entries'],
        ] as const) {
          const { status: answered, body } = await call('GET', `${path}?${query}`)

          expect([answered, body.errors[0].parameter]).toEqual([400, 'limit'])
          expect(body.detail).toMatch(/takes one value/i)
        }
      },
    )
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
