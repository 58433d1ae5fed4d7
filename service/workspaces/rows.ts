// Workspaces between the contract and the tables.
import { Fault } from '#contract/fault.ts'
import type { Workspace } from '#contract/workspace-schema.ts'
import type { Workspace as Row } from '#prisma/generated/client.ts'
import { startChain } from '../audit/append.ts'
import type { Db } from '../execution/handler.ts'
import { limits } from './workspace-limits.ts'

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

export const policyColumns = {
  maxKeyAgeDays: true,
  maxKeyAgeSetAt: true,
  maxKeyAgeFrom: true,
  maxKeyAgeDaysBefore: true,
  requireIpAllowlist: true,
  requireIpAllowlistFrom: true,
  requireExpiry: true,
  requireExpiryFrom: true,
  allowUnboundKeys: true,
  refuseUnboundKeysFrom: true,
} as const

export function policyFromRow(
  row: Pick<Row, keyof typeof policyColumns>,
): Pick<Workspace, 'apiPolicy' | 'apiPolicyFrom'> {
  const { maxKeyAgeDays, requireIpAllowlist, requireExpiry, allowUnboundKeys } = row
  const { maxKeyAgeSetAt: setAt, maxKeyAgeFrom: from, maxKeyAgeDaysBefore: before } = row
  return {
    apiPolicy: { maxKeyAgeDays, requireIpAllowlist, requireExpiry, allowUnboundKeys },
    apiPolicyFrom: {
      allowUnboundKeys: timeText(row.refuseUnboundKeysFrom),
      requireIpAllowlist: timeText(row.requireIpAllowlistFrom),
      requireExpiry: timeText(row.requireExpiryFrom),
      maxKeyAgeDays:
        setAt === null || from === null ? null : { setAt: setAt.toISOString(), from: from.toISOString(), before },
    },
  }
}

const toRow = ({ object: _object, limits: _limits, apiPolicy, apiPolicyFrom, ...workspace }: Workspace) => ({
  ...workspace,
  ...apiPolicy,
  maxKeyAgeSetAt: apiPolicyFrom.maxKeyAgeDays?.setAt ?? null,
  maxKeyAgeFrom: apiPolicyFrom.maxKeyAgeDays?.from ?? null,
  maxKeyAgeDaysBefore: apiPolicyFrom.maxKeyAgeDays?.before ?? null,
  requireIpAllowlistFrom: apiPolicyFrom.requireIpAllowlist,
  requireExpiryFrom: apiPolicyFrom.requireExpiry,
  refuseUnboundKeysFrom: apiPolicyFrom.allowUnboundKeys,
})

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null
