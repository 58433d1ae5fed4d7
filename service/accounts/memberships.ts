// The workspaces that an account is an active member of.
import type { Membership } from '#contract/account.ts'
import { scopesOfRole, type Role } from '#contract/roles.ts'
import type { Db } from '../execution/handler.ts'

/** More are not shown. */
const membershipsMax = 200

export async function membershipsOf(db: Db, accountId: string): Promise<Membership[]> {
  const rows = await db.member.findMany({
    where: { accountId, status: 'active', deletedAt: null },
    select: { id: true, role: true, workspace: { select: { id: true, name: true, suspendedAt: true } } },
    orderBy: [{ workspace: { name: 'asc' } }, { workspaceId: 'asc' }],
    take: membershipsMax,
  })
  return rows.map(({ id, role, workspace }) => ({
    ...{ workspaceId: workspace.id, memberId: id, name: workspace.name },
    // The table's checks allow no other values.
    role: role as Role,
    scopes: [...scopesOfRole(role as Role)],
    suspended: workspace.suspendedAt !== null,
  }))
}
