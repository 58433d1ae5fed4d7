// What the service answers at the edges of the protocol, through the gateway: status and body of each case.
import { describe, expect, test } from 'vitest'
import { sharedSystem, type Answer } from '../../support/system.ts'
import { initialize, modernMeta, modernRequest, ping, request, toolCall } from '../support/messages.ts'

const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
const served = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const versionHeader = (version: string) => ({ 'mcp-protocol-version': version })

const error = (code: number, message?: string | RegExp, data?: object) => ({
  error: {
    code,
    ...(message !== undefined && { message: typeof message === 'string' ? message : expect.stringMatching(message) }),
    ...(data && { data }),
  },
})

const { system, tenant } = sharedSystem('standalone')

/** Each error, alone or in a batch, has a code and the request's id, whichever part of the product has made it. */
async function post(body: unknown, headers = {}, { api } = tenant): Promise<Answer> {
  const answer = await api('POST', '/api/mcp', body, headers)
  for (const each of [answer.body].flat() as ({ readonly error?: object } | null)[]) {
    if (each?.error === undefined) continue
    expect(each.error).toMatchObject({ data: { code: expect.any(String), requestId: expect.any(String) } })
  }
  return answer
}
const postModern = (...given: Parameters<typeof modernRequest>) => {
  const { body, headers } = modernRequest(...given)
  return post(body, headers)
}

const wrongToken = error(-32602, '`params._meta.progressToken` must be text or a number.')
const lacking = (member: string) => ({ id: 7, ...error(-32602, `${member} must be text.`) })
const asked = (args: unknown) => request('tools/call', { name: 'whoami', arguments: args })
test.each<[string, unknown, number, object | null]>([
  ['a wrong `jsonrpc`', { ...ping, jsonrpc: '1.0' }, 400, { id: 7, ...error(-32600, /jsonrpc/) }],
  ['a number for a method', { ...ping, method: 5 }, 400, { id: 7, ...error(-32600, /method/) }],
  ['an id of null', { ...ping, id: null }, 400, { id: null, ...error(-32600, /id/) }],
  ['a fraction for an id', { ...ping, id: 1.5 }, 400, { id: null, ...error(-32600) }],
  ['text for params', { ...ping, params: 'x' }, 400, { id: 7, ...error(-32600, /params/) }],
  ['a list for params', { ...ping, params: [] }, 400, { id: 7, ...error(-32602, /params/) }],
  ['an unknown member', { ...ping, foo: 1 }, 400, error(-32600, '`foo` has no place in this message.')],
  ['a number for _meta', request('ping', { _meta: 5 }), 400, error(-32602, '`params._meta` must be an object.')],
  ['an object for a progress token', request('ping', { _meta: { progressToken: {} } }), 400, wrongToken],
  ['an unknown method', request('nonsense'), 200, { id: 7, ...error(-32601) }],
  ['a method that is not declared', request('logging/setLevel', { level: 'info' }), 200, error(-32601)],
  ['a tool without a name', request('tools/call', {}), 200, error(-32602, '`params.name` must be text.')],
  ['text for arguments', asked('x'), 200, error(-32602, '`params.arguments` must be an object.')],
  ['null for arguments', asked(null), 200, { result: { content: [{}] } }],
  ['no version to begin with', initialize({ protocolVersion: undefined }), 200, lacking('`params.protocolVersion`')],
  ['no capabilities', initialize({ capabilities: null }), 200, error(-32602, /`params.capabilities` must be an obj/)],
  ['a number for a cursor', request('tools/list', { cursor: 5 }), 200, error(-32602, '`params.cursor` must be text.')],
  ['a cursor of nobody', request('tools/list', { cursor: 'x' }), 200, error(-32602, /cursor/)],
  ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/x', params: {} }, 202, null],
  ['a posted response', { jsonrpc: '2.0', id: 7, result: {} }, 202, null],
  ['an initialize notification', { jsonrpc: '2.0', method: 'initialize' }, 202, null],
  ['ping', ping, 200, { jsonrpc: '2.0', id: 7, result: {} }],
  ['a modern method without an envelope', request('server/discover'), 200, error(-32601)],
])('%s', async (_name, body, status, expected) => {
  const answer = await post(body)

  expect(answer.status).toBe(status)
  if (expected === null) expect(answer.body).toBeNull()
  else expect(answer.body).toMatchObject(expected)
})

const pinging = (more: string) => `{"jsonrpc":"2.0","id":1,"method":"ping"${more}}`
test.each<[string, string | Uint8Array<ArrayBuffer>]>([
  ['a name that stands twice', pinging(',"method":"tools/list"')],
  ['the name `__proto__`', pinging(',"params":{"__proto__":{}}')],
  ['65 levels', pinging(`,"params":${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)],
  ['100,000 levels', '['.repeat(100_000)],
  ['a byte order mark', `\ufeff${pinging('')}`],
  ['half a character', Uint8Array.from([...Buffer.from('{"id":"'), 0xc3, ...Buffer.from('"}')])],
])('a body with %s is no JSON, whichever of the tiers finds it', async (_name, body) => {
  const headers = { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json' }

  const answer = await fetch(`${system.url}/api/mcp`, { method: 'POST', headers, body })

  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { jsonrpc: '2.0', id: null, error: { code: -32700, data: { code: 'invalid_json' } } },
  ])
})

describe('versions', () => {
  test('a header that names none that is served is refused with those that are', async () => {
    const version = '1999-01-01'
    const refused = error(-32022, new RegExp(version), { supported: served, requested: version })

    expect(await post(request('tools/list'), versionHeader(version))).toMatchObject({
      status: 400,
      body: { id: 7, ...refused },
    })
  })

  test('an envelope that names an unknown one is refused with those that have envelopes', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const refused = error(-32022, undefined, { supported: ['2026-07-28'], requested: '2099-01-01' })

    expect(await postModern('tools/list', { _meta }, versionHeader('2099-01-01'))).toMatchObject({
      status: 400,
      body: { id: 7, ...refused },
    })
  })

  const about = {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    instructions: expect.stringContaining('time zone'),
  }

  test.each([
    ...served.slice(1).map((version) => [version, version]),
    ['1999-01-01', '2025-11-25'],
    ['x', '2025-11-25'],
  ])('initialize with %s gets %s', async (protocolVersion, answered) => {
    expect(await post(initialize({ protocolVersion }))).toMatchObject({
      status: 200,
      body: { result: { protocolVersion: answered, ...about } },
    })
  })

  test('discovery of 2026-07-28 has capabilities, instructions and how long they hold', async () => {
    const lasting = { resultType: 'complete', cacheScope: 'private', ttlMs: 60_000 }

    expect(await postModern('server/discover')).toMatchObject({
      status: 200,
      body: { result: { supportedVersions: ['2026-07-28'], ...lasting, ...about } },
    })
  })
})

describe('2026-07-28', () => {
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']
  test.each(lists)('%s says that it is this caller’s alone', async (method) => {
    const result = { cacheScope: 'private', ttlMs: expect.any(Number) }

    expect(await postModern(method)).toMatchObject({ status: 200, body: { result } })
  })

  const lacks = ['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'nonsense']
  test.each(lacks)('%s is a method that it does not have', async (method) => {
    expect(await postModern(method)).toMatchObject({ status: 404, body: { id: 7, ...error(-32601) } })
  })

  const [version, capabilities] = Object.keys(modernMeta).map((member) => ({ [member]: undefined }))
  const whoami = { name: 'whoami' }
  test.each<[string, Parameters<typeof modernRequest>, number, number]>([
    ['no Mcp-Method', ['tools/list', {}, { 'mcp-method': undefined }], 400, -32020],
    ['another Mcp-Method', ['tools/list', {}, { 'mcp-method': 'tools/call' }], 400, -32020],
    ['no Mcp-Name', ['tools/call', whoami, { 'mcp-name': undefined }], 400, -32020],
    ['another Mcp-Name', ['tools/call', whoami, { 'mcp-name': 'x' }], 400, -32020],
    ['another version in the header', ['tools/list', {}, versionHeader('2025-11-25')], 400, -32020],
    ['no version in the header', ['tools/list', {}, { 'mcp-protocol-version': undefined }], 400, -32020],
    ['no envelope', ['tools/list', { _meta: { ...version, ...capabilities } }], 400, -32602],
    ['half an envelope', ['tools/list', { _meta: capabilities! }], 400, -32602],
  ])('%s', async (_name, given, status, code) => {
    expect(await postModern(...given)).toMatchObject({ status, body: { id: 7, ...error(code) } })
  })

  test('a notification is accepted', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }

    expect(await post(cancelled, versionHeader('2026-07-28'))).toMatchObject({ status: 202, body: null })
  })
})

describe('a batch', () => {
  test('has each entry fail alone, in order, whatever the header of an older version says', async () => {
    const as = (id: unknown, more: object = {}) => ({ ...ping, id, ...more })
    const badRequest = { code: -32600 }
    const entries: [entry: unknown, answer: object | null][] = [
      [as('first'), { id: 'first', result: {} }],
      [as(null), { id: null, error: badRequest }],
      [7, { id: null, error: badRequest }],
      [[as(3)], { id: null, error: badRequest }],
      [initialize({}, 8), { id: 8, error: badRequest }],
      [note, null],
      [as(10), { id: 10, error: badRequest }],
      [as(10), { id: 10, error: badRequest }],
      [as('10'), { id: '10', result: {} }],
      [toolCall('nonsense', {}, 11), { id: 11, ...error(-32602) }],
      [toolCall('projects.list', { limit: 1_000 }, 12), { id: 12, result: { isError: true } }],
      [toolCall('projects.list', { limit: 1 }, 13), { id: 13, result: { content: [{ type: 'text' }] } }],
    ]
    const expected = entries.flatMap(([, answer]) => answer ?? [])

    const sent = entries.map(([entry]) => entry)

    for (const headers of [{}, versionHeader('2025-03-26'), versionHeader('2025-11-25')]) {
      const { status, body } = await post(sent, headers)

      expect(status).toBe(200)
      expect(body).toHaveLength(expected.length)
      expect(body).toMatchObject(expected)
    }
  })

  test('has the entry refused that lacks a scope, and no other', async () => {
    const reader = await tenant.key(['projects:read'])
    const batch = [toolCall('projects.list', {}, 1), toolCall('projects.create', { name: 'x' }, 2)]

    const { status, body } = await post(batch, {}, reader)

    const lacking = { code: 'insufficient_scope', requiredScopes: ['projects:write'] }
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { data: lacking } },
    ])
  })

  test.each([
    ['of nothing', [], {}],
    ['with a modern header', [ping], versionHeader('2026-07-28')],
    ['with a modern entry', [ping, request('tools/list', { _meta: modernMeta })], {}],
  ])('%s is refused whole', async (_name, batch, headers) => {
    expect(await post(batch, headers)).toMatchObject({ status: 400, body: { id: null, ...error(-32600) } })
  })

  test('of notifications and responses alone has no answer', async () => {
    const batch = [note, { jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', method: 'x' }]

    expect(await post(batch)).toMatchObject({ status: 202, body: null })
  })
})
