import type { updateApiKey } from '#contract/api-keys.ts'
import { isUnchanged } from '../changes.ts'
import type { Handler } from '../handler.ts'
import { assertAreMembers } from '../members/rows.ts'
import { assertVersion } from '../version.ts'
import { findWorkspace } from '../workspaces/rows.ts'
import { findKey, lockKey, toApiKey } from './rows.ts'
import { assertNotRevoked, assertWithinPolicy } from './rules.ts'

export const update: Handler<typeof updateApiKey> = async (input, { db, workspaceId, now, audit, keysChanged }) => {
  const { id, expectedVersion, rotationPolicy, ...patch } = input
  const row = await lockKey(db, workspaceId, id, now)
  assertVersion(row.version, expectedVersion)
  assertNotRevoked(row.revokedAt)
  const before = toApiKey(row, now)
  const asked = { ...before, ...patch, ...(rotationPolicy !== undefined && { rotationPolicy }) }
  if (isUnchanged(before, asked)) return before
  const expiresAt =
    patch.expiresAt === undefined ? row.expiresAt : patch.expiresAt === null ? null : new Date(patch.expiresAt)
  const limits = { expiresAt, ipAllowlist: patch.ipAllowlist ?? row.ipAllowlist }
  assertWithinPolicy(limits, (await findWorkspace(db, workspaceId)).apiPolicy, now)
  if (patch.ownerId && patch.ownerId !== row.ownerId)
    await assertAreMembers(db, workspaceId, [{ field: 'ownerId', id: patch.ownerId }])
  const maxAgeDays = rotationPolicy === undefined ? row.maxAgeDays : (rotationPolicy?.maxAgeDays ?? null)
  await db.apiKey.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { ...patch, ...limits, maxAgeDays, version: row.version + 1, updatedAt: now },
  })
  const after = toApiKey(await findKey(db, workspaceId, id, now), now)
  audit(after, before)
  keysChanged({ kind: 'api-key', id })
  return after
}
