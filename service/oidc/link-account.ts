// The account of somebody whom the provider has named: the one that is linked, the one with the same e-mail, or a new one.
import type { Account } from '#prisma/generated/client.ts'
import { findAccountByEmail, insertAccount, isAnyAccount } from '../accounts/rows.ts'
import type { Db } from '../execution/handler.ts'
import { duplicate } from '../faults/database-fault.ts'
import { noMembership } from './no-membership.ts'
import { assertMayBeLinked, type Person } from './person.ts'
import type { OidcConfig } from './settings.ts'

/** `invited`: the e-mail of the invitation that somebody has come by. Throws why there is no account. */
export async function accountOf(
  tx: Db,
  person: Person,
  invited: string | null,
  config: OidcConfig,
  now: Date,
): Promise<Account> {
  const { issuer } = config
  const { subject, email, name } = person
  const known = await tx.accountIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    include: { account: true },
  })
  if (known !== null) return known.account
  assertMayBeLinked(person, invited, config)
  // The first account has the link of the first start, and owns what there is.
  if (!(await isAnyAccount(tx))) throw noMembership()
  const found = await findAccountByEmail(tx, email)
  const account = found === null ? await insertAccount(tx, { name, email, passwordHash: null }, now) : found
  if (found !== null) await takeOver(tx, found, issuer, now)
  await tx.accountIdentity.create({ data: { issuer, subject, accountId: account.id, createdAt: now } })
  return account
}

/**
 * Nobody has shown yet that the e-mail of an account is theirs, but the provider has. So whoever has signed in with a password
 * so far is kept out: it may be somebody who was here first, under an e-mail of another.
 */
async function takeOver(tx: Db, { id }: Account, issuer: string, now: Date): Promise<void> {
  const isLinked = await tx.accountIdentity.findFirst({ where: { accountId: id, issuer }, select: { subject: true } })
  if (isLinked !== null) throw duplicate('email', undefined)
  await tx.account.update({ where: { id }, data: { passwordHash: null, updatedAt: now } })
  await tx.session.deleteMany({ where: { accountId: id } })
  await tx.accessReset.deleteMany({ where: { accountId: id } })
}
