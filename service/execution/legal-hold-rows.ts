// Legal holds in the database, their form in the contract, and whether a workspace has one, for whatever removes
// something for good.
import { Fault } from '#contract/faults/fault.ts'
import type { LegalHold } from '#contract/legal-holds.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { Prisma, type LegalHold as TableRow } from '#prisma/generated/client.ts'
import type { Db } from './call.ts'

/** A condition on the rows of this name: their workspace has no hold. For statements that remove what is outdated. */
export const isNotHeld = (row: string): Prisma.Sql => Prisma.sql`
  NOT EXISTS (SELECT FROM legal_hold held WHERE held.workspace_id = ${Prisma.raw(row)}.workspace_id)`

/** Throws `legal_hold` where nothing of the workspace may be removed. */
export async function assertNoLegalHold(db: Db, workspaceId: string): Promise<void> {
  if ((await db.legalHold.findUnique({ where: { workspaceId }, select: { workspaceId: true } })) !== null)
    throw new Fault(
      'legal_hold',
      'The operator has set a legal hold: nothing in this workspace can be permanently deleted.',
    )
}

export async function findLegalHold(db: Db, workspaceId: string): Promise<LegalHold | null> {
  const row = await db.legalHold.findUnique({ where: { workspaceId } })
  return row && fromRow(row)
}

export const fromRow = ({ workspaceId: id, reason, createdAt, createdBy }: TableRow): LegalHold => ({
  id,
  object: 'legal_hold',
  reason,
  createdAt: createdAt.toISOString(),
  // Only what the contract takes is written there.
  createdBy: createdBy as Actor,
})
