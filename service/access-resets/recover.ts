// A link by which somebody sets a new password is used once. Afterwards this password and this session are the only ways in.
import { recoverAccount } from '#contract/accounts.ts'
import { Fault } from '#contract/faults/fault.ts'
import { assertNotGuessed } from '../accounts/password-rule.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { foundByLink } from '../accounts/sign-in-attempts.ts'
import { dropWaysIn, noWaysIn, passwordOf } from '../accounts/ways-in.ts'
import { commitChange, type ChangeParts } from '../execution/commit-change.ts'
import type { Handler } from '../execution/handler.ts'
import { describe } from '../sessions/current.ts'
import { openSession } from '../sessions/rows.ts'
import { findReset, takeReset } from './rows.ts'
import { byThemselves, recordInWorkspaces } from '../accounts/record-in-workspaces.ts'

type Parts = { readonly changes: ChangeParts; readonly passwords: Passwords; readonly knownBrowsers: KnownBrowsers }

export const recover =
  ({ changes, passwords, knownBrowsers }: Parts): Handler<typeof recoverAccount> =>
  async ({ token, newPassword }, call) => {
    const { db, principal, now, withoutSlot, setSession } = call
    const found = await foundByLink(call, () => findReset(db, token, now))
    if (found === null) throw isOver()
    const { account } = found
    await assertNotGuessed('newPassword', newPassword, [account.name, account.email])
    const passwordHash = await withoutSlot(() => passwords.hash(newPassword))
    const { opened } = await commitChange(changes, { principal }, async (tx) => {
      if (!(await takeReset(tx, found))) throw isOver()
      await tx.account.update({ where: { id: account.id }, data: { passwordHash, updatedAt: now } })
      const dropped = await dropWaysIn(tx, account.id)
      const recorded = await recordInWorkspaces(changes, tx, account, {
        action: recoverAccount,
        before: { resetUntil: found.expiresAt.toISOString(), password: passwordOf(account), ...dropped },
        after: { resetUntil: null, password: 'changed', ...noWaysIn },
        by: byThemselves(principal, account),
      })
      return { opened: await openSession(tx, account.id, principal, { now, confirmedAt: now }), ...recorded }
    })
    setSession(opened.token)
    call.setBrowser(knownBrowsers.marked(call.browser, { id: account.id, passwordHash }))
    return await describe(db, opened.row, account, now)
  }

const isOver = (): Fault => new Fault('not_found', 'This link was used or replaced, or is too old. Ask for another.')
