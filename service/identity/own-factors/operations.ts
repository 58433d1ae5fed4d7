// Two-factor authentication: a person sets up their authenticator app and gets recovery codes; the operator can turn it
// off for an account. Each change is recorded in the audit logs of the account's workspaces.
import type { KeyObject } from 'node:crypto'
import { removeSecondFactors } from '#contract/accounts.ts'
import { Fault } from '#contract/faults/fault.ts'
import {
  enableAuthenticator,
  regenerateRecoveryCodes,
  removeAuthenticator,
  type beginAuthenticator,
  type getSecondFactors,
} from '#contract/second-factors.ts'
import type { Keyring } from '#runtime/keyring.ts'
import { commitChange, type ChangeDeps } from '../../execution/change.ts'
import type { Handler, Handlers } from '../../execution/call.ts'
import { recordInWorkspaces } from '../accounts/record-in-workspaces.ts'
import { findAccount, findAccountByEmail, lockAccount } from '../accounts/rows.ts'
import { toPasskey } from '../second-factors/passkey-rows.ts'
import { putChallenge, takeChallenge, tryChallenge } from '../second-factors/challenge-rows.ts'
import { wrongSecondFactor } from '../second-factors/check-code.ts'
import { assertHasPassword, beginTwoFactor, changeOwn, isOff, settleRemoval, setupExpired } from './own-factors.ts'
import {
  askedFactors,
  deleteAuthenticator,
  deleteFactors,
  findFactors,
  putAuthenticator,
  replaceRecoveryCodes,
  shownFactors,
} from '../second-factors/rows.ts'
import { newSecret, stepOf } from '../second-factors/totp.ts'

export type SecondFactorDeps = {
  readonly changes: ChangeDeps
  /** Seals the secrets of authenticator apps. */
  readonly keyring: Keyring
  /** Seals what waits for ten minutes. */
  readonly challengeKey: KeyObject
  /** What apps show beside the email. */
  readonly issuer: string
}

export const secondFactorHandlers = (deps: SecondFactorDeps) =>
  ({
    'second-factors.get': get,
    'second-factors.begin-authenticator': begin(deps),
    'second-factors.enable-authenticator': enable(deps),
    'second-factors.remove-authenticator': remove(deps),
    'second-factors.regenerate-recovery-codes': regenerate(deps),
    'accounts.remove-second-factors': removeAll(deps),
  }) satisfies Partial<Handlers>

const get: Handler<typeof getSecondFactors> = async (_input, { db, principal }) => {
  const { authenticator, passkeys, recoveryCodes } = await findFactors(db, principal.id)
  return {
    object: 'second_factors',
    authenticator: authenticator && {
      createdAt: authenticator.createdAt.toISOString(),
      lastUsedAt: authenticator.lastUsedAt?.toISOString() ?? null,
    },
    passkeys: passkeys.map(toPasskey),
    recoveryCodes,
  }
}

const begin =
  ({ challengeKey, issuer }: SecondFactorDeps): Handler<typeof beginAuthenticator> =>
  async (_input, { db, principal, now }) => {
    const account = await findAccount(db, principal.id)
    assertHasPassword(account)
    const { secret, url } = newSecret({ issuer, email: account.email })
    const asked = { purpose: 'authenticator-setup', accountId: account.id, state: { secret } } as const
    const { token, expiresAt } = await putChallenge(db, challengeKey, asked, now)
    return { object: 'authenticator_setup', setup: token, secret, url, expiresAt: expiresAt.toISOString() }
  }

const enable =
  ({ changes, keyring, challengeKey }: SecondFactorDeps): Handler<typeof enableAuthenticator> =>
  async ({ setup, code }, call) => {
    const { db, now, principal } = call
    const asked = { purpose: 'authenticator-setup', token: setup } as const
    const challenge = await tryChallenge<{ readonly secret: string }>(db, challengeKey, asked, now)
    if (challenge === null || challenge.accountId !== principal.id) throw setupExpired()
    const { secret } = challenge.state
    const step = stepOf(code.replaceAll(/[\s-]/g, ''), secret, now)
    if (step === null) throw wrongSecondFactor()
    const { recoveryCodes } = await changeOwn(changes, call, enableAuthenticator, async (tx, account) => {
      assertHasPassword(account)
      if (!(await takeChallenge(tx, challenge))) throw setupExpired()
      const isFirst = askedFactors(await findFactors(tx, account.id)).length === 0
      await putAuthenticator(tx, keyring, { accountId: account.id, secret, step }, now)
      return { recoveryCodes: isFirst ? await beginTwoFactor(tx, account.id, call) : null }
    })
    return { object: 'second_factor_enabled', recoveryCodes }
  }

const remove =
  ({ changes }: SecondFactorDeps): Handler<typeof removeAuthenticator> =>
  async (_input, call) => {
    await changeOwn(changes, call, removeAuthenticator, async (tx, { id }) => {
      if (!(await deleteAuthenticator(tx, id)))
        throw new Fault('not_found', 'No authenticator app is set up for this account.')
      await settleRemoval(tx, id)
      return {}
    })
    return null
  }

const regenerate =
  ({ changes }: SecondFactorDeps): Handler<typeof regenerateRecoveryCodes> =>
  async (_input, call) => {
    const { recoveryCodes } = await changeOwn(changes, call, regenerateRecoveryCodes, async (tx, { id }) => {
      if (askedFactors(await findFactors(tx, id)).length === 0) throw isOff()
      return { recoveryCodes: await replaceRecoveryCodes(tx, id, call.now) }
    })
    return { object: 'recovery_codes', recoveryCodes }
  }

const removeAll =
  ({ changes }: SecondFactorDeps): Handler<typeof removeSecondFactors> =>
  async ({ email }, { db, principal }) => {
    const account = await findAccountByEmail(db, email)
    if (account === null) throw new Fault('not_found', 'No account has this email.')
    await commitChange(changes, { principal }, async (tx) => {
      await lockAccount(tx, account.id)
      const before = await findFactors(tx, account.id)
      if (askedFactors(before).length === 0) throw isOff()
      await deleteFactors(tx, account.id)
      const { count: sessions } = await tx.session.deleteMany({ where: { accountId: account.id } })
      return await recordInWorkspaces(changes, tx, account, {
        action: removeSecondFactors,
        by: () => principal,
        before: { ...shownFactors(before), sessions },
        after: { ...shownFactors(await findFactors(tx, account.id)), sessions: 0 },
      })
    })
    return null
  }
