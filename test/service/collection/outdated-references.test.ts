// Objects that name a removed member stop doing so in batches, each object by a change of its own; those that name a
// merged entity come to name its survivor.

import { expect, test } from 'vitest'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import type { mergeCrmEntity } from '#contract/crm-entities.ts'
import type { Emitted } from '#contract/operation.ts'
import { eachCollection } from '../../../service/collections.ts'
import { merge } from '../../../service/crm-entities/operations.ts'
import { openDatabaseSlots } from '../../../service/execution/database-slots.ts'
import { changeAsSystem } from '../../../service/execution/change.ts'
import { updateReferences } from '../../../service/background-work.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { freshDatabase } from '../../support/database.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { companyRow, memberRow, projectRow, workspaceRow } from '../../prisma/rows.ts'

onEachEngine((kind) => {
  async function stage() {
    const database = await freshDatabase(kind)
    const { db } = database
    const workspace = async (): Promise<string> => {
      const { id } = await db.workspace.create({ data: workspaceRow() })
      await db.eventSequence.create({ data: { workspaceId: id, last: 0 } })
      return id
    }
    const told: EventNotification[] = []
    const notifyEvents = (notifications: readonly EventNotification[]) => void told.push(...notifications)
    const parts = { ...changeDeps(db, { slots: openDatabaseSlots(4), notifyEvents }), eachCollection }
    return { database, db, workspace, told, parts }
  }

  test('batch by batch, until nothing names the member; then nobody looks again', async () => {
    const { database, db, workspace, told, parts } = await stage()
    await using _closed = database
    const workspaceId = await workspace()
    const { id: leaver } = await db.member.create({ data: { ...memberRow(workspaceId), deletedAt: new Date() } })
    const { id: stayer } = await db.member.create({ data: memberRow(workspaceId) })
    for (const [key, ownerId] of Object.entries({ AA: leaver, BB: leaver, CC: leaver, DD: stayer }))
      await db.project.create({ data: projectRow(workspaceId, { key, ownerId }) })
    const named = () => db.project.count({ where: { workspaceId, ownerId: leaver } })

    const batches = [await updateReferences(parts, 2), await named(), await updateReferences(parts, 2), await named()]

    expect(batches).toEqual([true, 1, true, 0])
    expect(await updateReferences(parts, 2)).toBe(false)
    expect(await db.project.count({ where: { workspaceId, ownerId: stayer } })).toBe(1)
    const events = await db.event.findMany({ where: { workspaceId }, orderBy: { sequence: 'asc' } })
    expect(events.map(({ type, changedFields }) => [type, changedFields])).toEqual(
      Array.from({ length: 3 }, () => ['projects.updated', ['ownerId']]),
    )
    expect(told.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id))
    expect(new Set(events.map(({ occurredAt }) => occurredAt.getTime())).size).toBe(3)
  })

  test('a workspace in which it fails keeps none of the others back, and the failure is told', async () => {
    const { database, db, workspace, parts } = await stage()
    await using _closed = database
    const [busy, other] = [await workspace(), await workspace()]
    for (const [n, workspaceId] of [busy, other].entries())
      await db.member.create({ data: { ...memberRow(workspaceId), deletedAt: new Date(n) } })
    const change: typeof parts.slots.change = (principal, ...rest) =>
      principal.workspaceId === busy ? Promise.reject(new Error('busy')) : parts.slots.change(principal, ...rest)

    const leaving = updateReferences({ ...parts, slots: { change } })

    await expect(leaving).rejects.toMatchObject({ errors: [expect.objectContaining({ message: 'busy' })] })
    const left = await db.member.findMany({ where: { leftAt: { not: null } }, select: { workspaceId: true } })
    expect(left).toEqual([{ workspaceId: other }])
  })

  test('what another workspace calls by the same id is left alone', async () => {
    const { database, db, workspace, parts } = await stage()
    await using _closed = database
    const [workspaceId, other] = [await workspace(), await workspace()]
    const { id } = await db.member.create({ data: { ...memberRow(workspaceId), deletedAt: new Date() } })
    await db.member.create({ data: { ...memberRow(other), id } })
    for (const each of [workspaceId, other]) await db.project.create({ data: projectRow(each, { ownerId: id }) })

    await updateReferences(parts)

    expect(await db.project.findMany({ where: { ownerId: id }, select: { workspaceId: true } })).toEqual([
      { workspaceId: other },
    ])
    expect(await db.member.count({ where: { workspaceId: other, leftAt: null } })).toBe(1)
  })

  /** Merges with no more than two changes of others in the merge itself. */
  const mergeIn =
    (parts: Awaited<ReturnType<typeof stage>>['parts'], workspaceId: string) => (id: string, sourceId: string) =>
      changeAsSystem<Emitted<typeof mergeCrmEntity>>(parts, workspaceId, null, async (call) => {
        const principal = { ...call.principal, scopes: ['crm-entities:delete'] }
        await merge(eachCollection, 2)({ id, sourceId }, { ...call, principal })
      })

  test('what many objects name is merged at once; they follow batch by batch, whoever takes the next one', async () => {
    const { database, db, workspace, parts } = await stage()
    await using _closed = database
    const workspaceId = await workspace()
    const company = async (changes = {}) => (await db.crmEntity.create({ data: companyRow(workspaceId, changes) })).id
    const [survivor, source] = [await company(), await company()]
    for (const key of ['AA', 'BB', 'CC', 'DD', 'EE'])
      await db.project.create({ data: projectRow(workspaceId, { key, companyId: source }) })
    const naming = (companyId: string) => db.project.count({ where: { workspaceId, companyId } })

    await mergeIn(parts, workspaceId)(survivor, source)

    expect([await naming(source), await naming(survivor)]).toEqual([3, 2])
    const dying: typeof parts.recordEvents = () => Promise.reject(new Error('killed'))
    await expect(updateReferences({ ...parts, recordEvents: dying }, 2)).rejects.toThrow()
    expect(await naming(source)).toBe(3)
    const batches = [await updateReferences(parts, 2), await naming(source), await updateReferences(parts, 2)]
    expect(batches).toEqual([true, 1, true])
    expect([await naming(source), await naming(survivor)]).toEqual([0, 5])
    expect(await updateReferences(parts, 2)).toBe(false)
    const changed = await db.event.findMany({ where: { workspaceId, type: 'projects.updated' } })
    expect(changed.map(({ changedFields }) => changedFields)).toEqual(Array.from({ length: 5 }, () => ['companyId']))
    expect(new Set(changed.map(({ resourceId }) => resourceId)).size).toBe(5)
    const versions = await db.project.findMany({ where: { workspaceId }, select: { version: true } })
    expect(versions.map(({ version }) => version)).toEqual([2, 2, 2, 2, 2])
  })

  test('one that is merged again before all follow leads to the last survivor', async () => {
    const { database, db, workspace, parts } = await stage()
    await using _closed = database
    const workspaceId = await workspace()
    const company = async (changes = {}) => (await db.crmEntity.create({ data: companyRow(workspaceId, changes) })).id
    const [first, second, third] = [await company(), await company(), await company()]
    for (const key of ['AA', 'BB', 'CC', 'DD'])
      await db.project.create({ data: projectRow(workspaceId, { key, companyId: first }) })
    const merging = mergeIn(parts, workspaceId)

    await merging(second, first)
    await merging(third, second)
    while (await updateReferences(parts, 3));

    expect(await db.project.count({ where: { workspaceId, companyId: third } })).toBe(4)
    expect(await merging(third, first)).toBe(false)
  })

  test('a company that waits below a merged one counts as below the survivor: no circle, and no deeper than may be', async () => {
    const { database, db, workspace, parts } = await stage()
    await using _closed = database
    const workspaceId = await workspace()
    const company = async (parentCompanyId: string | null = null) =>
      (await db.crmEntity.create({ data: companyRow(workspaceId, { parentCompanyId }) })).id
    const [survivor, source] = [await company(), await company()]
    for (const key of ['AA', 'BB'])
      await db.project.create({ data: projectRow(workspaceId, { key, companyId: source }) })
    const below = await company(source)
    const moveBelow = (id: string, parentCompanyId: string) =>
      db.crmEntity.update({ where: { workspaceId_id: { workspaceId, id } }, data: { parentCompanyId } })
    let top = await company()
    const high = top
    for (let depth = 2; depth <= 18; depth += 1) top = await company(top)

    await mergeIn(parts, workspaceId)(survivor, source)

    expect(await db.crmEntity.count({ where: { workspaceId, parentCompanyId: source } })).toBe(1)
    await expect(moveBelow(survivor, below)).rejects.toThrow('cycle')
    await expect(moveBelow(survivor, await company(top))).rejects.toThrow('depth')
    await moveBelow(survivor, top)
    while (await updateReferences(parts));
    expect(await db.crmEntity.count({ where: { workspaceId, id: below, parentCompanyId: survivor } })).toBe(1)
    await expect(moveBelow(high, below)).rejects.toThrow()
  })
})
