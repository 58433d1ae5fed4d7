// The official conformance runner against the gateway: the product as it is, and with the suite's own tools, prompts
// and resources behind the same endpoint. What may fail stands in test/support/mcp-conformance/, each entry with its
// reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Exchange } from '../../service/mcp/tools/runner.ts'
import { runConformance, type Revision } from '../support/mcp-conformance/runner.ts'
import { withFixtures } from '../support/mcp-fixtures/features.ts'
import { startHeaderProxy, type HeaderProxy } from '../support/mcp-header-proxy.ts'
import { startSystem, type System } from '../support/system.ts'

const revisions: Revision[] = ['2025-11-25', '2026-07-28']

describe('MCP conformance', () => {
  let system: System
  const proxies: HeaderProxy[] = []
  /** The keys whose callers get the fixtures. */
  const fixtureKeys = new Set<string>()

  async function endpointFor(what: 'product' | 'fixtures'): Promise<string> {
    const { secret, workspaceId, keyId } = await system.tenant()
    if (what === 'fixtures') fixtureKeys.add(keyId)
    const added = { authorization: `Bearer ${secret}`, 'x-workspace-id': workspaceId }
    const proxy = await startHeaderProxy(system.url, added)
    proxies.push(proxy)
    return `${proxy.url}/api/mcp`
  }
  beforeAll(async () => {
    const isFixtureKey = ({ caller }: Exchange) => fixtureKeys.has(caller.principal.id)
    system = await startSystem('standalone', { mcpFeatures: withFixtures(isFixtureKey) })
  })
  afterAll(async () => {
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]()
    await system?.[Symbol.asyncDispose]()
  })

  describe.each(['fixtures', 'product'] as const)('of the %s', (what) => {
    test.each(revisions)('is what %s requires, but for the committed baseline', async (revision) => {
      const { code, verdict } = await runConformance(await endpointFor(what), revision, `${revision}-${what}`)

      expect(code, verdict).toBe(0)
    })
  })
})
