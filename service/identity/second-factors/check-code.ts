// Checks a code of the second factor: of the authenticator app, or a recovery code. The try is counted first, as that
// of a password is, and a right one is taken within the transaction of what it proves the person for, so that it works
// once. A wrong code is recorded in the audit log.
import type { SignInMethod } from '#contract/account.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Account } from '#prisma/generated/client.ts'
import type { Keyring } from '#runtime/keyring.ts'
import { refusedAccount, type PeopleLog } from '../../audit/people-log.ts'
import type { Call, Db } from '../../execution/call.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { countTry, factorTries, forgiveTries, type Counted } from '../accounts/sign-in-attempts.ts'
import { isAuthenticatorCode, stepOf } from './totp.ts'
import { contextOfAuthenticator, findFactors, takeRecoveryCode, takeStep } from './rows.ts'

export type CheckCodeDeps = {
  readonly keyring: Keyring
  readonly peopleLog: Pick<PeopleLog, 'record'>
  readonly knownBrowsers: KnownBrowsers
}
type Claim = { readonly account: Account; readonly code: string }
type CodeCall = Pick<Call, 'db' | 'now' | 'principal' | 'browser'>
export type RightCode = {
  readonly method: Extract<SignInMethod, `password_and_${string}`>
  /** Throws `wrong_second_factor` where another call was first. */
  take(tx: Db): Promise<void>
}

/**
 * Runs `use` with a right code, which it has to take. Throws `wrong_second_factor` or `rate_limited`. `action` is the
 * operation that the audit log names.
 */
export async function withRightCode<T>(
  claim: Claim,
  call: CodeCall,
  deps: CheckCodeDeps,
  action: Pick<Operation, 'name'>,
  use: (right: RightCode) => Promise<T>,
): Promise<T> {
  const { db, now, principal } = call
  const tries = triesOf(claim.account, call, deps.knownBrowsers)
  try {
    await countTry(db, tries, now)
    const used = await use(await rightCode(claim, call, deps.keyring))
    await forgiveTries(db, tries)
    return used
  } catch (thrown) {
    if (thrown instanceof Fault) deps.peopleLog.record(refusedAccount(thrown, action, claim.account, principal, now))
    throw thrown
  }
}

/** Who knows the password, and guesses codes elsewhere, locks nobody out of the session or browser that they use. */
function triesOf(account: Account, { principal, browser }: CodeCall, knownBrowsers: KnownBrowsers): Counted[] {
  const { kind, id, session } = principal
  const isOwn = kind === 'account' && id === account.id
  return factorTries(account.id, {
    sessionId: isOwn ? (session?.id ?? null) : null,
    mark: knownBrowsers.markOf(browser, account),
  })
}

async function rightCode(
  { account, code }: Claim,
  { db, now }: Pick<CodeCall, 'db' | 'now'>,
  keyring: Keyring,
): Promise<RightCode> {
  const typed = code.replaceAll(/[\s-]/g, '')
  if (!isAuthenticatorCode(typed))
    return { method: 'password_and_recovery_code', take: (tx) => mustTake(takeRecoveryCode(tx, account.id, typed)) }
  const { authenticator } = await findFactors(db, account.id)
  if (authenticator === null) throw wrongSecondFactor()
  const secret = keyring.open(authenticator.sealedSecret, contextOfAuthenticator(authenticator.id))
  const step = stepOf(typed, secret, now)
  if (step === null) throw wrongSecondFactor()
  return { method: 'password_and_authenticator', take: (tx) => mustTake(takeStep(tx, authenticator, step, now)) }
}

async function mustTake(isTaken: Promise<boolean>): Promise<void> {
  if (!(await isTaken)) throw wrongSecondFactor()
}

export const wrongSecondFactor = (): Fault => new Fault('wrong_second_factor', 'The code is wrong or was used before.')
