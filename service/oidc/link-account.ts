// The account of somebody whom the provider has named: the one that is linked, the one with the same e-mail, or a new one. An
// address that the provider has verified wins over one that somebody has typed in.
import { completeAtProvider } from '#contract/sessions.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Account, AccountIdentity } from '#prisma/generated/client.ts'
import { findEmailChange, takeEmail } from '../accounts/email-change.ts'
import { bySomebody, recordInWorkspaces, type AccountChange } from '../accounts/record-in-workspaces.ts'
import { findAccountByEmail, insertAccount, isAnyAccount } from '../accounts/rows.ts'
import { dropWaysIn, noWaysIn, passwordOf } from '../accounts/ways-in.ts'
import type { Db } from '../execution/handler.ts'
import type { Recorders } from '../execution/record-change.ts'
import { duplicate } from '../faults/database-fault.ts'
import { noMembership } from './no-membership.ts'
import { assertMayBeLinked, type Person } from './person.ts'
import type { OidcConfig } from './settings.ts'

type Asked = {
  readonly person: Person
  /** The e-mail for which somebody else has vouched: by an invitation, or by the session that the call came with. */
  readonly vouchedFor: string | null
  readonly principal: Principal
  readonly now: Date
}
type Parts = { readonly recorders: Recorders; readonly config: OidcConfig }
/** `change`: what signing in has changed of the account, to be recorded once its memberships are known. */
export type NamedAccount = { readonly account: Account; readonly change: AccountChange }

const unchanged: AccountChange = { before: {}, after: {} }

/** Throws why there is no account. */
export async function accountOf(tx: Db, { recorders, config }: Parts, asked: Asked): Promise<NamedAccount> {
  const { issuer } = config
  const { person, vouchedFor, now } = asked
  const { subject, email, name } = person
  const known = await tx.accountIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    include: { account: true },
  })
  if (known !== null) return await knownAccount(tx, known, asked)
  assertMayBeLinked(person, vouchedFor, config)
  // The first account has the link of the first start, and owns what there is.
  if (!(await isAnyAccount(tx))) throw noMembership()
  const holder = await findAccountByEmail(tx, email)
  const found = holder === null || (await isReleased(tx, recorders, holder, asked, issuer)) ? null : holder
  const account = found ?? (await insertAccount(tx, { name, email, passwordHash: null }, now))
  const change = found === null ? unchanged : await takeOver(tx, found, issuer, now)
  await tx.accountIdentity.create({ data: { issuer, subject, accountId: account.id, email, createdAt: now } })
  await tx.emailChange.deleteMany({ where: { email } })
  return { account, change }
}

type Known = AccountIdentity & { readonly account: Account }

/** A new e-mail that waits is confirmed by the provider's word for it, unless another account has it. */
async function knownAccount(tx: Db, known: Known, { person, now }: Asked): Promise<NamedAccount> {
  const { issuer, subject, account } = known
  const { email } = person
  if (known.email !== email)
    await tx.accountIdentity.update({ where: { issuer_subject: { issuer, subject } }, data: { email } })
  const pending = await findEmailChange(tx, account.id, now)
  const isFree = pending?.email === email && (await findAccountByEmail(tx, email)) === null
  const after = isFree ? await takeEmail(tx, pending, now) : null
  if (after === null) return { account, change: unchanged }
  const before = { email: account.email, pendingEmail: email }
  return { account: after, change: { before, after: { email, pendingEmail: null } } }
}

/**
 * Takes the address from an account of somebody else: one that the provider knows under another subject. That account goes
 * on with the e-mail that the provider has verified for it, or with one that reaches nobody. Throws `duplicate` where the
 * provider has verified the address for both.
 */
async function isReleased(
  tx: Db,
  recorders: Recorders,
  holder: Account,
  { person: { email }, principal, now }: Asked,
  issuer: string,
): Promise<boolean> {
  const other = await tx.accountIdentity.findFirst({ where: { accountId: holder.id, issuer } })
  if (other === null) return false
  if (other.email === email) throw duplicate('email', undefined)
  const isOwnFree = other.email !== null && (await findAccountByEmail(tx, other.email)) === null
  const next = isOwnFree && other.email !== null ? other.email : `${holder.id}@${unreachable}`
  await tx.account.update({ where: { id: holder.id }, data: { email: next, updatedAt: now } })
  await recordInWorkspaces(recorders, tx, holder, {
    action: completeAtProvider,
    by: bySomebody(principal, { id: 'sign-in-provider', name: 'Sign-in provider' }),
    before: { email },
    after: { email: next },
  })
  return true
}

/** A name that is reserved for never being anybody's (RFC 2606). */
const unreachable = 'account.invalid'

/**
 * Nobody has shown yet that the e-mail of an account is theirs, but the provider has. So whoever has come in to it so far is
 * kept out: it may be somebody who was here first, under an e-mail of another.
 */
async function takeOver(tx: Db, found: Account, issuer: string, now: Date): Promise<AccountChange> {
  const { id } = found
  const dropped = await dropWaysIn(tx, id)
  await tx.account.update({ where: { id }, data: { passwordHash: null, updatedAt: now } })
  return {
    before: { signInProvider: null, password: passwordOf(found), ...dropped },
    after: { signInProvider: issuer, password: 'none', ...noWaysIn },
  }
}
