// Keys that a policy is about to stop, found in small parts by one service at a time.
import { expect, test } from 'vitest'
import { emitStopping } from '../../../service/alarms/due-keys.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { sharedService, type WorkspaceInService } from '../quiet-service.ts'

const dayMs = 86_400_000
const daysAgo = (days: number): Date => new Date(Date.now() - days * dayMs)

onEachEngine((kind) => {
  const newWorkspace = sharedService(kind)

  const create = async ({ settings, db }: WorkspaceInService, age: number, more: object = {}): Promise<string> => {
    const { body } = await settings('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'], ...more })
    const data = { createdAt: daysAgo(age) }
    await db.apiKey.updateMany({ where: { id: body.id }, data })
    await db.apiKeySecret.updateMany({ where: { apiKeyId: body.id }, data })
    return body.id
  }
  const alarmsOf = async ({ settings }: WorkspaceInService) => (await settings('GET', '/alarms')).body.data
  /** Every key is looked at, in parts of so many. */
  async function sweepAll({ db }: WorkspaceInService, max: number): Promise<void> {
    await db.backgroundSweep.deleteMany()
    for (let isOver = false; !isOver;) {
      await db.backgroundSweep.updateMany({ data: { nextAt: new Date(0) } })
      await emitStopping(changeDeps(db), max)
      const { afterId } = await db.backgroundSweep.findFirstOrThrow()
      isOver = /^[0-]+$/.test(afterId)
    }
  }
  const eventsOf = ({ db, workspaceId }: WorkspaceInService) =>
    db.event.findMany({ where: { workspaceId, type: 'api-keys.stopping' }, orderBy: { sequence: 'asc' } })

  test('a key whose secret is nearly as old as it may be raises one, told of once; a new secret settles it', async () => {
    const workspace = await newWorkspace()
    const [due, fresh, short, old] = [
      await create(workspace, 85, { name: 'Due', rotationPolicy: { maxAgeDays: 90 } }),
      await create(workspace, 80, { rotationPolicy: { maxAgeDays: 90 } }),
      // Of four days the last one.
      await create(workspace, 2.9, { rotationPolicy: { maxAgeDays: 4 } }),
      await create(workspace, 91, { rotationPolicy: { maxAgeDays: 90 } }),
    ]
    await sweepAll(workspace, 1_000)
    await sweepAll(workspace, 1_000)

    const subject = { id: due, name: 'Due' }
    expect(await alarmsOf(workspace)).toMatchObject([{ kind: 'key_stopping', rule: 'maxKeyAgeDays', subject }])
    const [event, second] = (await eventsOf(workspace)).map(({ body }) => JSON.parse(body))
    const { data } = event
    expect([data.stopping.rule, data.stopping.from, second]).toEqual(['maxKeyAgeDays', data.rotateBy, undefined])
    expect(new Set([due, fresh, short, old]).size).toBe(4)

    await workspace.settings('POST', `/api-keys/${due}/rotate`, {})
    expect(await alarmsOf(workspace)).toEqual([])
    await workspace.db.apiKeySecret.updateMany({ where: { apiKeyId: short }, data: { createdAt: daysAgo(3.1) } })
    await sweepAll(workspace, 1_000)
    expect(await alarmsOf(workspace)).toMatchObject([{ subject: { id: short } }])
  })

  test.each([
    { rule: 'requireIpAllowlist', policy: { requireIpAllowlist: true }, repair: { ipAllowlist: ['192.0.2.0/24'] } },
    { rule: 'requireExpiry', policy: { requireExpiry: true }, repair: { expiresAt: '2999-01-01T00:00:00Z' } },
    { rule: 'maxKeyAgeDays', policy: { maxKeyAgeDays: 30 }, repair: null },
  ])('a key that $rule stops after its grace raises one; what it refuses without one raises none', async (given) => {
    const { rule, policy, repair } = given
    const [workspace, strict] = [await newWorkspace(), await newWorkspace()]
    const id = await create(workspace, 60)
    await create(strict, 60)
    await workspace.settings('PATCH', '', { apiPolicy: policy, policyGraceHours: 48 })
    await strict.settings('PATCH', '', { apiPolicy: policy })
    await sweepAll(workspace, 1_000)

    const [alarm] = await alarmsOf(workspace)
    expect(alarm).toMatchObject({ kind: 'key_stopping', rule, subject: { id } })
    expect(Math.abs(Date.parse(alarm.dueAt) - Date.now() - 2 * dayMs)).toBeLessThan(600_000)
    expect(await alarmsOf(strict)).toEqual([])
    if (repair === null) await workspace.settings('POST', `/api-keys/${id}/rotate`, {})
    else await workspace.settings('PATCH', `/api-keys/${id}`, repair)
    expect(await alarmsOf(workspace)).toEqual([])
  })

  test('in parts of one every key is found, and a service that comes in between waits for its turn', async () => {
    const workspace = await newWorkspace()
    const more = { rotationPolicy: { maxAgeDays: 90 } }
    const ids = [
      await create(workspace, 85, more),
      await create(workspace, 86, more),
      await create(workspace, 87, more),
    ]
    await workspace.db.backgroundSweep.deleteMany()
    const turns = await Promise.all([1, 2].map(() => emitStopping(changeDeps(workspace.db), 1)))
    await sweepAll(workspace, 1)

    expect(turns.filter((turn) => turn === null)).toHaveLength(1)
    const found = (await alarmsOf(workspace)).map(({ subject }: { subject: { id: string } }) => subject.id)
    expect(found.toSorted()).toEqual(ids.toSorted())
  })
})
