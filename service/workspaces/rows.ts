// Workspaces between the contract and the tables.
import { Fault } from '#contract/fault.ts'
import type { Workspace } from '#contract/workspaces.ts'
import type { Workspace as Row } from '#prisma/generated/client.ts'
import { startChain } from '../audit/append.ts'
import type { Db } from '../handler.ts'
import { limits } from './limits.ts'

export async function findWorkspace(db: Db, id: string): Promise<Workspace> {
  const row = await db.workspace.findUnique({ where: { id } })
  if (row === null) throw new Fault('not_found', 'No workspace has this id.')
  return fromRow(row)
}

/** Nobody else changes it until this transaction ends. */
export async function lockWorkspace(tx: Db, id: string): Promise<Workspace> {
  await tx.$queryRaw`SELECT 1 FROM workspace WHERE id = ${id}::uuid FOR UPDATE`
  return findWorkspace(tx, id)
}

/** False where another workspace has its slug. */
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

export function fromRow({
  maxKeyAgeDays,
  requireIpAllowlist,
  requireExpiry,
  allowUnboundKeys,
  ...row
}: Row): Workspace {
  return {
    ...row,
    object: 'workspace',
    apiPolicy: { maxKeyAgeDays, requireIpAllowlist, requireExpiry, allowUnboundKeys },
    suspendedAt: row.suspendedAt?.toISOString() ?? null,
    limits,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const toRow = ({ object: _object, limits: _limits, apiPolicy, ...workspace }: Workspace) => ({
  ...workspace,
  ...apiPolicy,
})
