// Resetting access to an account: the operator makes a link, or the person asks for one by email, and sets a new
// password by it.
import type { KeyObject } from 'node:crypto'
import { resetAccess, recoverAccount, requestReset } from '#contract/accounts.ts'
import { Fault } from '#contract/faults/fault.ts'
import { resetAccessPage } from '#contract/route-paths.ts'
import { transact } from '#prisma/transaction.ts'
import { claimedEntry, type PeopleLog } from '../../audit/people-log.ts'
import { commitChange, type ChangeDeps } from '../../execution/change.ts'
import type { Handlers, Handler } from '../../execution/call.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { assertPasswordSignIn, type PasswordSignIn } from '../accounts/check-password.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { assertNotGuessed } from '../accounts/password-rule.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { recordInWorkspaces, byThemselves } from '../accounts/record-in-workspaces.ts'
import { findAccountByEmail, dropWaysIn, noWaysIn, passwordOf } from '../accounts/rows.ts'
import { countTry, foundByLink, resetTries } from '../accounts/sign-in-attempts.ts'
import { describe } from '../sessions/current-session.ts'
import { askedFactors, deleteFactors, findFactors, shownFactors } from '../second-factors/rows.ts'
import { openSession } from '../sessions/rows.ts'
import { beginSecondStep } from '../sessions/second-step.ts'
import { putReset, findReset, takeReset } from './rows.ts'

export const accessResetHandlers = (deps: AccessResetDeps & RequestDeps) =>
  ({
    'accounts.reset-access': reset(deps),
    'accounts.request-reset': request(deps),
    'accounts.recover': recover(deps),
  }) satisfies Partial<Handlers>

const reset =
  ({ changes }: Pick<AccessResetDeps, 'changes'>): Handler<typeof resetAccess> =>
  async ({ email, removeSecondFactors = false }, { db, principal, now }) => {
    const account = await findAccountByEmail(db, email)
    if (account === null) throw new Fault('not_found', 'No account has this email.')
    const { token, expiresAt } = await commitChange(changes, { principal }, async (tx) => {
      const made = await putReset(tx, account.id, removeSecondFactors, now)
      const recorded = await recordInWorkspaces(changes, tx, account, {
        action: resetAccess,
        by: () => principal,
        before: { resetUntil: null },
        after: {
          resetUntil: made.expiresAt.toISOString(),
          ...(removeSecondFactors && { removesSecondFactors: true }),
        },
      })
      return { ...made, ...recorded }
    })
    return {
      object: 'access_reset',
      email: account.email,
      token,
      path: `${resetAccessPage}#${token}`,
      expiresAt: expiresAt.toISOString(),
    }
  }

/**
 * Does the same whether or not there is an account: which it is shows when the email and the audit entry are written,
 * in the background, and in no answer.
 */
const request =
  ({ changes, outbox, passwordSignIn, peopleLog }: RequestDeps): Handler<typeof requestReset> =>
  async ({ email }, { db, principal, now }) => {
    assertPasswordSignIn(passwordSignIn)
    if (outbox === null)
      throw new Fault('not_found', 'This installation sends no email. Ask the operator for a link to set a password.')
    await countTry(db, resetTries(email, principal.clientAddress), now)
    await transact(changes.db, (tx) => outbox.put(tx, null, { kind: 'password-reset', content: { email } }, now))
    peopleLog.recordByEmail(email, claimedEntry(requestReset, principal, now))
    return null
  }

export type AccessResetDeps = {
  readonly changes: ChangeDeps
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  readonly challengeKey: KeyObject
}
type RequestDeps = Pick<AccessResetDeps, 'changes'> & {
  readonly passwordSignIn: PasswordSignIn
  readonly peopleLog: Pick<PeopleLog, 'recordByEmail'>
  /** Null where no email is sent. */
  readonly outbox: Outbox | null
}

/**
 * The link works once. Afterwards the new password is the only way in to the account, with the second factor that it
 * has; a link that removes second factors leaves none.
 */
const recover =
  ({ changes, passwords, knownBrowsers, challengeKey }: AccessResetDeps): Handler<typeof recoverAccount> =>
  async ({ token, newPassword }, call) => {
    const { db, principal, now, withoutSlot, setSession } = call
    const found = await foundByLink(call, () => findReset(db, token, now))
    if (found === null) throw isOver()
    const { account } = found
    await assertNotGuessed('newPassword', newPassword, [account.name, account.email])
    const passwordHash = await withoutSlot(() => passwords.hash(newPassword))
    const { opened, pending } = await commitChange(changes, { principal }, async (tx) => {
      if (!(await takeReset(tx, found))) throw isOver()
      await tx.account.update({ where: { id: account.id }, data: { passwordHash, updatedAt: now } })
      const factors = await findFactors(tx, account.id)
      const dropped = await dropWaysIn(tx, account.id)
      if (found.removesSecondFactors) await deleteFactors(tx, account.id)
      const left = await findFactors(tx, account.id)
      const recorded = await recordInWorkspaces(changes, tx, account, {
        action: recoverAccount,
        before: {
          resetUntil: found.expiresAt.toISOString(),
          password: passwordOf(account),
          ...shownFactors(factors),
          ...dropped,
        },
        after: { resetUntil: null, password: 'changed', ...shownFactors(left), ...noWaysIn },
        by: byThemselves(principal, account),
      })
      const asked = askedFactors(left)
      if (asked.length > 0)
        return { opened: null, pending: await beginSecondStep(tx, challengeKey, account, asked, now), ...recorded }
      const start = { now, confirmedAt: now, method: 'link' } as const
      return { opened: await openSession(tx, account.id, principal, start), pending: null, ...recorded }
    })
    if (opened === null) return pending
    setSession(opened.token)
    call.setBrowser(knownBrowsers.marked(call.browser, { id: account.id, passwordHash }))
    return await describe(db, opened.row, account, now)
  }

const isOver = (): Fault => new Fault('not_found', 'This link was used or replaced, or is too old. Ask for another.')
