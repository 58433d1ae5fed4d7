// The official conformance runner against the gateway: the product as it is, and with the suite's own tools, prompts
// and resources behind the same endpoint. What may fail stands in test/mcp/clients/conformance/, each entry with its
// reason.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksForeign } from '../../support/foreign.ts'
import { run } from '../../support/run-program.ts'
import { startSystem, type System } from '../../support/system.ts'
import { withFixtures } from '../support/conformance-fixtures.ts'
import { startHeaderProxy, type HeaderProxy } from '../support/header-proxy.ts'

let system: System
const proxies: HeaderProxy[] = []
/** The keys whose callers get the fixtures. */
const fixtureKeys = new Set<string>()
beforeAll(async () => {
  const fixtures = withFixtures(({ caller }) => fixtureKeys.has(caller.principal.id))
  system = await startSystem('standalone', { mcpFeatures: fixtures })
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

describe.skipIf(lacksForeign).each(['fixtures', 'product'] as const)('MCP conformance of the %s', (what) => {
  test.each(['2025-11-25', '2026-07-28'])('is what %s requires, but for the committed baseline', async (revision) => {
    const baseline = join(import.meta.dirname, `conformance/${revision}-${what}.yml`)
    const asked = ['--url', await endpointFor(what), '--requirements', revision, '--expected-failures', baseline]

    const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
    const { code, output } = await run(import.meta.dirname, process.execPath, [program, 'server', ...asked], {})

    // An entry of the baseline that passes fails the run as well.
    const text = stripVTControlCharacters(output)
    expect(code, text.slice(text.indexOf('\nTotal: '))).toBe(0)
  })
})
