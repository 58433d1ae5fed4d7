// Workspaces, and their form in the contract.
import type { Quotas } from '#contract/quotas.ts'
import type { Workspace } from '#contract/workspaces.ts'
import { Prisma, type Workspace as TableRow } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'
import { startChain } from '../audit/rows.ts'
import { firstId } from '../collection/text-matching.ts'
import type { Db } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { policyFromRow, policyToRow } from '../keys/key-policy/rows.ts'
import { rateLimitFromRow, rateLimitToRow } from '../keys/rate-limits/rules.ts'

/** What the table holds of a workspace; its limits follow from that (`withLimits`). `quotas`: those that are set. */
export type WorkspaceRow = Omit<Workspace, 'limits' | 'quotas'> & { readonly quotas: Partial<Quotas> }

export async function findWorkspace(db: Db, id: string): Promise<WorkspaceRow> {
  const row = await db.workspace.findUnique({ where: { id } })
  if (row === null) throw notFoundById('workspace')
  return fromRow(row)
}

/** Returns null unless there is exactly one. */
export async function findOnlyWorkspace(db: Db): Promise<string | null> {
  const [first, second] = await db.workspace.findMany({ select: { id: true }, take: 2 })
  return first === undefined || second !== undefined ? null : first.id
}

const lockRow = command((id: string) => Prisma.sql`SELECT 1 FROM workspace WHERE id = ${id}::uuid FOR UPDATE`)

/** Locks the row until the transaction ends. Workspace keys do not take this lock: they lock `event_sequence`. */
export async function lockWorkspaceRow(tx: Db, id: string): Promise<WorkspaceRow> {
  await lockRow(tx, id)
  return findWorkspace(tx, id)
}

/**
 * Inserts the workspace with what each has once: event sequence and audit chain. Returns false when its slug is taken.
 */
export async function insertWorkspace(tx: Db, workspace: WorkspaceRow): Promise<boolean> {
  const { count } = await tx.workspace.createMany({ data: toRow(workspace), skipDuplicates: true })
  if (count === 0) return false
  await tx.eventSequence.create({ data: { workspaceId: workspace.id, last: 0n } })
  await startChain(tx, workspace.id)
  return true
}

export async function updateWorkspaceRow(tx: Db, workspace: WorkspaceRow, before: WorkspaceRow): Promise<void> {
  // Telephone numbers were read by the former country: they are read anew, from the first on.
  const reading = workspace.defaultCountry === before.defaultCountry ? {} : { phonesReadThrough: firstId }
  await tx.workspace.update({ where: { id: workspace.id }, data: { ...toRow(workspace), ...reading } })
}

/** Counts the sandbox among those of the workspace that it was made from. */
export async function setSandboxOf(tx: Db, id: string, sandboxOf: string): Promise<void> {
  await tx.workspace.update({ where: { id }, data: { sandboxOf } })
}

export function fromRow(row: TableRow): WorkspaceRow {
  const { id, name, slug, timeZone, defaultCurrency, defaultCountry, holdFiles, sandbox, version } = row
  return {
    id,
    object: 'workspace',
    name,
    slug,
    timeZone,
    defaultCurrency,
    defaultCountry,
    holdFiles,
    sandbox,
    ...policyFromRow(row),
    requireSecondFactor: row.requireSecondFactorFrom !== null,
    requireSecondFactorFrom: row.requireSecondFactorFrom?.toISOString() ?? null,
    rateLimit: rateLimitFromRow(row),
    // Only what the contract takes is written there.
    quotas: row.quotas as Partial<Quotas>,
    suspendedAt: row.suspendedAt?.toISOString() ?? null,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const toRow = ({
  object: _object,
  apiPolicy,
  apiPolicyFrom,
  requireSecondFactor: _required,
  rateLimit,
  ...workspace
}: WorkspaceRow) => ({
  ...workspace,
  ...policyToRow({ apiPolicy, apiPolicyFrom }),
  ...rateLimitToRow(rateLimit),
})
