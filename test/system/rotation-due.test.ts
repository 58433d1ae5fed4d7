// The event `api-keys.rotation-due`: once for each secret that reaches its maximum age.
import { expect, test } from 'vitest'
import { emitRotationDue } from '../../service/keys/api-keys/rotation-due.ts'
import { changeDeps } from '../support/change-deps.ts'
import { describeModes, must, startSystem, type System, type Tenant } from '../support/system.ts'

const age = (system: System, apiKeyId: string, days: number) =>
  system.db.apiKeySecret.updateMany({
    where: { apiKeyId },
    data: { createdAt: new Date(Date.now() - days * 86_400_000) },
  })

const emitDue = (system: System) => emitRotationDue(changeDeps(system.db))

const dueEvents = async (tenant: Tenant): Promise<{ resource: { id: string } }[]> =>
  must(await tenant.settings('GET', '/events?eventTypes=api-keys.rotation_due')).data

describeModes('rotation due', (mode) => {
  test('the event is emitted once when a secret reaches the policy’s age, and again for the next secret', async () => {
    await using system = await startSystem(mode)
    const tenant = await system.tenant()
    const key = await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 10 } })
    await age(system, key.keyId, 9)
    expect(await emitDue(system)).toBe(0)

    await age(system, key.keyId, 11)
    await Promise.all([1, 2, 3].map(() => emitDue(system)))
    expect(await emitDue(system)).toBe(0)

    expect(await dueEvents(tenant)).toMatchObject([
      { actor: { type: 'system' }, resource: { id: key.keyId }, data: { status: 'rotation_due' } },
    ])
    must(await tenant.settings('POST', `/api-keys/${key.keyId}/rotate`, { overlapHours: 0 }))
    expect(await emitDue(system)).toBe(0)
    await age(system, key.keyId, 12)
    await emitDue(system)
    expect(await dueEvents(tenant)).toHaveLength(2)
  })

  test('the stricter of key and workspace counts; revoked and expired keys have no event', async () => {
    await using system = await startSystem(mode)
    const tenant = await system.tenant()
    const [lax, revoked, expired] = [
      await tenant.key(['projects:read'], { rotationPolicy: { maxAgeDays: 300 } }),
      await tenant.key(['projects:read']),
      await tenant.key(['projects:read']),
    ]
    for (const { keyId } of [lax, revoked, expired]) await age(system, keyId, 20)
    must(await tenant.settings('DELETE', `/api-keys/${revoked.keyId}`))
    await system.db.apiKey.updateMany({ where: { id: expired.keyId }, data: { expiresAt: new Date(Date.now() - 1) } })
    expect(await emitDue(system)).toBe(0)

    await system.db.workspace.updateMany({ data: { maxKeyAgeDays: 15 } })
    await emitDue(system)

    expect((await dueEvents(tenant)).map(({ resource }) => resource.id)).toEqual([lax.keyId])
  })

  test('a grace delays the event; for an unbound key the policies of its workspaces count', async () => {
    await using system = await startSystem(mode)
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const change = (id: string, apiPolicy: object, more = {}) =>
      system.operator('PATCH', `/settings/api/workspaces/${id}`, { apiPolicy, ...more }).then(must)
    await change(other.workspaceId, { allowUnboundKeys: true })
    const unbound = await tenant.key(['projects:read'], { workspaceIds: [other.workspaceId] })
    for (const { keyId } of [tenant, unbound]) await age(system, keyId, 20)
    await change(tenant.workspaceId, { maxKeyAgeDays: 15 }, { policyGraceHours: 1 })
    await change(other.workspaceId, { maxKeyAgeDays: 15 }, { policyGraceHours: 1 })
    expect(await emitDue(system)).toBe(0)

    const over = { maxKeyAgeFrom: new Date(Date.now() - 1) }
    await system.db.workspace.update({ where: { id: tenant.workspaceId }, data: over })
    expect(await emitDue(system)).toBe(1)
    await system.db.workspace.update({ where: { id: other.workspaceId }, data: over })
    expect(await emitDue(system)).toBe(1)

    expect((await dueEvents(tenant)).map(({ resource }) => resource.id)).toEqual([tenant.keyId, unbound.keyId])
  })

  test('during the grace of a lowered maximum age the former one counts', async () => {
    await using system = await startSystem(mode)
    const tenant = await system.tenant()
    const change = (days: number, more = {}) =>
      system
        .operator('PATCH', `/settings/api/workspaces/${tenant.workspaceId}`, {
          apiPolicy: { maxKeyAgeDays: days },
          ...more,
        })
        .then(must)
    await change(30)
    await change(10, { policyGraceHours: 48 })
    await age(system, tenant.keyId, 29)
    expect(await emitDue(system)).toBe(0)

    await age(system, tenant.keyId, 31)

    expect(await emitDue(system)).toBe(1)
  })
})
