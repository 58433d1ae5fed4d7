// The rate limits through the whole product: headers with the real limits, refusals with small ones.
import { defaultRates } from '#contract/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rates } from '../../gateway/rate-limit/limiter.ts'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

const projects = '/api/v1/projects'
/** Next to nothing comes back while a test runs. */
const slowly = (key: number, workspace: number): Rates => ({
  key: { perMinute: 1, burst: key },
  workspace: { perMinute: 1, burst: workspace },
})
const list = (who: Tenant) => who.api('GET', projects)
const limit = (perMinute: number, burst: number) => ({ perMinute, burst })
const policyOf = ({ headers }: Answer) => headers.get('ratelimit-policy')
/** Far below the age at which a gateway asks again by itself. */
const atOnceMs = 2_000

describeModes('rate limits', (mode) => {
  let system: System
  let scarce: System
  /** In the distributed form, a second gateway with a service of its own. */
  let second: Awaited<ReturnType<typeof startTiers>> | null
  beforeAll(async () => {
    system = await startSystem(mode, { rates: defaultRates })
    second = mode === 'standalone' ? null : await startTiers(system.settings, system.db, logger('fatal', 'second'))
    scarce = await startSystem(mode, { rates: slowly(3, 5) })
  })
  afterAll(async () => {
    await second?.close()
    await system?.[Symbol.asyncDispose]()
    await scarce?.[Symbol.asyncDispose]()
  })

  const workspacePath = ({ workspaceId }: { workspaceId: string }) => `/settings/api/workspaces/${workspaceId}`
  const change = (tenant: Tenant, patch: object) => system.operator('PATCH', workspacePath(tenant), patch)
  const changeKey = (tenant: Tenant, patch: object) => tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, patch)
  /** At every gateway. */
  const listEverywhere = ({ secret }: Tenant) => {
    const headers = { authorization: `Bearer ${secret}` }
    const urls = [system.url, second?.url ?? system.url]
    return Promise.all(urls.map((url) => clientOf(url, '').call('GET', projects, undefined, headers)))
  }
  const soonEverywhere = (tenant: Tenant, key: number, workspace: number) => {
    const expected = `"key";q=${key};w=60, "workspace";q=${workspace};w=60`
    const isSo = async () => (await listEverywhere(tenant)).every((answer) => policyOf(answer) === expected)
    return eventually(isSo, expected, atOnceMs)
  }

  test('every answer has the rate limit headers, and /me shows the key’s own limit', async () => {
    const tenant = await system.tenant()

    const me = await tenant.api('GET', '/api/v1/me')
    const missing = await tenant.api('GET', `${projects}/01999999-0000-7000-8000-000000000000`)

    expect(me.body.rateLimit).toEqual({ limit: 600, burst: 100, remaining: 99, resetSeconds: 1 })
    expect(missing.status).toBe(404)
    expect([me, missing].map(policyOf)).toEqual(Array(2).fill('"key";q=600;w=60, "workspace";q=3000;w=60'))
    for (const { headers } of [me, missing]) expect(headers.get('ratelimit')).toMatch(/^"key";r=9[89];t=1$/)
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

  test('tool calls and API calls of a key are counted together', async () => {
    const tenant = await scarce.tenant()
    const params = { name: 'projects.list', arguments: {} }
    const tool = () => tenant.api('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })

    const answers = [await tool(), await list(tenant), await tool(), await tool()]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[3]?.body.error.data).toMatchObject({ code: 'rate_limited', 'violated-policies': ['key'] })
  })

  test('the operator gives a workspace a plan, which holds at every gateway at once and for no other workspace', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    await soonEverywhere(tenant, 600, 3_000)

    const changed = must(await change(tenant, { rateLimit: limit(120, 50) }))
    const again = must(await change(tenant, { rateLimit: { burst: 50, perMinute: 120 } }))
    const tried = must(await change(tenant, { rateLimit: limit(60, 20), dryRun: true }))

    expect([again.version, tried.version]).toEqual([changed.version, changed.version])
    expect(tried.limits.workspaceBurst).toBe(20)
    await soonEverywhere(tenant, 120, 120)
    await soonEverywhere(other, 600, 3_000)
    const limits = { keyRequestsPerMinute: 120, keyBurst: 50, workspaceRequestsPerMinute: 120, workspaceBurst: 50 }
    expect(changed).toMatchObject({ rateLimit: limit(120, 50), limits })
    expect(must(await tenant.api('GET', '/api/v1/workspaces/current'))).toMatchObject(changed)
    const audited = must(await tenant.settings('GET', '/audit-entries?action=workspaces.update')).data
    expect(audited).toMatchObject([{ changes: { rateLimit: { from: null, to: limit(120, 50) } } }])
    const usual = { rateLimit: null, limits: { keyRequestsPerMinute: 600, workspaceBurst: 500 } }
    expect(must(await other.api('GET', '/api/v1/workspaces/current'))).toMatchObject(usual)

    must(await change(tenant, { rateLimit: null }))
    await soonEverywhere(tenant, 600, 3_000)
  })

  test('a key’s own limit is set with the key or later, shown wherever the key is, holds everywhere at once, and yields to the plan', async () => {
    const tenant = await system.tenant()
    const own = await tenant.key(['projects:read'], { rateLimit: limit(30, 20) })
    await soonEverywhere(own, 30, 3_000)

    const changed = must(await changeKey(own, { rateLimit: limit(2_000, 300) }))

    await soonEverywhere(own, 2_000, 3_000)
    await soonEverywhere(tenant, 600, 3_000)
    expect([changed.rateLimit, changed.version]).toEqual([limit(2_000, 300), 2])
    expect(must(await tenant.settings('GET', `/api-keys/${own.keyId}`)).rateLimit).toEqual(limit(2_000, 300))
    expect(must(await own.api('GET', '/api/v1/me')).rateLimit).toMatchObject({ limit: 2_000, burst: 300 })
    const audited = must(await tenant.settings('GET', '/audit-entries?action=api-keys.update')).data
    expect(audited).toMatchObject([{ changes: { rateLimit: { from: limit(30, 20), to: limit(2_000, 300) } } }])

    must(await change(tenant, { rateLimit: limit(60, 40) }))
    await soonEverywhere(own, 60, 60)
    const renamed = { name: 'Renamed', rateLimit: limit(2_000, 300) }
    expect(must(await changeKey(own, renamed))).toMatchObject(renamed)
    must(await change(tenant, { rateLimit: null }))
    expect(must(await changeKey(own, { rateLimit: null })).rateLimit).toBeNull()
    await soonEverywhere(own, 600, 3_000)
  })

  test('a key’s limit above the plan that its workspace was made with is refused, with each number that is too large', async () => {
    const input = { name: 'Planned', rateLimit: limit(120, 50) }
    const made = must(await system.operator('POST', '/settings/api/workspaces', input))
    const keys = `${workspacePath({ workspaceId: made.id })}/api-keys`
    const make = (rateLimit: object) =>
      system.operator('POST', keys, { name: 'K', scopes: ['projects:read'], rateLimit })
    const tooLarge = (number: string, plan: number) => {
      const detail = `Is above the plan of the workspace, which is ${plan}.`
      return { pointer: `/rateLimit/${number}`, code: 'too_large', detail }
    }

    const refused = await make(limit(121, 51))
    const { id } = must(await make(limit(120, 50)))
    const changed = await system.operator('PATCH', `${keys}/${id}`, { rateLimit: limit(121, 50) })

    expect(made).toMatchObject({ rateLimit: limit(120, 50), limits: { keyBurst: 50, workspaceBurst: 50 } })
    const errors = [tooLarge('perMinute', 120), tooLarge('burst', 50)]
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed', errors } })
    expect(changed.body.errors).toEqual([tooLarge('perMinute', 120)])
  })
})
