// Objects that name a removed member stop doing so in batches, each object by a change of its own.
import { expect, test } from 'vitest'
import type { EventNotification } from '#contract/internal/event-notification.ts'
import { eachCollection } from '../../../service/collection-list.ts'
import { openDatabaseSlots } from '../../../service/execution/database-slots.ts'
import { clearReferencesToRemoved } from '../../../service/removed-members/clear-references.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { freshDatabase } from '../../support/database.ts'
import { changeParts } from '../../support/change-parts.ts'
import { memberRow, projectRow, workspaceRow } from '../../prisma/rows.ts'

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
    const parts = { ...changeParts(db, { slots: openDatabaseSlots(4), notifyEvents }), eachCollection }
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

    const batches = [
      await clearReferencesToRemoved(parts, 2),
      await named(),
      await clearReferencesToRemoved(parts, 2),
      await named(),
    ]

    expect(batches).toEqual([true, 1, true, 0])
    expect(await clearReferencesToRemoved(parts, 2)).toBe(false)
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

    const leaving = clearReferencesToRemoved({ ...parts, slots: { change } })

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

    await clearReferencesToRemoved(parts)

    expect(await db.project.findMany({ where: { ownerId: id }, select: { workspaceId: true } })).toEqual([
      { workspaceId: other },
    ])
    expect(await db.member.count({ where: { workspaceId: other, leftAt: null } })).toBe(1)
  })
})
