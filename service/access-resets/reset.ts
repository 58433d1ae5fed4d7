import { resetAccess } from '#contract/accounts.ts'
import { Fault } from '#contract/faults/fault.ts'
import { resetAccessPage } from '#contract/route-paths.ts'
import { findAccountByEmail } from '../accounts/rows.ts'
import { commitChange, type ChangeParts } from '../execution/commit-change.ts'
import type { Handler } from '../execution/handler.ts'
import { putReset } from './rows.ts'
import { recordInWorkspaces } from '../accounts/record-in-workspaces.ts'

type Parts = { readonly changes: ChangeParts }

export const reset =
  ({ changes }: Parts): Handler<typeof resetAccess> =>
  async ({ email }, { db, principal, now }) => {
    const account = await findAccountByEmail(db, email)
    if (account === null) throw new Fault('not_found', 'No account has this e-mail.')
    const { token, expiresAt } = await commitChange(changes, { principal }, async (tx) => {
      const made = await putReset(tx, account.id, now)
      const recorded = await recordInWorkspaces(changes, tx, account, {
        ...{ action: resetAccess, by: () => principal },
        before: { resetUntil: null },
        after: { resetUntil: made.expiresAt.toISOString() },
      })
      return { ...made, ...recorded }
    })
    return {
      ...{ object: 'access_reset', email: account.email, token, path: `${resetAccessPage}#${token}` },
      expiresAt: expiresAt.toISOString(),
    }
  }
