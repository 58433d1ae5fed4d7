import type { updateWorkspace } from '#contract/workspaces.ts'
import { isUnchanged } from '../changes.ts'
import { duplicate } from '../database-fault.ts'
import type { Handler } from '../handler.ts'
import { assertVersion } from '../version.ts'
import { lockWorkspace, updateWorkspace as write } from './rows.ts'
import { assertTimeZone } from './rules.ts'

export const update: Handler<typeof updateWorkspace> = async (input, { db, now, audit, keysChanged }) => {
  const { id, expectedVersion, apiPolicy, suspended, ...patch } = input
  const before = await lockWorkspace(db, id)
  assertVersion(before.version, expectedVersion)
  const suspendedAt =
    suspended === undefined ? before.suspendedAt : suspended ? (before.suspendedAt ?? now.toISOString()) : null
  const after = { ...before, ...patch, apiPolicy: { ...before.apiPolicy, ...apiPolicy }, suspendedAt }
  if (isUnchanged(before, after)) return before
  assertTimeZone(after.timeZone)
  const twin =
    patch.slug && (await db.workspace.findFirst({ where: { slug: patch.slug, id: { not: id } }, select: { id: true } }))
  if (twin) throw duplicate('slug', twin.id)
  const saved = { ...after, version: before.version + 1, updatedAt: now.toISOString() }
  await write(db, saved)
  audit(saved, before)
  keysChanged({ kind: 'workspace', id })
  return saved
}
