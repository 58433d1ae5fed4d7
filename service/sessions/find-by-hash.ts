// The record of a session that a gateway asks for with every call, and what its use leaves behind.
import type { SessionRecord } from '#contract/internal/gateway-endpoints.ts'
import type { Role } from '#contract/roles.ts'
import type { Db } from '../execution/handler.ts'
import { confirmedUntil, madeAfter, usedAfter } from './rows.ts'

type Found = {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly confirmedAt: Date | null
  readonly lastUsedAt: Date
  readonly memberId: string | null
  readonly memberName: string | null
  readonly memberSeenAt: Date | null
  readonly role: Role | null
  readonly suspended: boolean
}

/** The times of the last use, of a session and by a member, are each written no more often. */
const writtenEveryMs = 60_000

/** Returns null when no session that is still good has a token with this SHA-256. */
export async function findSession(
  db: Db,
  hash: Buffer<ArrayBuffer>,
  workspaceId: string | null,
  now: Date,
): Promise<SessionRecord | null> {
  const [found] = await db.$queryRaw<Found[]>`
    SELECT s.id, s.account_id AS "accountId", a.name AS "accountName", s.confirmed_at AS "confirmedAt",
      s.last_used_at AS "lastUsedAt", m.id AS "memberId", m.name AS "memberName",
      m.last_seen_at AS "memberSeenAt", m.role, w.suspended_at IS NOT NULL AS suspended
    FROM session s JOIN account a ON a.id = s.account_id
      LEFT JOIN member m ON m.workspace_id = ${workspaceId}::uuid AND m.account_id = s.account_id
        AND m.status = 'active' AND m.deleted_at IS NULL
      LEFT JOIN workspace w ON w.id = ${workspaceId}::uuid AND w.id = m.workspace_id
    WHERE s.token_hash = ${hash} AND s.created_at > ${madeAfter(now)} AND s.last_used_at > ${usedAfter(now)}`
  if (found === undefined) return null
  const before = new Date(now.getTime() - writtenEveryMs)
  await noteUse(db, found, { now, before })
  await noteSeen(db, workspaceId, found, { now, before })
  const { memberId, memberName, role, suspended } = found
  const isMember = memberId !== null && memberName !== null && role !== null
  return {
    id: found.id,
    account: { id: found.accountId, name: found.accountName },
    confirmedUntil: confirmedUntil(found, now)?.toISOString() ?? null,
    member: isMember ? { id: memberId, name: memberName, role, suspended } : null,
  }
}

/** What was written since `before` is new enough. */
type Times = { readonly now: Date; readonly before: Date }

async function noteUse(db: Db, { id, lastUsedAt }: Found, { now, before }: Times): Promise<void> {
  if (lastUsedAt > before) return
  await db.session.updateMany({ where: { id, lastUsedAt: { lte: before } }, data: { lastUsedAt: now } })
}

/** Apart from the session, which is the same in every workspace. */
async function noteSeen(
  db: Db,
  workspaceId: string | null,
  { memberId, memberSeenAt }: Found,
  { now, before }: Times,
): Promise<void> {
  if (workspaceId === null || memberId === null || (memberSeenAt !== null && memberSeenAt > before)) return
  await db.member.updateMany({
    where: { workspaceId, id: memberId, OR: [{ lastSeenAt: null }, { lastSeenAt: { lte: before } }] },
    data: { lastSeenAt: now },
  })
}
