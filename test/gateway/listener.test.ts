// Requests as bytes, smuggled, doubled, cut, slow: each is answered, and the next good one is served.
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { edgeOfFile, startEdge } from './support/edge.ts'
import { openWire, type Wire } from './support/wire.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'

const { edge, token } = edgeOfFile({ timeouts: { requestMs: 10_000 } })

const me = 'GET /api/v1/me HTTP/1.1'
const lines = (...parts: string[]): string => parts.join('\r\n')
const head = (line: string, ...more: string[]): string =>
  lines(line, 'host: gateway', `authorization: Bearer ${token}`, ...more, '', '')
const post = (framing: string | string[], body = '{}'): string =>
  head('POST /api/v1/projects HTTP/1.1', 'content-type: application/json', ...[framing].flat()) + body
const inChunks = (body: string): string => post('transfer-encoding: chunked', body)
const chunked = '2\r\n{}\r\n0\r\n\r\n'
const good = (): string => head(me)
const tooLarge = 'a'.repeat(apiBodyBytesMax + 1)
const lengthOf = (body: string): string => `content-length: ${body.length}`
const manyChunks = `10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(17)

/** Sends bytes as they are: a character of the text is a byte. */
const sendBytes = ({ socket }: Wire, text: string): void => void socket.write(Buffer.from(text, 'latin1'))

/** Waits for so many whole answers, or for the end of the connection; returns `<status> <code>` of each. */
async function answers(wire: Wire, count: number): Promise<string[]> {
  await eventually(() => wire.closed() || wholeAnswers(wire.heard()).length >= count, `${count} answers`)
  return wholeAnswers(wire.heard()).map(told)
}

type Whole = { readonly status: string; readonly head: string; readonly body: string }
function wholeAnswers(text: string): Whole[] {
  const found = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n/.exec(text)
  if (found === null) return []
  const [head, status = ''] = found
  if (status === '100') return wholeAnswers(text.slice(head.length))
  const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0)
  const body = text.slice(head.length, head.length + length)
  return body.length < length ? [] : [{ status, head, body }, ...wholeAnswers(text.slice(head.length + length))]
}

/** Each answer says that it is no page and may not be kept, and each refusal is a problem. */
function told({ status, head, body }: Whole): string {
  const headers = head.toLowerCase().split('\r\n')
  const always = ['x-content-type-options: nosniff', 'cache-control: no-store']
  expect(headers).toEqual(expect.arrayContaining(always))
  if (status === '200') return status
  const { code, requestId, ...problem } = JSON.parse(body)
  const type = expect.stringMatching(/^content-type: application\/problem\+json/)
  expect(headers).toEqual(expect.arrayContaining([type, `x-request-id: ${requestId}`]))
  expect(problem).toMatchObject({
    status: Number(status),
    title: expect.any(String),
    type: expect.stringContaining(code),
  })
  return `${status} ${code}`
}

/** Sends the bytes, expects these answers, then sends a good request, over the same connection where it is open. */
async function expectAnswers(bytes: string, expected: string[], after: 'open' | 'closed'): Promise<void> {
  edge.service.calls.splice(0)
  const wire = await openWire(edge.gateway.port)
  sendBytes(wire, bytes)
  expect(await answers(wire, expected.length)).toEqual(expected)
  expect(edge.service.calls).toHaveLength(expected.filter((answer) => answer === '200').length)
  if (after === 'closed') await eventually(() => wire.closed(), 'the connection ends')
  const next = after === 'open' ? wire : await openWire(edge.gateway.port)
  const before = wholeAnswers(next.heard()).length
  sendBytes(next, good())
  expect((await answers(next, before + 1)).at(-1)).toBe('200')
  wire.socket.destroy()
  next.socket.destroy()
}

describe('a message that can be read in two ways is no HTTP, and ends the connection', () => {
  test.each<readonly [string, () => string]>([
    ['a length and chunks', () => post(['content-length: 4', 'transfer-encoding: chunked'], '0\r\n\r\n')],
    ['two lengths that differ', () => post(['content-length: 2', 'content-length: 3'], '{}x')],
    ['two lengths that agree', () => post(['content-length: 2', 'content-length: 2'])],
    ['a length with a sign', () => post('content-length: +2')],
    ['a coding after the chunks', () => post('transfer-encoding: chunked, gzip', chunked)],
    ['chunks twice', () => post(['transfer-encoding: chunked', 'transfer-encoding: chunked'], chunked)],
    ['a control character before the coding', () => post('transfer-encoding: \x0bchunked', chunked)],
    ['a space before the colon of the coding', () => post('transfer-encoding : chunked', chunked)],
    ['a folded header', () => head(me, 'x-a: 1', ' 2')],
    ['bare line feeds', () => good().replaceAll('\r\n', '\n')],
    ['a bare carriage return', () => head(me, 'x-a: 1\rx-b: 2')],
    ['a NUL in a value', () => head(me, 'x-a: a\0b')],
    ['a target that is not ASCII', () => head('GET /api/v1/\xe9 HTTP/1.1')],
    ['a space in the target', () => head('GET /api/v1/me x HTTP/1.1')],
    ['version 1.2', () => head('GET /api/v1/me HTTP/1.2')],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', () => head('FROB /api/v1/me HTTP/1.1')],
    ['CONNECT', () => head('CONNECT gateway:80 HTTP/1.1')],
    ['a chunk with a long extension', () => inChunks(`2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)],
    ['an extension that ends in a line feed', () => inChunks('2;\n{}\r\n0\r\n\r\n')],
    ['a chunk of size 0x2', () => inChunks('0x2\r\n{}\r\n0\r\n\r\n')],
    ['a chunk whose size no number holds', () => inChunks('fffffffffffffffff\r\n{}\r\n0\r\n\r\n')],
    ['a chunk that is longer than it says', () => inChunks('2\r\n{}0\r\n\r\n')],
    ['chunks with bare line feeds', () => inChunks('2\n{}\n0\n\n')],
    ['a length among the trailers', () => inChunks('2\r\n{}\r\n0\r\ncontent-length: 5\r\n\r\n')],
  ])('%s', (_name, bytes) => expectAnswers(bytes(), ['400 invalid_http'], 'closed'))

  test.each<readonly [string, () => string]>([
    ['an unknown coding', () => post('transfer-encoding: xchunked', chunked)],
    ['the coding identity', () => post('transfer-encoding: identity')],
    ['a quoted coding', () => post('transfer-encoding: "chunked"', chunked)],
  ])('%s, which is named in the answer', (_name, bytes) => expectAnswers(bytes(), ['400 invalid_header'], 'closed'))
})

describe('what is too long is refused without reading on', () => {
  test.each<readonly [string, () => string]>([
    ['a URL', () => head(`GET /api/v1/projects?x=${'a'.repeat(20_000)} HTTP/1.1`)],
    ['one header', () => head(me, `x-a: ${'a'.repeat(20_000)}`)],
    ['many headers', () => head(me, ...Array.from({ length: 3_000 }, (_, at) => `a${at}: 1`))],
    ['trailers', () => inChunks(`2\r\n{}\r\n0\r\nx-t: ${'a'.repeat(20_000)}\r\n\r\n`)],
  ])('%s', (_name, bytes) => expectAnswers(bytes(), ['431 headers_too_large'], 'closed'))
})

describe('a request that HTTP knows and the gateway does not take leaves the connection open', () => {
  const inside = (...segments: string[]) => segments.map((segment) => `/api/v1/projects/${segment}`)
  const climbing = inside('..', '.%2E', '.', '%2e', '..%2fme', 'a%2F%2e%2e%2fb', '..%5cme', '..\\me')
  const dots = ['/api/v1/../v1/me', '/api/v1/%2e%2e/v1/me', ...climbing]
  const fragments = ['/api/v1/me#x', '/api/v1/me?x#y']
  const badCodes = inside('%zz', '%', '%ff%fe', '%c0%ae%c0%ae', '%00', 'a%0d%0ax-internal-principal:%201', '<a>')
  test.each<readonly [string, string, () => string]>([
    ['no Host', '400 invalid_header', () => lines(me, `authorization: Bearer ${token}`, '', '')],
    ['an empty Host', '400 invalid_header', () => lines(me, 'host:', `authorization: Bearer ${token}`, '', '')],
    ['a Host that is none', '400 invalid_header', () => lines(me, 'host: a b/c@d', '', '')],
    ['two Hosts', '400 invalid_header', () => head(me, 'host: other')],
    ['two Authorizations', '400 invalid_header', () => head(me, 'authorization: Bearer x')],
    ['two Content-Types', '400 invalid_header', () => post(['content-length: 2', 'content-type: text/plain'])],
    ['a coding before the chunks', '400 invalid_header', () => post('transfer-encoding: gzip, chunked', chunked)],
    ['absolute form', '404 route_not_found', () => head('GET http://gateway/api/v1/me HTTP/1.1')],
    ['an asterisk', '404 route_not_found', () => head('OPTIONS * HTTP/1.1')],
    ['an empty segment', '404 route_not_found', () => head('GET /api//v1/me HTTP/1.1')],
    ['an encoded slash for a slash', '404 route_not_found', () => head('GET /api%2fv1/me HTTP/1.1')],
    ...[...dots, ...fragments, ...badCodes, `/api/v1/projects/${'a'.repeat(9_000)}`].map(
      (target) => [target.slice(0, 40), '400 invalid_parameter', () => head(`GET ${target} HTTP/1.1`)] as const,
    ),
    ['TRACE', '405 method_not_allowed', () => head('TRACE /api/v1/me HTTP/1.1')],
    ['a body without a type', '415 unsupported_media_type', () => `${head(me, 'content-length: 4')}abcd`],
    ['an unknown expectation', '417 expectation_failed', () => post(['content-length: 2', 'expect: 200-ok'])],
    ['too large a body by its length', '413 body_too_large', () => post(lengthOf(tooLarge), tooLarge)],
    ['too large a body in chunks', '413 body_too_large', () => inChunks(`${manyChunks}0\r\n\r\n`)],
  ])('%s: %s', (_name, answer, bytes) => expectAnswers(bytes(), [answer], 'open'))
})

describe('what is odd and allowed is served once, and says nothing of the caller that the gateway has not found out', () => {
  test.each<readonly [string, () => string]>([
    ['empty lines before the request', () => `\r\n\r\n${good()}`],
    ['a coding in capitals', () => post('Transfer-Encoding: CHUNKED', chunked)],
    ['trailers', () => inChunks('2\r\n{}\r\n0\r\nauthorization: Bearer x\r\nx-internal-principal: y\r\n\r\n')],
    ['a value that is not ASCII', () => head(me, 'x-a: \xe9\xff')],
    ['Expect: 100-continue', () => post(['content-length: 2', 'expect: 100-continue'])],
    ['an upgrade to h2c', () => head(me, 'connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AA')],
    ['Connection names what identifies', () => head(me, 'connection: x-internal-principal, host, authorization')],
    ['a forged principal', () => head(me, 'x-internal-principal: e30.e30')],
    ['a long query', () => head(`GET /api/v1/projects?x=${'a'.repeat(12_000)} HTTP/1.1`)],
    ['a query with bad percent codes', () => head('GET /api/v1/me?x=%zz HTTP/1.1')],
  ])('%s', async (_name, bytes) => {
    await expectAnswers(bytes(), ['200'], 'open')

    const forbidden = /^(?:upgrade|http2-.*|trailer|te|expect|authorization)$/
    for (const { principal, headers } of edge.service.calls) {
      expect(principal).toMatchObject({ kind: 'api_key', clientAddress: '127.0.0.1' })
      expect(Object.keys(headers).filter((name) => forbidden.test(name))).toEqual([])
    }
  })

  const withoutHost = () => lines('GET /api/v1/me HTTP/1.0', `authorization: Bearer ${token}`, '', '')
  const chunkedIn10 = () => inChunks(chunked).replace('HTTP/1.1', 'HTTP/1.0')
  test.each<readonly [string, string, () => string]>([
    ['HTTP/1.0', '200', () => head('GET /api/v1/me HTTP/1.0')],
    ['HTTP/1.0 without a Host', '200', withoutHost],
    ['HTTP/1.0 with chunks', '400 invalid_header', chunkedIn10],
  ])('%s is answered %s, and ends the connection', (_name, answer, bytes) => expectAnswers(bytes(), [answer], 'closed'))
})

describe('several requests at once', () => {
  test('are answered in their order', async () => {
    edge.service.respond = (request, response) =>
      void setTimeout(() => response.end('{}'), request.url === '/api/v1/me' ? 50 : 0)

    await expectAnswers(good() + head('GET /nowhere HTTP/1.1') + good(), ['200', '404 route_not_found', '200'], 'open')
  })

  test('one that is no HTTP is refused after those before it were answered', async () => {
    edge.service.respond = (_request, response) => void setTimeout(() => response.end('{}'), 50)

    await expectAnswers(good() + good() + head(me, 'x-a : 1') + good(), ['200', '200', '400 invalid_http'], 'closed')
  })

  test('what follows a body is a request of its own, with no rights of the one before', async () => {
    const next = lines(me, 'host: gateway', '', '')

    await expectAnswers(post('content-length: 2') + next, ['200', '401 missing_credentials'], 'open')
  })
})

test('whatever comes too slowly is answered 408 and ends its connection; those that wait hold up nobody', async () => {
  await using slow = await startEdge({ timeouts: { requestMs: 600 } })
  const { token: own } = slow.service.key()
  const asOwn = (text: string): string => text.replaceAll(token, own)
  const [head, full] = [good().slice(0, -2), 'GET /api/v1/me\r\n']
  const heads = ['', 'GE', 'GET /api/v1/me HTTP/1.1\r\nhost: g', head, full]
  const bodies = [post('content-length: 50', '{'), post('content-length: 100000', '{')]
  const chunks = ['2\r\n{', '7fffffffffffffff\r\n{}', '2\r\n{}\r\n0\r\nx-t: 1'].map(inChunks)
  const unfinished = [...heads, ...bodies, ...chunks]

  const wires = await Promise.all(unfinished.map(() => openWire(slow.gateway.port)))
  wires.forEach((wire, at) => sendBytes(wire, asOwn(unfinished[at]!)))
  expect((await slow.call('GET', '/api/v1/me', { token: own })).status).toBe(200)
  const heard = await Promise.all(wires.map((wire) => answers(wire, 1)))

  expect(heard).toEqual(unfinished.map(() => ['408 request_timeout']))
  await eventually(() => wires.every((wire) => wire.closed()), 'all connections end')
  expect((await slow.call('GET', '/api/v1/me', { token: own })).status).toBe(200)
})
