// A service that breaks off, or answers what is no HTTP, in each phase of a call: the caller is told, the gateway
// lives, no connection is lost, and the next call gets its own answer.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import type { Respond } from '../support/service.ts'
import { openWire } from '../support/wire.ts'

let edge: Edge
let token: string
const answerOk: Respond = (_request, response) =>
  void response.setHeader('content-type', 'application/json').end('{"ok":true}')

beforeAll(async () => {
  edge = await startEdge({ timeouts: { connectMs: 500, headersMs: 2_000, bodyMs: 900 } })
  token = edge.service.key().token
})
afterAll(() => edge[Symbol.asyncDispose]())
beforeEach(() => {
  edge.service.calls.splice(0)
  edge.service.respond = answerOk
  edge.service.beforeBody = () => {}
})

const read = () => edge.call('GET', '/api/v1/me', { token })
const write = (bytes = 10) => edge.call('POST', '/api/v1/projects', { token, body: { name: 'x'.repeat(bytes) } })
/** Status and code, or `cut off` where the answer had begun and did not end. */
const outcome = (call: Promise<{ status: number; body: { code?: string } | null }>): Promise<string> =>
  call.then(
    ({ status, body }) => [status, body?.code].join(' ').trim(),
    () => 'cut off',
  )

/** Bytes in place of an answer, after which the connection is closed, reset, or left open. */
const raw =
  (bytes: string, then: 'close' | 'reset' | 'stay' = 'close'): Respond =>
  ({ socket }) =>
    void socket.write(bytes, () => {
      if (then === 'close') socket.end()
      if (then === 'reset') socket.resetAndDestroy()
    })

const whole = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
const broken = '502 upstream_error'

describe('an answer that is no answer', () => {
  test.each<readonly [string, Respond, string]>([
    ['a closed connection', raw(''), broken],
    ['a reset connection', (request) => void request.socket.resetAndDestroy(), broken],
    ['half a status line', raw('HTTP/1.1 20'), broken],
    ['half a head', raw('HTTP/1.1 200 OK\r\ncontent-type: appli'), broken],
    ['half a head, and a reset', raw('HTTP/1.1 200 OK\r\ncontent-type: appli', 'reset'), broken],
    ['another protocol', raw('220 mail.example ESMTP\r\n'), broken],
    ['an interim answer and no more', raw('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), broken],
    ['two lengths', raw(whole.replace('\r\n\r\n', '\r\ncontent-length: 3\r\n\r\n')), broken],
    ['a length and chunks', raw(whole.replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n')), broken],
    ['a header without a colon', raw(whole.replace('\r\n\r\n', '\r\nx-a\r\n\r\n')), broken],
    ['a NUL in a header', raw(whole.replace('\r\n\r\n', '\r\nx-a: \0\r\n\r\n')), broken],
    ['headers without end', raw(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`), broken],
    ['a length, and less', raw(whole.replace('length: 2', 'length: 20')), 'cut off'],
    ['a length, less, and a reset', raw(whole.replace('length: 2', 'length: 20'), 'reset'), 'cut off'],
    ['a length, less, and silence', raw(whole.replace('length: 2', 'length: 20'), 'stay'), 'cut off'],
    ['half a chunk', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'), 'cut off'],
    ['chunks without the last', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'), 'cut off'],
    ['a chunk that is none', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n'), 'cut off'],
  ])('%s', async (_name, respond, expected) => {
    edge.service.respond = respond

    expect([await outcome(read()), await outcome(write())]).toEqual([expected, expected])

    edge.service.respond = answerOk
    expect((await write()).body).toEqual({ ok: true })
  })

  test.each([
    ['a second answer', `${whole}HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{"of":"somebody"}`],
    ['more than its length', `${whole}{"of":"somebody"}`],
  ])('%s is nobody’s: the next call gets its own', async (_name, bytes) => {
    edge.service.respond = raw(bytes, 'stay')
    await outcome(read())

    edge.service.respond = answerOk
    const next = await Promise.all(Array.from({ length: 8 }, read))

    expect(next.map(({ body }) => body)).toEqual(next.map(() => ({ ok: true })))
  })
})

describe('a service that goes while a body is sent', () => {
  const atFirstByte = (act: (request: IncomingMessage) => void) => {
    edge.service.beforeBody = (request) => void request.once('data', () => act(request))
  }

  test.each<readonly [string, (request: IncomingMessage) => void]>([
    ['closes', ({ socket }) => socket.destroy()],
    ['resets', ({ socket }) => socket.resetAndDestroy()],
  ])('one that %s: 502, and the caller is told that the change may have been made', async (_name, act) => {
    atFirstByte(act)

    for (const bytes of [10, 900_000]) {
      const { status, body } = await write(bytes)
      expect([status, body.code]).toEqual([502, 'upstream_error'])
      expect(body.detail).toContain('may have been made all the same')
    }

    edge.service.beforeBody = () => {}
    expect((await write(900_000)).status).toBe(200)
  })

  test.each([10, 900_000])('after that the caller’s connection is good for another call (%d bytes)', async (bytes) => {
    atFirstByte(({ socket }) => socket.resetAndDestroy())
    const wire = await openWire(edge.gateway.port)
    const head = (length: number) =>
      `POST /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    wire.send(head(bytes) + 'x'.repeat(bytes))
    await wire.hear('"code":"upstream_error"')

    edge.service.beforeBody = () => {}
    wire.send(`${head(2)}{}`)

    await wire.hear('{"ok":true}')
    wire.socket.destroy()
  })

  test('one that refuses before it has read all: the caller gets the refusal', async () => {
    edge.service.beforeBody = (_request, response: ServerResponse) =>
      void response.writeHead(409, { 'content-type': 'application/json' }).end('{"code":"duplicate"}')

    expect(await outcome(write())).toBe('409 duplicate')

    edge.service.beforeBody = () => {}
    expect((await write(900_000)).status).toBe(200)
  })
})

describe('connections to the service', () => {
  const page = JSON.stringify({ code: 'unavailable', more: 'x'.repeat(200_000) })

  test('long refusals take none of them, and each call is sent once', async () => {
    edge.service.respond = (_request, response) => void response.writeHead(503, { 'retry-after': '2' }).end(page)

    const answers = await Promise.all(
      Array.from({ length: 100 }, read).concat(Array.from({ length: 50 }, () => write())),
    )

    expect(new Set(answers.map(({ status, body }) => `${status} ${body.more.length}`))).toEqual(new Set(['503 200000']))
    expect(edge.service.calls).toHaveLength(150)
    edge.service.respond = answerOk
    expect((await Promise.all(Array.from({ length: 40 }, read))).every(({ status }) => status === 200)).toBe(true)
  })

  test('callers that reset a long answer take none of them', async () => {
    const long = Buffer.alloc(5 * 1024 * 1024, 0x20)
    edge.service.respond = (_request, response) =>
      void response.writeHead(200, { 'content-length': long.length }).end(long)
    for (let at = 0; at < 200; at += 20) {
      const resetOne = async (): Promise<void> => {
        const wire = await openWire(edge.gateway.port)
        wire.send(`GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`)
        await eventually(() => wire.heard().length > 0, 'the answer begins')
        wire.socket.resetAndDestroy()
      }
      await Promise.all(Array.from({ length: 20 }, resetOne))
    }

    edge.service.respond = answerOk
    const after = await Promise.all(Array.from({ length: 16 }, read))

    expect(after.map(({ body }) => body)).toEqual(after.map(() => ({ ok: true })))
    expect(edge.service.calls).toHaveLength(216)
  })
})
