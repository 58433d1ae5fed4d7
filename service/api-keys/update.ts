import type { updateApiKey } from '#contract/api-keys.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { assertAreMembers } from '../members/rows.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { policyFromRow } from '../key-policy/rows.ts'
import { newlyViolated } from '../key-policy/violations.ts'
import { findKey, checkedKey, lockKey, workspacesOf, toApiKey, type KeyRow } from './rows.ts'
import { assertNoneViolated, assertNotPast, assertNotRevoked } from './rules.ts'

export const update: Handler<typeof updateApiKey> = async (input, call) => {
  const { db, workspaceId, now, audit, keysChanged } = call
  const { id, expectedVersion, rotationPolicy, ...patch } = input
  const row = await lockKey(db, workspaceId, id, now)
  assertVersion(row, expectedVersion, call)
  assertNotRevoked(row.revokedAt)
  const before = toApiKey(row, now)
  const asked = { ...before, ...patch, ...(rotationPolicy !== undefined && { rotationPolicy }) }
  if (isUnchanged(before, asked)) return before
  const expiresAt =
    patch.expiresAt === undefined ? row.expiresAt : patch.expiresAt === null ? null : new Date(patch.expiresAt)
  const limits = { expiresAt, ipAllowlist: patch.ipAllowlist ?? row.ipAllowlist }
  assertNotPast(expiresAt, now)
  assertNoneViolated(violatedBy(row, limits))
  if (patch.ownerId && patch.ownerId !== row.ownerId)
    await assertAreMembers(db, workspaceId, [{ field: 'ownerId', id: patch.ownerId }])
  const maxAgeDays = rotationPolicy === undefined ? row.maxAgeDays : (rotationPolicy?.maxAgeDays ?? null)
  await db.apiKey.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { ...patch, ...limits, maxAgeDays, version: row.version + 1, updatedAt: now },
  })
  const after = toApiKey(await findKey(db, workspaceId, id, now), now)
  audit(after, before)
  keysChanged({ kind: 'api-key', id, version: after.version })
  return after
}

/** A rule that the key violated before may stay violated: an update that mends one need not mend all. */
function violatedBy(row: KeyRow, limits: Pick<KeyRow, 'expiresAt' | 'ipAllowlist'>): PolicyRule[] {
  const before = checkedKey(row)
  const policies = [policyFromRow(row.workspace), ...workspacesOf(row).map(({ policy }) => policy)]
  return policies.flatMap((policy) => newlyViolated(before, { ...before, ...limits }, policy))
}
