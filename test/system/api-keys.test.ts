// API keys: changes hold at every gateway at once.
// Operations: api-keys.rotate, api-keys.usage, api-keys.requests, usage.overview.
import { expect, test } from 'vitest'
import type { AnsweredRequest } from '#contract/usage.ts'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type System, type Tenant } from '../support/system.ts'
import { told } from './calls.ts'

/** The gateways of a system: in the distributed form a second one, with a service of its own, beside the first. */
async function gatewaysOf(system: System): Promise<AsyncDisposable & { urls: string[] }> {
  if (system.settings.redisUrl === null) return { urls: [system.url], [Symbol.asyncDispose]: async () => {} }
  const second = await startTiers(system.settings, system.db, logger('fatal', 'second'))
  return { urls: [system.url, second.url], [Symbol.asyncDispose]: second.close }
}

const listAt = (url: string, { secret }: Tenant) =>
  clientOf(url, '').call('GET', '/api/v1/projects', undefined, { authorization: `Bearer ${secret}` })

const statusesAt = async (urls: readonly string[], tenant: Tenant) =>
  (await Promise.all(urls.map((url) => listAt(url, tenant)))).map(told)

/** Far below the age at which a gateway asks again by itself. */
const atOnceMs = 2_000

const everywhere = (urls: readonly string[], tenant: Tenant, expected: string, withinMs?: number) =>
  eventually(
    async () => (await statusesAt(urls, tenant)).every((status) => status === expected),
    `${expected} at every gateway`,
    withinMs,
  )

describeModes('keys', (mode) => {
  const { system } = sharedSystem(mode)

  test('a removed scope, a suspended workspace and a revoked key are refused at every gateway at once', async () => {
    await using gateways = await gatewaysOf(system)
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    for (const each of [tenant, other]) await everywhere(gateways.urls, each, '200')

    must(await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { scopes: ['events:read'] }))
    await everywhere(gateways.urls, tenant, '403 insufficient_scope', atOnceMs)
    must(await system.operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, { suspended: true }))
    await everywhere(gateways.urls, tenant, '403 workspace_suspended', atOnceMs)
    must(await other.settings('DELETE', `/api-keys/${other.keyId}`))
    await everywhere(gateways.urls, other, '401 api_key_revoked', atOnceMs)
  })

  test('a key that is used from elsewhere or was stored without scopes is refused', async () => {
    const tenant = await system.tenant()
    const here = await tenant.key(['projects:read'], { ipAllowlist: ['127.0.0.0/8'] })
    const elsewhere = await tenant.key(['projects:read'], { ipAllowlist: ['192.0.2.1', '2001:db8::/32'] })
    await system.db.apiKey.updateMany({ where: { id: tenant.keyId }, data: { scopes: [] } })

    const statuses = await Promise.all([here, elsewhere, tenant].map((key) => statusesAt([system.url], key)))

    expect(statuses.flat()).toEqual(['200', '403 ip_not_allowed', '403 api_key_has_no_scopes'])
  })

  test('an unbound key must name one of its workspaces, which allow such keys, and acts only there', async () => {
    const [tenant, other, third] = [await system.tenant(), await system.tenant(), await system.tenant()]
    const workspaceIds = [tenant.workspaceId, other.workspaceId]
    const grant = { name: 'x', scopes: ['projects:read', 'projects:write'], workspaceIds }
    const refused = await tenant.settings('POST', '/api-keys', grant)
    const apiPolicy = { allowUnboundKeys: true }
    for (const id of workspaceIds) must(await system.operator('PATCH', `/settings/api/workspaces/${id}`, { apiPolicy }))
    const unbound = await tenant.key(['projects:read', 'projects:write'], { workspaceIds })
    const at = (id: string) => unbound.api('POST', '/api/v1/projects', { name: 'Website' }, { 'x-workspace-id': id })

    const nowhere = await unbound.api('GET', '/api/v1/projects')
    const [made, denied] = [await at(other.workspaceId), await at(third.workspaceId)]
    const me = must(await unbound.api('GET', '/api/v1/me'))

    expect([nowhere, made, denied].map(told)).toEqual(['400 workspace_required', '201', '403 workspace_not_allowed'])
    expect([made.body.workspaceId, me.workspaces.length]).toEqual([other.workspaceId, 2])
    expect(told(refused)).toContain('422 reference_not_found')
  })

  test('the settings show the use of a key, and how its requests were answered, to its own workspace alone', async () => {
    const [tenant, other] = await Promise.all([system.tenant(), system.tenant()])
    const used = await tenant.key(['projects:read'])
    for (const path of ['/projects?limit=1', '/projects', '/tasks']) await used.api('GET', `/api/v1${path}`)
    const ofKey = (what: string) => `/api-keys/${used.keyId}${what}`

    const key = await eventually(async () => {
      const shown = must(await tenant.settings('GET', ofKey('')))
      return shown.lastUsedAt === null ? null : shown
    }, 'the gateway to report')
    const usage = must(await tenant.settings('GET', ofKey('/usage')))
    const byHour = must(await tenant.settings('GET', ofKey('/usage?by=hour')))
    const { data: requests } = must(await tenant.settings('GET', ofKey('/requests')))
    const overview = must(await tenant.settings('GET', '/usage'))

    // Nobody changed the key: it is the same version for whoever edits it.
    expect(key).toMatchObject({ requests30d: 3, lastUsedIp: '127.0.0.1', lastUsedUserAgent: 'node', version: 1 })
    expect(Math.abs(Date.parse(key.lastUsedAt) - Date.now())).toBeLessThan(60_000)
    const counts = { requests: 3, status2xx: 2, status4xx: 1, p50Ms: expect.any(Number) }
    expect(usage).toMatchObject({ total: counts, surfaces: [{ surface: 'http', requests: 3, failed: 1 }] })
    expect([usage.periods.length, usage.periods.at(-1)]).toEqual([30, { from: expect.any(String), ...usage.total }])
    expect([byHour.periods.length, byHour.total]).toEqual([48, usage.total])
    const of = (operation: string, requests: number, failed: number) => ({
      operation,
      surface: 'http',
      requests,
      failed,
    })
    expect(usage.operations).toEqual([of('projects.list', 2, 0), of('tasks.list', 1, 1)])
    const [tasks, projects] = ['/api/v1/tasks 403', '/api/v1/projects 200']
    const answered = requests.map(({ path, status }: AnsweredRequest) => `${path} ${status}`)
    expect(answered).toEqual([tasks, projects, projects])
    expect(requests[0]).toMatchObject({ workspaceId: tenant.workspaceId, ip: '127.0.0.1', method: 'GET' })
    const keys = { active: 2, neverExpires: 2, noIpAllowlist: 2, idle: 0, rotationDue: 0 }
    const firstSteps = { hasKey: true, hasCalled: true, hasWebhook: false, hasReceived: false }
    expect(overview).toMatchObject({ requests: counts, keys, firstSteps })
    expect(must(await other.settings('GET', '/usage')).requests.requests).toBe(0)
    const foreign = [await other.settings('GET', ofKey('/usage')), await other.settings('GET', ofKey('/requests'))]
    expect(foreign.map(told)).toEqual(['404 not_found', '404 not_found'])
  })

  test('the secret is shown once and stored nowhere', async () => {
    const { keyId, secret, settings } = await system.tenant()

    const shown = must(await settings('GET', `/api-keys/${keyId}`))
    const secrets = await system.db.apiKeySecret.findMany({ where: { apiKeyId: keyId } })

    expect([shown.secret, secrets.length]).toEqual([undefined, 1])
    expect(JSON.stringify(secrets)).not.toContain(secret)
  })
})
