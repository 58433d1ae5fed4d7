import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ranges } from '#runtime/ip-address.ts'
import { TargetError } from '../../../dispatcher/attempt/network-errors.ts'
import type { Resolve } from '../../../dispatcher/attempt/dns.ts'
import { openSender, type SenderOptions, sendOnce } from '../../../dispatcher/attempt/send.ts'
import type { Dispatcher } from 'undici'

const loopback = ranges(['127.0.0.0/8'])
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function sender(more: Partial<SenderOptions> = {}) {
  const opened = openSender({
    allowed: loopback,
    allowHttp: true,
    isOwnPort: () => false,
    proxy: null,
    timeoutMs: 500,
    ...more,
  })
  closing.push(opened.close)
  return (url: string, headers: Record<string, string> = {}) => opened.send(url, headers, Buffer.from('{"a":1}'))
}

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  closing.push(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const http = (answer: RequestListener) => listening(createHttp(answer))

/** Counts what arrives, whatever it is. */
async function trap(): Promise<{ url: string; connections: () => number }> {
  let connections = 0
  const url = await listening(createTcp(() => connections++))
  return { url, connections: () => connections }
}

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const before = performance.now()
  return [await work, performance.now() - before]
}

test('the receiver gets the bytes as they are, and its answer comes back', async () => {
  let got = ''
  const url = await http((request, response) => {
    request.on('data', (chunk: Buffer) => (got += chunk.toString()))
    request.on('end', () => response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': 'a=b' }).end('thanks'))
  })
  const answer = await sender()(url, { 'x-service-event': 'e' })
  expect(answer).toMatchObject({
    kind: 'answered',
    status: 201,
    body: 'thanks',
    truncated: false,
    headers: { 'x-answer': 'yes' },
  })
  expect(answer).not.toHaveProperty(['headers', 'set-cookie'])
  expect(got).toBe('{"a":1}')
})

test('a redirect is an answer, not an order', async () => {
  const target = await trap()
  const url = await http((_request, response) => response.writeHead(307, { location: target.url }).end())
  expect(await sender()(url)).toMatchObject({ kind: 'answered', status: 307 })
  expect(target.connections()).toBe(0)
})

test('a receiver that never answers is cut off at the deadline', async () => {
  const url = await http(() => {})
  const [answer, ms] = await timed(sender({ timeoutMs: 200 })(url))
  expect(answer).toEqual({ kind: 'failed', error: 'timeout' })
  expect(ms).toBeLessThan(1_000)
})

test('a body that drips is cut off at the deadline, and the status that came before it counts', async () => {
  const url = await http((_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const [answer, ms] = await timed(sender({ timeoutMs: 300 })(url))
  expect(answer).toMatchObject({ kind: 'answered', status: 200, truncated: true })
  expect(ms).toBeLessThan(1_000)
})

test('of a huge body a little is read and less is kept', async () => {
  let written = 0
  const url = await http((_request, response) => {
    response.writeHead(500)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const more = () => {
      written += chunk.length
      if (!response.destroyed) response.write(chunk, () => setImmediate(more))
    }
    more()
  })
  const [answer, ms] = await timed(sender({ timeoutMs: 5_000 })(url))
  expect(answer).toMatchObject({ kind: 'answered', status: 500, truncated: true, body: 'x'.repeat(4_096) })
  expect(ms).toBeLessThan(2_000)
  expect(written).toBeLessThan(50 * 1024 * 1024)
})

test('a compressed body is not unpacked, and what Postgres cannot hold is replaced', async () => {
  const url = await http((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('a\0b'))
  expect(await sender()(url)).toMatchObject({ body: 'a\uFFFDb', headers: { 'content-encoding': 'gzip' } })
})

test('endless headers are refused', async () => {
  const url = await listening(
    createTcp((socket) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n')
      for (let n = 0; n < 40; n++) socket.write(`x-${n}: ${'y'.repeat(1_000)}\r\n`)
    }),
  )
  expect(await sender()(url)).toEqual({ kind: 'failed', error: 'invalid_response' })
})

test('something that is no HTTP, or hangs up, is a failure with its class', async () => {
  const babble = await listening(
    createTcp((socket) => void socket.on('error', () => {}).once('data', () => socket.end('SSH-2.0-OpenSSH\r\n'))),
  )
  expect(await sender()(babble)).toEqual({ kind: 'failed', error: 'invalid_response' })
  const rude = await listening(createTcp((socket) => socket.destroy()))
  expect(await sender()(rude)).toEqual({ kind: 'failed', error: 'connection_closed' })
  expect(await sender()(rude.replace('http:', 'https:'))).toEqual({ kind: 'failed', error: 'connect_error' })
  const { url } = await trap()
  expect(await sender({ timeoutMs: 300 })(url)).toEqual({ kind: 'failed', error: 'timeout' })
})

/** Answers each request with these bytes, piece by piece, and keeps the connection. */
const wire = (...pieces: readonly string[]) =>
  listening(
    createTcp((socket) => {
      socket.setNoDelay(true).on('error', () => {})
      socket.on('data', () => void say(socket, pieces))
    }),
  )

async function say(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)))
  }
}

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'
const fine = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

test.each([
  ['in one packet', [goOn + fine]],
  ['in two', [goOn, fine]],
  ['byte by byte', (goOn + fine).split('')],
  ['twice', [goOn, goOn + fine]],
  ['after early hints', [hints + goOn + fine]],
  ['as early hints alone', [hints, fine]],
])('a receiver may say 100 Continue unasked, %s, at every request', async (_how, pieces) => {
  const url = await wire(...pieces)
  const send = sender({ timeoutMs: 10_000 })

  for (let n = 0; n < 2; n++) expect(await send(url)).toMatchObject({ kind: 'answered', status: 200, body: 'ok' })
})

test('100 Continue and then nothing is a timeout, and without end it is no answer', async () => {
  expect(await sender({ timeoutMs: 300 })(await wire(goOn))).toEqual({ kind: 'failed', error: 'timeout' })
  const endless = await wire(goOn.repeat(2_000))
  expect(await sender({ timeoutMs: 10_000 })(endless)).toEqual({ kind: 'failed', error: 'invalid_response' })
})

test.each<[string, (socket: Socket) => unknown, string]>([
  ['closes it', (socket) => socket.end(), 'connection_closed'],
  ['resets it', (socket) => socket.resetAndDestroy(), 'connection_closed'],
  ['closes it within the head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'), 'connection_closed'],
  ['closes it after 100 Continue', (socket) => socket.end(goOn), 'connection_closed'],
  ['says two lengths', (socket) => socket.write(fine.replace('\r\n', '\r\ncontent-length: 3\r\n')), 'invalid_response'],
  ['says the status 000', (socket) => socket.write(fine.replace('200', '000')), 'invalid_response'],
  ['speaks another protocol', (socket) => socket.write('SSH-2.0-OpenSSH\r\n'), 'invalid_response'],
  [
    'changes the protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'invalid_response',
  ],
])('a receiver that takes the request and %s is one class of failure', async (_what, answer, error) => {
  const url = await listening(
    createTcp((socket) => void socket.on('error', () => {}).once('data', () => answer(socket))),
  )

  expect(await sender({ timeoutMs: 10_000 })(url)).toEqual({ kind: 'failed', error })
})

test('where nobody listens no connection comes about', async () => {
  const url = await http(() => {})
  for (const close of closing.splice(0)) await close()

  expect(await sender({ timeoutMs: 10_000 })(url)).toEqual({ kind: 'failed', error: 'connect_error' })
})

test('a plain receiver behind an https address is a TLS failure', async () => {
  const url = await http((_request, response) => response.end())
  expect(await sender()(url.replace('http:', 'https:'))).toEqual({ kind: 'failed', error: 'tls_error' })
})

test('a private address is refused without a byte sent, however it is written', async () => {
  const { url, connections } = await trap()
  const { port } = new URL(url)
  const send = sender({ allowed: [] })
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    '169.254.169.254',
    '10.0.0.1',
    '[fd00::1]',
  ]) {
    expect(await send(`http://${host}:${port}/`), host).toEqual({ kind: 'failed', error: 'blocked_address' })
  }
  expect(connections()).toBe(0)
})

test('a name is refused where one of its addresses is private, even if the others are not', async () => {
  const { url, connections } = await trap()
  const { port } = new URL(url)
  const answers: Record<string, string[]> = {
    'inside.test': ['127.0.0.1'],
    'mixed.test': ['93.184.216.34', '127.0.0.1'],
    'mapped.test': ['::ffff:127.0.0.1'],
  }
  const resolve: Resolve = async (name) =>
    (answers[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const send = sender({ allowed: [], resolve })
  for (const name of Object.keys(answers)) {
    expect(await send(`http://${name}:${port}/`), name).toEqual({ kind: 'failed', error: 'blocked_address' })
  }
  expect(await send(`http://unknown.test:${port}/`)).toEqual({ kind: 'failed', error: 'dns_error' })
  expect(connections()).toBe(0)
})

test('a name is looked up once for a connection: what it resolves to later does not matter', async () => {
  const target = await http((_request, response) => response.end())
  let asked = 0
  const resolve: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  const { port } = new URL(target)
  expect(await sender({ resolve })(`http://rebinding.test:${port}/`)).toMatchObject({ status: 200 })
  expect(asked).toBe(1)
})

test('localhost is found where private addresses are allowed, and refused where they are not', async () => {
  const url = await http((_request, response) => response.end())
  const named = url.replace('127.0.0.1', 'localhost')
  expect(await sender({ allowed: ranges(['127.0.0.0/8', '::1/128']) })(named)).toMatchObject({ status: 200 })
  expect(await sender({ allowed: [] })(named)).toMatchObject({ kind: 'failed' })
})

test('a resolver that fails gives dns_error, which names nothing', async () => {
  const resolve: Resolve = async () => Promise.reject(new TargetError('dns_error', 'No answer from 10.0.0.53'))
  expect(await sender({ resolve })('http://somewhere.test/')).toEqual({ kind: 'failed', error: 'dns_error' })
})

test('plain http is sent only where it is allowed; what is no web address never', async () => {
  const { url, connections } = await trap()
  expect(await sender({ allowHttp: false })(url)).toEqual({ kind: 'failed', error: 'invalid_url' })
  for (const wrong of [
    '',
    'nowhere',
    'ftp://127.0.0.1/',
    'http://user:pass@127.0.0.1/',
    'file:///etc/passwd',
    'https://',
  ]) {
    expect(await sender()(wrong), wrong).toEqual({ kind: 'failed', error: 'invalid_url' })
  }
  expect(connections()).toBe(0)
})

test('nothing is sent to a port of another protocol, whatever was stored', async () => {
  for (const port of [0, 22, 25, 5432, 6379, 9200]) {
    expect(await sender()(`http://127.0.0.1:${port}/`), String(port)).toEqual({ kind: 'failed', error: 'invalid_url' })
  }
})

test('what opened a connection is charged to the first request on it, and to no other', async () => {
  let connections = 0
  const server = createHttp((_request, response) => response.end())
  server.on('connection', () => connections++)
  const url = await listening(server)
  const send = sender({ timeoutMs: 10_000 })

  const opened: (number | null)[] = []
  for (let n = 0; n < 10; n++) {
    const answer = await send(url)
    expect(answer).toMatchObject({ timings: { dns: null, tls: null, firstByte: expect.any(Number) } })
    if (answer.kind === 'answered') opened.push(answer.timings.connect)
  }

  expect(opened).toHaveLength(10)
  expect(opened.filter((connect) => connect !== null)).toHaveLength(connections)
})

test('a name is looked up in a time of its own', async () => {
  const url = await http((_request, response) => response.end())
  const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]

  const answer = await sender({ resolve, timeoutMs: 10_000 })(url.replace('127.0.0.1', 'receiver.example'))

  expect(answer).toMatchObject({ timings: { dns: expect.any(Number), connect: expect.any(Number), tls: null } })
})

test('requests that are on their way at once keep their times apart', async () => {
  const url = await http((_request, response) => response.end())
  const send = sender({ timeoutMs: 10_000 })

  const answers = await Promise.all(Array.from({ length: 10 }, () => send(url)))

  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 200,
      timings: { connect: expect.any(Number), firstByte: expect.any(Number) },
    })
  }
})

test('nothing is sent to a port of this process on an address of its own, whatever the operator allows', async () => {
  const { url, connections } = await trap()
  const { port } = new URL(url)
  const here: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const send = sender({
    allowed: ranges(['0.0.0.0/0', '::/0']),
    resolve: here,
    isOwnPort: (candidate) => candidate === Number(port),
  })

  for (const host of ['127.0.0.1', '127.1.2.3', '0.0.0.0', '[::1]', '[::]', 'localhost', 'receiver.example'])
    expect(await send(`http://${host}:${port}/`), host).toEqual({ kind: 'failed', error: 'blocked_address' })
  expect(connections()).toBe(0)

  const elsewhere = await http((_request, response) => response.end())
  expect(await send(elsewhere)).toMatchObject({ status: 200 })
})

// What a receiver cannot bring about at a chosen moment; all else is tested over the wire (send.test.ts).

const post = { url: new URL('http://127.0.0.1:1/hook?a=b'), headers: { 'x-a': 'b' }, body: Buffer.from('{}') }

/** Takes a request and does nothing by itself. */
function given() {
  const asked: { readonly options: Dispatcher.DispatchOptions; readonly handler: Dispatcher.DispatchHandler }[] = []
  const dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
    asked.push({ options, handler }) > 0
  return { agent: { dispatch } as unknown as Dispatcher, asked }
}

/** Fails the request, as undici does when it is aborted. */
function controllerOf(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchController {
  const abort = (reason: Error) => handler.onResponseError?.(controller, reason)
  const controller = { abort } as unknown as Dispatcher.DispatchController
  return controller
}

test('the path goes with its query, the body as it is', () => {
  const { agent, asked } = given()
  void sendOnce(agent, post, 60_000).catch(() => {})
  expect(asked[0]?.options).toEqual({
    origin: 'http://127.0.0.1:1',
    path: '/hook?a=b',
    method: 'POST',
    headers: post.headers,
    body: post.body,
  })
  asked[0]?.handler.onResponseError?.(controllerOf(asked[0].handler), new Error('over'))
})

test('a request whose connection comes about after the deadline is not sent', async () => {
  const { agent, asked } = given()
  const answer = sendOnce(agent, post, 10)
  await new Promise((resolve) => setTimeout(resolve, 30))
  const handler = asked[0]?.handler ?? {}

  handler.onRequestStart?.(controllerOf(handler), {})

  await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a request that undici refuses is a failure', async () => {
  const refusing = {
    dispatch: (_options: unknown, handler: Dispatcher.DispatchHandler) => {
      handler.onResponseError?.(controllerOf(handler), new Error('refused'))
      return false
    },
  } as unknown as Dispatcher
  await expect(sendOnce(refusing, post, 60_000)).rejects.toThrow('refused')
})
