// The rate limits through the whole product: headers with the real limits, refusals with small ones.
import { defaultRates } from '#contract/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

const projects = '/api/v1/projects'
const limit = (perMinute: number, burst: number) => ({ perMinute, burst })
const policyOf = ({ headers }: Answer) => headers.get('ratelimit-policy')
/** Far below the age at which a gateway asks again by itself. */
const atOnceMs = 2_000

describeModes('rate limits', (mode) => {
  let system: System
  /** In the distributed form, a second gateway with a service of its own. */
  let second: Awaited<ReturnType<typeof startTiers>> | null
  beforeAll(async () => {
    system = await startSystem(mode, { rates: defaultRates })
    second = mode === 'standalone' ? null : await startTiers(system.settings, system.db, logger('fatal', 'second'))
  })
  afterAll(async () => {
    await second?.close()
    await system?.[Symbol.asyncDispose]()
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
    const tooLarge = (number: string) => ({ pointer: `/rateLimit/${number}`, code: 'too_large' })

    const refused = await make(limit(121, 51))
    const { id } = must(await make(limit(120, 50)))
    const changed = await system.operator('PATCH', `${keys}/${id}`, { rateLimit: limit(121, 50) })

    expect(made).toMatchObject({ rateLimit: limit(120, 50), limits: { keyBurst: 50, workspaceBurst: 50 } })
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(refused.body.errors).toMatchObject([tooLarge('perMinute'), tooLarge('burst')])
    expect(changed.body.errors).toMatchObject([tooLarge('perMinute')])
  })
})
