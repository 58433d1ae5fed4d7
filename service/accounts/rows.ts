// Reads and writes accounts.
import type { Account } from '#contract/account-schema.ts'
import type { Account as AccountRow, EmailChange } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/handler.ts'

type NewAccount = { readonly name: string; readonly email: string; readonly passwordHash: string | null }

export const findAccountByEmail = (db: Db, email: string): Promise<AccountRow | null> =>
  db.account.findUnique({ where: { email: email.toLowerCase() } })

/** Of a session, which has one. */
export const findAccount = (db: Db, id: string): Promise<AccountRow> => db.account.findUniqueOrThrow({ where: { id } })

export const isAnyAccount = async (db: Db): Promise<boolean> =>
  (await db.account.findFirst({ select: { id: true } })) !== null

export async function insertAccount(tx: Db, { name, email, passwordHash }: NewAccount, now: Date): Promise<AccountRow> {
  return tx.account.create({
    data: { id: newId(now), name, email: email.toLowerCase(), passwordHash, createdAt: now, updatedAt: now },
  })
}

export const toAccount = ({ id, name, email }: AccountRow, pending: EmailChange | null): Account => ({
  id,
  object: 'account',
  name,
  email,
  pendingEmail:
    pending === null
      ? null
      : {
          email: pending.email,
          requestedAt: pending.requestedAt.toISOString(),
          expiresAt: pending.expiresAt.toISOString(),
        },
})
