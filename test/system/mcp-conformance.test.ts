// The official conformance runner against the gateway. What may fail stands in test/support/mcp-conformance/, each entry
// with its reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance, type Revision } from '../support/mcp-conformance/runner.ts'
import { startHeaderProxy, type HeaderProxy } from '../support/mcp-header-proxy.ts'
import { startSystem, type System } from '../support/system.ts'

const revisions: Revision[] = ['2025-11-25', '2026-07-28']

describe('MCP conformance', () => {
  let system: System
  let product: HeaderProxy
  beforeAll(async () => {
    system = await startSystem('standalone')
    const { secret, workspaceId } = await system.tenant()
    product = await startHeaderProxy(system.url, {
      authorization: `Bearer ${secret}`,
      'x-workspace-id': workspaceId,
    })
  })
  afterAll(async () => {
    await product?.[Symbol.asyncDispose]()
    await system?.[Symbol.asyncDispose]()
  })

  test.each(revisions)('the product meets %s, but for what its baseline explains', async (revision) => {
    const { code, summary } = await runConformance(`${product.url}/api/mcp`, revision, `${revision}-product`)

    expect(code, summary).toBe(0)
  })
})
