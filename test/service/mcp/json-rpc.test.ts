import { expect, test, describe } from 'vitest'
import { batchError, runBatch, messageError, type Message, paramsError } from '../../../service/mcp/json-rpc.ts'
import { JSONRPCNotificationSchema, JSONRPCRequestSchema } from '@modelcontextprotocol/core'
import fc from 'fast-check'
import { startSystem } from '../../support/system.ts'

const ping = (id: string | number): Message => ({ jsonrpc: '2.0', id, method: 'ping' })
const answer = async ({ id }: Message) => (id === undefined ? null : { jsonrpc: '2.0', id, result: {} })

test('an empty batch, one over the limit and one of the current version are refused as a whole', () => {
  expect(batchError([], false)?.error.code).toBe(-32600)
  expect(
    batchError(
      Array.from({ length: 51 }, (_, id) => ping(id)),
      false,
    )?.error.data,
  ).toEqual({ limit: 50 })
  expect(batchError([ping(1)], true)?.error.code).toBe(-32600)
  expect(
    batchError(
      Array.from({ length: 50 }, (_, id) => ping(id)),
      false,
    ),
  ).toBeNull()
})

test('answers come in the order of the entries, and notifications leave no gap', async () => {
  const answers = await runBatch([ping(2), { jsonrpc: '2.0', method: 'notifications/x' }, ping(1)], answer)

  expect(answers).toMatchObject([{ id: 2 }, { id: 1 }])
})

test('one bad entry spoils no other', async () => {
  const answers = await runBatch([ping(1), 7, [ping(3)], { jsonrpc: '1.0', id: 4, method: 'ping' }], answer)

  expect(answers).toMatchObject([
    { id: 1, result: {} },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: 4, error: { code: -32600 } },
  ])
})

test('of two entries with one id neither is served; 1 and "1" are two ids', async () => {
  const served: unknown[] = []
  const serve = async (message: Message) => {
    served.push(message.id)
    return answer(message)
  }

  const answers = await runBatch([ping(1), ping('1'), ping(2), ping(2)], serve)

  expect(served).toEqual([1, '1'])
  expect(answers.slice(2)).toMatchObject([
    { id: 2, error: { code: -32600 } },
    { id: 2, error: { code: -32600 } },
  ])
})

test('initialize must stand alone', async () => {
  expect(await runBatch([{ jsonrpc: '2.0', id: 1, method: 'initialize' }], answer)).toMatchObject([
    { id: 1, error: { code: -32600 } },
  ])
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

  const answers = await runBatch(
    Array.from({ length: 50 }, (_, id) => ping(id)),
    serve,
  )

  expect(most).toBe(4)
  expect(answers).toHaveLength(50)
})

test('ids are strings or whole numbers, params an object', () => {
  for (const id of [null, true, {}, 1.5])
    expect(messageError({ jsonrpc: '2.0', id, method: 'ping' })?.error.code).toBe(-32600)
  expect(messageError({ jsonrpc: '2.0', id: 1, method: 'ping', params: [] })?.error.code).toBe(-32602)
  expect(messageError({ jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' })?.error.code).toBe(-32600)
  expect(messageError({ jsonrpc: '2.0', id: 1, method: 'ping', params: {} })).toBeNull()
})

test('whatever is taken for valid, the SDK takes, too', () => {
  const meta = fc.option(
    fc.oneof(
      fc.record(
        {
          progressToken: fc.jsonValue(),
          'io.modelcontextprotocol/related-task': fc.jsonValue(),
          other: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    ),
    { nil: undefined },
  )
  const message = fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof(fc.constantFrom('ping', 'tools/call'), fc.jsonValue()),
      params: fc.oneof(fc.record({ _meta: meta, name: fc.jsonValue() }, { requiredKeys: [] }), fc.jsonValue()),
      result: fc.jsonValue(),
      foo: fc.jsonValue(),
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  )
  fc.assert(
    fc.property(message, (each) => {
      const schema = 'id' in each ? JSONRPCRequestSchema : JSONRPCNotificationSchema
      if (messageError(each) === null) expect(schema.safeParse(each).error).toBeUndefined()
    }),
    { numRuns: 2_000 },
  )
})

// Params that fit no method are refused in a sentence, and not with a dump of somebody's schema.

const info = { name: 'x', version: '1' }
const broken: [string, string, unknown, string][] = [
  ['tools/call', 'no name', {}, '`params.name` must be text.'],
  ['tools/call', 'a number for a name', { name: 3 }, '`params.name` must be text.'],
  ['tools/call', 'a list of arguments', { name: 'x', arguments: [] }, '`params.arguments` must be an object.'],
  ['tools/call', 'text for arguments', { name: 'x', arguments: 'x' }, '`params.arguments` must be an object.'],
  ['tools/list', 'a number for a cursor', { cursor: 3 }, '`params.cursor` must be text.'],
  ['tools/list', 'a list for _meta', { _meta: [] }, '`params._meta` must be an object.'],
  ['initialize', 'no version', { capabilities: {}, clientInfo: info }, '`params.protocolVersion` must be text.'],
  [
    'initialize',
    'no capabilities',
    { protocolVersion: 'x', clientInfo: info },
    '`params.capabilities` must be an object.',
  ],
  [
    'initialize',
    'a client without a name',
    { protocolVersion: 'x', capabilities: {}, clientInfo: {} },
    '`params.clientInfo.name` must be text.',
  ],
]
const request = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 7, method, params }) as Message

test.each(broken)('%s with %s is refused in a sentence', (method, _how, params, message) => {
  expect(paramsError(method, params as object)).toBe(message)
})

test('what fits is served', () => {
  expect(paramsError('tools/call', { name: 'x' })).toBeNull()
  expect(paramsError('tools/list', undefined)).toBeNull()
  expect(paramsError('initialize', { protocolVersion: 'x', capabilities: {}, clientInfo: info })).toBeNull()
})

describe('through the gateway', () => {
  test('alone and in a batch, in either era, the sentence is all that comes', async () => {
    await using system = await startSystem('standalone')
    const { api } = await system.tenant()
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    for (const [method, , params, message] of broken) {
      const one = request(method, params)
      const now = request(method, { _meta: envelope, ...(params as object) })
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'x' }

      const answers = [
        (await api('POST', '/api/mcp', one)).body,
        // It has no place in a batch or in the current version, whatever its params.
        method === 'initialize' ? [] : (await api('POST', '/api/mcp', now, modern)).body,
        method === 'initialize' ? [] : (await api('POST', '/api/mcp', [one])).body,
      ]

      for (const answer of answers.flat()) expect(answer.error).toMatchObject({ code: -32_602, message })
    }
  })
})
