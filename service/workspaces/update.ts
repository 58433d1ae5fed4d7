import type { Input } from '#contract/operation.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { updateWorkspace } from '#contract/workspaces.ts'
import { previewPolicy } from '../key-policy/preview.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import { duplicate } from '../faults/database-fault.ts'
import { invalidValue } from '../faults/field-refusals.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { changedQuotas } from '../execution/quotas.ts'
import { changePolicy } from '../key-policy/change-policy.ts'
import { withLimits } from './describe-limits.ts'
import { findWorkspace, lockWorkspaceRow, updateWorkspaceRow, type WorkspaceRow } from './rows.ts'
import { assertTimeZone } from './time-zone.ts'

type Patch = Omit<Input<typeof updateWorkspace>, 'id' | 'expectedVersion' | 'dryRun'>

export const update =
  (rates: DefaultRates): Handler<typeof updateWorkspace> =>
  async (input, call) => {
    const { db, now, audit, keysChanged } = call
    const { id, expectedVersion, dryRun = false, ...patch } = input
    const before = dryRun ? await findWorkspace(db, id) : await lockWorkspaceRow(db, id)
    assertVersion(before, expectedVersion, call)
    const after = applyPatch(before, patch, now)
    assertTimeZone(after.timeZone)
    await assertSlugIsFree(db, before, after)
    if (dryRun) return { ...withLimits(after, rates), policyPreview: await previewPolicy(db, before, after, now) }
    if (isUnchanged(before, after)) return withLimits(before, rates)
    const saved = { ...after, version: before.version + 1, updatedAt: now.toISOString() }
    await updateWorkspaceRow(db, saved)
    audit(saved, before)
    if (changesKeyChecks(before, saved)) keysChanged({ kind: 'workspace', id, version: saved.version })
    return withLimits(saved, rates)
  }

/** Whether gateways must forget what they have cached of the workspace's keys. A new name or slug is no reason to. */
const changesKeyChecks = (before: WorkspaceRow, after: WorkspaceRow): boolean =>
  before.suspendedAt !== after.suspendedAt ||
  !isUnchanged(
    { policy: before.apiPolicy, from: before.apiPolicyFrom, plan: before.rateLimit },
    { policy: after.apiPolicy, from: after.apiPolicyFrom, plan: after.rateLimit },
  )

function applyPatch(
  before: WorkspaceRow,
  { apiPolicy, policyGraceHours, rateLimit = before.rateLimit, quotas = {}, suspended, ...patch }: Patch,
  now: Date,
): WorkspaceRow {
  if (policyGraceHours !== undefined && apiPolicy === undefined)
    throw invalidValue('/policyGraceHours', 'not_in_list', 'Is for rules of `apiPolicy`, of which none is given.')
  const policy = changePolicy(before, apiPolicy ?? {}, policyGraceHours, now)
  const suspendedAt =
    suspended === undefined ? before.suspendedAt : suspended ? (before.suspendedAt ?? now.toISOString()) : null
  // Spelt in one order, so that the same numbers are no change.
  const plan = rateLimit && { perMinute: rateLimit.perMinute, burst: rateLimit.burst }
  return { ...before, ...patch, ...policy, rateLimit: plan, quotas: changedQuotas(before.quotas, quotas), suspendedAt }
}

async function assertSlugIsFree(db: Db, { id, slug: current }: WorkspaceRow, { slug }: WorkspaceRow): Promise<void> {
  if (slug === current) return
  const holder = await db.workspace.findFirst({ where: { slug, id: { not: id } }, select: { id: true } })
  if (holder !== null) throw duplicate('slug', holder.id)
}
