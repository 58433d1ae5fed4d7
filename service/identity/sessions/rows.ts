// Sessions: rows found by the hash of a cookie's token. The token itself is not stored, and an ended session has no
// row.
import { randomBytes } from 'node:crypto'
import type { Session, SignInMethod } from '#contract/account.ts'
import type { SessionRecord } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Role } from '#contract/roles.ts'
import { confirmedMinutes, sessionDays, sessionIdleHours } from '#contract/sessions.ts'
import { Prisma, type Session as SessionRow } from '#prisma/generated/client.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { newId } from '#runtime/new-id.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../../execution/call.ts'

export type OpenedSession = { readonly row: SessionRow; readonly token: string }
type SessionCaller = Pick<Principal, 'clientAddress' | 'userAgent' | 'session'>

const tokenBytes = 32
/** The oldest sessions of an account end when it has more. */
const sessionsMax = 50

type SessionStart = {
  readonly now: Date
  /** When the person has proved who they are. */
  readonly confirmedAt: Date | null
  /** `kept`: that of the session of the call, which goes on under another token. */
  readonly method: SignInMethod | 'kept'
}

/** Replaces the session of the call. */
export async function openSession(
  tx: Db,
  accountId: string,
  caller: SessionCaller,
  { now, confirmedAt, method }: SessionStart,
): Promise<OpenedSession> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const replaced = await takeSession(tx, caller)
  const row = await tx.session.create({
    data: {
      id: newId(now),
      accountId,
      tokenHash: tokenHash(token),
      createdAt: now,
      lastUsedAt: now,
      confirmedAt,
      ip: caller.clientAddress === '' ? null : caller.clientAddress,
      userAgent: caller.userAgent ?? null,
      signInMethod: method === 'kept' ? (replaced?.signInMethod ?? null) : method,
    },
  })
  await endOldest(tx, accountId)
  return { row, token }
}

async function takeSession(tx: Db, { session }: SessionCaller): Promise<SessionRow | null> {
  if (session === undefined) return null
  const row = await tx.session.findUnique({ where: { id: session.id } })
  await tx.session.deleteMany({ where: { id: session.id } })
  return row
}

const endOldest = command(
  (accountId: string) => Prisma.sql`
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE account_id = ${accountId}::uuid ORDER BY created_at DESC, id DESC OFFSET ${sessionsMax}::int
    )`,
)

/** A member who is given another role signs in anew. */
export const endSessionsOfMember = command(
  (workspaceId: string, memberId: string) => Prisma.sql`
    DELETE FROM session WHERE account_id = (
      SELECT account_id FROM member WHERE workspace_id = ${workspaceId}::uuid AND id = ${memberId}::uuid
    )`,
)

export const openRows = (db: Db, accountId: string, now: Date): Promise<SessionRow[]> =>
  db.session.findMany({
    where: { accountId, createdAt: { gt: madeAfter(now) }, lastUsedAt: { gt: usedAfter(now) } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })

/** Deletes sessions that have expired. */
export async function deleteOutdatedSessions(db: Db, now: Date): Promise<void> {
  await db.session.deleteMany({
    where: { OR: [{ createdAt: { lte: madeAfter(now) } }, { lastUsedAt: { lte: usedAfter(now) } }] },
  })
}

const madeAfter = (now: Date): Date => new Date(now.getTime() - sessionDays * 86_400_000)
const usedAfter = (now: Date): Date => new Date(now.getTime() - sessionIdleHours * 3_600_000)

export function toSession(row: SessionRow, currentId: string): Session {
  const { id, createdAt, lastUsedAt, ip, userAgent, signInMethod } = row
  const ends = Math.min(
    createdAt.getTime() + sessionDays * 86_400_000,
    lastUsedAt.getTime() + sessionIdleHours * 3_600_000,
  )
  return {
    id,
    object: 'session',
    // Written by this release and by none that knows other ways.
    signInMethod: signInMethod as SignInMethod | null,
    ip,
    userAgent,
    current: id === currentId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: new Date(ends).toISOString(),
  }
}

/** Returns null when the confirmation has expired. */
export function confirmedUntil({ confirmedAt }: Pick<SessionRow, 'confirmedAt'>, now: Date): Date | null {
  if (confirmedAt === null) return null
  const until = new Date(confirmedAt.getTime() + confirmedMinutes * 60_000)
  return until > now ? until : null
}

type FoundSession = {
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
  readonly lacksSecondFactor: boolean
}

/** The times of last use, of the session and by the member, are written no more often than this. */
const writtenEveryMs = 60_000

const sessionByHash = query(
  {
    id: column.uuid,
    accountId: column.uuid,
    accountName: column.text,
    confirmedAt: column.time.orNull,
    lastUsedAt: column.time,
    memberId: column.uuid.orNull,
    memberName: column.text.orNull,
    memberSeenAt: column.time.orNull,
    role: column.text.of<Role>().orNull,
    suspended: column.bool,
    lacksSecondFactor: column.bool,
  },
  (hash: Buffer<ArrayBuffer>, workspaceId: string | null, now: Date) => Prisma.sql`
    SELECT s.id, s.account_id AS "accountId", a.name AS "accountName", s.confirmed_at AS "confirmedAt",
      s.last_used_at AS "lastUsedAt", m.id AS "memberId", m.name AS "memberName",
      m.last_seen_at AS "memberSeenAt", m.role, w.suspended_at IS NOT NULL AS suspended,
      coalesce(w.require_second_factor_from <= ${now}, false) AND s.sign_in_method IS DISTINCT FROM 'provider'
        AND NOT EXISTS (SELECT FROM authenticator f WHERE f.account_id = s.account_id)
        AND NOT EXISTS (SELECT FROM passkey f WHERE f.account_id = s.account_id) AS "lacksSecondFactor"
    FROM session s JOIN account a ON a.id = s.account_id
      LEFT JOIN member m ON m.workspace_id = ${workspaceId}::uuid AND m.account_id = s.account_id
        AND m.status = 'active' AND m.deleted_at IS NULL
      LEFT JOIN workspace w ON w.id = ${workspaceId}::uuid AND w.id = m.workspace_id
    WHERE s.token_hash = ${hash} AND s.created_at > ${madeAfter(now)} AND s.last_used_at > ${usedAfter(now)}`,
)

/** The record that a gateway asks for. Returns null when no valid session has a token with this SHA-256. */
export async function findSession(
  db: Db,
  hash: Buffer<ArrayBuffer>,
  workspaceId: string | null,
  now: Date,
): Promise<SessionRecord | null> {
  const [found] = await sessionByHash(db, hash, workspaceId, now)
  if (found === undefined) return null
  const before = new Date(now.getTime() - writtenEveryMs)
  await noteUse(db, found, { now, before })
  await noteSeen(db, workspaceId, found, { now, before })
  const { memberId, memberName, role, suspended, lacksSecondFactor } = found
  const isMember = memberId !== null && memberName !== null && role !== null
  return {
    id: found.id,
    account: { id: found.accountId, name: found.accountName },
    confirmedUntil: confirmedUntil(found, now)?.toISOString() ?? null,
    member: isMember ? { id: memberId, name: memberName, role, suspended, lacksSecondFactor } : null,
  }
}

/** A time of last use after `before` is not written again. */
type Times = { readonly now: Date; readonly before: Date }

async function noteUse(db: Db, { id, lastUsedAt }: FoundSession, { now, before }: Times): Promise<void> {
  if (lastUsedAt > before) return
  await db.session.updateMany({ where: { id, lastUsedAt: { lte: before } }, data: { lastUsedAt: now } })
}

/** Stored at the member: a session is shared by all workspaces. */
async function noteSeen(
  db: Db,
  workspaceId: string | null,
  { memberId, memberSeenAt }: FoundSession,
  { now, before }: Times,
): Promise<void> {
  if (workspaceId === null || memberId === null || (memberSeenAt !== null && memberSeenAt > before)) return
  await db.member.updateMany({
    where: { workspaceId, id: memberId, OR: [{ lastSeenAt: null }, { lastSeenAt: { lte: before } }] },
    data: { lastSeenAt: now },
  })
}
