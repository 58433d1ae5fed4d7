// A workspace's key policy and the keys that were there before it.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Far below the age at which a gateway asks again by itself. */
const atOnceMs = 10_000

describeModes('key policy', (mode) => {
  const { system } = sharedSystem(mode)

  const change = async ({ workspaceId }: Tenant, patch: object) =>
    must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, patch))
  const shown = async (tenant: Tenant, keyId = tenant.keyId) => must(await tenant.settings('GET', `/api-keys/${keyId}`))
  const said = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim()
  const list = async ({ api }: Tenant, headers = {}, path = '/api/v1/projects') =>
    said(await api('GET', path, undefined, headers))
  const soon = (ask: () => Promise<string>, expected: string) =>
    eventually(async () => (await ask()) === expected, expected, atOnceMs)
  const age = (tenant: Tenant, days: number) =>
    system.db.apiKeySecret.updateMany({
      where: { apiKeyId: tenant.keyId },
      data: { createdAt: new Date(Date.now() - days * dayMs) },
    })

  test.each([
    ['requireExpiry', { requireExpiry: true }, { requireExpiry: false }, 'key_expiry_required'],
    ['requireIpAllowlist', { requireIpAllowlist: true }, { requireIpAllowlist: false }, 'ip_allowlist_required'],
    ['maxKeyAgeDays', { maxKeyAgeDays: 30 }, { maxKeyAgeDays: 60 }, 'api_key_rotation_required'],
  ])('%s refuses an existing key at once, and accepts it again when loosened', async (rule, on, off, code) => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    await age(tenant, 40)
    await age(other, 40)
    expect(await list(tenant)).toBe('200')

    const changed = await change(tenant, { apiPolicy: on })

    await soon(() => list(tenant), `403 ${code}`)
    expect(await list(tenant, {}, '/api/v1/me')).toBe(`403 ${code}`)
    expect(await list(other)).toBe('200')
    expect(await shown(tenant)).toMatchObject({
      policyViolations: [{ workspaceId: tenant.workspaceId, rule, code, from: expect.any(String) }],
    })
    expect(changed.apiPolicyFrom[rule]).not.toBeNull()
    await change(tenant, { apiPolicy: off })
    await soon(() => list(tenant), '200')
    expect((await shown(tenant)).policyViolations).toEqual([])
  })

  test('an unbound key is refused in the workspace that no longer takes such keys, and nowhere else', async () => {
    const [home, other] = [await system.tenant(), await system.tenant()]
    for (const tenant of [home, other]) await change(tenant, { apiPolicy: { allowUnboundKeys: true } })
    const workspaceIds = [home.workspaceId, other.workspaceId]
    const unbound = await home.key(['projects:read', 'api-keys:rotate-self'], { workspaceIds })
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
    expect(said(await home.settings('POST', `/api-keys/${unbound.keyId}/rotate`))).toBe('403 key_expiry_required')
    expect((await shown(home, unbound.keyId)).policyViolations).toMatchObject([
      { workspaceId: home.workspaceId, rule: 'requireExpiry' },
      { workspaceId: other.workspaceId, rule: 'allowUnboundKeys' },
    ])
  })

  test('during the grace existing keys are accepted, while new keys must comply at once', async () => {
    const tenant = await system.tenant()
    await age(tenant, 40)
    const before = Date.now()

    const apiPolicy = { requireExpiry: true, maxKeyAgeDays: 30 }
    const { apiPolicyFrom } = await change(tenant, { apiPolicy, policyGraceHours: 48 })

    const from = Date.parse(apiPolicyFrom.requireExpiry)
    expect(from).toBeGreaterThanOrEqual(before + 48 * hourMs)
    expect(from).toBeLessThanOrEqual(Date.now() + 48 * hourMs)
    expect(apiPolicyFrom.maxKeyAgeDays).toMatchObject({ from: apiPolicyFrom.requireExpiry, before: null })
    expect(await list(tenant)).toBe('200')
    expect(await shown(tenant)).toMatchObject({
      status: 'active',
      rotateBy: apiPolicyFrom.requireExpiry,
      policyViolations: [{ rule: 'requireExpiry' }, { rule: 'maxKeyAgeDays' }],
    })
    const made = await tenant.settings('POST', '/api-keys', { name: 'New', scopes: ['projects:read'] })
    expect(made).toMatchObject({ status: 422, body: { errors: [{ pointer: '/expiresAt' }] } })

    // As if the time had come. Gateways are told of a change of the key, and read what is written of its workspace.
    await system.db.workspace.update({
      where: { id: tenant.workspaceId },
      data: { requireExpiryFrom: new Date(Date.now() - 1), maxKeyAgeFrom: new Date(Date.now() - 1) },
    })
    must(await tenant.settings('PATCH', `/api-keys/${tenant.keyId}`, { name: 'Later' }))
    await soon(() => list(tenant), '403 key_expiry_required')
    expect(await shown(tenant)).toMatchObject({ status: 'rotation_due' })
  })

  test('a new secret does not make a refused key acceptable; an update that complies does', async () => {
    const tenant = await system.tenant()
    await change(tenant, { apiPolicy: { requireExpiry: true, requireIpAllowlist: true } })
    const expiresAt = new Date(Date.now() + 24 * hourMs).toISOString()
    const made = await tenant.settings('POST', '/api-keys', { name: 'New', scopes: ['projects:read'], expiresAt })
    expect(made).toMatchObject({ status: 422, body: { errors: [{ pointer: '/ipAllowlist' }] } })
    const key = `/api-keys/${tenant.keyId}`
    await soon(() => list(tenant), '403 ip_allowlist_required')

    expect(said(await tenant.settings('POST', `${key}/rotate`))).toBe('403 ip_allowlist_required')
    expect(said(await tenant.api('POST', '/api/v1/me/rotate'))).toBe('403 ip_allowlist_required')
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
    const ofTenant = { name: 'Test', rules: [{ rule: 'requireIpAllowlist' }, { rule: 'maxKeyAgeDays' }] }
    const ofGuest = { rules: [{ rule: 'allowUnboundKeys' }, { rule: 'requireIpAllowlist' }] }
    expect(stopped).toMatchObject([
      { id: tenant.keyId, refused: false, ...ofTenant },
      { id: guest.keyId, refused: false, ...ofGuest },
    ])
    for (const { from } of stopped) expect(Date.parse(from)).toBeGreaterThan(Date.now() + 47 * hourMs)
    expect(must(await system.operator('GET', path))).toEqual(before)
    for (const one of [tenant, limited]) expect(await list(one)).toBe('200')
    const { data } = must(await tenant.settings('GET', '/audit-entries?action=workspaces.update'))
    expect(data).toHaveLength(1)
  })

  test('the audit log holds the change with its grace, and the calls that were denied for it', async () => {
    const tenant = await system.tenant()
    await change(tenant, { apiPolicy: { requireExpiry: true }, policyGraceHours: 1 })
    await change(tenant, { apiPolicy: { requireExpiry: true }, policyGraceHours: 0 })
    await soon(() => list(tenant), '403 key_expiry_required')

    const entries = async (filter = ''): Promise<{ outcome: string; changes: Record<string, { to: unknown }> }[]> =>
      must(await tenant.settings('GET', `/audit-entries${filter}`)).data
    const denied = await eventually(
      async () => (await entries()).find(({ outcome }) => outcome === 'denied'),
      'the denied call',
    )
    expect(denied).toMatchObject({ code: 'key_expiry_required', actor: { id: tenant.keyId } })
    const changes = (await entries('?action=workspaces.update')).flatMap(({ changes: { apiPolicyFrom } }) =>
      apiPolicyFrom ? [apiPolicyFrom] : [],
    )
    expect(changes).toHaveLength(2)
    expect(changes[0]).toMatchObject({
      from: { requireExpiry: expect.any(String) },
      to: { requireExpiry: expect.any(String) },
    })
  })

  test('a grace without a rule, and one that is too long, are refused', async () => {
    const { workspaceId } = await system.tenant()
    const path = `/settings/api/workspaces/${workspaceId}`
    const answers = [
      await system.operator('PATCH', path, { policyGraceHours: 24 }),
      await system.operator('PATCH', path, { policyGraceHours: 2_161, apiPolicy: { requireExpiry: true } }),
    ]
    const errors = [{ pointer: '/policyGraceHours' }]
    for (const answer of answers) expect(answer).toMatchObject({ status: 422, body: { errors } })
  })
})
