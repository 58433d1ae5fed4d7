// MCP clients that go away before they are answered, through the gateway; and a batch of every kind of entry.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { waitingTool } from '../support/mcp-fixtures/waiting-tool.ts'
import { must, startSystem, type System, type Tenant } from '../support/system.ts'

const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe('MCP, a client that goes away', () => {
  const tool = waitingTool()
  let system: System
  let tenant: Tenant
  beforeAll(async () => {
    system = await startSystem('standalone', { mcpFeatures: tool.around })
    tenant = await system.tenant()
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  test('stops its call when the official client aborts it', async () => {
    const stop = new AbortController()
    const stopped = tool.stopped()
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${tenant.secret}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${system.url}/api/mcp`), { requestInit }))

    const answer = client.callTool({ name: 'test_wait', arguments: {} }, { signal: stop.signal })
    const isRejected = answer.then(
      () => false,
      () => true,
    )
    await eventually(() => tool.calls('test_wait') === 1, 'the call to begin')
    stop.abort()

    expect(await isRejected).toBe(true)
    await eventually(() => tool.stopped() === stopped + 1, 'the call to be stopped')
    await client.close()
  })

  test('leaves a batch of which nothing more begins', async () => {
    const [begun, stopped] = [tool.calls('test_wait'), tool.stopped()]
    const leave = new AbortController()
    const waiting = Array.from({ length: 4 }, (_, id) => call(id, 'test_wait'))
    const writing = Array.from({ length: 40 }, (_, at) => call(100 + at, 'projects.create', { name: 'Too late' }))

    const answer = fetch(`${system.url}/api/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify([...waiting, ...writing]),
      signal: leave.signal,
    }).catch(() => null)
    await eventually(() => tool.calls('test_wait') === begun + 4, 'four entries to begin')
    leave.abort()
    await eventually(() => tool.stopped() === stopped + 4, 'the four to be stopped')

    expect(await answer).toBeNull()
    // By this answer, whatever had begun after the four would have been counted.
    expect(must(await tenant.api('GET', '/api/v1/projects')).data).toEqual([])
    expect(tool.calls('projects.create')).toBe(0)
  })

  test('who stays gets 50 entries of every kind answered in order, each for itself', async () => {
    const kinds = [
      { entry: (id: number) => call(id, 'projects.list', { limit: 1 }), answer: { result: { content: [{}] } } },
      { entry: (id: number) => call(id, 'projects.list', { limt: 1 }), answer: { result: { isError: true } } },
      { entry: (id: number) => ({ jsonrpc: '2.0', id, method: 'ping', foo: 1 }), answer: { error: { code: -32_600 } } },
      {
        entry: (id: number) => ({ jsonrpc: '2.0', id, method: 'prompts/list' }),
        answer: { result: { prompts: [{}] } },
      },
      { entry: (id: number) => call(id, 'nonsense'), answer: { error: { code: -32_602 } } },
    ]
    const entries = Array.from({ length: 50 }, (_, id) => ({ id, ...kinds[id % kinds.length]! }))

    const { status, body } = await tenant.api(
      'POST',
      '/api/mcp',
      entries.map(({ id, entry }) => entry(id)),
    )

    expect(status).toBe(200)
    expect(body.map(({ id }: { id: number }) => id)).toEqual(entries.map(({ id }) => id))
    for (const [at, { answer }] of entries.entries()) expect(Object.keys(body[at])).toContain(Object.keys(answer)[0])
    expect(body.slice(0, 5)).toMatchObject([
      { result: { content: [{ type: 'text' }] } },
      { result: { isError: true } },
      { error: { code: -32_600 } },
      { result: { prompts: expect.any(Array) } },
      { error: { code: -32_602 } },
    ])
  })
})
