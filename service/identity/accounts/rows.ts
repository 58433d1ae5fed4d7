// Accounts, their memberships, their pending emails, all ways to sign in to them, and the counts of sign-in tries.
import type { Principal } from '#contract/internal/principal.ts'
import { randomBytes } from 'node:crypto'
import { emailChangeDays, type Account, type Membership } from '#contract/account.ts'
import { scopesOfRole, type Role } from '#contract/roles.ts'
import { Prisma, type Account as AccountRow, type EmailChange } from '#prisma/generated/client.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { newId } from '#runtime/new-id.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../../execution/call.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { duplicate } from '../../faults/shared-faults.ts'

type NewAccount = { readonly name: string; readonly email: string; readonly passwordHash: string | null }

export const findAccountByEmail = (db: Db, email: string): Promise<AccountRow | null> =>
  db.account.findUnique({ where: { email: email.toLowerCase() } })

/** The id is a session's, so the account exists. */
export const findAccount = (db: Db, id: string): Promise<AccountRow> => db.account.findUniqueOrThrow({ where: { id } })

const lockRow = query(
  { id: column.uuid },
  (id: string) => Prisma.sql`SELECT id FROM account WHERE id = ${id}::uuid FOR UPDATE`,
)

/** Until the end of the transaction. */
export async function lockAccount(tx: Db, id: string): Promise<void> {
  await lockRow(tx, id)
}

export const isAnyAccount = async (db: Db): Promise<boolean> =>
  (await db.account.findFirst({ select: { id: true } })) !== null

export async function insertAccount(tx: Db, { name, email, passwordHash }: NewAccount, now: Date): Promise<AccountRow> {
  return tx.account.create({
    data: { id: newId(now), name, email: email.toLowerCase(), passwordHash, createdAt: now, updatedAt: now },
  })
}

export const toAccount = ({ id, name, email, passwordHash }: AccountRow, pending: EmailChange | null): Account => ({
  id,
  object: 'account',
  name,
  email,
  hasPassword: passwordHash !== null,
  pendingEmail:
    pending === null
      ? null
      : {
          email: pending.email,
          requestedAt: pending.requestedAt.toISOString(),
          expiresAt: pending.expiresAt.toISOString(),
        },
})

/** No more are shown. */
const membershipsMax = 200

/** Whether the session complies with a policy is not known here. */
export type MembershipRow = Omit<Membership, 'secondFactor'> & { readonly requireSecondFactorFrom: Date | null }

/** The workspaces in which the account is an active member. */
export async function membershipsOf(db: Db, accountId: string): Promise<MembershipRow[]> {
  const rows = await db.member.findMany({
    where: { accountId, status: 'active', deletedAt: null },
    select: {
      id: true,
      role: true,
      workspace: {
        select: { id: true, name: true, sandbox: true, suspendedAt: true, requireSecondFactorFrom: true },
      },
    },
    orderBy: [{ workspace: { name: 'asc' } }, { workspaceId: 'asc' }],
    take: membershipsMax,
  })
  return rows.map(({ id, role, workspace }) => ({
    workspaceId: workspace.id,
    memberId: id,
    name: workspace.name,
    // The table's checks allow no other values.
    role: role as Role,
    scopes: [...scopesOfRole(role as Role)],
    sandbox: workspace.sandbox,
    suspended: workspace.suspendedAt !== null,
    requireSecondFactorFrom: workspace.requireSecondFactorFrom,
  }))
}

/**
 * A new email is pending until another person vouches for it. Until then the account keeps its own, and the address
 * stays free for its owner. Replaces the pending email that the account had.
 */
export async function putEmailChange(tx: Db, accountId: string, email: string, now: Date): Promise<EmailChange> {
  const expiresAt = new Date(now.getTime() + emailChangeDays * 86_400_000)
  // A link that was sent for another address ends.
  const fields = { email: email.toLowerCase(), requestedAt: now, expiresAt, tokenHash: null }
  return await tx.emailChange.upsert({ where: { accountId }, create: { accountId, ...fields }, update: fields })
}

/** Returns null when none is pending, or it has expired. */
export const findEmailChange = (db: Db, accountId: string, now: Date): Promise<EmailChange | null> =>
  db.emailChange.findFirst({ where: { accountId, expiresAt: { gt: now } } })

const confirmTokenBytes = 32

/**
 * Makes the token of the link that confirms this pending email, in place of one that was made before. Returns null
 * when the email is not pending any more.
 */
export async function makeEmailToken(
  db: Db,
  { accountId, email }: Pick<EmailChange, 'accountId' | 'email'>,
  now: Date,
): Promise<string | null> {
  const token = randomBytes(confirmTokenBytes).toString('base64url')
  const where = { accountId, email, expiresAt: { gt: now } }
  const { count } = await db.emailChange.updateMany({ where, data: { tokenHash: tokenHash(token) } })
  return count === 1 ? token : null
}

/** Returns null for a token that was used or replaced, or has expired. */
export async function findEmailChangeByToken(
  db: Db,
  token: string,
  now: Date,
): Promise<(EmailChange & { readonly account: AccountRow }) | null> {
  const found = await db.emailChange.findUnique({
    where: { tokenHash: tokenHash(token) },
    include: { account: true },
  })
  return found !== null && found.expiresAt > now ? found : null
}

export async function dropEmailChange(tx: Db, accountId: string): Promise<void> {
  await tx.emailChange.deleteMany({ where: { accountId } })
}

/**
 * Returns null when another call has taken it first. Throws `duplicate` when another account has the address by now.
 * Drops the same pending email of other accounts. An email to the address so far tells of the change.
 */
export async function takeEmail(
  tx: Db,
  outbox: Outbox | null,
  { accountId, email }: EmailChange,
  now: Date,
): Promise<AccountRow | null> {
  await assertFree(tx, accountId, email)
  const { count } = await tx.emailChange.deleteMany({ where: { accountId, email } })
  if (count === 0) return null
  await tx.emailChange.deleteMany({ where: { email } })
  const { email: former } = await findAccount(tx, accountId)
  await outbox?.put(tx, null, { kind: 'email-changed', content: { accountId, former, email } }, now)
  return await tx.account.update({ where: { id: accountId }, data: { email, updatedAt: now } })
}

/** Throws `duplicate`, without the id of the other account. */
export async function assertFree(db: Db, accountId: string, email: string): Promise<void> {
  const holder = await findAccountByEmail(db, email)
  if (holder !== null && holder.id !== accountId) throw duplicate('email', undefined)
}

export async function deleteOutdatedEmailChanges(db: Db, now: Date): Promise<void> {
  await db.emailChange.deleteMany({ where: { expiresAt: { lte: now } } })
}

/** How many ways to sign in were dropped, by kind, for the audit log. */
export type WaysIn = {
  readonly sessions: number
  readonly signInProviders: number
  readonly resetLinks: number
  readonly pendingEmails: number
}

export const noWaysIn: WaysIn = { sessions: 0, signInProviders: 0, resetLinks: 0, pendingEmails: 0 }

/** The audit log says no more of a password. */
export const passwordOf = ({ passwordHash }: Pick<AccountRow, 'passwordHash'>): 'set' | 'none' =>
  passwordHash === null ? 'none' : 'set'

/**
 * Ends all sessions and sign-ins that wait for a second factor, and drops linked providers, reset links and a pending
 * email: all who had access lose it. The caller replaces the password, and decides about second factors.
 */
export async function dropWaysIn(tx: Db, accountId: string): Promise<WaysIn> {
  const where = { accountId }
  const { count: sessions } = await tx.session.deleteMany({ where })
  const { count: signInProviders } = await tx.accountIdentity.deleteMany({ where })
  const { count: resetLinks } = await tx.accessReset.deleteMany({ where })
  await tx.factorChallenge.deleteMany({ where })
  const { count: pendingEmails } = await tx.emailChange.deleteMany({ where })
  return { sessions, signInProviders, resetLinks, pendingEmails }
}

const insertTry = query(
  { count: column.int, startedAt: column.time },
  (subject: string, since: Date, now: Date) => Prisma.sql`
    INSERT INTO sign_in_attempt AS a (subject, count, started_at) VALUES (${subject}, 1, ${now})
    ON CONFLICT (subject) DO UPDATE SET
      count = CASE WHEN a.started_at <= ${since} THEN 1 ELSE a.count + 1 END,
      started_at = CASE WHEN a.started_at <= ${since} THEN excluded.started_at ELSE a.started_at END
    RETURNING count, started_at AS "startedAt"`,
)

/** Counts one try of the subject, from 1 again where those before began at `since` or earlier. */
export async function addTry(
  db: Db,
  subject: string,
  since: Date,
  now: Date,
): Promise<{ readonly count: number; readonly startedAt: Date }> {
  const [row] = await insertTry(db, subject, since, now)
  if (row === undefined) throw new Error('An insert that updates on conflict gave no row')
  return row
}

const takeBackTry = command(
  (subjects: readonly string[]) =>
    Prisma.sql`UPDATE sign_in_attempt SET count = greatest(count - 1, 0) WHERE subject = ANY(${subjects})`,
)

const deleteTries = command((subject: string) => Prisma.sql`DELETE FROM sign_in_attempt WHERE subject = ${subject}`)

/** Takes one try off each subject, and all tries off the first. */
export async function takeBackTries(db: Db, subjects: readonly string[]): Promise<void> {
  await takeBackTry(db, subjects)
  await deleteTries(db, subjects[0] ?? '')
}

/** All of the account but that of the call. */
export async function endOtherSessions(
  tx: Db,
  accountId: string,
  { session }: Pick<Principal, 'session'>,
): Promise<number> {
  const { count } = await tx.session.deleteMany({ where: { accountId, id: { not: session?.id ?? '' } } })
  return count
}
