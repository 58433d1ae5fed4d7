// What people change of their own accounts.
import { changePassword, type updateAccount } from '#contract/account.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { Handler } from '../execution/handler.ts'
import { duplicate } from '../faults/database-fault.ts'
import { checkPassword, type CheckParts } from './check-password.ts'
import { assertNotGuessed } from './password-rule.ts'
import { findAccount, findAccountByEmail, toAccount } from './rows.ts'

type Parts = CheckParts & { readonly db: Database }

export const update: Handler<typeof updateAccount> = async ({ name, email }, { db, principal, now }) => {
  const before = await findAccount(db, principal.id)
  const holder = email === undefined ? null : await findAccountByEmail(db, email)
  // Its id is nobody else's business.
  if (holder !== null && holder.id !== before.id) throw duplicate('email', undefined)
  const changed = { name: name ?? before.name, email: email?.toLowerCase() ?? before.email }
  return toAccount(await db.account.update({ where: { id: before.id }, data: { ...changed, updatedAt: now } }))
}

export const changeOwnPassword =
  ({ db: database, ...checks }: Parts): Handler<typeof changePassword> =>
  async ({ currentPassword, newPassword }, call) => {
    const { db, principal, now, withoutSlot } = call
    const account = await findAccount(db, principal.id)
    const { id, email, name } = account
    await checkPassword({ email, password: currentPassword, account }, call, checks, changePassword)
    assertNotGuessed('newPassword', newPassword, [name, email])
    const passwordHash = await withoutSlot(() => checks.passwords.hash(newPassword))
    await transact(database, async (tx) => {
      await tx.account.update({ where: { id }, data: { passwordHash, updatedAt: now } })
      await tx.session.deleteMany({ where: { accountId: id, id: { not: principal.session?.id ?? '' } } })
    })
    return null
  }
