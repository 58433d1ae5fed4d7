// A service that breaks off, or answers what is no HTTP: the caller is told, and the next call gets its own answer.
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { edgeOfFile, statusAndCode } from '../support/edge.ts'
import { answerOk, answerWith, type Respond } from '../support/service.ts'
import { openWire, requestText } from '../support/wire.ts'

const { edge, token } = edgeOfFile({ timeouts: { connectMs: 500, headersMs: 2_000, bodyMs: 900 } })
const read = () => edge.call('GET', '/api/v1/me', { token })
const write = (bytes = 10) => edge.call('POST', '/api/v1/projects', { token, body: { name: 'x'.repeat(bytes) } })
/** Status and code, or `cut off` where the answer had begun and did not end. */
const outcome = (call: Promise<Parameters<typeof statusAndCode>[0]>): Promise<string> =>
  call.then(statusAndCode, () => 'cut off')

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
    ['half a head', raw('HTTP/1.1 200 OK\r\ncontent-type: appli'), broken],
    ['an interim answer and no more', raw('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), broken],
    ['two lengths', raw(whole.replace('\r\n\r\n', '\r\ncontent-length: 3\r\n\r\n')), broken],
    ['a length and chunks', raw(whole.replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n')), broken],
    ['a NUL in a header', raw(whole.replace('\r\n\r\n', '\r\nx-a: \0\r\n\r\n')), broken],
    ['headers without end', raw(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`), broken],
    ['a length, and less', raw(whole.replace('length: 2', 'length: 20')), 'cut off'],
    ['a length, less, and silence', raw(whole.replace('length: 2', 'length: 20'), 'stay'), 'cut off'],
    ['half a chunk', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'), 'cut off'],
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
    const post = (body: string) =>
      wire.send(requestText('POST /api/v1/projects', { token, headers: [`content-length: ${body.length}`], body }))
    post('x'.repeat(bytes))
    await wire.hear('"code":"upstream_error"')

    edge.service.beforeBody = () => {}
    post('{}')

    await wire.hear('{"ok":true}')
    wire.socket.destroy()
  })

  test('one that refuses before it has read all: the caller gets the refusal', async () => {
    edge.service.beforeBody = (_request, response) => void response.writeHead(409).end('{"code":"duplicate"}')

    expect(await outcome(write())).toBe('409 duplicate')

    edge.service.beforeBody = () => {}
    expect((await write(900_000)).status).toBe(200)
  })
})

test('long refusals take no connection to the service, are passed on as they are, and each call is sent once', async () => {
  const page = JSON.stringify({ code: 'unavailable', more: 'x'.repeat(200_000) })
  edge.service.respond = answerWith(503, { 'retry-after': '2' }, page)

  const answers = await Promise.all(Array.from({ length: 150 }, (_, at) => (at % 3 === 0 ? write() : read())))

  const told = answers.map(({ status, headers, body }) => [status, headers.get('retry-after'), body.more.length].join())
  expect(new Set(told)).toEqual(new Set(['503,2,200000']))
  expect(edge.service.calls).toHaveLength(150)
  edge.service.respond = answerOk
  expect((await Promise.all(Array.from({ length: 40 }, read))).every(({ status }) => status === 200)).toBe(true)
})
