// Every way in to an account but the one that is about to be opened: sessions, links to sign-in providers, links that set a
// password, and an e-mail that would become one. Whoever was in before, or was about to come in, is out.
import type { Account as AccountRow } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'

/** How many there were of each, for the audit log. */
export type WaysIn = {
  readonly sessions: number
  readonly signInProviders: number
  readonly resetLinks: number
  readonly pendingEmails: number
}

export const noWaysIn: WaysIn = { sessions: 0, signInProviders: 0, resetLinks: 0, pendingEmails: 0 }

/** What the audit log says of a password. */
export const passwordOf = ({ passwordHash }: Pick<AccountRow, 'passwordHash'>): 'set' | 'none' =>
  passwordHash === null ? 'none' : 'set'

/** The password is for the caller to replace. */
export async function dropWaysIn(tx: Db, accountId: string): Promise<WaysIn> {
  const where = { accountId }
  const { count: sessions } = await tx.session.deleteMany({ where })
  const { count: signInProviders } = await tx.accountIdentity.deleteMany({ where })
  const { count: resetLinks } = await tx.accessReset.deleteMany({ where })
  const { count: pendingEmails } = await tx.emailChange.deleteMany({ where })
  return { sessions, signInProviders, resetLinks, pendingEmails }
}
