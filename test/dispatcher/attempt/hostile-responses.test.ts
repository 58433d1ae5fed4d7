// Receivers that answer to do harm: each is one class of failure, is let go of within the deadline, and gets rid of few
// bytes.
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTls, type TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { ranges } from '#runtime/ip-address.ts'
import { openSender } from '../../../dispatcher/attempt/send.ts'
import { certificate } from '../../support/certificates.ts'
import { eventually } from '../../support/eventually.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** `timeoutMs` is short where the deadline is what ends it, else far away. */
function sender(timeoutMs: number) {
  const { send, close } = openSender({
    allowed: ranges(['127.0.0.0/8']),
    allowHttp: true,
    isOwnPort: () => false,
    proxy: null,
    timeoutMs,
  })
  closing.push(close)
  return (url: string) => send(url, {}, Buffer.from('{}'))
}

type Hostile = { readonly url: string; readonly open: () => number; readonly written: () => number }

async function listening(server: Server): Promise<Hostile> {
  const sockets = new Set<Socket>()
  let written = 0
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      written += socket.bytesWritten
    })
  })
  closing.push(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url: `http${url}`, open: () => sockets.size, written: () => written }
}

/** Says the beginning once it has a request, and then the rest over and over, as fast as it is taken. */
const flood = (beginning: string, rest: Buffer | string) =>
  listening(
    createTcp((socket) => {
      socket.once('data', () => {
        socket.write(beginning)
        const more = () => !socket.destroyed && void socket.write(rest, () => setImmediate(more))
        more()
      })
    }),
  )

/** Says the beginning once it has a request, and then one byte after the other. */
const drip = (beginning: string, byte: string) =>
  listening(
    createTcp((socket) => {
      socket.once('data', () => {
        socket.write(beginning)
        const dripping = setInterval(() => socket.write(byte), 10)
        socket.on('close', () => clearInterval(dripping))
      })
    }),
  )

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const longLine = Buffer.alloc(64 * 1024, 'a')
const answered = { kind: 'answered', status: 200, truncated: true }
const invalid = { kind: 'failed', error: 'invalid_response' }
// Kernel buffers of both ends hold some megabytes that nobody reads.
const fewBytes = 20 * 1024 * 1024

test.each<[string, string, Buffer | string, object]>([
  ['status line', 'HTTP/1.1 200 ', longLine, invalid],
  ['row of empty lines before the answer', '', '\r\n'.repeat(10_000), invalid],
  ['row of interim responses', '', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000), invalid],
  ['header of a megabyte and more', `${ok}x: `, longLine, invalid],
  ['row of headers', ok, 'x: y\r\n'.repeat(1_000), invalid],
  ['body', `${ok}content-length: 10737418240\r\n\r\n`, longLine, answered],
  ['row of chunks', chunked, '1\r\nx\r\n'.repeat(1_000), answered],
  ['size of a chunk', chunked, Buffer.alloc(64 * 1024, '0'), answered],
  ['extension of a chunk', `${chunked}1;`, longLine, answered],
  ['row of trailers', `${chunked}0\r\n`, 'x: y\r\n'.repeat(1_000), answered],
])('an endless %s is cut off', async (_what, beginning, rest, wanted) => {
  const receiver = await flood(beginning, rest)

  expect(await sender(60_000)(receiver.url)).toMatchObject(wanted)

  await eventually(() => receiver.open() === 0, 'the end of the connection')
  expect(receiver.written()).toBeLessThan(fewBytes)
})

const timedOut = { kind: 'failed', error: 'timeout' }

test('whatever a receiver drips byte by byte, it is let go of at the deadline', async () => {
  const drips: [string, string, object][] = [
    ['HTTP/1.1 200 ', 'O', timedOut],
    [`${ok}x: `, 'y', timedOut],
    ['HTTP/1.1 103 Early Hints\r\nx: ', 'y', timedOut],
    [`${ok}\r\n`, '.', answered],
    [chunked, '0', answered],
  ]
  const send = sender(1_500)

  const tried = drips.map(async ([beginning, byte, wanted]) => {
    const receiver = await drip(beginning, byte)
    expect([beginning, await send(receiver.url)]).toMatchObject([beginning, wanted])
    await eventually(() => receiver.open() === 0, 'the end of the connection')
  })

  await Promise.all(tried)
})

test('a gzip bomb is kept as the few bytes that it is', async () => {
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
  const head = `${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
  const receiver = await listening(
    createTcp((socket) => socket.once('data', () => socket.write(head) && socket.write(bomb))),
  )

  const answer = await sender(60_000)(receiver.url)

  expect(answer).toMatchObject({ kind: 'answered', status: 200, truncated: true })
  expect(answer.kind === 'answered' && answer.body.length).toBeLessThanOrEqual(4_096)
})

test('a kept connection that is reset just as the next request comes is one failure, and the next request is not', async () => {
  let [requests, resets] = [0, 0]
  const receiver = await listening(
    createTcp((socket) => {
      let ofThisConnection = 0
      socket.on('data', () => {
        requests++
        if (++ofThisConnection === 1) return socket.write(`${ok}content-length: 2\r\n\r\nok`)
        resets++
        return socket.resetAndDestroy()
      })
    }),
  )
  const send = sender(60_000)
  const answers: unknown[] = []

  // A request may also come about on a connection of its own.
  while (resets < 2 && answers.length < 50) answers.push(await send(receiver.url))

  const failures = answers.filter((answer) => (answer as { kind: string }).kind === 'failed')
  expect(failures).toEqual(Array.from({ length: 2 }, () => ({ kind: 'failed', error: 'connection_closed' })))
  // Nothing was sent a second time behind anybody's back.
  expect(requests).toBe(answers.length)
})

test('what a receiver says between two requests is not taken for the answer to the second', async () => {
  const receiver = await listening(
    createTcp((socket) => {
      socket.on('data', () => socket.write(`${ok}content-length: 2\r\n\r\nok${ok}content-length: 5\r\n\r\nfalse`))
    }),
  )
  const send = sender(60_000)

  for (let n = 0; n < 3; n++) expect(await send(receiver.url)).toMatchObject({ status: 200, body: 'ok' })
})

const authority = certificate('Nobody’s authority', { ip: '127.0.0.1', isAuthority: true })

test.each<[string, TlsOptions]>([
  ['vouches for itself', certificate('self', { ip: '127.0.0.1' })],
  ['nobody knows the authority of', certificate('stranger', { ip: '127.0.0.1', signedBy: authority })],
  ['has expired', certificate('late', { ip: '127.0.0.1', expired: true })],
  ['is of another name', certificate('other', { ip: '127.0.0.2' })],
])('a certificate that %s is refused', async (_what, options) => {
  let bytes = 0
  const { url } = await listening(
    createTls(options, (socket) => socket.on('error', () => {}).on('data', () => bytes++)),
  )

  expect(await sender(60_000)(url.replace('http:', 'https:'))).toEqual({ kind: 'failed', error: 'tls_error' })
  expect(bytes).toBe(0)
})

test('a receiver of TLS 1.1, or one that never ends its handshake, gets nothing', async () => {
  const old = await listening(
    createTls({ ...authority, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
  )
  expect(await sender(60_000)(old.url.replace('http:', 'https:'))).toEqual({ kind: 'failed', error: 'tls_error' })

  const silent = await listening(createTcp(() => {}))
  expect(await sender(200)(silent.url.replace('http:', 'https:'))).toEqual({ kind: 'failed', error: 'timeout' })
})
