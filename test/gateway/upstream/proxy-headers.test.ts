// What callers are told beside the body: deprecation, methods, tracing; and how large a body may be for whom.
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { closed } from '#contract/fields.ts'
import { apiBodyBytesMax, documentBodyBytesMax } from '#contract/size-limits.ts'
import { operation, type Operation } from '#contract/operation.ts'
import { eventually } from '../../support/eventually.ts'
import { operatorToken, startEdge } from '../support/edge.ts'
import { openWire } from '../support/wire.ts'

const text = closed({ text: Type.String() })
const shape = { summary: '', description: '', input: text, output: text, success: 200 } as const
const deprecation = {
  since: new Date('2027-01-31T12:00:00.500Z'),
  sunset: new Date('2028-02-01T00:00:00Z'),
  link: 'https://example.com/docs/changes#old',
}
const old = operation({
  ...{ name: 'old.list', http: 'GET /old', audiences: ['api', 'settings'], tenancy: 'none', scope: null, deprecation },
  ...shape,
})
const put = operation({
  name: 'things.put',
  http: 'PUT /things/{source}/{externalId}',
  scope: 'projects:write',
  ...shape,
})
const large = operation({
  ...{ name: 'large.create', http: 'POST /large', scope: null, bodyBytesMax: documentBodyBytesMax },
  ...shape,
})
const startWith = (...more: Operation[]) => startEdge({ operations: [...operations, ...more] })

describe('a deprecated operation', () => {
  const said = [
    '@1801396800',
    'Tue, 01 Feb 2028 00:00:00 GMT',
    '<https://example.com/docs/changes#old>; rel="deprecation"',
  ]
  const saidBy = ({ headers }: { headers: Headers }) =>
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))

  test('says so on every answer, of the service and of the gateway, to keys and to operators', async () => {
    await using edge = await startWith(old)
    const { token } = edge.service.key()

    const answers = [
      await edge.call('GET', '/api/v1/old', { token }),
      await edge.call('HEAD', '/api/v1/old', { token }),
      await edge.call('GET', '/settings/api/old', { token: operatorToken }),
      await edge.call('GET', '/api/v1/old'),
      await edge.call('GET', '/api/v1/old', { token: edge.service.key({ scopes: [] }).token }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 403])
    for (const answer of answers) expect(saidBy(answer)).toEqual(said)
  })

  test('keeps the link to the next page beside its own', async () => {
    await using edge = await startWith(old)
    edge.service.respond = (_request, response) =>
      void response.setHeader('link', '</api/v1/old?cursor=c>; rel="next"').end('{}')

    const { headers } = await edge.call('GET', '/api/v1/old', { token: edge.service.key().token })

    expect(headers.get('link')).toBe(`</api/v1/old?cursor=c>; rel="next", ${said[2]}`)
  })

  test('nothing else says so', async () => {
    await using edge = await startWith(old)
    const answer = await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

    expect(saidBy(answer)).toEqual([null, null, null])
  })
})

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
    ['GET', '/api/mcp', 'POST'],
    ['DELETE', '/health', 'GET, HEAD'],
  ])('%s %s is answered 405 with Allow: %s', async (method, path, allow) => {
    await using edge = await startWith(put)
    const wire = await openWire(edge.gateway.port)

    wire.send(`${method} ${path} HTTP/1.1\r\nhost: gateway\r\n\r\n`)
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

describe('ids', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

  test('a trace goes through to the service, and its id is in the log line', async () => {
    const lines: string[] = []
    const log = pino(
      { level: 'info' },
      new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }),
    )
    await using edge = await startEdge({ log })
    const { token } = edge.service.key()

    await edge.call('GET', '/api/v1/me', { token, headers: { traceparent, tracestate: 'a=1' } })
    await edge.call('POST', '/api/mcp', { token, body: { id: 1 }, headers: { traceparent } })
    await edge.call('GET', '/api/v1/me', { token, headers: { traceparent: 'junk' } })
    await eventually(() => lines.length === 3, 'three lines')

    expect(edge.service.calls.slice(0, 2).map(({ headers }) => headers['traceparent'])).toEqual([
      traceparent,
      traceparent,
    ])
    expect(edge.service.calls[0]?.headers['tracestate']).toBe('a=1')
    expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([traceId, traceId, undefined])
  })

  test.each([
    ['one safe character', 'a', true],
    ['128 of them', 'a'.repeat(128), true],
    ['129', 'a'.repeat(129), false],
    ['what could break a log line', 'a b"c', false],
    ['nothing', '', false],
  ])('X-Request-Id of %s: %s is echoed: %s', async (_name, id, echoed) => {
    await using edge = await startEdge()
    const { headers } = await edge.call('GET', '/api/v1/me', {
      token: edge.service.key().token,
      headers: { 'x-request-id': id },
    })

    const answered = headers.get('x-request-id')
    expect(answered === id).toBe(echoed)
    expect(answered).toMatch(/^[\w-]{1,128}$/)
    expect(edge.service.calls[0]?.headers['x-request-id']).toBe(answered)
  })
})
