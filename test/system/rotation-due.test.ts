// The event `api-keys.rotation-due`: once for each secret that reaches its maximum age.
import { expect, test } from 'vitest'
import { emitRotationDue } from '../../service/keys/api-keys/rotation-due.ts'
import { changeDeps } from '../support/change-deps.ts'
import { describeModes, must, sharedSystem, type System, type Tenant } from '../support/system.ts'

const age = (system: System, apiKeyId: string, days: number) =>
  system.db.apiKeySecret.updateMany({
    where: { apiKeyId },
    data: { createdAt: new Date(Date.now() - days * 86_400_000) },
  })

const emitDue = (system: System) => emitRotationDue(changeDeps(system.db))

describeModes('rotation due', (mode) => {
  const { system } = sharedSystem(mode)

  /** The keys of a workspace that are due by now. Those of other workspaces are told as well. */
  async function due(tenant: Tenant): Promise<string[]> {
    await emitDue(system)
    return (await dueEvents(tenant)).map(({ resource }) => resource.id)
  }
  const dueEvents = async (tenant: Tenant): Promise<{ resource: { id: string } }[]> =>
    must(await tenant.settings('GET', '/events?eventTypes=api-keys.rotation_due')).data
  const changePolicy = async ({ workspaceId }: Tenant, apiPolicy: object, more = {}) =>
    must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { apiPolicy, ...more }))
  const setWorkspace = ({ workspaceId }: Tenant, data: object) =>
    system.db.workspace.update({ where: { id: workspaceId }, data })

  test('the event is emitted once when a secret reaches the policy’s age, and again for the next secret', async () => {
    const tenant = await system.tenant()
    const key = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 10 } })
    await age(system, key.keyId, 9)
    expect(await due(tenant)).toEqual([])

    await age(system, key.keyId, 11)
    await Promise.all([1, 2, 3].map(() => emitDue(system)))
    expect(await due(tenant)).toEqual([key.keyId])

    const about = { actor: { type: 'system' }, resource: { id: key.keyId }, data: { status: 'rotation_due' } }
    expect(await dueEvents(tenant)).toMatchObject([about])
    must(await tenant.settings('POST', `/api-keys/${key.keyId}/rotate`, { overlapHours: 0 }))
    expect(await due(tenant)).toHaveLength(1)
    await age(system, key.keyId, 12)
    expect(await due(tenant)).toHaveLength(2)
  })

  test('the stricter of key and workspace counts; revoked and expired keys have no event', async () => {
    const tenant = await system.tenant()
    const [lax, revoked, expired] = [
      await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 300 } }),
      await tenant.key(['projects:read']),
      await tenant.key(['projects:read']),
    ]
    for (const { keyId } of [lax, revoked, expired]) await age(system, keyId, 20)
    must(await tenant.settings('DELETE', `/api-keys/${revoked.keyId}`))
    await system.db.apiKey.updateMany({ where: { id: expired.keyId }, data: { expiresAt: new Date(Date.now() - 1) } })
    expect(await due(tenant)).toEqual([])

    await setWorkspace(tenant, { maxKeyAgeDays: 15 })

    expect(await due(tenant)).toEqual([lax.keyId])
  })

  test('a grace delays the event; for an unbound key the policies of its workspaces count', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    await changePolicy(other, { allowUnboundKeys: true })
    const unbound = await tenant.key(['projects:read'], { workspaceIds: [other.workspaceId] })
    for (const { keyId } of [tenant, unbound]) await age(system, keyId, 20)
    for (const each of [tenant, other]) await changePolicy(each, { maxKeyAgeDays: 15 }, { policyGraceHours: 1 })
    expect(await due(tenant)).toEqual([])

    const over = { maxKeyAgeFrom: new Date(Date.now() - 1) }
    await setWorkspace(tenant, over)
    expect(await due(tenant)).toEqual([tenant.keyId])
    await setWorkspace(other, over)
    expect(await due(tenant)).toEqual([tenant.keyId, unbound.keyId])
  })

  test('during the grace of a lowered maximum age the former one counts', async () => {
    const tenant = await system.tenant()
    await changePolicy(tenant, { maxKeyAgeDays: 30 })
    await changePolicy(tenant, { maxKeyAgeDays: 10 }, { policyGraceHours: 48 })
    await age(system, tenant.keyId, 29)
    expect(await due(tenant)).toEqual([])

    await age(system, tenant.keyId, 31)

    expect(await due(tenant)).toEqual([tenant.keyId])
  })
})
