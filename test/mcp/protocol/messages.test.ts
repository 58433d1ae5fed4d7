// Messages and batches, before anything is served; and whatever else may come as a body.
import { JSONRPCNotificationSchema, JSONRPCRequestSchema } from '@modelcontextprotocol/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchError, messageError, paramsError, runBatch, type Message } from '../../../service/mcp/json-rpc.ts'
import { mcpStage } from '../support/stage.ts'

const ping = (id: string | number): Message => ({ jsonrpc: '2.0', id, method: 'ping' })
const pings = (count: number): Message[] => Array.from({ length: count }, (_, id) => ping(id))
const answer = async ({ id }: Message) => (id === undefined ? null : { jsonrpc: '2.0', id, result: {} })
const refused = (id: unknown) => ({ id, error: { code: -32600 } })

test('an empty batch, one over the limit and one of the current version are refused as a whole', () => {
  expect(batchError([], false)?.error.code).toBe(-32600)
  expect(batchError(pings(51), false)?.error.data).toEqual({ limit: 50 })
  expect(batchError([ping(1)], true)?.error.code).toBe(-32600)
  expect(batchError(pings(50), false)).toBeNull()
})

test('answers come in the order of the entries, and notifications leave no gap', async () => {
  const answers = await runBatch([ping(2), { jsonrpc: '2.0', method: 'notifications/x' }, ping(1)], answer)

  expect(answers).toMatchObject([{ id: 2 }, { id: 1 }])
})

test('of two entries with one id neither is served; 1 and "1" are two ids; initialize must stand alone', async () => {
  const served: unknown[] = []
  const serve = async (message: Message) => {
    served.push(message.id)
    return answer(message)
  }

  const answers = await runBatch([ping(1), ping('1'), ping(2), ping(2), { ...ping(3), method: 'initialize' }], serve)

  expect(served).toEqual([1, '1'])
  expect(answers.slice(2)).toMatchObject([2, 2, 3].map(refused))
})

test('at most four entries run at a time, and all of them run', async () => {
  let running = 0
  let most = 0
  const serve = async (message: Message) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return answer(message)
  }

  const answers = await runBatch(pings(50), serve)

  expect(most).toBe(4)
  expect(answers).toHaveLength(50)
})

const started = { protocolVersion: 'x', capabilities: {}, clientInfo: { name: 'x', version: '1' } }

test.each<[string, object | undefined, string | null]>([
  ['tools/call', {}, '`params.name` must be text.'],
  ['tools/call', { name: 3 }, '`params.name` must be text.'],
  ['tools/call', { name: 'x', arguments: [] }, '`params.arguments` must be an object.'],
  ['tools/call', { name: 'x', arguments: 'x' }, '`params.arguments` must be an object.'],
  ['tools/call', { name: 'x' }, null],
  ['tools/list', { cursor: 3 }, '`params.cursor` must be text.'],
  ['tools/list', { _meta: [] }, '`params._meta` must be an object.'],
  ['tools/list', undefined, null],
  ['initialize', { ...started, protocolVersion: undefined }, '`params.protocolVersion` must be text.'],
  ['initialize', { ...started, capabilities: undefined }, '`params.capabilities` must be an object.'],
  ['initialize', { ...started, clientInfo: {} }, '`params.clientInfo.name` must be text.'],
  ['initialize', started, null],
])('what is wrong with %s of %j is said in a sentence: %s', (method, params, sentence) => {
  expect(paramsError(method, params)).toBe(sentence)
})

const method = fc.constantFrom(
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/templates/list', 'resources/read'],
  ...['prompts/list', 'prompts/get', 'completion/complete', 'server/discover', 'subscriptions/listen'],
  ...['notifications/initialized', 'notifications/cancelled', 'logging/setLevel', 'no/such', ''],
)
const junk = fc.jsonValue({ maxDepth: 2 })
const meta = fc.record(
  {
    progressToken: fc.oneof(fc.string(), fc.integer(), junk),
    'io.modelcontextprotocol/clientInfo': junk,
    'io.modelcontextprotocol/related-task': junk,
    any: junk,
  },
  { requiredKeys: [] },
)
const params = fc.record(
  {
    name: fc.oneof(fc.string(), junk),
    arguments: junk,
    uri: junk,
    cursor: junk,
    ref: junk,
    _meta: fc.oneof(meta, junk),
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    jsonrpc: fc.oneof({ arbitrary: fc.constant('2.0'), weight: 9 }, junk),
    id: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.string(), junk),
    method: fc.oneof({ arbitrary: method, weight: 9 }, junk),
    params: fc.oneof({ arbitrary: params, weight: 4 }, junk),
    result: junk,
    error: junk,
    more: junk,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)
/** Most are close to a message: what has three members too many is refused before it is looked into. */
const nearMessage = fc.oneof(
  { arbitrary: message.map(({ result: _result, error: _error, more: _more, ...rest }) => rest), weight: 3 },
  message,
)
/** A name that no parser of ours takes is no fault of an entry: it spoils the whole body. */
const entry = fc
  .oneof({ arbitrary: nearMessage, weight: 5 }, junk)
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
const version = fc.constantFrom(undefined, '2024-11-05', '2025-03-26', '2025-11-25', '1999-01-01', '2026-07-28', '')

test('whatever is taken for valid, the SDK takes, too', () => {
  fc.assert(
    fc.property(nearMessage, (each) => {
      const schema = 'id' in each ? JSONRPCRequestSchema : JSONRPCNotificationSchema
      if (messageError(each) === null) expect(schema.safeParse(each).error).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

/** Long before the tests' own limit: what is stopped by it has hung. */
const parts = { deadlineMs: 5_000 }
const stopped = /"code":"timeout"/

test('any single body is answered, never with a 5xx', async () => {
  await using stage = mcpStage({}, parts)
  const single = entry.filter((body) => !Array.isArray(body))

  await fc.assert(
    fc.asyncProperty(single, version, async (body, named) => {
      const { status, body: answered } = await stage.post(
        body,
        named === undefined ? {} : { 'mcp-protocol-version': named },
      )

      expect(status).toBeLessThan(500)
      expect(JSON.stringify(answered)).not.toMatch(stopped)
    }),
    { numRuns: 300 },
  )
})

test('any batch is answered in its order, each good entry whatever stands beside it', async () => {
  await using stage = mcpStage({}, parts)

  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (batch) => {
      const legacy = batch.filter((each) => !JSON.stringify(each).includes('protocolVersion'))
      const { status, body } = await stage.post([ping('first of all'), ...legacy, ping('last of all')])

      expect(status).toBe(200)
      expect(body[0]).toEqual({ jsonrpc: '2.0', id: 'first of all', result: {} })
      expect(body.at(-1)).toEqual({ jsonrpc: '2.0', id: 'last of all', result: {} })
      expect(JSON.stringify(body)).not.toMatch(stopped)
      const asked = legacy.map((each) => (each as { id?: unknown } | null)?.id).values()
      const answered = body.slice(1, -1).flatMap(({ id }: { id: unknown }) => id ?? [])
      expect(answered.filter((id: unknown) => !asked.some((other) => other === id))).toEqual([])
    }),
    { numRuns: 150 },
  )
})
