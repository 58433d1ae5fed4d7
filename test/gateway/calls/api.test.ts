// Which methods a route takes, and how large a body.
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { closed } from '#contract/shared-fields.ts'
import { operation, type Operation, apiBodyBytesMax } from '#contract/operation.ts'
import { operatorToken, startEdge } from '../support/edge.ts'
import { openWire } from '../support/wire.ts'
import { documentBodyBytesMax } from '#contract/documents.ts'

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
const startWith = (...more: Operation[]) => startEdge({ operations: [...operations, ...more] })

describe('methods', () => {
  test('HEAD is answered with the headers of GET, its length included, and without a body', async () => {
    await using edge = await startEdge()
    edge.service.respond = (request, response) => {
      const headers = { 'content-type': 'application/json', etag: '"7"', vary: 'accept-encoding', 'content-length': 11 }
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : '{"ok":true}')
    }
    const { token } = edge.service.key()
    const shown = ({ headers }: { headers: Headers }) =>
      Object.fromEntries(
        [...headers].filter(
          ([name]) => !['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive'].includes(name),
        ),
      )

    const [head, get] = [
      await edge.call('HEAD', '/api/v1/projects', { token }),
      await edge.call('GET', '/api/v1/projects', { token }),
    ]

    expect([head.status, head.body, get.body]).toEqual([200, null, { ok: true }])
    expect(shown(head)).toEqual(shown(get))
    expect(head.headers.get('content-length')).toBe('11')
  })

  test('PUT reaches the service where an operation takes it, body and all', async () => {
    await using edge = await startWith(put)
    const { token } = edge.service.key()

    const { status } = await edge.call('PUT', '/api/v1/things/crm/a%2Fb', { token, body: { text: 'x' } })

    expect(status).toBe(200)
    expect(edge.service.calls).toMatchObject([{ method: 'PUT', url: '/api/v1/things/crm/a%2Fb', body: '{"text":"x"}' }])
  })

  test.each([
    ['PUT', '/api/v1/projects', 'GET, HEAD, POST'],
    ['POST', '/api/v1/things/a/b', 'PUT'],
    ['HEAD', '/api/v1/things/a/b', 'PUT'],
    ['OPTIONS', '/api/v1/me', 'GET, HEAD'],
    ['TRACE', '/api/v1/me', 'GET, HEAD'],
    ['PROPFIND', '/api/v1/me', 'GET, HEAD'],
    ['DELETE', '/health', 'GET, HEAD'],
  ])('%s %s is answered 405 with Allow: %s', async (method, path, allow) => {
    await using edge = await startWith(put)
    const wire = await openWire(edge.gateway.port)

    wire.send(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    const head = await wire.hear('\r\n\r\n')

    expect(head).toContain('HTTP/1.1 405 Method Not Allowed')
    expect(/^allow: (.*)\r$/im.exec(head)?.[1]).toBe(allow)
    expect(edge.service.calls).toEqual([])
  })
})

describe('body sizes', () => {
  test.each([
    ['an ordinary operation', '/api/v1/projects', apiBodyBytesMax],
    ['one that takes more', '/api/v1/large', documentBodyBytesMax],
  ])('%s takes its limit and not a byte more, declared or in chunks', async (_name, path, bytesMax) => {
    await using edge = await startWith(large)
    const { token } = edge.service.key()
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

    for (const send of [declared, chunked]) {
      expect((await send(bytesMax)).status).toBe(200)
      expect(await send(bytesMax + 1)).toMatchObject({
        status: 413,
        body: { code: 'body_too_large', limitBytes: bytesMax },
      })
    }
  })

  test('an operator’s limit is that of the operation too', async () => {
    await using edge = await startEdge()
    const answer = await edge.call('POST', '/settings/api/workspaces', {
      token: operatorToken,
      body: 'a'.repeat(apiBodyBytesMax + 1),
    })

    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large'])
  })
})
