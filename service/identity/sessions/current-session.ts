// The session of a call, and how a person sees it: with their account, their workspaces and their second factors.
import type { CurrentSession } from '#contract/account.ts'
import { notSignedIn } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Account, Session } from '#prisma/generated/client.ts'
import type { Db } from '../../execution/call.ts'
import { findEmailChange, membershipsOf, toAccount } from '../accounts/rows.ts'
import { askedFactors, findFactors } from '../second-factors/rows.ts'
import { confirmedUntil, toSession } from './rows.ts'

export async function describe(db: Db, row: Session, account: Account, now: Date): Promise<CurrentSession> {
  const secondFactors = askedFactors(await findFactors(db, account.id))
  const isMissing = secondFactors.length === 0 && row.signInMethod !== 'provider'
  const memberships = await membershipsOf(db, account.id)
  return {
    ...toSession(row, row.id),
    account: toAccount(account, await findEmailChange(db, account.id, now)),
    workspaces: memberships.map(({ requireSecondFactorFrom: from, ...membership }) => ({
      ...membership,
      secondFactor: from && { requiredFrom: from.toISOString(), isMissing },
    })),
    secondFactors,
    confirmedUntil: confirmedUntil(row, now)?.toISOString() ?? null,
  }
}

/** The session may have ended since the gateway admitted the call. */
export async function findRow(db: Db, id: string): Promise<Session> {
  const row = await db.session.findUnique({ where: { id } })
  if (row === null) throw notSignedIn()
  return row
}

/** The session of the call. Throws `not_signed_in`. */
export function sessionOf({ session }: Principal): NonNullable<Principal['session']> {
  if (session === undefined) throw notSignedIn()
  return session
}
