// The second step of a sign-in: the password was right, and a code of the second factor opens the session.
import type { KeyObject } from 'node:crypto'
import type { SecondFactor } from '#contract/account.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { PendingSignIn } from '#contract/second-factors.ts'
import { completeWithCode } from '#contract/sessions.ts'
import type { Account } from '#prisma/generated/client.ts'
import { sessionEntry } from '../../audit/people-log.ts'
import {
  commitChange,
  type Action,
  type ChangeDeps,
  type Notifications,
  type Recorders,
} from '../../execution/change.ts'
import type { Call, Db, Handler } from '../../execution/call.ts'
import { byThemselves, recordInWorkspaces } from '../accounts/record-in-workspaces.ts'
import { findAccount } from '../accounts/rows.ts'
import { putChallenge, takeChallenge, tryChallenge } from '../second-factors/challenge-rows.ts'
import { withRightCode, type CheckCodeDeps, type RightCode } from '../second-factors/check-code.ts'
import { findFactors, shownFactors } from '../second-factors/rows.ts'
import { describe } from './current-session.ts'
import { openSession } from './rows.ts'

export type SecondStepDeps = CheckCodeDeps & { readonly changes: ChangeDeps; readonly challengeKey: KeyObject }

/** `asked`: the factors of which one completes the sign-in. */
export async function beginSecondStep(
  db: Db,
  challengeKey: KeyObject,
  { id: accountId }: Pick<Account, 'id'>,
  asked: readonly SecondFactor[],
  now: Date,
): Promise<PendingSignIn> {
  const { token, expiresAt } = await putChallenge(db, challengeKey, { purpose: 'sign-in', accountId, state: {} }, now)
  return {
    object: 'pending_sign_in',
    signIn: token,
    secondFactors: [...asked],
    expiresAt: expiresAt.toISOString(),
  }
}

export const complete =
  ({ changes, challengeKey, ...checks }: SecondStepDeps): Handler<typeof completeWithCode> =>
  async ({ signIn, code }, call) => {
    const { db, principal, now, browser, setSession, setBrowser } = call
    const challenge = await tryChallenge(db, challengeKey, { purpose: 'sign-in', token: signIn }, now)
    if (challenge === null || challenge.accountId === null) throw isOver()
    const account = await findAccount(db, challenge.accountId)
    const { opened } = await withRightCode({ account, code }, call, checks, completeWithCode, (right) =>
      commitChange(changes, { principal }, async (tx) => {
        if (!(await takeChallenge(tx, challenge))) throw isOver()
        const recorded = await takeCode(changes, tx, { account, right, action: completeWithCode }, call)
        const start = { now, confirmedAt: now, method: right.method }
        return { opened: await openSession(tx, account.id, principal, start), ...recorded }
      }),
    )
    setSession(opened.token)
    setBrowser(checks.knownBrowsers.marked(browser, account))
    checks.peopleLog.record(sessionEntry(completeWithCode, account, opened.row, principal, now))
    return await describe(db, opened.row, account, now)
  }

const isOver = (): Fault =>
  new Fault('sign_in_expired', 'This sign-in was completed, is too old, or had too many wrong codes. Sign in again.')

type Proof = { readonly account: Account; readonly right: RightCode; readonly action: Action }

/** A used recovery code is recorded in the audit logs of the account's workspaces. Throws `wrong_second_factor`. */
export async function takeCode(
  recorders: Recorders,
  tx: Db,
  { account, right, action }: Proof,
  { principal }: Pick<Call, 'principal'>,
): Promise<Notifications> {
  const before = shownFactors(await findFactors(tx, account.id))
  await right.take(tx)
  const after = shownFactors(await findFactors(tx, account.id))
  return recordInWorkspaces(recorders, tx, account, { action, by: byThemselves(principal, account), before, after })
}
