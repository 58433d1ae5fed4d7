// A server that makes a new MCP client for each chat request, with one key: the key's rate is the only limit that it
// meets.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import { officialClients } from '../support/mcp-clients.ts'
import { startSystem, type System, type Tenant } from '../support/system.ts'

const burst = 130
const plenty = { perMinute: 600_000, burst: 100_000 }

let system: System
beforeAll(async () => {
  // What comes back while the test runs is next to nothing.
  system = await startSystem('standalone', { rates: { key: { perMinute: 6, burst }, workspace: plenty } })
})
afterAll(() => system?.[Symbol.asyncDispose]())

describe.each(officialClients)('%s, made anew for each request', (_name, connect) => {
  async function chat({ secret }: Tenant): Promise<number> {
    const client = await connect(`${system.url}/api/mcp`, { authorization: `Bearer ${secret}` })
    try {
      const { tools } = await client.listTools()
      const { isError = false } = await client.callTool({ name: 'whoami', arguments: {} })
      expect(isError).toBe(false)
      return tools.length
    } finally {
      await client.close()
    }
  }

  test('is served thirty times in a row, and beyond the key’s rate is told of that', async () => {
    const tenant = await system.tenant()

    for (let request = 0; request < 30; request++) expect(await chat(tenant)).toBeGreaterThan(0)

    const untilRefused = async () => {
      for (let request = 0; request < burst; request++) await chat(tenant)
    }
    const refusal = await untilRefused().catch((error: unknown) => error)
    const told = (refusal as Error).message
    expect(told).toContain(`The key has used up the requests for now: 6 a minute, ${burst} at once.`)
    expect(told).toContain(`"code":${rpcCodes.rateLimited}`)
    expect(told).not.toContain(String(rpcCodes.internalError))
  })
})
