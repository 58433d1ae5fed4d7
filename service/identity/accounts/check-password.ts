// Checks the password of an account. The try is counted first, and the check takes as long for an account that does not
// exist. A wrong password for an existing account is recorded in the audit log.
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Account } from '#prisma/generated/client.ts'
import { refusedAccount, type PeopleLog } from '../../audit/people-log.ts'
import type { Call } from '../../execution/call.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import type { Passwords } from './passwords.ts'
import {
  countTry,
  forgiveTries,
  knownBrowserTries,
  passwordTries,
  sessionTries,
  type Counted,
} from './sign-in-attempts.ts'

type Claim = { readonly email: string; readonly password: string; readonly account: Account | null }
type PasswordCall = Pick<Call, 'db' | 'now' | 'principal' | 'withoutSlot' | 'browser'>
export type CheckPasswordDeps = {
  readonly passwords: Passwords
  readonly peopleLog: Pick<PeopleLog, 'record'>
  readonly knownBrowsers: KnownBrowsers
}

/** Throws `wrong_password` or `rate_limited`. `action` is the operation that the audit log names. */
export async function checkPassword(
  claim: Claim,
  call: PasswordCall,
  { passwords, peopleLog, knownBrowsers }: CheckPasswordDeps,
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

/** Tries count for the session or the browser when it is known to be the account's, else for account and address. */
function triesOf(
  { email, account }: Claim,
  { principal, browser }: Pick<PasswordCall, 'principal' | 'browser'>,
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
  { db, now, withoutSlot }: PasswordCall,
  passwords: Passwords,
): Promise<Account> {
  await countTry(db, tries, now)
  const isRight = await withoutSlot(() => passwords.matches(password, account?.passwordHash ?? null))
  if (account === null || !isRight) throw new Fault('wrong_password', 'The email address or the password is wrong.')
  await forgiveTries(db, tries)
  return account
}

/** Off when a provider is the only way to sign in. */
export type PasswordSignIn = 'on' | 'off'

/** Throws `password_sign_in_off`. */
export function assertPasswordSignIn(passwordSignIn: PasswordSignIn): void {
  if (passwordSignIn === 'off')
    throw new Fault('password_sign_in_off', 'Sign in with single sign-on. Passwords are disabled on this installation.')
}
