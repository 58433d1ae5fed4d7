// A value that must be unique in a workspace and is taken already. A deleted object keeps its values as long as it can
// be restored; the hint says how to free one. Pure.
import { Fault, type FaultMembers } from '#contract/faults/fault.ts'
import { duplicate } from './database-fault.ts'
import { restoreWindowDays } from '#contract/collection/operations.ts'

export type Holder = {
  readonly id: string
  readonly deletedAt: string | Date | null
  /** Of one that was merged: what has taken its place. */
  readonly successorId?: string | null
  /** Of one that is hidden with its project. */
  readonly deletedProjectId?: string | null
}

export function taken(field: string, holder: Holder, detail?: string, members: FaultMembers = {}): Fault {
  const isReplaced = holder.deletedAt !== null && (holder.successorId ?? null) !== null
  const plain = duplicate(field, (isReplaced ? holder.successorId : null) ?? holder.id)
  const hint = isReplaced ? 'Another has taken its place: change that one.' : hintOn(holder)
  return new Fault('duplicate', detail ?? plain.message, { ...plain.members, ...members, ...(hint && { hint }) })
}

function hintOn({ deletedAt, deletedProjectId = null }: Holder): string | null {
  if (deletedProjectId !== null)
    return `It is in the deleted project ${deletedProjectId}: restore that one, or purge it.`
  if (deletedAt === null) return null
  return `It was deleted, and keeps its values for ${restoreWindowDays} days: restore it, or purge it. \`includeDeleted=true\` shows it.`
}
