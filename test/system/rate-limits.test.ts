// The rate limits through the whole product: headers with the real limits, refusals with small ones.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handshakeRate } from '#contract/rate-limits.ts'
import { standardRates, type Rates } from '../../gateway/rate-limit/rate-limiter.ts'
import { describeModes, startSystem, type System, type Tenant } from '../support/system.ts'

const projects = '/api/v1/projects'
/** Next to nothing comes back while a test runs. */
const slowly = (key: number, workspace: number): Rates => ({
  key: { perMinute: 1, burst: key },
  workspace: { perMinute: 1, burst: workspace },
  handshake: handshakeRate,
})
const list = (who: Tenant) => who.api('GET', projects)

describeModes('rate limits', (mode) => {
  let ample: System
  let scarce: System
  beforeAll(async () => {
    ample = await startSystem(mode, { rates: standardRates })
    scarce = await startSystem(mode, { rates: slowly(3, 5) })
  })
  afterAll(async () => {
    await ample?.[Symbol.asyncDispose]()
    await scarce?.[Symbol.asyncDispose]()
  })

  test('every answer has the rate limit headers, and /me shows the key’s own limit', async () => {
    const tenant = await ample.tenant()

    const me = await tenant.api('GET', '/api/v1/me')
    const missing = await tenant.api('GET', `${projects}/01999999-0000-7000-8000-000000000000`)

    expect(me.body.rateLimit).toEqual({ limit: 600, remaining: 99, resetSeconds: 1 })
    expect(missing.status).toBe(404)
    for (const { headers } of [me, missing]) {
      expect(headers.get('ratelimit-policy')).toBe('"key";q=600;w=60, "workspace";q=3000;w=60')
      expect(headers.get('ratelimit')).toMatch(/^"key";r=9[89];t=1$/)
    }
  })

  test('key and workspace are refused at their limits, without effect on other workspaces', async () => {
    const tenant = await scarce.tenant()
    const [second, stranger] = [await tenant.key(['projects:read']), await scarce.tenant()]

    const ofKey = [await list(tenant), await list(tenant), await list(tenant), await list(tenant)]
    const ofWorkspace = [await list(second), await list(second), await list(second)]

    expect(ofKey.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(ofKey[3]?.body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['key'] })
    expect(ofWorkspace.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(ofWorkspace[2]?.body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['workspace'] })
    expect(ofWorkspace[2]?.headers.get('retry-after')).toBe(String(ofWorkspace[2]?.body.retryAfterSeconds))
    expect((await list(stranger)).status).toBe(200)
  })

  test('of two batches at once that exceed the limit together one runs completely and the other not at all', async () => {
    const tenant = await scarce.tenant()
    const batch = (name: string) => {
      const items = [1, 2].map((n) => ({ action: 'create', data: { name: `${name} ${n}` } }))
      return tenant.api('POST', `${projects}/batch`, { items })
    }

    const answers = await Promise.all([batch('A'), batch('B')])
    const found = await list(tenant)

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
    const name = answers[0]?.status === 200 ? 'A' : 'B'
    expect(found.body.data.map((project: { name: string }) => project.name).toSorted()).toEqual([
      `${name} 1`,
      `${name} 2`,
    ])
  })

  test('tool calls and API calls of a key are counted together', async () => {
    const tenant = await scarce.tenant()
    const tool = () =>
      tenant.api('POST', '/api/mcp', {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'projects.list', arguments: {} },
      })

    const answers = [await tool(), await list(tenant), await tool(), await tool()]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[3]?.body.error.data).toMatchObject({ code: 'rate_limited', 'violated-policies': ['key'] })
  })
})
