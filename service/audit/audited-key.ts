// What an audit entry shows of a key, and the workspaces that its entries may belong to.
import type { Db } from '../execution/call.ts'

export type AuditedKey = {
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  readonly prefix: string | null
  /** The workspaces that it may act in. */
  readonly workspaceIds: readonly string[]
}

/** With the prefix that it had before `now`: a call that rotates its own key was made with the old secret. */
export const auditedKey = async (db: Db, id: string, now: Date): Promise<AuditedKey | null> =>
  (await auditedKeys(db, [id], now))[0] ?? null

export async function auditedKeys(db: Db, ids: readonly string[], now: Date): Promise<AuditedKey[]> {
  const rows = await db.apiKey.findMany({
    where: { id: { in: [...ids] } },
    select: {
      id: true,
      name: true,
      workspaceId: true,
      bound: true,
      grants: { select: { workspaceId: true } },
      secrets: { where: { createdAt: { lt: now } }, orderBy: { createdAt: 'desc' }, take: 1, select: { prefix: true } },
    },
  })
  return rows.map(({ bound, grants, secrets, ...key }) => ({
    ...key,
    prefix: secrets[0]?.prefix ?? null,
    workspaceIds: bound ? [key.workspaceId] : grants.map(({ workspaceId }) => workspaceId),
  }))
}
