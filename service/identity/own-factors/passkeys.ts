// Passkeys: a person adds and removes them, signs in with one alone, and confirms with one. Changes are recorded in the
// audit logs of the account's workspaces.
import { Fault } from '#contract/faults/fault.ts'
import {
  completeWithPasskey,
  createPasskey,
  deletePasskey,
  type beginPasskey,
  type beginWithPasskey,
} from '#contract/passkeys.ts'
import { passkeysPerAccountMax } from '#contract/second-factors.ts'
import { transact } from '#prisma/transaction.ts'
import { sessionEntry } from '../../audit/people-log.ts'
import type { ChangeDeps } from '../../execution/change.ts'
import type { Handler, Handlers } from '../../execution/call.ts'
import { duplicate, notFoundById } from '../../faults/shared-faults.ts'
import { assertPasswordSignIn, type PasswordSignIn } from '../accounts/check-password.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { findAccount } from '../accounts/rows.ts'
import { countTry, forgiveTries, passkeyTries } from '../accounts/sign-in-attempts.ts'
import { putChallenge, takeChallenge, tryChallenge, type Purpose } from '../second-factors/challenge-rows.ts'
import { assertHasPassword, beginTwoFactor, changeOwn, settleRemoval, setupExpired } from './own-factors.ts'
import { askedFactors, findFactors } from '../second-factors/rows.ts'
import { describe } from '../sessions/current-session.ts'
import { openSession } from '../sessions/rows.ts'
import { checkPasskey, type CheckPasskeyDeps } from '../second-factors/check-passkey.ts'
import {
  deletePasskeyOf,
  findPasskeyByCredential,
  findPasskeys,
  insertPasskey,
} from '../second-factors/passkey-rows.ts'
import {
  assertPossible,
  creationOptions,
  requestOptions,
  verifyRegistration,
  type ChallengeState,
} from '../second-factors/webauthn.ts'

export type PasskeyDeps = CheckPasskeyDeps & {
  readonly changes: ChangeDeps
  readonly passwordSignIn: PasswordSignIn
  readonly knownBrowsers: KnownBrowsers
}

export const passkeyHandlers = (deps: PasskeyDeps) =>
  ({
    'passkeys.begin': begin(deps),
    'passkeys.create': create(deps),
    'passkeys.delete': remove(deps),
    'sessions.begin-with-passkey': beginProof(deps),
    'sessions.complete-with-passkey': complete(deps),
  }) satisfies Partial<Handlers>

const begin =
  ({ challengeKey, relyingParty }: PasskeyDeps): Handler<typeof beginPasskey> =>
  async (_input, { db, principal, now }) => {
    const account = await findAccount(db, principal.id)
    assertHasPassword(account)
    const known = await findPasskeys(db, account.id)
    assertRoom(known.length)
    const options = await creationOptions(assertPossible(relyingParty), account, known)
    const state: ChallengeState = { challenge: options.challenge }
    const asked = { purpose: 'passkey-setup', accountId: account.id, state } as const
    const { token, expiresAt } = await putChallenge(db, challengeKey, asked, now)
    return { object: 'passkey_setup', setup: token, options: { ...options }, expiresAt: expiresAt.toISOString() }
  }

function assertRoom(count: number): void {
  if (count >= passkeysPerAccountMax)
    throw new Fault('limit_reached', `An account can have at most ${passkeysPerAccountMax} passkeys: remove one first.`)
}

const create =
  ({ changes, challengeKey, relyingParty }: PasskeyDeps): Handler<typeof createPasskey> =>
  async ({ setup, name, credential }, call) => {
    const { db, now, principal } = call
    const asked = { purpose: 'passkey-setup', token: setup } as const
    const challenge = await tryChallenge<ChallengeState>(db, challengeKey, asked, now)
    if (challenge === null || challenge.accountId !== principal.id) throw setupExpired()
    const registered = await verifyRegistration(assertPossible(relyingParty), challenge.state, credential)
    const { recoveryCodes } = await changeOwn(changes, call, createPasskey, async (tx, account) => {
      assertHasPassword(account)
      if (!(await takeChallenge(tx, challenge))) throw setupExpired()
      if ((await findPasskeyByCredential(tx, registered.credentialId)) !== null)
        throw duplicate('credential', undefined)
      const before = await findFactors(tx, account.id)
      assertRoom(before.passkeys.length)
      const { transports } = credential
      await insertPasskey(tx, { ...registered, accountId: account.id, name, transports }, now)
      const isFirst = askedFactors(before).length === 0
      return { recoveryCodes: isFirst ? await beginTwoFactor(tx, account.id, call) : null }
    })
    return { object: 'second_factor_enabled', recoveryCodes }
  }

const remove =
  ({ changes }: PasskeyDeps): Handler<typeof deletePasskey> =>
  async ({ id }, call) => {
    await changeOwn(changes, call, deletePasskey, async (tx, account) => {
      if (!(await deletePasskeyOf(tx, account.id, id.toLowerCase()))) throw notFoundById('passkey')
      await settleRemoval(tx, account.id)
      return {}
    })
    return null
  }

/** A visitor signs in with any passkey; who is signed in confirms with one of their own. */
const beginProof =
  ({ challengeKey, relyingParty, passwordSignIn }: PasskeyDeps): Handler<typeof beginWithPasskey> =>
  async (_input, { db, principal, now }) => {
    assertPasswordSignIn(passwordSignIn)
    const party = assertPossible(relyingParty)
    const accountId = principal.kind === 'account' ? principal.id : null
    if (accountId === null) await countTry(db, passkeyTries(principal.clientAddress), now)
    const options = await requestOptions(party, accountId === null ? null : await findPasskeys(db, accountId))
    const purpose: Purpose = accountId === null ? 'passkey-sign-in' : 'passkey-confirm'
    const state: ChallengeState = { challenge: options.challenge }
    const { token, expiresAt } = await putChallenge(db, challengeKey, { purpose, accountId, state }, now)
    return {
      object: 'passkey_challenge',
      challenge: token,
      options: { ...options },
      expiresAt: expiresAt.toISOString(),
    }
  }

const complete =
  ({ changes, passwordSignIn, ...deps }: PasskeyDeps): Handler<typeof completeWithPasskey> =>
  async (proof, call) => {
    const { db, principal, now, browser, setSession, setBrowser } = call
    assertPasswordSignIn(passwordSignIn)
    const right = await checkPasskey({ proof, purpose: 'passkey-sign-in' }, call, deps, completeWithPasskey)
    if (right === null) throw new Fault('sign_in_expired', 'This sign-in was completed or is too old. Sign in again.')
    const account = await findAccount(db, right.accountId)
    const { row, token } = await transact(changes.db, async (tx) => {
      await right.take(tx)
      return openSession(tx, account.id, principal, { now, confirmedAt: now, method: 'passkey' })
    })
    await forgiveTries(db, passkeyTries(principal.clientAddress))
    setSession(token)
    setBrowser(deps.knownBrowsers.marked(browser, account))
    deps.peopleLog.record(sessionEntry(completeWithPasskey, account, row, principal, now))
    return await describe(db, row, account, now)
  }
