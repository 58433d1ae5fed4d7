// The published TypeScript client against a server that fails in chosen ways.
import fc from 'fast-check'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { itemsOfList } from '#contract/text-values.ts'
import { BatchError, ConnectionError, createClient, isApiError } from '#clients/typescript/src/index.ts'
import { budgetIn, waitMs } from '#clients/typescript/src/rate-limit.ts'
import { buildRequest } from '#clients/typescript/src/request.ts'
import { retryAfterIn, retryDelayMs } from '#clients/typescript/src/retry.ts'
import { listening } from '../../support/listening.ts'

type Seen = { readonly method: string; readonly path: string; readonly key: unknown; readonly body: string }
type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const problem = (status: number, code: string, headers: Record<string, string> = { 'retry-after': '0' }, more = {}) =>
  json(status, { code, status, detail: 'No.', title: '', type: '', instance: '', requestId: 'r', ...more }, headers)
const breaksOff: Answer = (response) => response.destroy()
const never: Answer = () => {}

/** Each call is answered by the next of these, and all further ones by the last. */
async function failing(...answers: readonly Answer[]) {
  const seen: Seen[] = []
  const server = await listening((request, response) => {
    void text(request).then((body) => {
      const answer = answers[Math.min(seen.length, answers.length - 1)]
      const { method = '', url: path = '', headers } = request
      seen.push({ method, path, key: headers['idempotency-key'], body })
      answer?.(response, request)
    })
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { api: createClient({ baseUrl: server.url, apiKey: 'wsk_test' }), seen }
}

const thrown = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => null,
    (error: unknown) => error,
  )

test('a change is sent again after failures that may pass, each time with the same idempotency key', async () => {
  const { api, seen } = await failing(
    problem(429, 'rate_limited'),
    json(503, '<html>'),
    breaksOff,
    json(201, { id: 't' }),
  )

  const task = await api.tasks.create({ projectId: 'p', title: 'Once' })

  expect(task).toEqual({ id: 't' })
  expect(seen).toHaveLength(4)
  expect(new Set(seen.map(({ key, body }) => `${String(key)} ${body}`)).size).toBe(1)
  expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/)
})

test('two changes have two keys, and a read has none', async () => {
  const { api, seen } = await failing(json(200, {}))

  await api.tasks.create({ projectId: 'p', title: 'One' })
  await api.tasks.create({ projectId: 'p', title: 'Two' })
  await api.tasks.get({ id: 't' })

  expect(seen.map(({ key }) => typeof key)).toEqual(['string', 'string', 'undefined'])
  expect(seen[0]?.key).not.toBe(seen[1]?.key)
})

test('a call says whose it is: the key, also of a function, the workspace, and the program', async () => {
  const headers: IncomingMessage['headers'][] = []
  await using server = await listening((request, response) => {
    headers.push(request.headers)
    json(200, {})(response, request)
  })
  const keys = ['wsk_old', 'wsk_new']
  const options = { baseUrl: `${server.url}/`, workspaceId: 'w-1', userAgent: 'acme-sync/2' }

  const api = createClient({ ...options, apiKey: async () => keys.shift() ?? '' })
  await api.tasks.get({ id: 't' })
  await api.tasks.get({ id: 't' })
  await createClient({ baseUrl: server.url }).tasks.get({ id: 't' })

  const [first, second, bare] = headers
  expect([first?.authorization, second?.authorization]).toEqual(['Bearer wsk_old', 'Bearer wsk_new'])
  expect(first?.['x-workspace-id']).toBe('w-1')
  expect(first?.['user-agent']).toMatch(/^acme-sync\/2 workspace-integration-client\/\d/)
  expect([bare?.authorization, bare?.['x-workspace-id']]).toEqual([undefined, undefined])
})

test('an answer of bytes ends with the signal of its call, also after it has begun', async () => {
  const ended = new AbortController()
  const { api } = await failing((response) => response.writeHead(200).write('begun'))

  const answer = await api.files.download({ id: 'f' }, { signal: ended.signal, timeoutMs: 5_000 })
  ended.abort(new Error('enough'))

  await expect(answer.text()).rejects.toThrow('enough')
})

test.each([
  ['not_found', 404],
  ['version_mismatch', 412],
  ['query_too_costly', 503],
])('%s is not tried again', async (code, status) => {
  const { api, seen } = await failing(problem(status, code))

  const error = await thrown(api.tasks.get({ id: 't' }))

  expect(isApiError(error) && error.code).toBe(code)
  expect(seen).toHaveLength(1)
})

test('bytes are sent again only after an answer that says that nothing was done', async () => {
  const refused = await failing(problem(503, 'unavailable'), (response) => response.writeHead(204).end())
  const lost = await failing(breaksOff)

  await refused.api.files.upload({ id: 'f' }, 'bytes')
  const error = await thrown(lost.api.files.upload({ id: 'f' }, 'bytes'))

  expect(refused.seen.map(({ body, key }) => [body, key])).toEqual([
    ['bytes', undefined],
    ['bytes', undefined],
  ])
  expect(error).toBeInstanceOf(ConnectionError)
  expect(lost.seen).toHaveLength(1)
})

test('tries end, and then the last failure is thrown', async () => {
  const { api, seen } = await failing(problem(503, 'unavailable'))

  const error = await thrown(api.tasks.list({}, { retries: 2 }))

  expect(isApiError(error, 'unavailable')).toBe(true)
  expect(seen).toHaveLength(3)
})

test('a wait that is longer than a minute is for the caller to decide on', async () => {
  const { api, seen } = await failing(problem(429, 'rate_limited', { 'retry-after': '61' }))

  const error = await thrown(api.tasks.get({ id: 't' }))

  expect(isApiError(error, 'rate_limited')).toBe(true)
  expect(seen).toHaveLength(1)
})

test('an attempt that takes too long is given up and repeated', async () => {
  const { api, seen } = await failing(never, json(200, { id: 't' }))

  expect(await api.tasks.get({ id: 't' }, { timeoutMs: 100 })).toEqual({ id: 't' })
  const error = await thrown((await failing(never)).api.tasks.get({ id: 't' }, { timeoutMs: 50, retries: 0 }))

  expect(seen).toHaveLength(2)
  expect(String(error)).toContain('No answer came in time.')
})

test.each(['while it is sent', 'while it waits'])('a signal ends a call %s, with its own reason', async (when) => {
  const ended = new AbortController()
  const reason = new Error('enough')
  const end = () => ended.abort(reason)
  const answer: Answer =
    when === 'while it is sent'
      ? end
      : (response, request) => {
          response.on('finish', () => setTimeout(end, 5))
          problem(429, 'rate_limited', { 'retry-after': '30' })(response, request)
        }
  const { api, seen } = await failing(answer)

  const retries = when === 'while it is sent' ? 0 : 4
  expect(await thrown(api.tasks.get({ id: 't' }, { signal: ended.signal, retries }))).toBe(reason)
  expect(await thrown(api.tasks.get({ id: 't' }, { signal: ended.signal, retries }))).toBe(reason)
  expect(seen).toHaveLength(1)
})

test('what something in front of the API answers is an error that says so', async () => {
  const { api } = await failing((response) => response.writeHead(404).end('<html>'))

  const error = await thrown(api.tasks.get({ id: 't' }))

  expect(error).toBeInstanceOf(ConnectionError)
  expect(String(error)).toMatch(/answered 404, with something that is no JSON/)
})

test('a batch that fails on the way says what was done before', async () => {
  const done = Array.from({ length: 100 }, (_each, index) => ({ index, status: 201, data: { id: `c${index}` } }))
  const { api, seen } = await failing(json(200, { results: done }), problem(403, 'insufficient_scope'))
  const items = Array.from({ length: 150 }, () => ({
    action: 'create' as const,
    data: { kind: 'company' as const, name: 'C' },
  }))

  const error = await thrown(api.crmEntities.batchAll(items))

  expect(error).toBeInstanceOf(BatchError)
  expect(error instanceof BatchError && error.done).toHaveLength(100)
  expect(error instanceof BatchError && isApiError(error.cause, 'insufficient_scope')).toBe(true)
  expect(seen.map(({ body }) => JSON.parse(body).items.length)).toEqual([100, 50])
})

test('the items of a batch are cut also by their bytes', async () => {
  const { api, seen } = await failing((response, request) => json(200, { results: [] })(response, request))
  const items = Array.from({ length: 4 }, () => ({
    action: 'create' as const,
    data: { projectId: 'p', title: 'T', description: 'ä'.repeat(200_000) },
  }))

  await api.tasks.batchAll(items)

  expect(seen.map(({ body }) => JSON.parse(body).items.length)).toEqual([2, 2])
  for (const { body } of seen) expect(Buffer.byteLength(body)).toBeLessThan(1024 * 1024)
})

test('a follower goes on after failures from where it was, and ends at one that does not pass', async () => {
  const page = (sequence: number) => json(200, { data: [{ sequence }], lastSequence: sequence, hasMore: true })
  const refusals = Array(5).fill(problem(503, 'unavailable')) as Answer[]
  const { api, seen } = await failing(page(1), ...refusals, page(2), problem(410, 'cursor_expired'))
  const feed = api.events.follow({ after: 0 })
  const read: number[] = []

  const error = await thrown(
    (async () => {
      for await (const { sequence } of feed) read.push(sequence)
    })(),
  )

  expect(read).toEqual([1, 2])
  expect(isApiError(error, 'cursor_expired')).toBe(true)
  expect(feed.position).toBe(2)
  const asked = seen.map(({ path }) => new URL(path, 'http://api').searchParams.get('after'))
  expect(asked).toEqual(['0', ...Array(6).fill('1'), '2'])
})

test('the position of a follower counts an event once the next one is asked for', async () => {
  const data = [1, 2, 3].map((sequence) => ({ sequence }))
  const { api } = await failing(json(200, { data, lastSequence: 9, hasMore: false }))
  const feed = api.events.follow({ after: 0, untilCaughtUp: true })
  const positions: unknown[] = []

  for await (const { sequence } of feed) {
    positions.push(feed.position)
    if (sequence === 2) break
  }
  const broken = feed.position
  for await (const _event of feed) positions.push(feed.position)

  expect([positions, broken, feed.position]).toEqual([[0, 1, 1, 1, 2], 1, 9])
})

test('a key in a page is refused', () => {
  Object.assign(globalThis, { document: {} })
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'document'))

  expect(() => createClient({ baseUrl: '', apiKey: 'wsk_x' })).toThrow('can be read by all who open it')
  expect(() => createClient({ baseUrl: '', apiKey: 'wsk_x', allowKeyInBrowser: true })).not.toThrow()
  expect(() => createClient({ baseUrl: '/api-of-mine' })).not.toThrow()
})

// The decisions.

test('a wait is never earlier than the server said, grows from try to try, and is bounded', () => {
  const refused = { kind: 'refused', status: 429, code: 'rate_limited', retryAfterSeconds: 7 } as const
  fc.assert(
    fc.property(fc.nat(50), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const how = { attempt, mayRepeat: true, random }
      const told = retryDelayMs(refused, how) ?? 0
      const own = retryDelayMs({ kind: 'unanswered' }, how) ?? 0

      expect(told).toBeGreaterThanOrEqual(7_000)
      expect(told).toBeLessThanOrEqual(8_000)
      expect(own).toBeGreaterThanOrEqual(Math.min(250 * 2 ** attempt, 4_000))
      expect(own).toBeLessThanOrEqual(8_000)
    }),
  )
})

test('the time to come again is read as seconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  expect(retryAfterIn('5', now)).toBe(5)
  expect(retryAfterIn('Thu, 01 Jan 2026 00:00:09 GMT', now)).toBe(9)
  expect(retryAfterIn('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0)
  expect([retryAfterIn(null, now), retryAfterIn('soon', now)]).toEqual([null, null])
})

test('calls wait until the tightest of the limits has room for them', () => {
  const headers = new Headers({
    ratelimit: '"key";r=40;t=1, "workspace";r=10;t=1',
    'ratelimit-policy': '"key";q=600;w=60, "workspace";q=3000;w=60',
  })
  const budget = budgetIn(headers, 0)

  expect(waitMs(budget, 10, 0)).toBe(0)
  expect(waitMs(budget, 50, 0)).toBe(1_000)
  expect(waitMs(budget, 50, 900)).toBe(100)
  expect(waitMs(budget, 15, 0)).toBe(100)
  expect(waitMs(null, 100, 0)).toBe(0)
  expect(budgetIn(new Headers(), 0)).toBeNull()
})

test('whatever a list holds, the service reads the same values', () => {
  const value = fc.string({ unit: fc.constantFrom('a', ',', '\\', '!', '=') })
  const place = { method: 'GET', path: '/tasks' }
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (labels) => {
      const { target } = buildRequest(place, { labels, customFields: { size: { eq: labels, gte: '1' } } })
      const { searchParams } = new URL(target, 'http://api')

      for (const name of ['labels', 'customFields.size'])
        expect(itemsOfList(searchParams.get(name) ?? '')).toEqual(labels)
      expect(searchParams.get('customFields.size[gte]')).toBe('1')
    }),
  )
})

test('the client has every operation of the API, and no other', () => {
  const api = createClient({ baseUrl: 'http://api' }) as unknown as Record<string, unknown>
  const camel = (name: string) => name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

  for (const { name, audiences } of operations) {
    const [group = '', method = ''] = name.split('.')
    const calls = (api[camel(group)] ?? {}) as Record<string, unknown>
    expect([name, typeof calls[camel(method)]]).toEqual([name, audiences.includes('api') ? 'function' : 'undefined'])
  }
})
