// What verifying the chain reads: its recorded end, and entries by number.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Db } from '../execution/call.ts'
import type { Ends } from './chain.ts'
import { fromRow, type Link } from './entry.ts'

type EndsRow = {
  last_number: bigint
  last_hash: Uint8Array
  newest: bigint
  oldest: bigint | null
  oldest_at: Date | null
  kept_since: Date
}

/** One statement, so that all of it is of the same moment. */
export async function endsOf(db: Db, workspaceId: string): Promise<Ends> {
  const [row] = await db.$queryRaw<EndsRow[]>`
    SELECT chain.last_number, chain.last_hash, oldest.number AS oldest, oldest.at AS oldest_at,
           coalesce(newest.number, 0) AS newest, now() - interval '1 year' AS kept_since
    FROM audit_chain chain
    LEFT JOIN LATERAL (
      SELECT number, at FROM audit_entry WHERE workspace_id = chain.workspace_id ORDER BY number LIMIT 1
    ) oldest ON true
    LEFT JOIN LATERAL (
      SELECT number FROM audit_entry WHERE workspace_id = chain.workspace_id ORDER BY number DESC LIMIT 1
    ) newest ON true
    WHERE chain.workspace_id = ${workspaceId}::uuid`
  if (row === undefined) throw new Error(`Workspace ${workspaceId} has no audit chain`)
  const { last_number: number, last_hash: hash, newest, oldest, oldest_at: at, kept_since: keptSince } = row
  return {
    last: { number: Number(number), hash: Buffer.from(hash).toString('hex') },
    newest: Number(newest),
    oldest: oldest === null || at === null ? null : { number: Number(oldest), at },
    keptSince,
  }
}

/** From `first` to `last`, both included. */
export async function entriesBetween(db: Db, workspaceId: string, first: number, last: number): Promise<AuditEntry[]> {
  const rows = await db.auditEntry.findMany({
    where: { workspaceId, number: { gte: BigInt(first), lte: BigInt(last) } },
    orderBy: { number: 'asc' },
  })
  return rows.map(fromRow)
}

export async function linkAt(db: Db, workspaceId: string, number: number): Promise<Link | null> {
  const row = await db.auditEntry.findUnique({
    where: { workspaceId_number: { workspaceId, number: BigInt(number) } },
    select: { hash: true },
  })
  return row === null ? null : { number, hash: Buffer.from(row.hash).toString('hex') }
}
