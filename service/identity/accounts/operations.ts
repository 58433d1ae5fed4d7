// People change their own accounts. Each change is recorded in the audit logs of their workspaces.
import { changePassword, updateAccount } from '#contract/account.ts'
import type { Input } from '#contract/operation.ts'
import type { Account, EmailChange } from '#prisma/generated/client.ts'
import { commitChange, type ChangeDeps } from '../../execution/change.ts'
import type { Handlers, Call, Db, Handler } from '../../execution/call.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { checkPassword, type CheckPasswordDeps } from './check-password.ts'
import { assertNotGuessed } from './password-rule.ts'
import { byThemselves, recordInWorkspaces } from './record-in-workspaces.ts'
import {
  assertFree,
  dropEmailChange,
  findEmailChange,
  putEmailChange,
  findAccount,
  toAccount,
  passwordOf,
  endOtherSessions,
} from './rows.ts'

export const accountHandlers = (deps: AccountDeps) =>
  ({
    'account.update': update(deps),
    'account.change-password': changeOwnPassword(deps),
  }) satisfies Partial<Handlers>

export type AccountDeps = CheckPasswordDeps & {
  readonly changes: ChangeDeps
  /** Null where no email is sent. */
  readonly outbox: Outbox | null
}

const update =
  ({ changes, outbox }: Pick<AccountDeps, 'changes' | 'outbox'>): Handler<typeof updateAccount> =>
  async (input, { principal, now }) => {
    const { account, pending } = await commitChange(changes, { principal }, async (tx) => {
      const before = await findAccount(tx, principal.id)
      const pendingBefore = await findEmailChange(tx, before.id, now)
      const renamed = await rename(tx, before, input, now)
      const requested = await requestEmail(tx, renamed, pendingBefore, input, now)
      if (requested !== null && requested !== pendingBefore) await sendLink(tx, outbox, requested, now)
      const recorded = await recordInWorkspaces(changes, tx, renamed, {
        action: updateAccount,
        by: byThemselves(principal, renamed),
        before: shownOf(before, pendingBefore),
        after: shownOf(renamed, requested),
      })
      return { account: renamed, pending: requested, ...recorded }
    })
    return toAccount(account, pending)
  }

async function sendLink(tx: Db, outbox: Outbox | null, { accountId, email }: EmailChange, now: Date): Promise<void> {
  await outbox?.put(tx, null, { kind: 'email-change', content: { accountId, email } }, now)
}

const shownOf = ({ name }: Account, pending: EmailChange | null) => ({ name, pendingEmail: pending?.email ?? null })

async function rename(tx: Db, before: Account, { name }: Input<typeof updateAccount>, now: Date): Promise<Account> {
  if (name === undefined || name === before.name) return before
  return await tx.account.update({ where: { id: before.id }, data: { name, updatedAt: now } })
}

/** The account's own email withdraws a pending one. Throws `duplicate` for the email of another account. */
async function requestEmail(
  tx: Db,
  { id, email: own }: Account,
  pending: EmailChange | null,
  { email }: Input<typeof updateAccount>,
  now: Date,
): Promise<EmailChange | null> {
  if (email === undefined) return pending
  if (email.toLowerCase() === own) {
    await dropEmailChange(tx, id)
    return null
  }
  await assertFree(tx, id, email)
  return await putEmailChange(tx, id, email, now)
}

const changeOwnPassword =
  ({ changes, ...checks }: AccountDeps): Handler<typeof changePassword> =>
  async ({ currentPassword, newPassword }, call) => {
    const account = await findAccount(call.db, call.principal.id)
    const { email, name } = account
    await checkPassword({ email, password: currentPassword, account }, call, checks, changePassword)
    await assertNotGuessed('newPassword', newPassword, [name, email])
    const passwordHash = await call.withoutSlot(() => checks.passwords.hash(newPassword))
    await commitChange(changes, call, (tx) => replacePassword(tx, { changes, account, passwordHash }, call))
    // A mark of the old password is no longer valid.
    call.setBrowser(checks.knownBrowsers.marked(call.browser, { id: account.id, passwordHash }))
    return null
  }

/** Ends all other sessions. */
async function replacePassword(
  tx: Db,
  {
    changes,
    account,
    passwordHash,
  }: Pick<AccountDeps, 'changes'> & { readonly account: Account; passwordHash: string },
  { principal, now }: Pick<Call, 'principal' | 'now'>,
) {
  const { id } = account
  await tx.account.update({ where: { id }, data: { passwordHash, updatedAt: now } })
  const count = await endOtherSessions(tx, id, principal)
  // A sign-in with the old password goes no further.
  await tx.factorChallenge.deleteMany({ where: { accountId: id } })
  return await recordInWorkspaces(changes, tx, account, {
    action: changePassword,
    by: byThemselves(principal, account),
    before: { password: passwordOf(account), otherSessions: count },
    after: { password: 'changed', otherSessions: 0 },
  })
}
