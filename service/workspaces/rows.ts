// Workspaces between the contract and the tables.
import type { Workspace } from '#contract/workspace-schema.ts'
import type { Workspace as Row } from '#prisma/generated/client.ts'
import { startChain } from '../audit/append.ts'
import type { Db } from '../execution/handler.ts'
import { policyFromRow, policyToRow } from '../key-policy/rows.ts'
import { workspaceLimits as limits } from './describe-limits.ts'
import { notFoundById } from '../faults/not-found.ts'

export async function findWorkspace(db: Db, id: string): Promise<Workspace> {
  const row = await db.workspace.findUnique({ where: { id } })
  if (row === null) throw notFoundById('workspace')
  return fromRow(row)
}

/** Locks the row until the transaction ends. Workspace keys do not take this lock: they lock `event_sequence`. */
export async function lockWorkspaceRow(tx: Db, id: string): Promise<Workspace> {
  await tx.$queryRaw`SELECT 1 FROM workspace WHERE id = ${id}::uuid FOR UPDATE`
  return findWorkspace(tx, id)
}

/** Inserts the workspace with what each has once: event sequence and audit chain. Returns false when its slug is taken. */
export async function insertWorkspace(tx: Db, workspace: Workspace): Promise<boolean> {
  const { count } = await tx.workspace.createMany({ data: toRow(workspace), skipDuplicates: true })
  if (count === 0) return false
  await tx.eventSequence.create({ data: { workspaceId: workspace.id, last: 0n } })
  await startChain(tx, workspace.id)
  return true
}

export async function updateWorkspace(tx: Db, workspace: Workspace): Promise<void> {
  await tx.workspace.update({ where: { id: workspace.id }, data: toRow(workspace) })
}

export function fromRow(row: Row): Workspace {
  const { id, name, slug, timeZone, defaultCurrency, sandbox, version } = row
  return {
    ...{ id, object: 'workspace', name, slug, timeZone, defaultCurrency, sandbox },
    ...policyFromRow(row),
    suspendedAt: timeText(row.suspendedAt),
    limits,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const toRow = ({ object: _object, limits: _limits, apiPolicy, apiPolicyFrom, ...workspace }: Workspace) => ({
  ...workspace,
  ...policyToRow({ apiPolicy, apiPolicyFrom }),
})

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null
