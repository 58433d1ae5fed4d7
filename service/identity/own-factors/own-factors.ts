// What every change of the second factors of a person is made with: their account, locked, and the audit logs of its
// workspaces.
import { Fault } from '#contract/faults/fault.ts'
import type { Account } from '#prisma/generated/client.ts'
import { commitChange, type Action, type ChangeDeps, type Notifications } from '../../execution/change.ts'
import type { Call, Db } from '../../execution/call.ts'
import { byThemselves, recordInWorkspaces } from '../accounts/record-in-workspaces.ts'
import { findAccount, lockAccount, membershipsOf, endOtherSessions } from '../accounts/rows.ts'
import {
  askedFactors,
  deleteRecoveryCodes,
  findFactors,
  replaceRecoveryCodes,
  shownFactors,
} from '../second-factors/rows.ts'

type OwnCall = Pick<Call, 'principal' | 'now'>
type Done = { readonly recoveryCodes?: readonly string[] | null }

/** The row of the account is locked: of two changes at once the second sees what the first has done. */
export async function changeOwn<T extends Done>(
  changes: ChangeDeps,
  { principal, now }: OwnCall,
  action: Action,
  work: (tx: Db, account: Account) => Promise<T>,
): Promise<T & Notifications> {
  return commitChange(changes, { principal }, async (tx) => {
    await lockAccount(tx, principal.id)
    const account = await findAccount(tx, principal.id)
    const before = await findFactors(tx, account.id)
    const done = await work(tx, account)
    // New codes in the place of as many old ones are a change all the same.
    const issued = (done.recoveryCodes ?? null) === null ? {} : { recoveryCodesFrom: now.toISOString() }
    const recorded = await recordInWorkspaces(changes, tx, account, {
      action,
      by: byThemselves(principal, account),
      before: shownFactors(before),
      after: { ...shownFactors(await findFactors(tx, account.id)), ...issued },
    })
    return { ...done, ...recorded }
  })
}

/** Who signs in at a provider has their second factor there; one of ours would never be asked for. */
export function assertHasPassword({ passwordHash }: Account): void {
  if (passwordHash === null)
    throw new Fault(
      'invalid_transition',
      'This account signs in at the sign-in provider, which is responsible for its second factor.',
    )
}

/** Sessions elsewhere began without a second factor. */
export async function beginTwoFactor(tx: Db, accountId: string, { principal, now }: OwnCall): Promise<string[]> {
  await endOtherSessions(tx, accountId, principal)
  return replaceRecoveryCodes(tx, accountId, now)
}

/**
 * After a factor was removed: recovery codes end with the last one. Throws `last_second_factor` where a workspace of
 * the account requires one, or will.
 */
export async function settleRemoval(tx: Db, accountId: string): Promise<void> {
  if (askedFactors(await findFactors(tx, accountId)).length > 0) return
  const demanding = (await membershipsOf(tx, accountId)).filter((each) => each.requireSecondFactorFrom !== null)
  const [first] = demanding
  if (first !== undefined) {
    const who = demanding.length === 1 ? `${first.name} requires` : `${first.name} and other workspaces require`
    throw new Fault('last_second_factor', `${who} two-factor authentication. Add another second factor first.`)
  }
  await deleteRecoveryCodes(tx, accountId)
}

export const setupExpired = (): Fault =>
  new Fault('challenge_expired', 'The setup of this second factor was already completed or has expired. Start again.')

export const isOff = (): Fault => new Fault('invalid_transition', 'Two-factor authentication is off for this account.')
