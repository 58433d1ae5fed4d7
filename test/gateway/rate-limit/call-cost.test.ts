// What a large body takes of the rate limit: so many calls as it has parts of 64 KiB, before it is read.
import { expect, test } from 'vitest'
import { apiBodyBytesMax } from '#contract/operation.ts'
import { documentBodyBytesMax } from '#contract/documents.ts'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { bodyBytesPerCall, keyRate } from '#contract/rate-limits.ts'
import { memoryRateLimiter, type Rates } from '../../../gateway/rate-limit/limiter.ts'
import { declaredTokens, tokensFor, batchItemsIn } from '../../../gateway/rate-limit/call-cost.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'
import { subjectIn } from '../support/rate-subject.ts'
import { workspaceA } from '../support/service.ts'
import { openWire } from '../support/wire.ts'

/** Next to nothing comes back while a test runs. */
const atOnce = (key: number, workspace = 1_000): Rates => ({
  key: { perMinute: 1, burst: key },
  workspace: { perMinute: 1, burst: workspace },
})
const path = '/api/v1/projects'
const left = ({ headers }: { headers: Headers }) => Number(/"key";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
/** All but its end. */
const batchOf = (items: number) => `{"items":[${Array(items).fill('{"action":"create"}').join()}]`
/** A JSON object of exactly so many bytes. */
const sized = (bytes: number, start = '{') => `${start}${' '.repeat(bytes - start.length - 1)}}`

test.each([
  [0, 1],
  [1, 1],
  [bodyBytesPerCall, 1],
  [bodyBytesPerCall + 1, 2],
  [apiBodyBytesMax, 16],
])('a body of %i bytes takes %i tokens', (bytes, tokens) => {
  expect(tokensFor(bytes)).toBe(tokens)
  expect(declaredTokens({ 'content-length': String(bytes) }, apiBodyBytesMax)).toBe(tokens)
})

test('the longest document fits into what a key may send at once', () => {
  expect(tokensFor(documentBodyBytesMax)).toBeLessThanOrEqual(keyRate.burst)
})

test('a body takes from both buckets as it is long', async () => {
  const limits = memoryRateLimiter(atOnce(20, 30))
  await using edge = await startEdge({ rateLimiter: limits })
  const { token, record } = edge.service.key()

  const small = await edge.call('POST', path, { token, body: sized(bodyBytesPerCall) })
  const large = await edge.call('POST', path, { token, body: sized(bodyBytesPerCall * 4 + 1) })

  expect([small.status, left(small), large.status, left(large)]).toEqual([200, 19, 200, 14])
  const { quota } = await limits.consume(subjectIn(limits, { keyId: record.id, workspaceId: workspaceA }), 1)
  expect(quota.workspace?.remaining).toBe(23)
})

test('in the usage of a key it is one request, however large', async () => {
  const edge = await startEdge()
  const { token } = edge.service.key()

  await edge.call('POST', path, { token, body: sized(bodyBytesPerCall * 4) })
  await edge.gateway.close()

  expect(edge.service.usage.map(({ requests }) => requests)).toEqual([1])
  await edge.service.close()
})

test('one that does not fit is refused before it is read, and takes nothing', async () => {
  await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atOnce(16)) })
  const { token } = edge.service.key()
  await edge.call('GET', path, { token })
  const wire = await openWire(edge.gateway.port)

  wire.send(
    `POST ${path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${apiBodyBytesMax}\r\n\r\n`,
  )

  expect(await wire.hear('"code":"rate_limited"')).toMatch(/^HTTP\/1\.1 429 [^]*ratelimit: "key";r=15;/)
  wire.socket.destroy()
  expect(left(await edge.call('GET', path, { token }))).toBe(14)
  expect(edge.service.calls).toHaveLength(2)
})

test('a longer one than is permitted is refused for that, however long, and takes what the longest takes', async () => {
  await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atOnce(20)) })
  const { token } = edge.service.key()
  const wire = await openWire(edge.gateway.port)

  wire.send(
    `POST ${path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 999999999999\r\n\r\n`,
  )

  expect(await wire.hear('"code":"body_too_large"')).toMatch(/^HTTP\/1\.1 413 [^]*ratelimit: "key";r=4;/)
  wire.socket.destroy()
})

test('one of unknown length counts as one call while it is small, as the longest while it comes, and in the end as it is', async () => {
  const limits = memoryRateLimiter(atOnce(18))
  await using edge = await startEdge({ rateLimiter: limits })
  const { token, record } = edge.service.key()
  const remaining = async () =>
    (await limits.consume(subjectIn(limits, { keyId: record.id, workspaceId: workspaceA }), 0)).quota.key.remaining
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const open = async () => {
    const wire = await openWire(edge.gateway.port)
    wire.send(
      `POST ${path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    )
    return wire
  }
  const small = await open()
  small.send(chunk(sized(bodyBytesPerCall)) + chunk(''))
  await small.hear('{"ok":true}')
  expect(await remaining()).toBe(17)

  const large = await open()
  large.send(chunk(`{${' '.repeat(bodyBytesPerCall)}`))
  await eventually(async () => (await remaining()) === 1, 'it counts as the longest')
  const another = await open()
  another.send(chunk(`{${' '.repeat(bodyBytesPerCall)}`))
  expect(await another.hear('"code":"rate_limited"')).toContain('429')
  expect(await remaining()).toBe(1)
  // Its body never ends, which the gateway would wait for when it stops.
  another.socket.destroy()
  large.send(chunk('}') + chunk(''))

  await large.hear('{"ok":true}')
  await eventually(async () => (await remaining()) === 15, 'it counts as what it is')
  expect(edge.service.calls).toHaveLength(2)
})

test.each([
  ['few items in many bytes', 3, bodyBytesPerCall * 5, 5],
  ['many items in few bytes', 7, 1_000, 7],
  ['many items in many bytes', 7, bodyBytesPerCall * 5, 7],
])('a batch of %s takes the larger of the two', async (_how, items, bytes, tokens) => {
  await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atOnce(20)) })
  const { token } = edge.service.key()
  const body = sized(bytes, batchOf(items))

  const answer = await edge.call('POST', '/api/v1/projects/batch', { token, body })

  expect([answer.status, left(answer)]).toEqual([200, 20 - tokens])
})

test('a large batch that does not fit once its items are known gives back all that was taken', async () => {
  await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atOnce(7)) })
  const { token } = edge.service.key()
  await edge.call('GET', path, { token })
  const body = sized(bodyBytesPerCall * 5, batchOf(7))

  const answer = await edge.call('POST', '/api/v1/projects/batch', { token, body })

  expect([answer.status, left(answer), edge.service.calls.length]).toEqual([429, 6, 1])
})

test.each([
  ['a call', (bytes: number) => sized(bytes, '{"jsonrpc":"2.0","id":1,"method":"ping"'), bodyBytesPerCall * 3, 200, 3],
  ['what cannot be read', (bytes: number) => sized(bytes, '{'.repeat(2)), bodyBytesPerCall * 3, 400, 3],
  ['what is too long', (bytes: number) => sized(bytes), mcpBodyBytesMax + 1, 413, 1],
])('over MCP the same holds for %s', async (_what, body, bytes, status, tokens) => {
  await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atOnce(20)) })
  const { token } = edge.service.key()

  const answer = await edge.call('POST', '/api/mcp', { token, body: body(bytes) })

  expect([answer.status, left(answer)]).toEqual([status, status === 413 ? NaN : 20 - tokens])
})

test.each([
  ['a batch', '/api/v1/projects/batch', `${batchOf(7)}}`],
  ['a large body', path, sized(bodyBytesPerCall * 7)],
])('%s that counts as more than there can ever be is refused for that, and costs nothing', async (_what, to, body) => {
  await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atOnce(6)) })
  const { token } = edge.service.key()

  const answer = await edge.call('POST', to, { token, body })

  expect([answer.status, answer.body.code, answer.body.limit]).toEqual([413, 'too_many_items', 6])
  expect([left(answer), answer.headers.get('retry-after'), edge.service.calls.length]).toEqual([6, null, 0])
})

const countOf = (text: string) => batchItemsIn(Buffer.from(text))

test('a batch counts as so many calls as it has items', () => {
  expect([countOf('{"items":[1]}'), countOf('{"items":[{},{},[1,2]],"atomic":true}')]).toEqual([1, 3])
})

test('one with more than a batch may have counts as the largest', () => {
  expect(countOf(JSON.stringify({ items: Array.from({ length: 101 }, () => 0) }))).toBe(100)
})

test.each(['', '{', 'null', '7', '[1,2]', '{}', '{"items":[]}', '{"items":{"length":9}}', '{"items":"abc"}'])(
  '%s counts as one call',
  (text) => {
    expect(countOf(text)).toBe(1)
  },
)
