// A workspace's key policy, the keys that were there before it, and the event of a secret that reaches its maximum age.
import { expect, test } from 'vitest'
import { emitRotationDue } from '../../service/keys/api-keys/rotation-due.ts'
import { changeDeps } from '../support/change-deps.ts'
import { eventually } from '../support/eventually.ts'
import { describeMode, modes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'
import { told } from './calls.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Far below the age at which a gateway asks again by itself. */
const atOnceMs = 10_000

describeMode('key policy', modes.at(-1) ?? 'standalone', (mode) => {
  const { system } = sharedSystem(mode)

  const change = async ({ workspaceId }: Tenant, patch: object) =>
    must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, patch))
  const shown = async (tenant: Tenant, keyId = tenant.keyId) => must(await tenant.settings('GET', `/api-keys/${keyId}`))
  const list = async ({ api }: Tenant, headers = {}, path = '/api/v1/projects') =>
    told(await api('GET', path, undefined, headers))
  const soon = (ask: () => Promise<string>, expected: string) =>
    eventually(async () => (await ask()) === expected, expected, atOnceMs)
  const setWorkspace = ({ workspaceId }: Tenant, data: object) =>
    system.db.workspace.update({ where: { id: workspaceId }, data })
  /** Each secret stays older than the next: of two of one age, either would pass for the newest. */
  const age = async ({ keyId }: Tenant, days: number) => {
    const from = Date.now() - days * dayMs
    const secrets = await system.db.apiKeySecret.findMany({ where: { apiKeyId: keyId }, orderBy: { createdAt: 'asc' } })
    for (const [at, { hash }] of secrets.entries())
      await system.db.apiKeySecret.update({ where: { hash }, data: { createdAt: new Date(from + at) } })
  }
  const emitDue = () => emitRotationDue(changeDeps(system.db))
  const dueEvents = async (tenant: Tenant): Promise<{ resource: { id: string } }[]> =>
    must(await tenant.settings('GET', '/events?eventTypes=api-keys.rotation_due')).data
  /** The keys of a workspace that are due by now. Those of other workspaces are told as well. */
  async function due(tenant: Tenant): Promise<string[]> {
    await emitDue()
    return (await dueEvents(tenant)).map(({ resource }) => resource.id)
  }

  test('a rule refuses an existing key at once, and accepts it again when loosened', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    for (const each of [tenant, other]) await age(each, 40)
    expect(await list(tenant)).toBe('200')

    const { apiPolicyFrom } = await change(tenant, { apiPolicy: { maxKeyAgeDays: 30 } })

    await soon(() => list(tenant), '403 api_key_rotation_required')
    expect(await list(tenant, {}, '/api/v1/me')).toBe('403 api_key_rotation_required')
    expect(await list(other)).toBe('200')
    const violation = { rule: 'maxKeyAgeDays', code: 'api_key_rotation_required', from: expect.any(String) }
    const { policyViolations } = await shown(tenant)
    expect(policyViolations).toMatchObject([{ workspaceId: tenant.workspaceId, ...violation }])
    expect(apiPolicyFrom.maxKeyAgeDays).not.toBeNull()
    await change(tenant, { apiPolicy: { maxKeyAgeDays: 60 } })
    await soon(() => list(tenant), '200')
    expect((await shown(tenant)).policyViolations).toEqual([])
  })

  test('an unbound key acts in workspaces that take such keys, and is refused in one that no longer does, and nowhere else', async () => {
    const [home, other] = [await system.tenant(), await system.tenant()]
    const workspaceIds = [home.workspaceId, other.workspaceId]
    const grant = { name: 'x', scopes: ['projects:write'], workspaceIds }
    expect(told(await home.settings('POST', '/api-keys', grant))).toContain('422 reference_not_found')
    for (const tenant of [home, other]) await change(tenant, { apiPolicy: { allowUnboundKeys: true } })
    const unbound = await home.key(['projects:write', 'api-keys:rotate-self'], { workspaceIds })
    const inOther = { 'x-workspace-id': other.workspaceId }
    const made = must(await unbound.api('POST', '/api/v1/projects', { name: 'Website' }, inOther))
    expect(made.workspaceId).toBe(other.workspaceId)
    const at = (tenant: Tenant) => () => list(unbound, { 'x-workspace-id': tenant.workspaceId })
    const nowhere = () => list(unbound, {}, '/api/v1/me')
    for (const ask of [at(home), at(other), nowhere]) expect(await ask()).toBe('200')

    await change(other, { apiPolicy: { allowUnboundKeys: false } })

    await soon(at(other), '403 unbound_key_not_allowed')
    expect(await at(home)()).toBe('200')
    // Without a workspace a key is good for as long as one of its workspaces takes it.
    expect(await nowhere()).toBe('200')
    must(await home.settings('POST', `/api-keys/${unbound.keyId}/rotate`))
    await change(home, { apiPolicy: { requireExpiry: true } })
    await soon(at(home), '403 key_expiry_required')
    expect(await nowhere()).toBe('403 key_expiry_required')
    expect(told(await home.settings('POST', `/api-keys/${unbound.keyId}/rotate`))).toBe('403 key_expiry_required')
    expect((await shown(home, unbound.keyId)).policyViolations).toMatchObject([
      { workspaceId: home.workspaceId, rule: 'requireExpiry' },
      { workspaceId: other.workspaceId, rule: 'allowUnboundKeys' },
    ])
  })

  test('during the grace of a rule existing keys are accepted, while new keys must comply at once; the log holds both', async () => {
    const tenant = await system.tenant()
    await age(tenant, 40)
    const path = `/settings/api/workspaces/${tenant.workspaceId}`
    const entries = async (filter: string): Promise<Answer['body'][]> =>
      must(await tenant.settings('GET', `/audit-entries?${filter}`)).data

    const ofNothing = await system.operator('PATCH', path, { policyGraceHours: 24 })
    const apiPolicy = { requireExpiry: true, maxKeyAgeDays: 30 }
    const { apiPolicyFrom } = await change(tenant, { apiPolicy, policyGraceHours: 48 })

    expect(ofNothing).toMatchObject({ status: 422, body: { errors: [{ pointer: '/policyGraceHours' }] } })
    const { requireExpiry: rotateBy } = apiPolicyFrom
    expect(apiPolicyFrom.maxKeyAgeDays).toMatchObject({ from: rotateBy, before: null })
    const [{ changes }] = await entries('action=workspaces.update')
    expect(changes).toMatchObject({ apiPolicyFrom: { to: apiPolicyFrom } })
    expect(await list(tenant)).toBe('200')
    const policyViolations = [{ rule: 'requireExpiry' }, { rule: 'maxKeyAgeDays' }]
    expect(await shown(tenant)).toMatchObject({ status: 'active', rotateBy, policyViolations })
    const made = await tenant.settings('POST', '/api-keys', { name: 'New', scopes: ['projects:read'] })
    expect(told(made)).toMatch(/^422 .* \/expiresAt /)

    // As if the time had come. Gateways are told of a change of the key, and read what is written of its workspace.
    const over = new Date(Date.now() - 1)
    await setWorkspace(tenant, { requireExpiryFrom: over, maxKeyAgeFrom: over })
    must(await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { name: 'Later' }))
    await soon(() => list(tenant), '403 key_expiry_required')
    expect(await shown(tenant)).toMatchObject({ status: 'rotation_due' })
    const denied = await eventually(async () => (await entries('outcome=denied'))[0], 'the denied call')
    expect(denied).toMatchObject({ code: 'key_expiry_required', actor: { id: tenant.keyId } })
  })

  test('a new secret does not make a refused key acceptable; an update that complies does', async () => {
    const tenant = await system.tenant()
    await change(tenant, { apiPolicy: { requireExpiry: true, requireIpAllowlist: true } })
    const expiresAt = new Date(Date.now() + 24 * hourMs).toISOString()
    const made = await tenant.settings('POST', '/api-keys', { name: 'New', scopes: ['projects:read'], expiresAt })
    expect(made).toMatchObject({ status: 422, body: { errors: [{ pointer: '/ipAllowlist' }] } })
    const key = `/api-keys/${tenant.keyId}`
    await soon(() => list(tenant), '403 ip_allowlist_required')

    expect(told(await tenant.settings('POST', `${key}/rotate`))).toBe('403 ip_allowlist_required')
    expect(told(await tenant.api('POST', '/api/v1/me/rotate'))).toBe('403 ip_allowlist_required')
    must(await tenant.settings('PATCH', key, { name: 'Still refused' }))
    must(await tenant.settings('PATCH', key, { ipAllowlist: ['127.0.0.0/8'] }))
    await soon(() => list(tenant), '403 key_expiry_required')
    const opened = await tenant.settings('PATCH', key, { ipAllowlist: [] })
    expect(opened).toMatchObject({ status: 422, body: { errors: [{ pointer: '/ipAllowlist' }] } })
    must(await tenant.settings('PATCH', key, { expiresAt: new Date(Date.now() + dayMs).toISOString() }))
    await soon(() => list(tenant), '200')
    must(await tenant.settings('POST', `${key}/rotate`))
  })

  test('a dry run counts the keys that each rule would refuse, and changes nothing', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    for (const each of [tenant, other]) await change(each, { apiPolicy: { allowUnboundKeys: true } })
    const guest = await other.key(['projects:read'], { workspaceIds: [tenant.workspaceId, other.workspaceId] })
    const limited = await tenant.key(['projects:read'], { ipAllowlist: ['127.0.0.0/8'] })
    const revoked = await tenant.key(['projects:read'])
    must(await tenant.settings('DELETE', `/api-keys/${revoked.keyId}`))
    await age(tenant, 29)
    const path = `/settings/api/workspaces/${tenant.workspaceId}`
    const before = must(await system.operator('GET', path))
    const apiPolicy = { requireIpAllowlist: true, maxKeyAgeDays: 30, allowUnboundKeys: false }

    const { policyPreview, ...preview } = await change(tenant, { apiPolicy, policyGraceHours: 48, dryRun: true })

    expect(preview).toMatchObject({ apiPolicy, version: before.version })
    const { keys, rules, stopped } = policyPreview
    expect(keys).toBe(2)
    expect(rules.map((each: Answer['body']) => [each.rule, each.keys, each.keyIds])).toEqual([
      ['allowUnboundKeys', 1, [guest.keyId]],
      ['requireIpAllowlist', 2, [tenant.keyId, guest.keyId]],
      ['requireExpiry', 0, []],
      // It is of age before the grace is over.
      ['maxKeyAgeDays', 1, [tenant.keyId]],
    ])
    expect(stopped).toMatchObject([{ id: tenant.keyId }, { id: guest.keyId }])
    expect(must(await system.operator('GET', path))).toEqual(before)
    for (const one of [tenant, limited]) expect(await list(one)).toBe('200')
    const { data } = must(await tenant.settings('GET', '/audit-entries?action=workspaces.update'))
    expect(data).toHaveLength(1)
  })

  test('the event is emitted once when a secret reaches the policy’s age, and again for the next secret', async () => {
    const tenant = await system.tenant()
    const key = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 10 } })
    await age(key, 9)
    expect(await due(tenant)).toEqual([])

    await age(key, 11)
    await Promise.all([1, 2, 3].map(() => emitDue()))
    expect(await due(tenant)).toEqual([key.keyId])

    const about = { actor: { type: 'system' }, resource: { id: key.keyId }, data: { status: 'rotation_due' } }
    expect(await dueEvents(tenant)).toMatchObject([about])
    must(await tenant.settings('POST', `/api-keys/${key.keyId}/rotate`, { overlapHours: 0 }))
    expect(await due(tenant)).toHaveLength(1)
    await age(key, 12)
    expect(await due(tenant)).toHaveLength(2)
  })

  test('of key and workspaces the strictest counts, in a grace the former age; revoked and expired keys have no event', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    await change(other, { apiPolicy: { allowUnboundKeys: true } })
    const lax = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 300 } })
    const unbound = await tenant.key(['projects:read'], { workspaceIds: [other.workspaceId] })
    const [revoked, expired] = [await tenant.key(['projects:read']), await tenant.key(['projects:read'])]
    const all = [lax, unbound, revoked, expired]
    for (const each of all) await age(each, 20)
    must(await tenant.settings('DELETE', `/api-keys/${revoked.keyId}`))
    await system.db.apiKey.updateMany({ where: { id: expired.keyId }, data: { expiresAt: new Date(Date.now() - 1) } })
    for (const each of [tenant, other]) {
      await change(each, { apiPolicy: { maxKeyAgeDays: 25 } })
      await change(each, { apiPolicy: { maxKeyAgeDays: 10 }, policyGraceHours: 48 })
    }
    expect(await due(tenant)).toEqual([])

    await setWorkspace(other, { maxKeyAgeFrom: new Date(Date.now() - 1) })
    expect(await due(tenant)).toEqual([unbound.keyId])
    for (const each of all) await age(each, 26)
    expect(await due(tenant)).toEqual([unbound.keyId, lax.keyId])
  })
})
