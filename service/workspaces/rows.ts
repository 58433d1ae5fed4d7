// Workspaces between the contract and the tables.
import type { Quotas } from '#contract/quotas.ts'
import type { Workspace } from '#contract/workspaces.ts'
import type { Workspace as Row } from '#prisma/generated/client.ts'
import { startChain } from '../audit/append.ts'
import type { Db } from '../execution/handler.ts'
import { policyFromRow, policyToRow } from '../key-policy/rows.ts'
import { rateLimitFromRow, rateLimitToRow } from '../rate-limits/rows.ts'
import { notFoundById } from '../faults/not-found.ts'

/** What the table holds of a workspace; its limits follow from that (describe-limits.ts). `quotas`: those that are set. */
export type WorkspaceRow = Omit<Workspace, 'limits' | 'quotas'> & { readonly quotas: Partial<Quotas> }

export async function findWorkspace(db: Db, id: string): Promise<WorkspaceRow> {
  const row = await db.workspace.findUnique({ where: { id } })
  if (row === null) throw notFoundById('workspace')
  return fromRow(row)
}

/** Null where there is none, and where there are more. */
export async function findOnlyWorkspace(db: Db): Promise<string | null> {
  const [first, second] = await db.workspace.findMany({ select: { id: true }, take: 2 })
  return first === undefined || second !== undefined ? null : first.id
}

/** Locks the row until the transaction ends. Workspace keys do not take this lock: they lock `event_sequence`. */
export async function lockWorkspaceRow(tx: Db, id: string): Promise<WorkspaceRow> {
  await tx.$queryRaw`SELECT 1 FROM workspace WHERE id = ${id}::uuid FOR UPDATE`
  return findWorkspace(tx, id)
}

/** Inserts the workspace with what each has once: event sequence and audit chain. Returns false when its slug is taken. */
export async function insertWorkspace(tx: Db, workspace: WorkspaceRow): Promise<boolean> {
  const { count } = await tx.workspace.createMany({ data: toRow(workspace), skipDuplicates: true })
  if (count === 0) return false
  await tx.eventSequence.create({ data: { workspaceId: workspace.id, last: 0n } })
  await startChain(tx, workspace.id)
  return true
}

export async function updateWorkspace(tx: Db, workspace: WorkspaceRow): Promise<void> {
  await tx.workspace.update({ where: { id: workspace.id }, data: toRow(workspace) })
}

export function fromRow(row: Row): WorkspaceRow {
  const { id, name, slug, timeZone, defaultCurrency, sandbox, version } = row
  return {
    ...{ id, object: 'workspace', name, slug, timeZone, defaultCurrency, sandbox },
    ...policyFromRow(row),
    rateLimit: rateLimitFromRow(row),
    // Only what the contract takes is written there.
    quotas: row.quotas as Partial<Quotas>,
    suspendedAt: timeText(row.suspendedAt),
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const toRow = ({ object: _object, apiPolicy, apiPolicyFrom, rateLimit, ...workspace }: WorkspaceRow) => ({
  ...workspace,
  ...policyToRow({ apiPolicy, apiPolicyFrom }),
  ...rateLimitToRow(rateLimit),
})

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null
