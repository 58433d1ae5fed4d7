// A new e-mail of an account waits until somebody else vouches for it: until then the account keeps its own, and the address
// is free for whoever it belongs to.
import type { Account, EmailChange } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { duplicate } from '../faults/database-fault.ts'
import { findAccountByEmail } from './rows.ts'
import { emailChangeDays } from '#contract/account.ts'

/** In the place of the one that the account had. */
export async function putEmailChange(tx: Db, accountId: string, email: string, now: Date): Promise<EmailChange> {
  const expiresAt = new Date(now.getTime() + emailChangeDays * 86_400_000)
  const fields = { email: email.toLowerCase(), requestedAt: now, expiresAt }
  return await tx.emailChange.upsert({ where: { accountId }, create: { accountId, ...fields }, update: fields })
}

/** Null where none waits, or its time is over. */
export const findEmailChange = (db: Db, accountId: string, now: Date): Promise<EmailChange | null> =>
  db.emailChange.findFirst({ where: { accountId, expiresAt: { gt: now } } })

export async function dropEmailChange(tx: Db, accountId: string): Promise<void> {
  await tx.emailChange.deleteMany({ where: { accountId } })
}

/**
 * Returns null where somebody was faster. Throws `duplicate` where the address is another account's by now. Others who wait
 * for it do so in vain.
 */
export async function takeEmail(tx: Db, { accountId, email }: EmailChange, now: Date): Promise<Account | null> {
  await assertFree(tx, accountId, email)
  const { count } = await tx.emailChange.deleteMany({ where: { accountId, email } })
  if (count === 0) return null
  await tx.emailChange.deleteMany({ where: { email } })
  return await tx.account.update({ where: { id: accountId }, data: { email, updatedAt: now } })
}

/** Throws `duplicate`. The id of the other account is for nobody else. */
export async function assertFree(db: Db, accountId: string, email: string): Promise<void> {
  const holder = await findAccountByEmail(db, email)
  if (holder !== null && holder.id !== accountId) throw duplicate('email', undefined)
}

export async function deleteOutdatedEmailChanges(db: Db, now: Date): Promise<void> {
  await db.emailChange.deleteMany({ where: { expiresAt: { lte: now } } })
}
