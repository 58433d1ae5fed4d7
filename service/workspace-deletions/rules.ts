// Pure: a deletion as callers see it, and the order in which the tables of a workspace are emptied.
import type { Actor } from '#contract/shared-fields.ts'
import type { WorkspaceDeletion } from '#contract/workspace-deletions.ts'
import type { WorkspaceDeletion as TableRow } from '#prisma/generated/client.ts'
import type { WorkspaceTable } from './rows.ts'

export function shown(row: TableRow, isHeld: boolean): WorkspaceDeletion {
  const { id, createdAt, createdBy, requestId, removeAfter, startedAt, removedAt, removed } = row
  return {
    id,
    object: 'workspace_deletion',
    status: statusOf(row, isHeld),
    createdAt: createdAt.toISOString(),
    // Only what the contract takes is written there.
    createdBy: createdBy as Actor,
    requestId,
    removeAfter: removeAfter.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    removedAt: removedAt?.toISOString() ?? null,
    removed: removed as Record<string, number>,
  }
}

function statusOf({ startedAt, removedAt }: TableRow, isHeld: boolean): WorkspaceDeletion['status'] {
  if (removedAt !== null) return 'removed'
  if (startedAt !== null) return 'removing'
  return isHeld ? 'on_hold' : 'scheduled'
}

/** The rows of these come last: calls and background work find them as long as there is anything else. */
const lastTables = ['api_key_secret', 'api_key_workspace', 'api_key', 'member', 'audit_chain', 'event_sequence']
/** They are emptied by themselves: the contents of files before the files, and the workspace in the end. */
const apart = new Set(['file_blob', 'workspace'])

/** Those that refer to others come before these. */
export function removalOrder(tables: readonly WorkspaceTable[]): WorkspaceTable[] {
  const rankOf = ({ name }: WorkspaceTable): number => lastTables.indexOf(name)
  const left = tables.filter(({ name }) => !apart.has(name)).toSorted((one, other) => rankOf(one) - rankOf(other))
  const ordered: WorkspaceTable[] = []
  while (left.length > 0) {
    const at = left.findIndex(({ name }) => !left.some((other) => other.name !== name && other.refersTo.includes(name)))
    const [next] = left.splice(at, at < 0 ? 0 : 1)
    if (next === undefined)
      throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(next)
  }
  return ordered
}
