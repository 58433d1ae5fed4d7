// Which methods a route takes, and how large a body.
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { documentBodyBytesMax } from '#contract/documents.ts'
import { operation, apiBodyBytesMax } from '#contract/operation.ts'
import { closed } from '#contract/shared-fields.ts'
import { edgeOfFile, operatorToken } from '../support/edge.ts'

const text = closed({ text: Type.String() })
const shape = { summary: '', description: '', input: text, output: text, success: 200 } as const
const put = operation({
  name: 'things.put',
  http: 'PUT /things/{source}/{externalId}',
  scope: 'projects:write',
  ...shape,
})
const large = operation({
  name: 'large.create',
  http: 'POST /large',
  scope: null,
  bodyBytesMax: documentBodyBytesMax,
  ...shape,
})
const { edge, token } = edgeOfFile({ operations: [...operations, put, large] })

test('HEAD is answered with the headers of GET, its length included, and without a body', async () => {
  edge.service.respond = (request, response) => {
    const headers = { 'content-type': 'application/json', etag: '"7"', vary: 'accept-encoding', 'content-length': 11 }
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : '{"ok":true}')
  }
  const ofEach = new Set(['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive'])
  const shown = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => !ofEach.has(name))

  const head = await edge.call('HEAD', '/api/v1/projects', { token })
  const get = await edge.call('GET', '/api/v1/projects', { token })

  expect([head.status, head.body, get.body]).toEqual([200, null, { ok: true }])
  expect(shown(head)).toEqual(shown(get))
  expect(head.headers.get('content-length')).toBe('11')
})

test('PUT reaches the service where an operation takes it, body and all; HEAD does not', async () => {
  const to = '/api/v1/things/crm/a%2Fb'

  const [taken, refused] = [
    await edge.call('PUT', to, { token, body: { text: 'x' } }),
    await edge.call('HEAD', to, { token }),
  ]

  expect([taken.status, refused.status, refused.headers.get('allow')]).toEqual([200, 405, 'PUT'])
  expect(edge.service.calls).toMatchObject([{ method: 'PUT', url: to, body: '{"text":"x"}' }])
})

test.each([
  ['an ordinary operation', '/api/v1/projects', apiBodyBytesMax],
  ['one that takes more', '/api/v1/large', documentBodyBytesMax],
])('%s takes its limit and not a byte more, declared or in chunks', async (_name, path, bytesMax) => {
  const declared = (bytes: number) => edge.call('POST', path, { token, body: 'a'.repeat(bytes) })
  const chunked = async (bytes: number) => {
    const body = ReadableStream.from(
      (function* () {
        for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), 'a')
      })(),
    )
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(edge.gateway.url + path, { method: 'POST', headers, body, duplex: 'half' })
    return { status: answer.status, body: await answer.json() }
  }

  const tooLarge = { status: 413, body: { code: 'body_too_large', limitBytes: bytesMax } }
  for (const send of [declared, chunked]) {
    expect((await send(bytesMax)).status).toBe(200)
    expect(await send(bytesMax + 1)).toMatchObject(tooLarge)
  }
})

test('an operator’s limit is that of the operation too', async () => {
  const body = 'a'.repeat(apiBodyBytesMax + 1)

  const answer = await edge.call('POST', '/settings/api/workspaces', { token: operatorToken, body })

  expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
})
