// Whether somebody knows the password of an account: tries are counted first, and the answer takes as long for an account
// that there is not.
import { Fault } from '#contract/fault.ts'
import type { Account } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import type { Passwords } from './passwords.ts'
import { countTry, forgiveTries, passwordTries } from './sign-in-attempts.ts'

type Claim = { readonly email: string; readonly password: string; readonly account: Account | null }
type Asked = Pick<Call, 'db' | 'now' | 'principal' | 'withoutSlot'>

/** Throws `wrong_password` or `rate_limited`. */
export async function checkPassword(
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
