// What the service answers at the edges of the protocol, through the gateway: status and body of each case.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const request = (method: string, params?: object, id: string | number = 7) => ({ jsonrpc: '2.0', id, method, params })
const call = (name: unknown, args?: unknown) => request('tools/call', { name, arguments: args })
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' })
const initialize = (params: object = {}) =>
  request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
    ...params,
  })
const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
const served = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const error = (code: number, message?: string | RegExp, data?: object) => ({
  error: {
    code,
    ...(message !== undefined && { message: typeof message === 'string' ? message : expect.stringMatching(message) }),
    ...(data && { data }),
  },
})

/** Each error, alone or in a batch, whoever has made it. */
function assertCoded(body: unknown): void {
  for (const each of [body].flat() as ({ readonly error?: object } | null)[]) {
    if (each?.error === undefined) continue
    expect(each.error).toMatchObject({ data: { code: expect.any(String), requestId: expect.any(String) } })
  }
}

describe('MCP at the edges', () => {
  let system: System
  let tenant: Tenant
  const post = async (body: unknown, headers = {}): Promise<Answer> => {
    const answer = await tenant.api('POST', '/api/mcp', body, headers)
    assertCoded(answer.body)
    return answer
  }
  const postModern = (method: string, { _meta = envelope, ...params }: { _meta?: object } = {}, headers = {}) =>
    post(request(method, { ...params, _meta }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...headers,
    })
  beforeAll(async () => {
    system = await startSystem('standalone')
    tenant = await system.tenant()
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const alone: [string, unknown, object, number, unknown][] = [
    ['a wrong `jsonrpc`', { ...ping(7), jsonrpc: '1.0' }, {}, 400, { id: 7, ...error(-32600, /jsonrpc/) }],
    ['a number for a method', { jsonrpc: '2.0', id: 7, method: 5 }, {}, 400, { id: 7, ...error(-32600, /method/) }],
    ['an id of null', ping(null), {}, 400, { id: null, ...error(-32600, /id/) }],
    ['an id of true', ping(true), {}, 400, { id: null, ...error(-32600) }],
    ['an object for an id', ping({}), {}, 400, { id: null, ...error(-32600) }],
    ['a fraction for an id', ping(1.5), {}, 400, { id: null, ...error(-32600) }],
    ['text for params', { ...ping(7), params: 'x' }, {}, 400, { id: 7, ...error(-32600, /params/) }],
    ['a list for params', { ...ping(7), params: [] }, {}, 400, { id: 7, ...error(-32602, /params/) }],
    ['an unknown member', { ...ping(7), foo: 1 }, {}, 400, { id: 7, ...error(-32600, /`foo`/) }],
    ['a number for _meta', { ...ping(7), params: { _meta: 5 } }, {}, 400, { id: 7, ...error(-32602, /_meta/) }],
    ['an unknown method', request('nonsense'), {}, 200, { id: 7, ...error(-32601) }],
    ['a method that is not declared', request('logging/setLevel', { level: 'info' }), {}, 200, error(-32601)],
    ['an unknown tool', call('nonsense'), {}, 200, { id: 7, ...error(-32602, /Unknown tool: nonsense/) }],
    ['an unknown prompt', request('prompts/get', { name: 'nonsense' }), {}, 200, error(-32602, /nonsense/)],
    ['a tool without a name', call(undefined), {}, 200, error(-32602, '`params.name` must be text.')],
    ['a list of arguments', call('whoami', []), {}, 200, error(-32602, '`params.arguments` must be an object.')],
    ['a number for a cursor', request('tools/list', { cursor: 5 }), {}, 200, error(-32602, /cursor/)],
    ['a cursor of nobody', request('tools/list', { cursor: 'x' }), {}, 200, error(-32602, /cursor/)],
    ['a cursor that no page gave', request('resources/list', { cursor: 'x' }), {}, 200, error(-32602, /Cursor/)],
    ['arguments that the tool has not', call('projects.list', { nope: 1 }), {}, 200, { result: { isError: true } }],
    [
      'a resource that does not exist',
      request('resources/read', { uri: 'workspace://tasks/NONE-1' }),
      {},
      200,
      error(-32002, undefined, { uri: 'workspace://tasks/NONE-1' }),
    ] as [string, unknown, object, number, unknown],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/x', params: {} }, {}, 202, null],
    [
      'a cancellation of nothing',
      { ...note, method: 'notifications/cancelled', params: { requestId: 9 } },
      {},
      202,
      null,
    ],
    ['a posted response', { jsonrpc: '2.0', id: 7, result: {} }, {}, 202, null],
    ['an initialize notification', { jsonrpc: '2.0', method: 'initialize' }, {}, 202, null],
    ['ping', ping(7), {}, 200, { jsonrpc: '2.0', id: 7, result: {} }],
    ['a modern method without an envelope', request('server/discover'), {}, 200, error(-32601)],
    ['the narrowest Accept', ping(7), { accept: 'application/json' }, 200, { result: {} }],
    ['any Accept', ping(7), { accept: '*/*' }, 200, { result: {} }],
    ['a toolset that is none', request('tools/list'), { 'x-mcp-toolsets': 'x' }, 400, error(-32600, /x-mcp-toolsets/)],
  ]

  test.each(alone)('%s', async (_name, body, headers, status, expected) => {
    const answer = await post(body, headers)

    expect(answer.status).toBe(status)
    if (expected === null) expect(answer.body).toBeNull()
    else expect(answer.body).toMatchObject(expected as object)
  })

  describe('versions', () => {
    test.each(['1999-01-01', 'banana', '2099-01-01'])(
      'a header that names %s is refused with those served',
      async (version) => {
        const unsupported = { supported: served, requested: version }

        expect(await post(request('tools/list'), { 'mcp-protocol-version': version })).toMatchObject({
          status: 400,
          body: { id: 7, ...error(-32022, new RegExp(version), unsupported) },
        })
      },
    )

    test('an envelope that names an unknown one is refused with those that have envelopes', async () => {
      const _meta = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }

      expect(await postModern('tools/list', { _meta }, { 'mcp-protocol-version': '2099-01-01' })).toMatchObject({
        status: 400,
        body: { id: 7, ...error(-32022, undefined, { supported: ['2026-07-28'], requested: '2099-01-01' }) },
      })
    })

    test.each([
      ...served.slice(1).map((version) => [version, version]),
      ['1999-01-01', '2025-11-25'],
      ['x', '2025-11-25'],
    ])('initialize with %s gets %s', async (protocolVersion, answered) => {
      expect(await post(initialize({ protocolVersion }))).toMatchObject({
        status: 200,
        body: {
          result: {
            protocolVersion: answered,
            capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
            instructions: expect.stringContaining('time zone'),
          },
        },
      })
    })

    test.each([
      ['no version', { protocolVersion: undefined }, /protocolVersion/],
      ['a list of capabilities', { capabilities: [] }, /capabilities/],
      ['a client without a name', { clientInfo: {} }, /clientInfo\.name/],
    ])('initialize with %s is refused in our words', async (_name, params, message) => {
      expect(await post(initialize(params))).toMatchObject({ status: 200, body: { id: 7, ...error(-32602, message) } })
    })
  })

  describe('2026-07-28', () => {
    test('discovery has capabilities, instructions and how long they hold', async () => {
      expect(await postModern('server/discover')).toMatchObject({
        status: 200,
        body: {
          result: {
            supportedVersions: ['2026-07-28'],
            resultType: 'complete',
            cacheScope: 'private',
            ttlMs: 60_000,
            capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
            instructions: expect.stringContaining('time zone'),
          },
        },
      })
    })

    test.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
      '%s says that it is this caller’s alone',
      async (method) => {
        expect(await postModern(method)).toMatchObject({
          status: 200,
          body: { result: { cacheScope: 'private', ttlMs: expect.any(Number) } },
        })
      },
    )

    test.each(['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'nonsense'])(
      '%s is a method that it does not have',
      async (method) => {
        expect(await postModern(method)).toMatchObject({ status: 404, body: { id: 7, ...error(-32601) } })
      },
    )

    const flawed: [string, string, object, object, number, number][] = [
      ['no Mcp-Method', 'tools/list', {}, { 'mcp-method': undefined }, 400, -32020],
      ['another Mcp-Method', 'tools/list', {}, { 'mcp-method': 'tools/call' }, 400, -32020],
      ['no Mcp-Name', 'tools/call', { name: 'whoami' }, {}, 400, -32020],
      ['another Mcp-Name', 'tools/call', { name: 'whoami' }, { 'mcp-name': 'x' }, 400, -32020],
      ['another version in the header', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
      ['no version in the header', 'tools/list', {}, { 'mcp-protocol-version': undefined }, 400, -32020],
      ['no envelope', 'tools/list', { _meta: {} }, {}, 400, -32602],
      [
        'half an envelope',
        'tools/list',
        { _meta: { ...envelope, 'io.modelcontextprotocol/clientCapabilities': undefined } },
        {},
        400,
        -32602,
      ],
      ['a number for a cursor', 'tools/list', { cursor: 5 }, {}, 200, -32602],
      ['an unknown tool', 'tools/call', { name: 'nope' }, { 'mcp-name': 'nope' }, 200, -32602],
      [
        'a resource that does not exist',
        'resources/read',
        { uri: 'workspace://x/y' },
        { 'mcp-name': 'workspace://x/y' },
        200,
        -32602,
      ],
    ]

    test.each(flawed)('%s', async (_name, method, params, headers, status, code) => {
      expect(await postModern(method, params, headers)).toMatchObject({ status, body: { id: 7, ...error(code) } })
    })

    test('a notification is accepted', async () => {
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }

      expect(await post(cancelled, { 'mcp-protocol-version': '2026-07-28' })).toMatchObject({ status: 202, body: null })
    })
  })

  describe('a batch', () => {
    test('has each entry fail alone, in order, whatever the header of an older version says', async () => {
      const batch = [
        ping('first'),
        ping(null),
        7,
        [ping(3)],
        { ...ping(4), foo: 1 },
        { ...ping(5), params: { _meta: 5 } },
        { ...ping(6), params: { _meta: { progressToken: {} } } },
        { ...ping(7), result: {} },
        { ...initialize(), id: 8 },
        { jsonrpc: '2.0', method: 'initialize' },
        note,
        { jsonrpc: '2.0', id: 9, result: {} },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'first' } },
        ping(10),
        ping(10),
        ping('10'),
        { ...call('nonsense'), id: 11 },
      ]
      const expected = [
        { id: 'first', result: {} },
        ...[null, null, null, 4].map((id) => ({ id, error: { code: -32600 } })),
        ...[5, 6].map((id) => ({ id, error: { code: -32602 } })),
        ...[7, 8].map((id) => ({ id, error: { code: -32600 } })),
        ...[10, 10].map((id) => ({ id, error: { code: -32600 } })),
        { id: '10', result: {} },
        { id: 11, error: { code: -32602 } },
      ]

      for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }, { 'mcp-protocol-version': '2025-11-25' }]) {
        const { status, body } = await post(batch, headers)

        expect(status).toBe(200)
        expect(body).toHaveLength(expected.length)
        expect(body).toMatchObject(expected)
      }
    })

    test.each([
      ['of nothing', [], {}],
      ['with a modern header', [ping(1)], { 'mcp-protocol-version': '2026-07-28' }],
      ['with a modern entry', [ping(1), request('tools/list', { _meta: envelope })], {}],
    ])('%s is refused whole', async (_name, batch, headers) => {
      expect(await post(batch, headers)).toMatchObject({ status: 400, body: { id: null, ...error(-32600) } })
    })

    test('of notifications and responses alone has no answer', async () => {
      const batch = [note, { jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', method: 'x' }]

      expect(await post(batch)).toMatchObject({ status: 202, body: null })
    })
  })
})
