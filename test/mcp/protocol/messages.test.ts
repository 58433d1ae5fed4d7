// Whatever may come as a body, alone or in a batch, before anything is served.
import { JSONRPCNotificationSchema, JSONRPCRequestSchema } from '@modelcontextprotocol/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchError, messageError, type Message } from '../../../service/mcp/json-rpc.ts'
import { mcpStage } from '../support/stage.ts'

const ping = (id: string | number): Message => ({ jsonrpc: '2.0', id, method: 'ping' })

test('a batch of fifty is taken, and one of more refused as a whole', () => {
  const pings = Array.from({ length: 51 }, (_, id) => ping(id))

  expect(batchError(pings.slice(1), false)).toBeNull()
  expect(batchError(pings, false)?.error.data).toEqual({ limit: 50 })
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
      const headers = named === undefined ? {} : { 'mcp-protocol-version': named }
      const { status, body: answered } = await stage.post(body, headers)

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
