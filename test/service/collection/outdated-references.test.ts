// Objects that name a removed member stop doing so in batches; those that name a merged entity name its survivor.

import { afterEach, expect, test } from 'vitest'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import type { mergeCrmEntity } from '#contract/crm-entities.ts'
import type { Emitted } from '#contract/operation.ts'
import type { Database } from '#prisma/client.ts'
import { eachCollection } from '../../../service/collections.ts'
import { merge } from '../../../service/crm-entities/operations.ts'
import { openDatabaseSlots } from '../../../service/execution/database-slots.ts'
import { changeAsSystem, type ChangeDeps } from '../../../service/execution/change.ts'
import { updateReferences } from '../../../service/background-work.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { companyRow, memberRow, projectRow, workspaceRow } from '../../prisma/rows.ts'

/** A workspace with what its objects name. */
async function workspaceIn(db: Database, parts: ChangeDeps) {
  const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
  await db.eventSequence.create({ data: { workspaceId, last: 0 } })
  return {
    workspaceId,
    member: async (changes: object = {}) =>
      (await db.member.create({ data: { ...memberRow(workspaceId), ...changes } })).id,
    company: async (parentCompanyId: string | null = null) =>
      (await db.crmEntity.create({ data: companyRow(workspaceId, { parentCompanyId }) })).id,
    projects: async (keys: readonly string[], changes: object) => {
      for (const key of keys) await db.project.create({ data: projectRow(workspaceId, { key, ...changes }) })
    },
    projectsNaming: (naming: object) => db.project.count({ where: { workspaceId, ...naming } }),
    eventsOf: (type: string) => db.event.findMany({ where: { workspaceId, type }, orderBy: { sequence: 'asc' } }),
    /** With no more than two changes of others in the merge itself. */
    merge: (id: string, sourceId: string) =>
      changeAsSystem<Emitted<typeof mergeCrmEntity>>(parts, workspaceId, null, async (call) => {
        const principal = { ...call.principal, scopes: ['crm-entities:delete'] }
        await merge(eachCollection, 2)({ id, sourceId }, { ...call, principal })
      }),
  }
}

onEachEngine((kind) => {
  const database = sharedDatabase(kind)
  const told: EventNotification[] = []
  const stage = () => {
    const { db } = database
    const notifyEvents = (notifications: readonly EventNotification[]) => void told.push(...notifications)
    const parts = { ...changeDeps(db, { slots: openDatabaseSlots(4), notifyEvents }), eachCollection }
    const update = (most?: number) => updateReferences(parts, most)
    return { db, parts, update, newWorkspace: () => workspaceIn(db, parts) }
  }
  // A batch is that of any workspace.
  afterEach(async () => {
    const { update } = stage()
    while (await update());
    told.length = 0
  })

  test('batch by batch, until nothing names the member; then nobody looks again', async () => {
    const { update, newWorkspace } = stage()
    const { member, projects, projectsNaming, eventsOf } = await newWorkspace()
    const [leaver, stayer] = [await member({ deletedAt: new Date() }), await member()]
    await projects(['AA', 'BB', 'CC'], { ownerId: leaver })
    await projects(['DD'], { ownerId: stayer })
    const named = () => projectsNaming({ ownerId: leaver })

    const batches = [await update(2), await named(), await update(2), await named(), await update(2)]

    expect(batches).toEqual([true, 1, true, 0, false])
    expect(await projectsNaming({ ownerId: stayer })).toBe(1)
    expect(await projectsNaming({ ownerId: null, updatedBy: { path: ['type'], equals: 'system' } })).toBe(3)
    const events = await eventsOf('projects.updated')
    expect(events.map(({ changedFields }) => changedFields)).toEqual([['ownerId'], ['ownerId'], ['ownerId']])
    expect(told.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id))
    expect(new Set(events.map(({ occurredAt }) => occurredAt.getTime())).size).toBe(3)
  })

  test('a workspace in which it fails keeps none of the others back, and the failure is told', async () => {
    const { db, parts, newWorkspace } = stage()
    const [busy, other] = [await newWorkspace(), await newWorkspace()]
    const [held, left] = [await busy.member({ deletedAt: new Date(0) }), await other.member({ deletedAt: new Date(1) })]
    const change: typeof parts.slots.change = (principal, ...rest) => {
      if (principal.workspaceId === busy.workspaceId) return Promise.reject(new Error('busy'))
      return parts.slots.change(principal, ...rest)
    }

    const leaving = updateReferences({ ...parts, slots: { change } })

    await expect(leaving).rejects.toMatchObject({ errors: [expect.objectContaining({ message: 'busy' })] })
    const gone = await db.member.findMany({ where: { id: { in: [held, left] }, leftAt: { not: null } } })
    expect(gone).toMatchObject([{ id: left }])
  })

  test('what another workspace calls by the same id is left alone', async () => {
    const { db, update, newWorkspace } = stage()
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()]
    const id = await mine.member({ deletedAt: new Date() })
    await theirs.member({ id })
    for (const { projects } of [mine, theirs]) await projects(['AA'], { ownerId: id })

    await update()

    expect(await mine.projectsNaming({ ownerId: id })).toBe(0)
    expect(await theirs.projectsNaming({ ownerId: id })).toBe(1)
    expect(await db.member.count({ where: { workspaceId: theirs.workspaceId, leftAt: null } })).toBe(1)
  })

  test('what many objects name is merged at once; they follow batch by batch, whoever takes the next one', async () => {
    const { db, parts, update, newWorkspace } = stage()
    const { workspaceId, company, projects, projectsNaming, eventsOf, merge } = await newWorkspace()
    const [survivor, source] = [await company(), await company()]
    await projects(['AA', 'BB', 'CC', 'DD', 'EE'], { companyId: source })
    const naming = () => Promise.all([source, survivor].map((companyId) => projectsNaming({ companyId })))

    await merge(survivor, source)

    expect(await naming()).toEqual([3, 2])
    const dying: typeof parts.recordEvents = () => Promise.reject(new Error('killed'))
    await expect(updateReferences({ ...parts, recordEvents: dying }, 2)).rejects.toThrow()
    expect(await naming()).toEqual([3, 2])
    expect([await update(2), await naming(), await update(2), await naming()]).toEqual([true, [1, 4], true, [0, 5]])
    expect(await update(2)).toBe(false)
    const changed = await eventsOf('projects.updated')
    expect(changed.map(({ changedFields }) => changedFields)).toEqual(Array.from({ length: 5 }, () => ['companyId']))
    expect(new Set(changed.map(({ resourceId }) => resourceId)).size).toBe(5)
    expect(await db.project.count({ where: { workspaceId, version: 2 } })).toBe(5)
  })

  test('one that is merged again before all follow leads to the last survivor', async () => {
    const { update, newWorkspace } = stage()
    const { company, projects, projectsNaming, merge } = await newWorkspace()
    const [first, second, third] = [await company(), await company(), await company()]
    await projects(['AA', 'BB', 'CC', 'DD'], { companyId: first })

    await merge(second, first)
    await merge(third, second)
    while (await update(3));

    expect(await projectsNaming({ companyId: third })).toBe(4)
    expect(await merge(third, first)).toBe(false)
  })

  test('a company that waits below a merged one counts as below the survivor: no circle, and no deeper than may be', async () => {
    const { db, update, newWorkspace } = stage()
    const { workspaceId, company, projects, merge } = await newWorkspace()
    const [survivor, source] = [await company(), await company()]
    await projects(['AA', 'BB'], { companyId: source })
    const below = await company(source)
    const moveBelow = (id: string, parentCompanyId: string) =>
      db.crmEntity.update({ where: { workspaceId_id: { workspaceId, id } }, data: { parentCompanyId } })
    const parentOfBelow = async () => (await db.crmEntity.findFirst({ where: { id: below } }))?.parentCompanyId
    const high = await company()
    let top = high
    for (let depth = 2; depth <= 18; depth += 1) top = await company(top)

    await merge(survivor, source)

    expect(await parentOfBelow()).toBe(source)
    await expect(moveBelow(survivor, below)).rejects.toThrow('cycle')
    await expect(moveBelow(survivor, await company(top))).rejects.toThrow('depth')
    await moveBelow(survivor, top)
    while (await update());
    expect(await parentOfBelow()).toBe(survivor)
    await expect(moveBelow(high, below)).rejects.toThrow()
  })
})
