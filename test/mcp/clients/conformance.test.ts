// The official conformance runner against the gateway: the product as it is, and with the suite's own tools, prompts
// and resources behind the same endpoint. What may fail stands in test/mcp/clients/conformance/, each entry with its
// reason. And a client that goes away while a tool of ours waits.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { McpFeatures } from '../../../service/mcp/features.ts'
import { eventually } from '../../support/eventually.ts'
import { run } from '../../support/run-program.ts'
import { startSystem, type System } from '../../support/system.ts'
import { connect } from '../support/clients.ts'
import { text, withFixtures } from '../support/conformance-fixtures.ts'
import { startHeaderProxy, type HeaderProxy } from '../support/header-proxy.ts'

let system: System
const proxies: HeaderProxy[] = []
/** The keys whose callers get the fixtures. */
const fixtureKeys = new Set<string>()
/** Calls of `test_wait`, which lasts until it is stopped. */
const waiting = { begun: 0, stopped: 0 }

const withWaitingTool = (product: McpFeatures): McpFeatures => ({
  ...product,
  callTool: async (name, args, exchange, context) => {
    if (name !== 'test_wait') return product.callTool(name, args, exchange, context)
    waiting.begun += 1
    await new Promise<void>((resolve) => exchange.signal.addEventListener('abort', () => resolve(), { once: true }))
    waiting.stopped += 1
    return text('Stopped')
  },
})

beforeAll(async () => {
  const fixtures = withFixtures(({ caller }) => fixtureKeys.has(caller.principal.id))
  system = await startSystem('standalone', { mcpFeatures: (product) => withWaitingTool(fixtures(product)) })
})
afterAll(async () => {
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

async function endpointFor(what: 'product' | 'fixtures'): Promise<string> {
  const { secret, workspaceId, keyId } = await system.tenant()
  if (what === 'fixtures') fixtureKeys.add(keyId)
  const proxy = await startHeaderProxy(system.url, { authorization: `Bearer ${secret}`, 'x-workspace-id': workspaceId })
  proxies.push(proxy)
  return `${proxy.url}/api/mcp`
}

// Not the last one: a system that is closed at once after it takes longer than it may.
test('the official client that aborts its call ends what the tool does', async () => {
  const stop = new AbortController()
  await using client = await connect(system, await system.tenant(), { pin: '2026-07-28' })

  const answer = client.callTool({ name: 'test_wait', arguments: {} }, { signal: stop.signal })
  const rejected = expect(answer).rejects.toThrow()
  await eventually(() => waiting.begun === 1, 'the call to begin')
  stop.abort()

  await rejected
  await eventually(() => waiting.stopped === 1, 'the call to be stopped')
})

describe.each(['fixtures', 'product'] as const)('MCP conformance of the %s', (what) => {
  const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

  test.each(['2025-11-25', '2026-07-28'])('is what %s requires, but for the committed baseline', async (revision) => {
    const baseline = join(import.meta.dirname, `conformance/${revision}-${what}.yml`)
    const asked = ['--url', await endpointFor(what), '--requirements', revision, '--expected-failures', baseline]

    const { code, output } = await run(import.meta.dirname, process.execPath, [program, 'server', ...asked], {})

    // An entry of the baseline that passes fails the run as well.
    const text = stripVTControlCharacters(output)
    expect(code, text.slice(text.indexOf('\nTotal: '))).toBe(0)
  })
})
