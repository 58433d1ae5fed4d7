// The answer's way back, which has no stream between service and caller.
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import { openWire } from '../support/wire.ts'

let edge: Edge
let token: string
beforeAll(async () => {
  edge = await startEdge()
  token = edge.service.key().token
})
afterAll(() => edge[Symbol.asyncDispose]())
beforeEach(() => {
  edge.service.calls.splice(0)
  edge.service.cancelled = 0
})

/** A key of its own workspace: those of one workspace have to wait for each other. */
const otherToken = () =>
  edge.service.key({ workspaces: [{ id: crypto.randomUUID(), suspended: false, refusals: [] }] }).token
const callOf = (own = token): string =>
  `GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${own}\r\n\r\n`

async function answered(method = 'GET') {
  const asked = request(`${edge.gateway.url}/api/v1/me`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  }).end()
  const [answer] = await once(asked, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks), trailers: answer.trailers }
}

test.each([
  ['of nothing', 0, true],
  ['of one byte', 1, true],
  ['of a kilobyte', 1_024, true],
  ['of as much as leaves in one write', 16 * 1_024, true],
  ['of one byte more', 16 * 1_024 + 1, true],
  ['of a megabyte', 1_048_576, true],
  ['of unknown length', 100_000, false],
])('an answer %s arrives byte for byte', async (_name, length, isDeclared) => {
  const sent = Buffer.from(Array.from({ length }, (_, at) => at % 256))
  edge.service.respond = (_request, response) => {
    response.writeHead(200, isDeclared ? { 'content-length': length } : {})
    response.write(sent.subarray(0, 7))
    setImmediate(() => response.end(sent.subarray(7)))
  }
  const { status, body } = await answered()
  expect([status, body.equals(sent)]).toEqual([200, true])
})

test('an answer that comes whole is passed on whole', async () => {
  edge.service.respond = (_request, response) => void response.setHeader('content-length', 3).end('é!')
  expect((await answered()).body.toString()).toBe('é!')
})

test.each([
  ['HEAD', 200, { 'content-length': '5' }],
  ['GET', 304, { etag: '"7"' }],
  ['GET', 204, {}],
])('%s with %d has the headers and no body, and the connection goes on', async (method, status, headers) => {
  edge.service.respond = (_request, response) => void response.writeHead(status, headers).end()
  const answer = await answered(method)
  expect([answer.status, answer.body.length]).toEqual([status, 0])
  expect(answer.headers).toMatchObject(headers)
  expect((await answered(method)).status).toBe(status)
})

test('hints before the answer and trailers behind it stay where they are', async () => {
  edge.service.respond = (_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeHead(200, { trailer: 'x-sum' })
    response.write('{}')
    response.addTrailers({ 'x-sum': '1' })
    response.end()
  }
  const { status, headers, trailers, body } = await answered()
  expect([status, headers.link, headers.trailer, trailers, body.toString()]).toEqual([
    200,
    undefined,
    undefined,
    {},
    '{}',
  ])
})

test('a service that says anything of ours is not heard, and neither can it take our headers away', async () => {
  edge.service.respond = (_request, response) => {
    response.writeHead(200, { 'cache-control': 'public', 'x-request-id': 'other', ratelimit: '"key";r=9;t=1' })
    response.end()
  }
  const { headers } = await answered()
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-request-id']).not.toBe('other')
  expect(headers['ratelimit']).toMatch(/^"key";r=\d{4,};/)
  edge.service.respond = (_request, response) => {
    response.writeHead(200, { connection: 'cache-control, x-request-id, ratelimit, keep-alive' }).end()
  }
  expect((await answered()).headers).toMatchObject({ 'cache-control': 'no-store', ratelimit: expect.any(String) })
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
  const asked = request(`${edge.gateway.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } }).end()
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

test('forty callers that leave in the middle of a large answer leave nothing behind', async () => {
  const large = Buffer.alloc(3 * 1_048_576)
  let over = 0
  edge.service.respond = (_request, response) => void response.once('close', () => (over += 1)).end(large)
  const wires = await Promise.all(Array.from({ length: 40 }, () => openWire(edge.gateway.port)))
  for (const wire of wires) {
    wire.send(callOf(otherToken()))
    wire.socket.once('data', () => wire.socket.destroy())
  }
  await eventually(() => over === 40, 'the calls to the service end', 10_000)
  edge.service.respond = (_request, response) => void response.end('{}')
  expect((await answered()).status).toBe(200)
})
