// API keys: changes hold at every gateway at once.
// Operations: api-keys.rotate, api-keys.expire-previous-secret, api-keys.usage, api-keys.requests, usage.overview.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { presetNamed } from '#contract/key-preset.ts'
import type { AnsweredRequest } from '#contract/usage.ts'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { run } from '../support/run-program.ts'
import { describeMode, describeModes, must, sharedSystem, type System, type Tenant } from '../support/system.ts'
import { told } from './calls.ts'

/** The gateways of a system: in the distributed form a second one, with a service of its own, beside the first. */
async function gatewaysOf(system: System): Promise<AsyncDisposable & { urls: string[] }> {
  if (system.settings.redisUrl === null) return { urls: [system.url], [Symbol.asyncDispose]: async () => {} }
  const second = await startTiers(system.settings, system.db, logger('fatal', 'second'))
  return { urls: [system.url, second.url], [Symbol.asyncDispose]: second.close }
}

/** Far below the age at which a gateway asks again by itself. */
const atOnceMs = 2_000

const everywhere = (urls: readonly string[], { secret }: Tenant, expected: string, withinMs?: number) =>
  eventually(
    async () => {
      const headers = { authorization: `Bearer ${secret}` }
      const ask = (url: string) => clientOf(url, '').call('GET', '/api/v1/projects', undefined, headers)
      return (await Promise.all(urls.map(ask))).every((answer) => told(answer) === expected)
    },
    `${expected} at every gateway`,
    withinMs,
  )

describeModes('keys', (mode) => {
  const { system } = sharedSystem(mode)

  test('a removed scope, another address, a suspended workspace and a revoked key are refused at every gateway at once', async () => {
    await using gateways = await gatewaysOf(system)
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    for (const each of [tenant, other]) await everywhere(gateways.urls, each, '200')

    must(await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { scopes: ['events:read'] }))
    await everywhere(gateways.urls, tenant, '403 insufficient_scope', atOnceMs)
    must(await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { ipAllowlist: ['192.0.2.1', '2001:db8::/32'] }))
    await everywhere(gateways.urls, tenant, '403 ip_not_allowed', atOnceMs)
    must(await system.operator('PATCH', `/settings/api/workspaces/${other.workspaceId}`, { suspended: true }))
    await everywhere(gateways.urls, other, '403 workspace_suspended', atOnceMs)
    must(await other.settings('DELETE', `/api-keys/${other.keyId}`))
    await everywhere(gateways.urls, other, '401 api_key_revoked', atOnceMs)
  })

  test('during an overlap a key shows the use of its old secret; once ended, that is refused at every gateway at once and the new one never', async () => {
    await using gateways = await gatewaysOf(system)
    const tenant = await system.tenant()
    const key = await tenant.key(['projects:read'])
    await everywhere(gateways.urls, key, '200')
    const shown = async () => must(await tenant.settings('GET', `/api-keys/${key.keyId}`))
    const unrotated = await shown()
    const { secret } = must(await tenant.settings('POST', `/api-keys/${key.keyId}/rotate`, { overlapHours: 24 }))
    const rotated = await shown()
    const renewed = { ...key, secret }
    await everywhere(gateways.urls, renewed, '200')
    for (const from of ['old', 'old', 'new'])
      must(
        await system.call('GET', '/api/v1/projects', undefined, {
          authorization: `Bearer ${(from === 'old' ? key : renewed).secret}`,
        }),
      )

    const used = await eventually(async () => {
      const now = await shown()
      return now.previousSecretRequests === null || now.previousSecretRequests < 2 ? null : now
    }, 'the use of the old secret to be reported')
    let [calls, isOver] = [[] as string[], false]
    const meanwhile = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const url = gateways.urls[n % gateways.urls.length]!
        const headers = { authorization: `Bearer ${secret}` }
        calls.push(told(await clientOf(url, '').call('GET', '/api/v1/projects', undefined, headers)))
      }
    })()
    const before = await tenant.lastSequence()
    must(await tenant.settings('POST', `/api-keys/${key.keyId}/expire-previous-secret`, {}))
    await everywhere(gateways.urls, key, '401 api_key_expired', atOnceMs)
    isOver = true
    await meanwhile

    const none = {
      previousSecretExpiresAt: null,
      previousSecretRequests: null,
      previousSecretLastUsedAt: null,
      previousSecretLastUsedIp: null,
    }
    expect(unrotated).toMatchObject(none)
    expect(rotated).toMatchObject({ previousSecretRequests: 0, previousSecretLastUsedAt: null })
    expect(used).toMatchObject({ previousSecretRequests: 2, previousSecretLastUsedIp: '127.0.0.1' })
    expect(Math.abs(Date.parse(used.previousSecretLastUsedAt) - Date.now())).toBeLessThan(60_000)
    expect(await shown()).toMatchObject({ ...none, version: rotated.version + 1 })
    expect(new Set(calls)).toEqual(new Set(['200']))
    const { data } = must(await tenant.api('GET', `/api/v1/events?after=${before}`))
    const changes = { previousSecretExpiresAt: { from: rotated.previousSecretExpiresAt, to: null } }
    expect(data).toMatchObject([{ type: 'api-keys.updated', data: { id: key.keyId }, changes }])
    const [entry] = must(await tenant.settings('GET', `/audit-entries?targetId=${key.keyId}`)).data
    expect(entry).toMatchObject({ action: 'api-keys.expire-previous-secret', changes })
  })

  test('two who end an overlap at once end it once, and after another rotation the secret that it replaced goes on working', async () => {
    const tenant = await system.tenant()
    const { keyId, secret } = await tenant.key(['projects:read'])
    const rotate = async () => must(await tenant.settings('POST', `/api-keys/${keyId}/rotate`, {}))
    const end = (headers = {}) => tenant.settings('POST', `/api-keys/${keyId}/expire-previous-secret`, {}, headers)
    const second = await rotate()
    const third = await rotate()
    const before = await tenant.lastSequence()

    const late = await end({ 'if-match': `"${second.version}"` })
    const works = await Promise.all(
      [secret, second.secret].map((each) =>
        system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${each}` }),
      ),
    )
    const both = await Promise.all([end(), end()])
    const again = must(await end())

    expect(late.status).toBe(412)
    expect(works.map(({ status }) => status)).toEqual([200, 200])
    expect(both.map(({ status, body }) => [status, body.version])).toEqual([
      [200, third.version + 1],
      [200, third.version + 1],
    ])
    expect(again).toMatchObject({ version: third.version + 1, previousSecretExpiresAt: null })
    const { data } = must(await tenant.api('GET', `/api/v1/events?after=${before}`))
    expect(data).toMatchObject([{ type: 'api-keys.updated', resource: { id: keyId } }])
    const secrets = await system.db.apiKeySecret.findMany({ where: { apiKeyId: keyId }, orderBy: { createdAt: 'asc' } })
    const isOver = secrets.map(({ expiresAt }) => expiresAt !== null && expiresAt <= new Date())
    expect(isOver).toEqual([true, true, false])
    must(await tenant.settings('DELETE', `/api-keys/${keyId}`))
    expect(await end()).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
  })

  test('a change of a key is an event and an audit entry with what it was before, and none with a secret; one that changes nothing is none', async () => {
    const tenant = await system.tenant()
    const { id, secret } = must(await tenant.settings('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] }))
    const before = await tenant.lastSequence()

    must(
      await tenant.settings('PATCH', `/api-keys/${id}`, { scopes: ['projects:read', 'tasks:read'], expiresAt: null }),
    )
    must(await tenant.settings('PATCH', `/api-keys/${id}`, { name: 'Sync' }))

    const { data } = must(await tenant.api('GET', `/api/v1/events?after=${before}`))
    const changes = { scopes: { from: ['projects:read'], to: ['projects:read', 'tasks:read'] } }
    expect(data).toMatchObject([
      { type: 'api-keys.updated', resource: { type: 'api-keys', id }, data: { id }, changes },
    ])
    expect(JSON.stringify(data)).not.toContain(secret)
    const [entry] = must(await tenant.settings('GET', `/audit-entries?targetId=${id}`)).data
    expect(entry).toMatchObject({ action: 'api-keys.update', changes })
  })

  test('the settings show the use of a key, and how its requests were answered, to its own workspace alone', async () => {
    const [tenant, other] = await Promise.all([system.tenant(), system.tenant()])
    const used = await tenant.key(['projects:read'])
    for (const path of ['/projects?limit=1', '/projects', '/tasks']) await used.api('GET', `/api/v1${path}`)
    const ofKey = (what: string) => `/api-keys/${used.keyId}${what}`

    // The use, the counts and the requests of a key are stored one after the other.
    const requests = await eventually(async () => {
      const shown = must(await tenant.settings('GET', ofKey('/requests'))).data
      return shown.length < 3 ? null : shown
    }, 'the gateway to report the requests')
    const key = await eventually(async () => {
      const shown = must(await tenant.settings('GET', ofKey('')))
      return shown.requests30d < 3 ? null : shown
    }, 'the gateway to report the use')
    const usage = must(await tenant.settings('GET', ofKey('/usage')))
    const byHour = must(await tenant.settings('GET', ofKey('/usage?by=hour')))
    const overview = must(await tenant.settings('GET', '/usage'))

    // Nobody changed the key: it is the same version for whoever edits it.
    expect(key).toMatchObject({ requests30d: 3, lastUsedIp: '127.0.0.1', lastUsedUserAgent: 'node', version: 1 })
    expect(Math.abs(Date.parse(key.lastUsedAt) - Date.now())).toBeLessThan(60_000)
    const counts = { requests: 3, status2xx: 2, status4xx: 1, p50Ms: expect.any(Number) }
    expect(usage).toMatchObject({ total: counts, surfaces: [{ surface: 'http', requests: 3, failed: 1 }] })
    expect([usage.periods.length, usage.periods.at(-1)]).toEqual([30, { from: expect.any(String), ...usage.total }])
    expect([byHour.periods.length, byHour.total]).toEqual([48, usage.total])
    expect(usage.operations).toMatchObject([{ operation: 'projects.list' }, { operation: 'tasks.list', failed: 1 }])
    expect(requests.map(({ status }: AnsweredRequest) => status)).toEqual([403, 200, 200])
    expect(requests[0]).toMatchObject({ workspaceId: tenant.workspaceId, ip: '127.0.0.1', method: 'GET' })
    const keys = { active: 2, neverExpires: 2, noIpAllowlist: 2, idle: 0, rotationDue: 0 }
    const firstSteps = { hasKey: true, hasCalled: true, hasWebhook: false, hasReceived: false }
    expect(overview).toMatchObject({ requests: counts, keys, firstSteps })
    expect(must(await other.settings('GET', '/usage')).requests.requests).toBe(0)
  })

  test('the first steps are those of people: what was made and called before the first member ticks none', async () => {
    const { id } = must(await system.operator('POST', '/settings/api/workspaces', { name: 'With samples' }))
    const settings = async (method: string, path: string, body?: object) =>
      must(await system.operator(method, `/settings/api/workspaces/${id}${path}`, body))
    const steps = async () => (await settings('GET', '/usage')).firstSteps
    const callWithNewKey = async () => {
      const { secret } = await settings('POST', '/api-keys', { name: 'Any', scopes: ['projects:read'] })
      must(await system.call('GET', '/api/v1/projects', undefined, { authorization: `Bearer ${secret}` }))
    }
    await callWithNewKey()
    await eventually(async () => (await steps()).hasCalled, 'the gateway to report')

    await settings('POST', '/members', { name: 'Ada', email: 'first@example.com', role: 'owner' })
    expect(await steps()).toMatchObject({ hasKey: false, hasCalled: false })
    await callWithNewKey()

    await eventually(async () => (await steps()).hasCalled, 'the gateway to report')
    expect(await steps()).toMatchObject({ hasKey: true })
  })

  test('the secret is shown once and stored nowhere', async () => {
    const { keyId, secret, settings } = await system.tenant()

    const shown = must(await settings('GET', `/api-keys/${keyId}`))
    const secrets = await system.db.apiKeySecret.findMany({ where: { apiKeyId: keyId } })

    expect([shown.secret, secrets.length]).toEqual([undefined, 1])
    expect(JSON.stringify(secrets)).not.toContain(secret)
  })
})

describeMode('the README', 'standalone', (mode) => {
  const { system } = sharedSystem(mode)

  test('its commands make a second key by preset, which has the scopes of it alone and works', async () => {
    const readme = readFileSync('README.md', 'utf8')
    const [, block = ''] = /## A second key\n[^]*?```sh\n([^]*?)```/.exec(readme) ?? []
    const commands = block
      .replaceAll('http://127.0.0.1:8080', system.url)
      .replace('$(cat data/operator-token)', system.operatorToken)

    const { code, output } = await run('.', 'bash', ['-euc', commands], {})

    const { secret, preset, scopes } = JSON.parse(output)
    const me = await system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${secret}` })
    expect([code, preset, me.status]).toEqual([0, undefined, 200])
    expect([scopes, me.body.scopes]).toEqual([presetNamed('sync').scopes, presetNamed('sync').scopes])
  })
})
