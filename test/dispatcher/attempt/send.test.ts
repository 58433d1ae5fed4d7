// What a receiver gets, and what becomes of its answer. Receivers that answer to do harm are one class of failure each,
// are let go of within the deadline, and get rid of few bytes.
import { createServer as createTls, type TlsOptions } from 'node:tls'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { ranges } from '#runtime/ip-address.ts'
import { interimFilter } from '../../../dispatcher/attempt/connection-hooks.ts'
import type { Resolve } from '../../../dispatcher/attempt/dns.ts'
import { TargetError } from '../../../dispatcher/attempt/network-errors.ts'
import { sendOnce, type SenderOptions } from '../../../dispatcher/attempt/send.ts'
import { certificate } from '../../support/certificates.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/servers/server.ts'
import { http, listening, sender, tcp } from './wire.ts'

const failed = (error: string) => ({ kind: 'failed', error })
const fineReceiver = () => http((_request, response) => response.end())

test('the receiver gets the bytes as they are, and its answer comes back', async () => {
  let got = ''
  const { url } = await http((request, response) => {
    request.on('data', (chunk: Buffer) => (got += chunk.toString()))
    request.on('end', () => response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': 'a=b' }).end('thanks'))
  })

  const answer = await sender()(url, { 'x-service-event': 'e' })

  const thanks = { kind: 'answered', status: 201, body: 'thanks', truncated: false }
  expect(answer).toMatchObject({ ...thanks, headers: { 'x-answer': 'yes' } })
  expect(answer).not.toHaveProperty(['headers', 'set-cookie'])
  expect(got).toBe('{"a":1}')
})

test('a compressed body is not unpacked, and what Postgres cannot hold is replaced', async () => {
  const gzip = { 'content-encoding': 'gzip' }
  const { url } = await http((_request, response) => response.writeHead(200, gzip).end('a\0b'))

  expect(await sender()(url)).toMatchObject({ body: 'a\uFFFDb', headers: gzip })
})

const ok = 'HTTP/1.1 200 OK\r\n'
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'
const fine = `${ok}content-length: 2\r\n\r\nok`
// A body that looks like the beginning of an interim answer is none.
const alike = `${ok}content-length: 24\r\n\r\n${goOn.slice(0, 24)}`
const interim = [goOn, goOn + goOn, hints, goOn + hints + goOn, goOn.replace('1.1', '1.0')]

test('a receiver may say 100 Continue and hints unasked, byte by byte, at every request', async () => {
  let asked = 0
  const { url } = await tcp((socket) =>
    socket.setNoDelay(true).on('data', () => {
      const [first = '', ...more] = interim[asked++] + alike
      const next = () => more.length > 0 && void socket.write(more.shift()!, () => setImmediate(next))
      socket.write(first, () => setImmediate(next))
    }),
  )
  const send = sender()

  for (const _before of interim)
    expect(await send(url)).toMatchObject({ kind: 'answered', status: 200, body: goOn.slice(0, 24) })
})

function left(...pieces: string[]): string {
  const filter = interimFilter()
  filter.begin()
  return pieces.map((piece) => filter.pass(Buffer.from(piece)).toString()).join('')
}

test.each(interim)('the final answer is left as it is behind %j, wherever the bytes are parted', (before) => {
  const all = before + alike

  for (let at = 0; at <= all.length; at++) expect(left(all.slice(0, at), all.slice(at))).toBe(alike)
})

test('interim answers without end are left to whoever reads on', () => {
  const endless = goOn.repeat(10_000)

  expect(left(endless).length).toBeGreaterThan(endless.length - 16 * 1024 - 1)
})
const switching = 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'

test.each<[string, (socket: Socket) => unknown, string]>([
  ['closes it', (socket) => socket.end(), 'connection_closed'],
  ['resets it', (socket) => socket.resetAndDestroy(), 'connection_closed'],
  ['closes it within the head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'), 'connection_closed'],
  ['closes it after 100 Continue', (socket) => socket.end(goOn), 'connection_closed'],
  ['says two lengths', (socket) => socket.write(fine.replace('\r\n', '\r\ncontent-length: 3\r\n')), 'invalid_response'],
  ['says the status 000', (socket) => socket.write(fine.replace('200', '000')), 'invalid_response'],
  ['speaks another protocol', (socket) => socket.write('SSH-2.0-OpenSSH\r\n'), 'invalid_response'],
  ['speaks another HTTP', (socket) => socket.write(goOn.replace('1.1', '2.0')), 'invalid_response'],
  ['changes the protocol', (socket) => socket.write(switching), 'invalid_response'],
])('a receiver that takes the request and %s is one class of failure', async (_what, answer, error) => {
  const { url } = await tcp((socket) => socket.once('data', () => answer(socket)))

  expect(await sender()(url)).toEqual(failed(error))
})

test('no connection comes about where nobody listens, and none of use with one who hangs up or speaks no TLS', async () => {
  const rude = await tcp((socket) => socket.destroy())
  const plain = await fineReceiver()
  const send = sender()

  expect(await send(`http://127.0.0.1:${await freePort()}/`)).toEqual(failed('connect_error'))
  expect(await send(rude.url)).toEqual(failed('connection_closed'))
  expect(await send(rude.url.replace('http:', 'https:'))).toEqual(failed('connect_error'))
  expect(await send(plain.url.replace('http:', 'https:'))).toEqual(failed('tls_error'))
})

const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const longLine = Buffer.alloc(64 * 1024, 'a')
const answered = { kind: 'answered', status: 200, truncated: true }
const invalid = failed('invalid_response')
// Kernel buffers of both ends hold some megabytes that nobody reads.
const fewBytes = 20 * 1024 * 1024

test.each<[string, string, Buffer | string, object]>([
  ['status line', 'HTTP/1.1 200 ', longLine, invalid],
  ['row of empty lines before the answer', '', '\r\n'.repeat(10_000), invalid],
  ['row of interim responses', '', goOn.repeat(1_000), invalid],
  ['header of a megabyte and more', `${ok}x: `, longLine, invalid],
  ['row of headers', ok, 'x: y\r\n'.repeat(1_000), invalid],
  ['body', `${ok}content-length: 10737418240\r\n\r\n`, longLine, { ...answered, body: 'a'.repeat(4_096) }],
  ['row of chunks', chunked, '1\r\nx\r\n'.repeat(1_000), answered],
  ['size of a chunk', chunked, Buffer.alloc(64 * 1024, '0'), answered],
  ['extension of a chunk', `${chunked}1;`, longLine, answered],
  ['row of trailers', `${chunked}0\r\n`, 'x: y\r\n'.repeat(1_000), answered],
])('an endless %s is cut off', async (_what, beginning, rest, wanted) => {
  const receiver = await tcp((socket) =>
    socket.once('data', () => {
      socket.write(beginning)
      const more = () => !socket.destroyed && void socket.write(rest, () => setImmediate(more))
      more()
    }),
  )

  expect(await sender()(receiver.url)).toMatchObject(wanted)

  await eventually(() => receiver.open() === 0, 'the end of the connection')
  expect(receiver.written()).toBeLessThan(fewBytes)
})

test('whatever a receiver drips byte by byte, or never says, it is let go of at the deadline', async () => {
  const drips: [string, string, object][] = [
    ['', '', failed('timeout')],
    [goOn, '', failed('timeout')],
    ['HTTP/1.1 200 ', 'O', failed('timeout')],
    [`${ok}x: `, 'y', failed('timeout')],
    ['HTTP/1.1 103 Early Hints\r\nx: ', 'y', failed('timeout')],
    [`${ok}\r\n`, '.', answered],
    [chunked, '0', answered],
  ]
  const send = sender({ timeoutMs: 1_500 })

  const tried = drips.map(async ([beginning, byte, wanted]) => {
    const receiver = await tcp((socket) =>
      socket.once('data', () => {
        socket.write(beginning)
        const dripping = setInterval(() => socket.write(byte), 10)
        socket.on('close', () => clearInterval(dripping))
      }),
    )
    expect([beginning, await send(receiver.url)]).toMatchObject([beginning, wanted])
    await eventually(() => receiver.open() === 0, 'the end of the connection')
  })

  await Promise.all(tried)
})

test('a kept connection that is reset just as the next request comes is one failure, and the next request is not', async () => {
  let [requests, resets] = [0, 0]
  const { url } = await tcp((socket) => {
    let ofThisConnection = 0
    socket.on('data', () => {
      requests++
      if (++ofThisConnection === 1) return socket.write(fine)
      resets++
      return socket.resetAndDestroy()
    })
  })
  const send = sender()
  const answers: { kind: string }[] = []

  // A request may also come about on a connection of its own.
  while (resets < 2 && answers.length < 50) answers.push(await send(url))

  expect(answers.filter(({ kind }) => kind === 'failed')).toEqual(Array(2).fill(failed('connection_closed')))
  // Nothing was sent a second time behind anybody's back.
  expect(requests).toBe(answers.length)
})

test('what a receiver says between two requests is not taken for the answer to the second', async () => {
  const { url } = await tcp((socket) =>
    socket.on('data', () => socket.write(`${fine}${ok}content-length: 5\r\n\r\nfalse`)),
  )
  const send = sender()

  for (let n = 0; n < 3; n++) expect(await send(url)).toMatchObject({ status: 200, body: 'ok' })
})

const authority = certificate('Nobody’s authority', { ip: '127.0.0.1', isAuthority: true })
const oldTls: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }

test.each<[string, TlsOptions]>([
  ['vouches for itself', certificate('self', { ip: '127.0.0.1' })],
  ['nobody knows the authority of', certificate('stranger', { ip: '127.0.0.1', signedBy: authority })],
  ['has expired', certificate('late', { ip: '127.0.0.1', expired: true })],
  ['is of another name', certificate('other', { ip: '127.0.0.2' })],
  ['is spoken for in TLS 1.1', { ...authority, ...oldTls }],
])('a certificate that %s is refused', async (_what, options) => {
  let bytes = 0
  const server = createTls(options, (socket) => socket.on('error', () => {}).on('data', () => bytes++))
  const { url } = await listening(server)

  expect(await sender()(url.replace('http:', 'https:'))).toEqual(failed('tls_error'))
  expect(bytes).toBe(0)
})

test('a handshake that never ends is given up', async () => {
  const { url } = await tcp(() => {})

  expect(await sender({ timeoutMs: 200 })(url.replace('http:', 'https:'))).toEqual(failed('timeout'))
})

const loopback = ranges(['127.0.0.0/8', '::1/128'])
const failing: Resolve = () => Promise.reject(new TargetError('dns_error', 'No answer from 10.0.0.53'))

test.each<[string, string, Partial<SenderOptions>, object]>([
  ['is sent to localhost where private addresses are allowed', 'localhost', { allowed: loopback }, { status: 200 }],
  ['is not where they are not', 'localhost', { allowed: [] }, failed('blocked_address')],
  ['is sent by plain http only where that is allowed', '127.0.0.1', { allowHttp: false }, failed('invalid_url')],
  ['says dns_error, which names nothing, where that fails', 'some.test', { resolve: failing }, failed('dns_error')],
])('a request %s', async (_what, host, options, wanted) => {
  const { port, connections } = await fineReceiver()

  expect(await sender(options)(`http://${host}:${port}/`)).toMatchObject(wanted)
  expect(connections()).toBe('status' in wanted ? 1 : 0)
})

test('a name is looked up once for a connection, in a time of its own; what it resolves to later does not matter', async () => {
  const { port } = await fineReceiver()
  let asked = 0
  const resolve: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]

  expect(await sender({ resolve })(`http://rebinding.test:${port}/`)).toMatchObject({
    status: 200,
    timings: { dns: expect.any(Number), connect: expect.any(Number), tls: null },
  })
  expect(asked).toBe(1)
})

test('nothing is sent to a port of this process on an address of its own, whatever the operator allows', async () => {
  const { port, connections } = await fineReceiver()
  const send = sender({
    allowed: ranges(['0.0.0.0/0', '::/0']),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isOwnPort: (candidate) => candidate === port,
  })

  for (const host of ['127.0.0.1', '127.1.2.3', '0.0.0.0', '[::1]', '[::]', 'localhost', 'receiver.example'])
    expect(await send(`http://${host}:${port}/`), host).toEqual(failed('blocked_address'))
  expect(connections()).toBe(0)
  expect(await send((await fineReceiver()).url)).toMatchObject({ status: 200 })
})

test('what opened a connection is charged to the first request on it, and to no other', async () => {
  const { url, connections } = await fineReceiver()
  const send = sender()
  const opened: (number | null)[] = []

  for (let n = 0; n < 10; n++) {
    const answer = await send(url)
    expect(answer).toMatchObject({ timings: { dns: null, tls: null, firstByte: expect.any(Number) } })
    if (answer.kind === 'answered') opened.push(answer.timings.connect)
  }

  expect(opened).toHaveLength(10)
  expect(opened.filter((connect) => connect !== null)).toHaveLength(connections())
})

test('requests that are on their way at once keep their times apart', async () => {
  const { url } = await fineReceiver()
  const send = sender()

  const timings = { connect: expect.any(Number), firstByte: expect.any(Number) }
  for (const answer of await Promise.all(Array.from({ length: 10 }, () => send(url))))
    expect(answer).toMatchObject({ status: 200, timings })
})

// What a receiver cannot bring about at a chosen moment.

const post = { url: new URL('http://127.0.0.1:1/hook?a=b'), headers: { 'x-a': 'b' }, body: Buffer.from('{}') }

type Handler = Dispatcher.DispatchHandler

/** Has this done with a request, whose abort fails it, as in undici. */
function sentBy(act: (handler: Handler, controller: Dispatcher.DispatchController) => boolean, timeoutMs: number) {
  const asked: Dispatcher.DispatchOptions[] = []
  const dispatch = (options: Dispatcher.DispatchOptions, handler: Handler) => {
    asked.push(options)
    const abort = (reason: Error) => handler.onResponseError?.(controller, reason)
    const controller = { abort } as unknown as Dispatcher.DispatchController
    return act(handler, controller)
  }
  return { answer: sendOnce({ dispatch } as unknown as Dispatcher, post, timeoutMs), asked }
}

test('the path goes with its query, the body as it is; a request that undici refuses is a failure', async () => {
  const { answer, asked } = sentBy((handler, controller) => {
    handler.onResponseError?.(controller, new Error('refused'))
    return false
  }, 60_000)

  await expect(answer).rejects.toThrow('refused')

  const { headers, body } = post
  expect(asked).toEqual([{ origin: 'http://127.0.0.1:1', path: '/hook?a=b', method: 'POST', headers, body }])
})

test('a request whose connection comes about after the deadline is not sent', async () => {
  const { answer } = sentBy((handler, controller) => {
    setTimeout(() => handler.onRequestStart?.(controller, {}), 30)
    return true
  }, 10)

  await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' })
})
