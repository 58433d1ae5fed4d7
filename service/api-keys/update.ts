import type { updateApiKey } from '#contract/api-keys.ts'
import type { DefaultRates, RateLimit } from '#contract/rate-limits.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { isUnchanged } from '../execution/system-fields.ts'
import type { Call, Handler } from '../execution/call.ts'
import { assertAreMembers } from '../members/rows.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { policyFromRow } from '../key-policy/rows.ts'
import { newlyViolated } from '../key-policy/violations.ts'
import { rateLimitToRow } from '../rate-limits/rows.ts'
import { assertWithinPlan } from '../rate-limits/within-plan.ts'
import { findKey, findKeys, checkedKey, lockKey, plansOf, workspacesOf, toApiKey, type KeyRow } from './rows.ts'
import { assertInReach, assertNoneViolated, assertNotPast, assertNotRevoked } from './rules.ts'

export const update =
  (rates: DefaultRates): Handler<typeof updateApiKey> =>
  async (input, call) => {
    const { db, principal, workspaceId, now, audit, keysChanged } = call
    const { id, expectedVersion, rotationPolicy, rateLimit, ...patch } = input
    const row = await lockKey(db, workspaceId, id, now)
    assertVersion(row, expectedVersion, call)
    assertInReach(principal, row)
    assertNotRevoked(row.revokedAt)
    const before = toApiKey(row, now)
    const limit = rateLimit === undefined ? before.rateLimit : inOrder(rateLimit)
    const asked = { ...before, ...patch, ...(rotationPolicy !== undefined && { rotationPolicy }), rateLimit: limit }
    if (isUnchanged(before, asked)) return before
    const expiresAt =
      patch.expiresAt === undefined ? row.expiresAt : patch.expiresAt === null ? null : new Date(patch.expiresAt)
    const limits = { expiresAt, ipAllowlist: patch.ipAllowlist ?? row.ipAllowlist }
    assertNotPast(expiresAt, now)
    assertNoneViolated(violatedBy(row, limits))
    if (!isUnchanged({ limit: before.rateLimit }, { limit })) assertWithinPlan(limit, plansOf(row), rates)
    if (patch.ownerId && patch.ownerId !== row.ownerId)
      await assertAreMembers(db, workspaceId, [{ field: 'ownerId', id: patch.ownerId }])
    const maxAgeDays = rotationPolicy === undefined ? row.maxAgeDays : (rotationPolicy?.maxAgeDays ?? null)
    await db.apiKey.update({
      where: { workspaceId_id: { workspaceId, id } },
      data: { ...patch, ...limits, ...rateLimitToRow(limit), maxAgeDays, version: row.version + 1, updatedAt: now },
    })
    const after = toApiKey(await findKey(db, workspaceId, id, now), now)
    audit(after, before)
    keysChanged({ kind: 'api-key', id, version: after.version })
    return after
  }

/** To another owner. Their secrets and all else stay as they are. */
export async function transferKeys(before: readonly KeyRow[], ownerId: string, call: Call): Promise<void> {
  const { db, workspaceId, now, audit, keysChanged } = call
  const where = { workspaceId, id: { in: before.map(({ id }) => id) } }
  await db.apiKey.updateMany({ where, data: { ownerId, version: { increment: 1 }, updatedAt: now } })
  const after = new Map((await findKeys(db, where, {}, now)).map((row) => [row.id, toApiKey(row, now)]))
  for (const row of before) {
    const key = after.get(row.id)
    if (key === undefined) continue
    audit(key, toApiKey(row, now))
    keysChanged({ kind: 'api-key', id: key.id, version: key.version })
  }
}

/** A rule that the key violated before may stay violated: an update that mends one need not mend all. */
function violatedBy(row: KeyRow, limits: Pick<KeyRow, 'expiresAt' | 'ipAllowlist'>): PolicyRule[] {
  const before = checkedKey(row)
  const policies = [policyFromRow(row.workspace), ...workspacesOf(row).map(({ policy }) => policy)]
  return policies.flatMap((policy) => newlyViolated(before, { ...before, ...limits }, policy))
}

/** Spelt in one order, so that the same numbers are no change. */
const inOrder = (limit: RateLimit | null): RateLimit | null =>
  limit && { perMinute: limit.perMinute, burst: limit.burst }
