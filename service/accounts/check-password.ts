// Whether somebody knows the password of an account: tries are counted first, and the answer takes as long for an account
// that there is not. Who does not know that of one that there is stands in the audit log.
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Account } from '#prisma/generated/client.ts'
import type { PeopleLog } from '../audit/people-log.ts'
import { refusedAccount } from '../audit/person-entry.ts'
import type { Call } from '../execution/handler.ts'
import type { Passwords } from './passwords.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import {
  countTry,
  forgiveTries,
  knownBrowserTries,
  passwordTries,
  sessionTries,
  type Counted,
} from './sign-in-attempts.ts'

type Claim = { readonly email: string; readonly password: string; readonly account: Account | null }
type Asked = Pick<Call, 'db' | 'now' | 'principal' | 'withoutSlot' | 'browser'>
export type CheckParts = {
  readonly passwords: Passwords
  readonly peopleLog: Pick<PeopleLog, 'record'>
  readonly knownBrowsers: KnownBrowsers
}

/** Throws `wrong_password` or `rate_limited`. `action`: what it was asked for, as the audit log calls it. */
export async function checkPassword(
  claim: Claim,
  call: Asked,
  { passwords, peopleLog, knownBrowsers }: CheckParts,
  action: Pick<Operation, 'name'>,
): Promise<Account> {
  try {
    return await check(claim, triesOf(claim, call, knownBrowsers), call, passwords)
  } catch (thrown) {
    if (thrown instanceof Fault && claim.account !== null)
      peopleLog.record(refusedAccount(thrown, action, claim.account, call.principal, call.now))
    throw thrown
  }
}

/** What counts a try: the session or the browser, where it is known to be the account's, else the account and the address. */
function triesOf(
  { email, account }: Claim,
  { principal, browser }: Pick<Asked, 'principal' | 'browser'>,
  knownBrowsers: KnownBrowsers,
): Counted[] {
  const { kind, id, session, clientAddress } = principal
  if (kind === 'account' && session !== undefined && id === account?.id) return sessionTries(session.id)
  const mark = knownBrowsers.markOf(browser, account)
  return mark === null ? passwordTries(email, clientAddress) : knownBrowserTries(mark)
}

async function check(
  { password, account }: Claim,
  tries: readonly Counted[],
  { db, now, withoutSlot }: Asked,
  passwords: Passwords,
): Promise<Account> {
  await countTry(db, tries, now)
  const isRight = await withoutSlot(() => passwords.matches(password, account?.passwordHash ?? null))
  if (account === null || !isRight) throw new Fault('wrong_password', 'The e-mail or the password is wrong.')
  await forgiveTries(db, tries)
  return account
}
