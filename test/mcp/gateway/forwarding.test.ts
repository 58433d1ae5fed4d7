// POST /api/mcp: what reaches the service of a call, and the caller of its answer.
import { expect, test } from 'vitest'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { eventually } from '../../support/eventually.ts'
import { edgeOfFile } from '../../gateway/support/edge.ts'
import { workspaceA } from '../../gateway/support/service.ts'
import { openWire } from '../../gateway/support/wire.ts'
import { ping, request } from '../support/messages.ts'

const timeouts = { connectMs: 500, headersMs: 900, bodyMs: 900, requestMs: 30_000 }
const { edge, token } = edgeOfFile({ timeouts })
const wireOpened = () => openWire(edge.gateway.port)
const post = (body: unknown) => edge.call('POST', '/api/mcp', { token, body })

const posted = (body: NonNullable<RequestInit['body']>, headers: object = {}, more: object = {}) => {
  const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }
  return fetch(`${edge.gateway.url}/api/mcp`, { method: 'POST', body, headers: all, ...more })
}

const headOf = (line: string, key = token): string =>
  ['POST /api/mcp HTTP/1.1', 'host: localhost', `authorization: Bearer ${key}`, 'content-type: application/json']
    .concat(line, '', '')
    .join('\r\n')
const bytesOf = (body: unknown): string => {
  const text = JSON.stringify(body)
  return headOf(`content-length: ${text.length}`) + text
}
const chunked = 'transfer-encoding: chunked'

const ofProtocol = {
  ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping', 'mcp-name': 'x', 'mcp-param-region': 'eu' },
  ...{ 'x-mcp-readonly': 'true', 'x-mcp-toolsets': 'tasks', 'x-mcp-tool-names': 'underscore' },
  ...{ 'mcp-session-id': 's1', 'last-event-id': '4', accept: 'application/json, text/event-stream' },
  traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
}

test('the very bytes that were checked reach the service, with the principal and what the protocol says in headers, without what is the caller’s own', async () => {
  const text = `  {"jsonrpc":"2.0", "id":1,\n"method":"ping","x":"ä"}`
  const headers = { ...ofProtocol, te: 'trailers', cookie: 'a=b' }

  const answer = await edge.call('POST', `/api/mcp?workspaceId=${workspaceA}`, { token, body: text, headers })

  expect([answer.status, answer.body]).toEqual([200, { ok: true }])
  const { body, url, headers: arrived, principal } = edge.service.calls[0]!
  expect([body, url, arrived['content-length']]).toEqual([text, '/api/mcp', '53'])
  expect(arrived).toMatchObject(ofProtocol)
  expect([arrived.authorization, arrived.cookie, arrived['te']]).toEqual([undefined, undefined, undefined])
  expect(principal).toMatchObject({ kind: 'api_key', surface: 'mcp', workspaceId: workspaceA })
  expect(answer.headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/)
  expect(answer.headers.get('x-request-id')).toBe(principal?.requestId)
})

test('who calls is signed when the call is sent on, however long its body took', async () => {
  const wire = await wireOpened()
  const key = edge.service.key()
  const asked = edge.service.asked.length
  wire.send(`${headOf('content-length: 8', key.token)}{"id`)
  await eventually(() => edge.service.asked.length > asked, 'the key to be checked')

  const at = Date.now()
  wire.send('":1}')
  await wire.hear('{"ok":true}')

  expect(edge.service.calls[0]?.signedAt).toBeGreaterThanOrEqual(at)
})

test('a body over the limit is refused with 413, declared or in chunks, and the connection lives on', async () => {
  const wire = await wireOpened()
  wire.send(headOf(`content-length: ${mcpBodyBytesMax + 1}`))
  await wire.hear('"limitBytes":524288')
  wire.send('a'.repeat(mcpBodyBytesMax + 1))
  wire.send(headOf(chunked) + `10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(9))
  expect(await wire.hear('"limitBytes":524288')).toContain('HTTP/1.1 413')
  wire.send(`0\r\n\r\n${bytesOf({})}`)
  await wire.hear('{"ok":true}')

  expect(edge.service.calls).toHaveLength(1)
})

test('a body of just the limit is taken, declared or in chunks', async () => {
  const padded = (padding: string) => JSON.stringify({ ...ping, params: { padding } })
  const exact = padded('a'.repeat(mcpBodyBytesMax - padded('').length))
  const inChunks = new Blob([exact.slice(0, 1_000), exact.slice(1_000)]).stream()

  const answers = [await posted(exact), await posted(inChunks, {}, { duplex: 'half' })]

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  for (const { body, headers } of edge.service.calls) {
    expect(body === exact).toBe(true)
    expect([headers['content-length'], headers['transfer-encoding']]).toEqual([String(mcpBodyBytesMax), undefined])
  }
})

test.each<[string, unknown, string | null]>([
  ['a single call, before any of the answer,', ping, null],
  ['a batch', [ping, { ...ping, id: 8 }], null],
  ['a handshake', request('initialize'), null],
  ['a stream', request('subscriptions/listen'), null],
  ['a call, in the middle of its answer,', ping, ': here'],
])('a caller that leaves %s ends the call to the service at once', async (_what, body, heard) => {
  edge.service.respond = (_request, response) =>
    void (heard && response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${heard}\n\n`))
  const wire = await wireOpened()
  wire.send(bytesOf(body))
  await eventually(() => edge.service.calls.length === 1, 'the call arrives')
  if (heard !== null) await wire.hear(heard)

  wire.socket.destroy()

  await eventually(() => edge.service.cancelled === 1, 'the call to the service ends', 700)
})

test('an event stream passes as it comes, with the headers of the protocol and without hop-by-hop headers', async () => {
  const stream = Promise.withResolvers<void>()
  const told = { 'mcp-session-id': 's1', 'x-accel-buffering': 'no', 'content-type': 'text/event-stream' }
  const hop = { connection: 'x-hop', 'x-hop': '1', 'x-internal-a': '1' }
  edge.service.respond = (_request, response) => {
    response.writeHead(200, { ...told, ...hop }).write('data: 1\n\n')
    void stream.promise.then(() => response.end('data: 2\n\n'))
  }

  const { body, headers } = await posted(JSON.stringify(ping))
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()

  expect((await reader.read()).value).toBe('data: 1\n\n')
  stream.resolve()
  expect((await reader.read()).value).toBe('data: 2\n\n')
  expect(Object.fromEntries(headers)).toMatchObject(told)
  expect([headers.get('x-hop'), headers.get('x-internal-a')]).toEqual([null, null])
})

test('connections to the service are used again', async () => {
  const ports = new Set<number | undefined>()
  edge.service.respond = ({ socket }, response) => {
    ports.add(socket.remotePort)
    response.end('{}')
  }

  await post(ping)
  ports.clear()
  for (let calls = 0; calls < 20; calls++) expect((await post(ping)).status).toBe(200)

  expect(ports.size).toBe(1)
})

test('a service that is late or breaks off is answered with the id', async () => {
  edge.service.respond = () => {}
  const late = await post(ping)
  edge.service.respond = (call) => void call.socket.destroy()
  const broken = await post(ping)
  edge.service.respond = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{')
    setImmediate(() => response.destroy())
  }
  await expect(post(ping)).rejects.toThrow()

  expect(late).toMatchObject({ status: 504, body: { id: 7, error: { code: -32_603, data: { code: 'timeout' } } } })
  expect(broken).toMatchObject({ status: 502, body: { id: 7, error: { data: { code: 'upstream_error' } } } })
})
