// Whether somebody knows the password of an account: tries are counted first, and the answer takes as long for an account
// that there is not. Who does not know that of one that there is stands in the audit log.
import { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Account } from '#prisma/generated/client.ts'
import type { PeopleLog } from '../audit/people-log.ts'
import { refusedAccount } from '../audit/person-entry.ts'
import type { Call } from '../execution/handler.ts'
import type { Passwords } from './passwords.ts'
import { countTry, forgiveTries, passwordTries } from './sign-in-attempts.ts'

type Claim = { readonly email: string; readonly password: string; readonly account: Account | null }
type Asked = Pick<Call, 'db' | 'now' | 'principal' | 'withoutSlot'>
export type CheckParts = { readonly passwords: Passwords; readonly peopleLog: Pick<PeopleLog, 'record'> }

/** Throws `wrong_password` or `rate_limited`. `action`: what it was asked for, as the audit log calls it. */
export async function checkPassword(
  claim: Claim,
  call: Asked,
  { passwords, peopleLog }: CheckParts,
  action: Pick<Operation, 'name'>,
): Promise<Account> {
  try {
    return await check(claim, call, passwords)
  } catch (thrown) {
    if (thrown instanceof Fault && claim.account !== null)
      peopleLog.record(refusedAccount(thrown, action, claim.account, call.principal, call.now))
    throw thrown
  }
}

async function check(
  { email, password, account }: Claim,
  { db, now, principal, withoutSlot }: Asked,
  passwords: Passwords,
): Promise<Account> {
  const tries = passwordTries(email, principal.clientAddress)
  await countTry(db, tries, now)
  const isRight = await withoutSlot(() => passwords.matches(password, account?.passwordHash ?? null))
  if (account === null || !isRight) throw new Fault('wrong_password', 'The e-mail or the password is wrong.')
  await forgiveTries(db, tries)
  return account
}
