// Checks what a passkey has signed. The challenge counts a try first, and is taken with the use of the passkey within
// the transaction of what it proves the person for, so that a signature works once.
import type { KeyObject } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { PasskeyProof } from '#contract/passkeys.ts'
import { refusedAccount, type PeopleLog } from '../../audit/people-log.ts'
import type { Call, Db } from '../../execution/call.ts'
import { takeChallenge, tryChallenge, type Purpose } from './challenge-rows.ts'
import { findPasskeyByCredential, takeUse } from './passkey-rows.ts'
import { assertPossible, verifyAssertion, wrongPasskey, type ChallengeState, type RelyingParty } from './webauthn.ts'

export type CheckPasskeyDeps = {
  readonly challengeKey: KeyObject
  /** Null where browsers allow no passkeys. */
  readonly relyingParty: RelyingParty | null
  readonly peopleLog: Pick<PeopleLog, 'record'>
}
type Proven = {
  readonly accountId: string
  /** Throws `wrong_second_factor` where another call was first. */
  take(tx: Db): Promise<void>
}
type Claim = {
  readonly proof: PasskeyProof
  readonly purpose: Extract<Purpose, 'passkey-sign-in' | 'passkey-confirm'>
}

/**
 * Returns null for a challenge that is over, or another's. Throws `wrong_second_factor`, which is recorded in the audit
 * log where the passkey is known. `action` is the operation that the audit log names.
 */
export async function checkPasskey(
  { proof: { challenge: token, credential }, purpose }: Claim,
  { db, now, principal }: Pick<Call, 'db' | 'now' | 'principal'>,
  { challengeKey, relyingParty, peopleLog }: CheckPasskeyDeps,
  action: Pick<Operation, 'name'>,
): Promise<Proven | null> {
  const party = assertPossible(relyingParty)
  const challenge = await tryChallenge<ChallengeState>(db, challengeKey, { purpose, token }, now)
  if (challenge === null || (challenge.accountId !== null && challenge.accountId !== principal.id)) return null
  const passkey = await findPasskeyByCredential(db, credential.id)
  if (passkey === null || (challenge.accountId !== null && passkey.accountId !== challenge.accountId))
    throw wrongPasskey()
  const refused = (fault: Fault): Fault => {
    peopleLog.record(refusedAccount(fault, action, { id: passkey.accountId }, principal, now))
    return fault
  }
  const counter = await verifyAssertion(party, challenge.state, credential, passkey).catch((thrown: unknown) => {
    throw thrown instanceof Fault ? refused(thrown) : thrown
  })
  return {
    accountId: passkey.accountId,
    take: async (tx) => {
      if (!(await takeChallenge(tx, challenge)) || !(await takeUse(tx, passkey, counter, now)))
        throw refused(wrongPasskey())
    },
  }
}
