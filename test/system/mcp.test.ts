// MCP through the gateway in both modes: the official client, and what old senders and broken ones send.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { underscored } from '#contract/tools/names.ts'
import { describeModes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

const acrossTypes = [
  ...['bulk', 'count', 'delete', 'restore'].map((action) => `objects.${action}`),
  'changes.list',
  'comments.create',
  'comments.list',
  'search.query',
  'whoami',
]

/** All clients and versions are in mcp-clients.test.ts. */
async function connect(url: string, tenant: Tenant): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${tenant.secret}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }))
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

describeModes('MCP', (mode) => {
  let system: System
  let tenant: Tenant
  let reader: Tenant
  const post = (body: unknown, who = tenant, headers = {}): Promise<Answer> =>
    who.api('POST', '/api/mcp', body, headers)
  beforeAll(async () => {
    system = await startSystem(mode)
    tenant = await system.tenant()
    reader = await tenant.key(['projects:read'])
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  describe('the official client', () => {
    test('lists the tools that its key allows', async () => {
      await using all = await connect(system.url, tenant)
      await using few = await connect(system.url, reader)

      const collections = ['crm-entities', 'documents', 'projects', 'tasks']
      const each = collections.flatMap((name) =>
        ['create', 'get', 'list', 'update'].map((action) => `${name}.${action}`),
      )
      expect((await all.listTools()).tools.map(({ name }) => name)).toEqual(
        [...each, ...acrossTypes].toSorted().map(underscored),
      )
      expect((await few.listTools()).tools.map(({ name }) => name)).toEqual([
        'comments_list',
        'objects_count',
        'projects_get',
        'projects_list',
        'search_query',
        'whoami',
      ])
    })

    test('creates, reads, changes and lists a project', async () => {
      await using client = await connect(system.url, tenant)

      const created = (await client.callTool({ name: 'projects.create', arguments: { name: 'From an agent' } }))
        .structuredContent as { id: string; version: number }
      const updated = await client.callTool({
        name: 'projects.update',
        arguments: { id: created.id, status: 'active', expectedVersion: 1 },
      })
      const listed = await client.callTool({ name: 'projects.list', arguments: { limit: 1, sort: ['-updatedAt'] } })

      expect(updated.structuredContent).toMatchObject({ id: created.id, status: 'active', version: 2 })
      expect(listed.structuredContent).toMatchObject({ data: [{ id: created.id }], page: { shown: 1 } })
      expect(must(await tenant.api('GET', `/api/v1/projects/${created.id}`))).toMatchObject(updated.structuredContent!)
    })

    test('is refused without the scope', async () => {
      await using client = await connect(system.url, reader)

      await expect(client.callTool({ name: 'projects.create', arguments: { name: 'x' } })).rejects.toThrow(/scope/i)
    })

    test('gets a tool result that says what to correct', async () => {
      await using client = await connect(system.url, tenant)

      const result = await client.callTool({
        name: 'projects.update',
        arguments: { id: '01999999-0000-7000-8000-000000000000', stats: 'x' },
      })

      expect(result.isError).toBe(true)
      expect((result.content as { text: string }[])[0]!.text).toMatch(/^unknown_field:\n- `stats`: .*`status`/)
      expect(result.structuredContent).toMatchObject({ code: 'unknown_field', errors: [{ pointer: '/stats' }] })
    })
  })

  test('the same tool call with the same idempotency key acts once', async () => {
    const args = { name: 'Only once', idempotencyKey: 'agent-1' }

    const [first, second] = [await post(call(1, 'projects.create', args)), await post(call(2, 'projects.create', args))]

    expect(second.body.result.structuredContent).toEqual(first.body.result.structuredContent)
  })

  test('a batch is answered in order, each entry on its own', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 'p', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call(2, 'projects.list', { limit: 1 }),
      call(3, 'projects.list', { limit: 1_000 }),
      call(4, 'nonsense'),
      { jsonrpc: '2.0', id: 5, method: 'nonsense' },
      'nonsense',
    ]

    const { status, body } = await post(batch)

    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 'p', result: {} },
      { id: 2, result: { structuredContent: { page: { shown: 1 } } } },
      { id: 3, result: { isError: true } },
      { id: 4, error: { code: -32602 } },
      { id: 5, error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ])
  })

  test('in a batch a missing scope is the entry’s own error', async () => {
    const { status, body } = await post([call(1, 'projects.list'), call(2, 'projects.create', { name: 'x' })], reader)

    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { data: { code: 'insufficient_scope', requiredScopes: ['projects:write'] } } },
    ])
  })

  test('50 calls in a batch are served, 51 are refused before any runs', async () => {
    const creating = (count: number) =>
      Array.from({ length: count }, (_, id) => call(id, 'projects.create', { name: `Batch of ${count}` }))
    const fresh = await system.tenant()

    const tooMany = await post(creating(51), fresh)
    const most = await post(creating(50), fresh)

    expect(tooMany).toMatchObject({ status: 400, body: { id: null, error: { code: -32600, data: { limit: 50 } } } })
    expect(most.body).toHaveLength(50)
    const { data } = must(await fresh.api('GET', '/api/v1/projects?limit=200'))
    expect(new Set(data.map(({ name }: { name: string }) => name))).toEqual(new Set(['Batch of 50']))
  })

  test('a batch of the current version is refused', async () => {
    expect(await post([call(1, 'projects.list')], tenant, { 'mcp-protocol-version': '2026-07-28' })).toMatchObject({
      status: 400,
      body: { error: { code: -32600 } },
    })
  })

  test('notifications alone are accepted without an answer', async () => {
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
      status: 202,
      body: null,
    })
    expect(await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toMatchObject({
      status: 202,
      body: null,
    })
  })

  test.each([
    ['an empty batch', [], -32600],
    ['a number', 7, -32600],
    ['a wrong version', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an array for params', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32602],
  ])('%s is refused', async (_name, body, code) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { jsonrpc: '2.0', error: { code } } })
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

  test('discovery lists the versions and capabilities', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }

    const { status, body } = await post(
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } },
      tenant,
      headers,
    )

    expect(status).toBe(200)
    expect(body.result).toMatchObject({
      supportedVersions: expect.arrayContaining(['2026-07-28']),
      capabilities: { tools: {} },
    })
  })

  test('a key without the surface mcp is refused', async () => {
    const httpOnly = await tenant.key(scopes, { surfaces: ['http'] })

    expect(await post(call(1, 'projects.list'), httpOnly)).toMatchObject({
      status: 403,
      body: { id: 1, error: { data: { code: 'surface_not_allowed' } } },
    })
  })
})
