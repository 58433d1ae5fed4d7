// Records changes as audit entries, in the transaction of the change.
import { newId } from '#runtime/new-id.ts'
import type { Call, Db, AuditedChange } from '../execution/call.ts'
import type { Action } from '../execution/change.ts'
import { append, auditedKey } from './rows.ts'
import { auditedChanges, originOf, targetOf, type Draft } from './rules.ts'

type Recorder = Pick<Call, 'workspaceId' | 'now' | 'actor' | 'principal'>

export async function recordAudit(
  tx: Db,
  { name }: Action,
  made: readonly AuditedChange[],
  call: Recorder,
): Promise<void> {
  const [first] = made
  if (first === undefined) return
  const { now, principal } = call
  const key = principal.kind === 'api_key' ? await auditedKey(tx, principal.id, now) : null
  const workspaceId = workspaceOf(call, first.after) || (key?.workspaceId ?? '')
  const drafts = made.map(({ before, after }): Draft => ({
    id: newId(now),
    workspaceId,
    at: now.toISOString(),
    actor: { ...call.actor, keyPrefix: key?.prefix ?? null },
    action: name,
    target: targetOf(after),
    outcome: 'success',
    code: null,
    changes: auditedChanges(before, after),
    count: 1,
    ...originOf(principal),
  }))
  await append(tx, workspaceId, drafts)
}

/** An operation outside of any workspace changes a workspace itself, which then has the entry. */
function workspaceOf({ workspaceId }: Recorder, after: object): string {
  const { object, id } = after as { object?: string; id?: string }
  return workspaceId === '' && object === 'workspace' && id !== undefined ? id : workspaceId
}
