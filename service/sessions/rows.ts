// Sessions: rows that a cookie's token leads to. The token itself is kept nowhere, and a session that is over has no row.
import { randomBytes } from 'node:crypto'
import type { Session } from '#contract/account.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Session as Row } from '#prisma/generated/client.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/handler.ts'
import { confirmedMinutes, sessionDays, sessionIdleHours } from '#contract/sessions.ts'

export type OpenedSession = { readonly row: Row; readonly token: string }
type Caller = Pick<Principal, 'clientAddress' | 'userAgent' | 'session'>

const tokenBytes = 32
/** Of one account: the oldest end when there are more. */
const sessionsMax = 50

type Begun = { readonly now: Date; readonly confirmedAt: Date | null }

/** It takes the place of the session that the call came with. `confirmedAt`: when the password was given. */
export async function openSession(
  tx: Db,
  accountId: string,
  caller: Caller,
  { now, confirmedAt }: Begun,
): Promise<OpenedSession> {
  const token = randomBytes(tokenBytes).toString('base64url')
  if (caller.session !== undefined) await tx.session.deleteMany({ where: { id: caller.session.id } })
  const row = await tx.session.create({
    data: {
      ...{ id: newId(now), accountId, tokenHash: tokenHash(token) },
      ...{ createdAt: now, lastUsedAt: now, confirmedAt },
      ip: caller.clientAddress === '' ? null : caller.clientAddress,
      userAgent: caller.userAgent ?? null,
    },
  })
  await endOldest(tx, accountId)
  return { row, token }
}

async function endOldest(tx: Db, accountId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE account_id = ${accountId}::uuid ORDER BY created_at DESC, id DESC OFFSET ${sessionsMax}::int
    )`
}

/** Whoever is given another role signs in anew. */
export async function endSessionsOfMember(tx: Db, workspaceId: string, memberId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM session WHERE account_id = (
      SELECT account_id FROM member WHERE workspace_id = ${workspaceId}::uuid AND id = ${memberId}::uuid
    )`
}

export const openRows = (db: Db, accountId: string, now: Date): Promise<Row[]> =>
  db.session.findMany({
    where: { accountId, createdAt: { gt: madeAfter(now) }, lastUsedAt: { gt: usedAfter(now) } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })

/** Those that can be used no more. */
export async function deleteOutdatedSessions(db: Db, now: Date): Promise<void> {
  await db.session.deleteMany({
    where: { OR: [{ createdAt: { lte: madeAfter(now) } }, { lastUsedAt: { lte: usedAfter(now) } }] },
  })
}

export const madeAfter = (now: Date): Date => new Date(now.getTime() - sessionDays * 86_400_000)
export const usedAfter = (now: Date): Date => new Date(now.getTime() - sessionIdleHours * 3_600_000)

export function toSession({ id, createdAt, lastUsedAt, ip, userAgent }: Row, currentId: string): Session {
  const ends = Math.min(
    createdAt.getTime() + sessionDays * 86_400_000,
    lastUsedAt.getTime() + sessionIdleHours * 3_600_000,
  )
  return {
    ...{ id, object: 'session', ip, userAgent, current: id === currentId },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: new Date(ends).toISOString(),
  }
}

/** Null once it is over. */
export function confirmedUntil({ confirmedAt }: Pick<Row, 'confirmedAt'>, now: Date): Date | null {
  if (confirmedAt === null) return null
  const until = new Date(confirmedAt.getTime() + confirmedMinutes * 60_000)
  return until > now ? until : null
}
