// What HTTP clients send where nobody has told them otherwise: a content type without a body, and lists in forms of their
// own. The clients as they are installed, and the bytes of those that are not of this language.
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import axios from 'axios'
import { ofetch } from 'ofetch'
import createClient from 'openapi-fetch'
import superagent from 'superagent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, type Audience, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { must, startSystem, type System, type Tenant } from '../support/system.ts'

type Paths = { '': { post: { responses: { 200: { content: { 'application/json': object } } } } } }
const form = 'application/x-www-form-urlencoded'
const missingId = '01999999-0000-7000-8000-000000000000'

type Said = { readonly status: number; readonly code: unknown; readonly errors: unknown }
type Head = Readonly<Record<string, string>>

/** Sends the head as it is given, and a body of the bytes that are given. */
async function send(method: string, url: string, headers: Head, body = ''): Promise<Said> {
  const sent = request(url, { method, headers })
  const answer = new Promise<Said>((resolve, reject) => {
    sent.once('error', reject).once('response', (response) => {
      const { statusCode: status = 0 } = response
      if (status === 204) return void response.resume().once('end', () => resolve({ status, code: null, errors: null }))
      json(response).then((said) => {
        const { code = null, errors = null } = said as { code?: unknown; errors?: unknown }
        resolve({ status, code, errors })
      }, reject)
    })
  })
  sent.end(body)
  return answer
}

/** Nothing, as it is said by `axios.post(url)` and `curl -d ''`, by a stream that ends at once, and by others. */
const emptyBodies: readonly (readonly [string, Head])[] = [
  ['a form of no length', { 'content-type': form, 'content-length': '0' }],
  ['a form that is chunked', { 'content-type': form, 'transfer-encoding': 'chunked' }],
  ['a chunked body without a type', { 'transfer-encoding': 'chunked' }],
  [
    'packed text that is chunked',
    { ...{ 'content-type': 'text/plain', 'content-encoding': 'gzip' }, 'transfer-encoding': 'chunked' },
  ],
  ['JSON of no length', { 'content-type': 'application/json', 'content-length': '0' }],
  ['what is no type', { 'content-type': 'form', 'content-length': '0' }],
]

const changing = operations.filter((operation) => methodOf(operation) !== 'GET')
const of = (audience: Audience): (readonly [string, Operation])[] =>
  changing.filter(({ audiences }) => audiences.includes(audience)).map((operation) => [operation.name, operation])

describe('HTTP clients', () => {
  let system: System
  let tenant: Tenant
  beforeAll(async () => {
    system = await startSystem('standalone')
    tenant = await system.tenant()
    must(
      await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { quotas: { apiKeys: 1_000 } }),
    )
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

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
      const plain = await send(method, url, { authorization: await authorization(), 'content-length': '0' })

      expect(plain.status).not.toBe(415)
      for (const [name, head] of emptyBodies)
        expect({ name, ...(await send(method, url, { authorization: await authorization(), ...head })) }).toEqual({
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
              'accept-encoding': 'gzip, deflate',
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

    test('a body that lacks is refused by what it lacks, and a form of one byte by its type', async () => {
      const [url, authorization] = [`${system.url}/api/v1/projects`, `Bearer ${tenant.secret}`]
      for (const [, head] of emptyBodies)
        expect(await send('POST', url, { authorization, ...head })).toMatchObject({
          status: 422,
          code: 'validation_failed',
          errors: [{ pointer: '/name', code: 'required' }],
        })
      for (const length of [{ 'content-length': '1' }, { 'transfer-encoding': 'chunked' }])
        for (const [method, path] of [
          ['POST', '/api/v1/projects'],
          ['POST', `/api/v1/projects/${missingId}/archive`],
          ['DELETE', `/api/v1/projects/${missingId}`],
          ['POST', '/api/v1/projects/batch'],
        ] as const) {
          const head = { authorization, 'content-type': form, ...length }
          expect(await send(method, system.url + path, head, 'a')).toMatchObject({
            status: 415,
            code: 'unsupported_media_type',
          })
        }
    })
  })
})
