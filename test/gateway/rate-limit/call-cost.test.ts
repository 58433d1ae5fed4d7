// What a call takes of the rate limit: by the bytes and items of its body, and by the time of the database.
import { describe, expect, test } from 'vitest'
import { documentBodyBytesMax } from '#contract/documents.ts'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'
import * as price from '#contract/rate-limits.ts'
import { memoryRateLimiter, standardPrice } from '../../../gateway/rate-limit/limiter.ts'
import { declaredTokens, tokensFor, batchItemsIn } from '../../../gateway/rate-limit/call-cost.ts'
import { memoryBuckets, overdraftMax } from '../../../gateway/rate-limit/token-bucket.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'
import { atOnce, leftOfKey, subjectIn } from '../support/rate-subject.ts'
import { answerWith, workspaceA } from '../support/service.ts'
import { openWire, requestText } from '../support/wire.ts'

const { bodyBytesPerCall, databaseCallsMax, databaseMsPerCall } = price
const path = '/api/v1/projects'
const batchPath = '/api/v1/projects/batch'
/** All but its end. */
const batchOf = (items: number) => `{"items":[${Array(items).fill('{"action":"create"}').join()}]`
const wholeBatchOf = (items: number) => `${batchOf(items)}}`
/** A JSON object of exactly so many bytes. */
const sized = (bytes: number, start = '{') => `${start}${' '.repeat(bytes - start.length - 1)}}`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** A gateway with these rates, and a key whose tokens can be looked at. */
async function given(rates: Parameters<typeof memoryRateLimiter>[0], price?: typeof standardPrice) {
  const limits = memoryRateLimiter(rates, price)
  const edge = await startEdge({ rateLimiter: limits })
  const { token, record } = edge.service.key()
  const remaining = async () => {
    const { quota } = await limits.consume(subjectIn(limits, { keyId: record.id, workspaceId: workspaceA }), 0)
    return [quota.key.remaining, quota.workspace?.remaining]
  }
  const post = (to: string, body: string) => edge.call('POST', to, { token, body })
  const open = (to: string, headers: string[], body = '') =>
    openWire(edge.gateway.port, requestText(`POST ${to}`, { token, headers, body }))
  return { ...edge, token, post, open, remaining }
}

describe('a body', () => {
  test.each([
    [0, 1],
    [bodyBytesPerCall, 1],
    [bodyBytesPerCall + 1, 2],
    [apiBodyBytesMax, 16],
  ])('of %i bytes takes %i tokens', (bytes, tokens) => {
    expect(tokensFor(bytes)).toBe(tokens)
    expect(declaredTokens({ 'content-length': String(bytes) }, apiBodyBytesMax)).toBe(tokens)
    // As long as the longest document fits into what a key may send at once.
    expect(tokensFor(documentBodyBytesMax)).toBeLessThanOrEqual(price.keyRate.burst)
  })

  test('takes from both buckets as it is long, and is one request in the usage of its key', async () => {
    const edge = await given(atOnce(20, 30))

    const large = await edge.post(path, sized(bodyBytesPerCall * 4 + 1))

    expect([large.status, leftOfKey(large), await edge.remaining()]).toEqual([200, 15, [15, 25]])
    await edge.gateway.close()
    expect(edge.service.usage).toMatchObject([{ requests: 1 }])
    await edge.service.close()
  })

  test('that does not fit is refused before it is read, and takes nothing', async () => {
    await using edge = await given(atOnce(16))
    await edge.call('GET', path, { token: edge.token })

    const wire = await edge.open(path, [`content-length: ${apiBodyBytesMax}`])

    expect(await wire.hear('"code":"rate_limited"')).toMatch(/^HTTP\/1\.1 429 [^]*ratelimit: "key";r=15;/)
    wire.socket.destroy()
    expect([await edge.remaining(), edge.service.calls.length]).toEqual([[15, 999], 1])
  })

  test('longer than is permitted is refused for that, however long, and takes what the longest takes', async () => {
    await using edge = await given(atOnce(20))

    const wire = await edge.open(path, ['content-length: 999999999999'])

    expect(await wire.hear('"code":"body_too_large"')).toMatch(/^HTTP\/1\.1 413 [^]*ratelimit: "key";r=4;/)
    wire.socket.destroy()
  })

  test('of unknown length counts as one call while it is small, as the longest while it comes, and in the end as it is', async () => {
    await using edge = await given(atOnce(18))
    const remaining = async () => (await edge.remaining())[0]
    const inChunks = (body: string) => edge.open(path, ['transfer-encoding: chunked'], body)
    const small = await inChunks(chunk(sized(bodyBytesPerCall)) + chunk(''))
    await small.hear('{"ok":true}')
    expect(await remaining()).toBe(17)

    const large = await inChunks(chunk(`{${' '.repeat(bodyBytesPerCall)}`))
    await eventually(async () => (await remaining()) === 1, 'it counts as the longest')
    const another = await inChunks(chunk(`{${' '.repeat(bodyBytesPerCall)}`))
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
    ['a call', (bytes: number) => sized(bytes, '{"jsonrpc":"2.0","id":1,"method":"ping"'), bodyBytesPerCall * 3, 200],
    ['what cannot be read', (bytes: number) => sized(bytes, '{{'), bodyBytesPerCall * 3, 400],
    ['what is too long', (bytes: number) => sized(bytes), mcpBodyBytesMax + 1, 413],
  ])('over MCP takes as much: %s', async (_what, body, bytes, status) => {
    await using edge = await given(atOnce(20))

    const answer = await edge.post('/api/mcp', body(bytes))

    expect([answer.status, leftOfKey(answer)]).toEqual([status, status === 413 ? NaN : 17])
  })
})

describe('a batch', () => {
  test.each([
    ['few items in many bytes', 3, bodyBytesPerCall * 5, 5],
    ['many items in few bytes', 7, 1_000, 7],
  ])('of %s takes the larger of the two, in both buckets', async (_how, items, bytes, tokens) => {
    await using edge = await given(atOnce(20, 30))
    const body = sized(bytes, batchOf(items))

    const answer = await edge.post(batchPath, body)

    expect([answer.status, leftOfKey(answer)]).toEqual([200, 20 - tokens])
    expect(await edge.remaining()).toEqual([20 - tokens, 30 - tokens])
    expect(edge.service.calls.map((call) => call.body)).toEqual([body])
  })

  test('that is large and does not fit once its items are known gives back all that was taken', async () => {
    await using edge = await given(atOnce(6))

    const answer = await edge.post(batchPath, sized(bodyBytesPerCall * 4, batchOf(6)))
    const refused = await edge.post(batchPath, sized(bodyBytesPerCall * 5, batchOf(6)))

    expect([answer, refused].map(({ status }) => status)).toEqual([200, 429])
    expect([leftOfKey(refused), edge.service.calls.length]).toEqual([0, 1])
  })

  test('that arrives slowly takes its tokens when it is there, and runs then or never', async () => {
    await using edge = await given(atOnce(5, 50))
    const text = wholeBatchOf(4)
    const wire = await edge.open(batchPath, [`content-length: ${text.length}`], text.slice(0, 9))
    await eventually(() => edge.service.asked.length === 1, 'the call is checked')
    expect((await edge.post(batchPath, wholeBatchOf(3))).status).toBe(200)

    wire.send(text.slice(9))

    expect(await wire.hear('"code":"rate_limited"')).toContain('429')
    expect(edge.service.calls).toHaveLength(1)
  })

  test.each([
    ['a batch', batchPath, wholeBatchOf(7)],
    ['a large body', path, sized(bodyBytesPerCall * 7)],
  ])('%s that counts as more than there can ever be is refused, and costs nothing', async (_what, to, body) => {
    await using edge = await given(atOnce(6))

    const answer = await edge.post(to, body)

    expect(answer).toMatchObject({ status: 413, body: { code: 'too_many_items', limit: 6 } })
    expect([leftOfKey(answer), answer.headers.get('retry-after'), edge.service.calls.length]).toEqual([6, null, 0])
  })

  const otherTexts = ['', '{', 'null', '7', '[1,2]', '{}', '{"items":[]}', '{"items":{"length":9}}', '{"items":"abc"}']
  test.each<[string, number]>([
    ['{"items":[1]}', 1],
    ['{"items":[{},{},[1,2]],"atomic":true}', 3],
    [JSON.stringify({ items: Array(101).fill(0) }), 100],
    ...otherTexts.map((text): [string, number] => [text, 1]),
  ])('%s counts as %i calls', (text, calls) => {
    expect(batchItemsIn(Buffer.from(text))).toBe(calls)
  })
})

describe('the time of the database', () => {
  test.each([
    [0, 0],
    [databaseMsPerCall, 1],
    [databaseMsPerCall * 3.5, 3],
    [databaseMsPerCall * 10_000, databaseCallsMax],
  ])('of %i ms counts as %i calls more', (ms, calls) => {
    expect(price.callsForDatabaseMs(ms)).toBe(calls)
  })

  test('shows in what the answer says is left, and in nothing else', async () => {
    await using edge = await given(atOnce(20), standardPrice)
    const left: number[] = []
    // What was refused has cost as much.
    for (const calls of [3, 0.9, 5, 100]) {
      const status = calls === 5 ? 503 : 200
      edge.service.respond = answerWith(status, { [databaseTimeHeader]: String(databaseMsPerCall * calls) })
      const answer = await edge.call('GET', path, { token: edge.token })
      expect([answer.status, answer.headers.get(databaseTimeHeader)]).toEqual([status, null])
      left.push(leftOfKey(answer))
    }

    expect(left).toEqual([16, 15, 9, 0])
    expect((await edge.call('GET', path, { token: edge.token })).status).toBe(429)
  })

  test('is owed by a bucket that has not as much, up to a bound', () => {
    let now = 0
    const { consume, charge } = memoryBuckets(() => now)
    const second = 1_000_000
    const buckets = [{ name: 'key', rate: { perMinute: 60, burst: 5 } }]
    const passesAfter = (seconds: number) => {
      now += seconds * second
      const consumed = consume(buckets, 1)
      return consumed instanceof Promise ? null : consumed.allowed
    }

    charge(buckets, 7)
    expect([passesAfter(2), passesAfter(1)]).toEqual([false, true])
    for (let n = 0; n < 10; n++) charge(buckets, databaseCallsMax)
    expect([passesAfter(overdraftMax), passesAfter(1)]).toEqual([false, true])
  })
})
