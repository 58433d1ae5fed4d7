// Reads and writes accounts.
import type { Account } from '#contract/account.ts'
import type { Account as Row, EmailChange } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/handler.ts'

type New = { readonly name: string; readonly email: string; readonly passwordHash: string | null }

export const findAccountByEmail = (db: Db, email: string): Promise<Row | null> =>
  db.account.findUnique({ where: { email: email.toLowerCase() } })

/** Of a session, which has one. */
export const findAccount = (db: Db, id: string): Promise<Row> => db.account.findUniqueOrThrow({ where: { id } })

export const isAnyAccount = async (db: Db): Promise<boolean> =>
  (await db.account.findFirst({ select: { id: true } })) !== null

export async function insertAccount(tx: Db, { name, email, passwordHash }: New, now: Date): Promise<Row> {
  return tx.account.create({
    data: { id: newId(now), name, email: email.toLowerCase(), passwordHash, createdAt: now, updatedAt: now },
  })
}

export const toAccount = ({ id, name, email }: Row, pending: EmailChange | null): Account => ({
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
