// Any body is answered at once: no message hangs, none is answered with a 5xx, and none costs another its answer.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mcpStage } from './stage.ts'

const method = fc.constantFrom(
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'logging/setLevel',
  'no/such',
  '',
)
const junk = fc.jsonValue({ maxDepth: 2 })
const meta = fc.record(
  { progressToken: fc.oneof(fc.string(), fc.integer(), junk), 'io.modelcontextprotocol/clientInfo': junk, any: junk },
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

const headersOf = (named: string | undefined) => (named === undefined ? {} : { 'mcp-protocol-version': named })
/** Long before the tests' own limit: what is stopped by it has hung. */
const parts = { deadlineMs: 5_000 }
const stopped = /"code":"timeout"/

test('any single body is answered, never with a 5xx', async () => {
  await using stage = mcpStage({}, parts)
  const bodies = fc.tuple(
    entry.filter((body) => !Array.isArray(body)),
    version,
  )

  await fc.assert(
    fc.asyncProperty(bodies, async ([body, named]) => {
      const answer = await stage.post(body, headersOf(named))

      expect(answer.status).toBeLessThan(500)
      expect(JSON.stringify(answer.body)).not.toMatch(stopped)
    }),
    { numRuns: 400 },
  )
})

test('any batch is answered in its order, each good entry whatever stands beside it', async () => {
  await using stage = mcpStage({}, parts)
  const ping = (id: string) => ({ jsonrpc: '2.0', id, method: 'ping' })
  const batches = fc.array(entry, { maxLength: 12 })

  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      const legacy = batch.filter((each) => !JSON.stringify(each).includes('protocolVersion'))
      const answer = await stage.post([ping('first of all'), ...legacy, ping('last of all')])

      expect(answer.status).toBe(200)
      expect(answer.body[0]).toEqual({ jsonrpc: '2.0', id: 'first of all', result: {} })
      expect(answer.body.at(-1)).toEqual({ jsonrpc: '2.0', id: 'last of all', result: {} })
      expect(JSON.stringify(answer.body)).not.toMatch(stopped)
      const asked = legacy.map((each) => (each as { id?: unknown } | null)?.id)
      const answered = (answer.body as { id: unknown }[])
        .slice(1, -1)
        .map(({ id }) => id)
        .filter((id) => id !== null)
      expect(isSubsequence(answered, asked)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

function isSubsequence(some: readonly unknown[], all: readonly unknown[]): boolean {
  const left = all.values()
  return some.every((each) => left.some((other) => other === each))
}
