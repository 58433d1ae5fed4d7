// What crosses the gateway, in both directions, and what happens when either side behaves badly.
import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { eventually } from '../../support/eventually.ts'
import { getBytes } from '../support/get-bytes.ts'
import { edgeOfFile, operatorToken, startEdge, statusAndCode } from '../support/edge.ts'
import { answerWith, standIn, workspaceA, workspaceB } from '../support/service.ts'
import { openWire, requestText } from '../support/wire.ts'

const me = '/api/v1/me'
const { edge, token } = edgeOfFile({
  timeouts: { connectMs: 500, headersMs: 900, bodyMs: 900, requestMs: 30_000 },
  failedCredentialsPerMinute: 1_000,
})
const last = () => edge.service.calls.at(-1)!
const answered = (method = 'GET') => getBytes(edge.gateway.url + me, { authorization: `Bearer ${token}` }, method)

describe('on its way to the service', () => {
  test('a permitted call reaches the service with its principal, its body and without its credentials', async () => {
    const { token: own, record } = edge.service.key({ name: 'Zoë' })
    const kept = { 'x-request-id': 'abc-1', 'idempotency-key': 'k1', 'user-agent': 'test/1' }
    const options = { token: own, body: { name: 'Grüße' }, headers: { ...kept, cookie: 'a=b' } }

    const answer = await edge.call('POST', '/api/v1/projects', options)

    expect([answer.status, answer.body, answer.headers.get('x-request-id')]).toEqual([200, { ok: true }, 'abc-1'])
    expect(last()).toMatchObject({ method: 'POST', url: '/api/v1/projects', body: '{"name":"Grüße"}' })
    const ofKey = { kind: 'api_key', id: record.id, name: 'Zoë', workspaceId: workspaceA, scopes: record.scopes }
    const ofCall = { surface: 'http', requestId: 'abc-1', clientAddress: '127.0.0.1', userAgent: 'test/1' }
    const quota = { limit: 60_000, remaining: 9_999, resetSeconds: 1 }
    expect(last().principal).toEqual({ ...ofKey, ...ofCall, quota })
    expect(last().headers).toMatchObject({ ...kept, 'content-type': 'application/json', 'content-length': '18' })
    expect(Object.keys(last().headers).filter((name) => ['authorization', 'cookie'].includes(name))).toEqual([])
  })

  test('the query goes on byte for byte, without workspaceId', async () => {
    const query = `limit=2&work%73paceId=${workspaceA.toUpperCase()}&status=a%2Cb&x`

    await edge.call('GET', `/api/v1/projects?${query}`, { token })
    await edge.call('GET', `${me}?workspaceId=${workspaceB}`, { token })

    expect(edge.service.calls.map(({ url, principal }) => [url, principal?.workspaceId])).toEqual([
      ['/api/v1/projects?limit=2&status=a%2Cb&x', workspaceA],
      [me, null],
    ])
  })

  test('headers of ours, hop-by-hop headers and what Connection names never cross', async () => {
    const wire = await openWire(edge.gateway.port)
    const mine = ['x-internal-principal: forged', 'x-internal-x: 1', 'x-forwarded-for: 9.9.9.9', 'x-forwarded-host: a']
    const hop = ['connection: close, x-secret', 'x-secret: 1', 'te: trailers', 'keep-alive: timeout=9', 'upgrade: h2c']
    const headers = [...mine, ...hop, 'proxy-authorization: Basic x', 'expect: 100-continue']

    wire.send(requestText(`GET ${me}`, { token, headers }))

    await wire.hear('{"ok":true}')
    const forbidden = /^x-(internal-x|forwarded|secret)|^(te|keep-alive|upgrade|proxy-.*|expect)$/
    expect(Object.keys(last().headers).filter((name) => forbidden.test(name))).toEqual([])
    expect([last().principal?.kind, last().headers.connection]).toEqual(['api_key', 'keep-alive'])
  })

  const ofA = `/settings/api/workspaces/${workspaceA.toUpperCase()}/webhooks?limit=1`
  const asText = { body: 'x', headers: { 'content-type': 'text/plain' } }
  test.each([
    ['GET', ofA, '200', {}],
    ['GET', '/settings/api/workspaces', '200', {}],
    ['GET', '/settings/api/workspaces/acme/webhooks', '400 workspace_invalid', {}],
    ['POST', '/settings/api/workspaces', '415 unsupported_media_type', asText],
  ])(
    'a call of the operator has no limit, and acts where its path says: %s %s is %s',
    async (method, path, told, how) => {
      const answer = await edge.call(method, path, { token: operatorToken, ...how })

      expect(statusAndCode(answer)).toBe(told)
      expect([...answer.headers.keys()].filter((name) => told === '200' && name.startsWith('ratelimit'))).toEqual([])
      const workspaceId = path === ofA ? workspaceA : null
      const operator = { kind: 'operator', id: 'operator', scopes: [...scopes], surface: 'settings', quota: null }
      const arrived = told === '200' ? [{ url: path, principal: { ...operator, workspaceId } }] : []
      expect(edge.service.calls).toMatchObject(arrived)
    },
  )
})

describe('on its way back', () => {
  test('of the answer, hop-by-hop and internal headers stay behind; all else passes, two cookies too', async () => {
    const hidden = { 'x-hop': '1', 'x-internal-cost': '3', 'proxy-authenticate': 'Basic' }
    const shown = { etag: '"7"', 'set-cookie': ['a=1', 'b=2'], location: '/api/v1/projects/1' }
    edge.service.respond = answerWith(201, { connection: 'keep-alive, x-hop', ...hidden, ...shown })

    const { status, headers } = await answered()

    expect([status, headers]).toEqual([201, expect.objectContaining(shown)])
    for (const name of Object.keys(hidden)) expect(headers).not.toHaveProperty(name)
    expect(headers['ratelimit']).toMatch(/^"key";r=\d+;t=\d+$/)
    expect(headers['ratelimit-policy']).toBe('"key";q=60000;w=60, "workspace";q=60000;w=60')
  })

  test('a service that says anything of ours is not heard, and neither can it take our headers away', async () => {
    const ours = { 'cache-control': 'public', 'x-request-id': 'other', ratelimit: '"key";r=9;t=1' }
    edge.service.respond = answerWith(200, ours)
    const { headers } = await answered()
    edge.service.respond = answerWith(200, { connection: 'cache-control, x-request-id, ratelimit, keep-alive' })

    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-request-id']).not.toBe('other')
    expect(headers['ratelimit']).toMatch(/^"key";r=\d{4,};/)
    expect((await answered()).headers).toMatchObject({ 'cache-control': 'no-store', ratelimit: expect.any(String) })
  })

  const inOneWrite = 16 * 1_024
  test.each([
    ['of nothing', 0, true],
    ['of as much as leaves in one write', inOneWrite, true],
    ['of one byte more', inOneWrite + 1, true],
    ['of a megabyte', 1_048_576, true],
    ['of unknown length', 100_000, false],
  ])('an answer %s arrives byte for byte, in pieces and whole', async (_name, length, isDeclared) => {
    const sent = Buffer.from(Array.from({ length }, (_, at) => at % 256))
    const headers = isDeclared ? { 'content-length': length } : {}
    edge.service.respond = (_request, response) => {
      response.writeHead(200, headers).write(sent.subarray(0, 7))
      setImmediate(() => response.end(sent.subarray(7)))
    }
    const inPieces = await answered()
    edge.service.respond = answerWith(200, headers, sent)
    const whole = await answered()

    for (const { status, body } of [inPieces, whole]) expect([status, body.equals(sent)]).toEqual([200, true])
  })

  test.each([
    ['HEAD', 200, { 'content-length': '5' }],
    ['GET', 304, { etag: '"7"' }],
    ['GET', 204, {}],
  ])('%s with %d has the headers and no body, and the connection goes on', async (method, status, headers) => {
    edge.service.respond = (_request, response) => void response.writeHead(status, headers).end()

    const answer = await answered(method)

    expect([answer.status, answer.body.length, last().method]).toEqual([status, 0, method])
    expect(answer.headers).toMatchObject(headers)
    expect((await answered(method)).status).toBe(status)
  })

  test('hints before the answer and trailers behind it stay where they are', async () => {
    edge.service.respond = (_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(200, { trailer: 'x-sum' }).write('{}')
      response.addTrailers({ 'x-sum': '1' })
      response.end()
    }
    const wire = await openWire(edge.gateway.port, requestText(`GET ${me}`, { token, headers: ['connection: close'] }))
    await eventually(() => wire.closed(), 'the end of the answer')

    expect(wire.heard()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{\}/)
    expect(wire.heard()).not.toMatch(/link:|trailer:|x-sum/i)
  })

  test('a caller that does not read stops the service, and gets all of it when it does', async () => {
    const piece = Buffer.alloc(1_048_576, 7)
    const pieces = 32
    let written = 0
    edge.service.respond = (_request, response) => {
      const more = (): void => {
        while (written < pieces) {
          written += 1
          if (!response.write(piece)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    }
    const asked = request(edge.gateway.url + me, { headers: { authorization: `Bearer ${token}` } }).end()
    const [answer] = await once(asked, 'response')
    let before = -1
    await eventually(() => {
      const isStill = before === written
      before = written
      return isStill
    }, 'the service stands still')
    expect(written).toBeLessThan(pieces / 2)

    let read = 0
    for await (const chunk of answer) read += (chunk as Buffer).length
    expect(read).toBe(pieces * piece.length)
  })
})

test('a caller that goes on and on after it was refused is cut off', async () => {
  const wire = await openWire(
    edge.gateway.port,
    requestText('POST /api/v1/projects', { token, headers: ['content-length: 99999999'] }),
  )
  await wire.hear('"code":"body_too_large"')

  wire.send('a'.repeat(9 * 1024 * 1024))

  await eventually(() => wire.closed(), 'the connection ends')
})

test('a service that is away: 503 with Retry-After, with a body and without; served again when it is back', async () => {
  await using own = await startEdge()
  const options = { token: own.service.key().token }
  const read = () => own.call('GET', me, options)
  const isReady = async (status: number) => (await own.call('GET', '/ready')).status === status
  expect((await read()).status).toBe(200)
  expect((await own.call('GET', '/ready')).body).toEqual({ status: 'ready', services: { known: 1, usable: 1 } })
  await own.service.close()

  const away = [await read(), await own.call('POST', '/api/v1/projects', { ...options, body: { name: 'x' } })]
  await eventually(() => isReady(503), 'that it is not ready')
  const [ready, alive] = [await own.call('GET', '/ready'), await own.call('GET', '/health')]
  await using back = await standIn(Number(new URL(own.service.url).port))

  for (const answer of away)
    expect([statusAndCode(answer), answer.headers.get('retry-after')]).toEqual(['503 unavailable', '1'])
  expect(ready.body).toMatchObject({ code: 'unavailable', services: { known: 1, usable: 0 } })
  expect([alive.status, alive.body]).toEqual([200, { status: 'ok' }])
  expect((await read()).status).toBe(200)
  await eventually(() => isReady(200), 'that it is ready again')
  expect(back.calls.length).toBe(1)
})
