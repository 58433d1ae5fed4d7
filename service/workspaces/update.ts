import { Fault } from '#contract/fault.ts'
import type { Input } from '#contract/operation.ts'
import type { Workspace } from '#contract/workspace-schema.ts'
import type { updateWorkspace } from '#contract/workspaces.ts'
import { previewPolicy } from '../key-policy/preview.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import { duplicate } from '../faults/database-fault.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { policyAfter } from '../key-policy/change-policy.ts'
import { findWorkspace, lockWorkspace, updateWorkspace as write } from './rows.ts'
import { assertTimeZone } from './time-zone.ts'

type Patch = Omit<Input<typeof updateWorkspace>, 'id' | 'expectedVersion' | 'dryRun'>

export const update: Handler<typeof updateWorkspace> = async (input, call) => {
  const { db, now, audit, keysChanged } = call
  const { id, expectedVersion, dryRun = false, ...patch } = input
  const before = dryRun ? await findWorkspace(db, id) : await lockWorkspace(db, id)
  assertVersion(before, expectedVersion, call)
  const after = patched(before, patch, now)
  assertTimeZone(after.timeZone)
  await assertSlugIsFree(db, before, after)
  if (dryRun) return { ...after, policyPreview: await previewPolicy(db, after, now) }
  if (isUnchanged(before, after)) return before
  const saved = { ...after, version: before.version + 1, updatedAt: now.toISOString() }
  await write(db, saved)
  audit(saved, before)
  if (judgesKeysAnew(before, saved)) keysChanged({ kind: 'workspace', id })
  return saved
}

/** What gateways judge keys by; a name or a slug is nothing to them, and to be asked anew costs every key of theirs. */
const judgesKeysAnew = (before: Workspace, after: Workspace): boolean =>
  before.suspendedAt !== after.suspendedAt ||
  !isUnchanged(
    { policy: before.apiPolicy, from: before.apiPolicyFrom },
    { policy: after.apiPolicy, from: after.apiPolicyFrom },
  )

function patched(before: Workspace, { apiPolicy, policyGraceHours, suspended, ...patch }: Patch, now: Date): Workspace {
  if (policyGraceHours !== undefined && apiPolicy === undefined) throw graceOfNothing()
  const policy = policyAfter(before, apiPolicy ?? {}, policyGraceHours, now)
  const suspendedAt =
    suspended === undefined ? before.suspendedAt : suspended ? (before.suspendedAt ?? now.toISOString()) : null
  return { ...before, ...patch, ...policy, suspendedAt }
}

async function assertSlugIsFree(db: Db, { id, slug: current }: Workspace, { slug }: Workspace): Promise<void> {
  if (slug === current) return
  const twin = await db.workspace.findFirst({ where: { slug, id: { not: id } }, select: { id: true } })
  if (twin !== null) throw duplicate('slug', twin.id)
}

function graceOfNothing(): Fault {
  const detail = 'Is for rules of `apiPolicy`, of which none is given.'
  const error = { pointer: '/policyGraceHours', code: 'not_in_list', detail } as const
  return new Fault('validation_failed', `/policyGraceHours: ${detail}`, { errors: [error] })
}
