// The session of a call, as the page shows it, and how it is begun, confirmed and ended.
import type { CurrentSession } from '#contract/account.ts'
import { confirmSession, createSession, endCurrentSession, type getCurrentSession } from '#contract/sessions.ts'
import type { Account, Session } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { Database } from '#prisma/client.ts'
import { checkPassword, type CheckParts } from '../accounts/check-password.ts'
import { assertPasswordSignIn, type PasswordSignIn } from '../accounts/password-sign-in.ts'
import { findEmailChange } from '../accounts/email-change.ts'
import { findAccount, findAccountByEmail, toAccount } from '../accounts/rows.ts'
import { sessionEntry } from '../audit/person-entry.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { membershipsOf } from '../accounts/memberships.ts'
import { confirmedUntil, openSession, toSession } from './rows.ts'
import { notSignedIn, sessionOf } from './signed-in.ts'

type Parts = CheckParts & { readonly passwordSignIn: PasswordSignIn }
type Log = Pick<CheckParts, 'peopleLog'>

export const signIn =
  ({ db: database, passwordSignIn, ...checks }: Parts & { readonly db: Database }): Handler<typeof createSession> =>
  async ({ email, password }, call) => {
    const { db, principal, now, browser, setSession, setBrowser } = call
    assertPasswordSignIn(passwordSignIn)
    const claimed = await findAccountByEmail(db, email)
    const account = await checkPassword({ email, password, account: claimed }, call, checks, createSession)
    const { row, token } = await transact(database, (tx) =>
      openSession(tx, account.id, principal, { now, confirmedAt: now }),
    )
    setSession(token)
    setBrowser(checks.knownBrowsers.marked(browser, account))
    checks.peopleLog.record(sessionEntry(createSession, account, row, principal, now))
    return await describe(db, row, account, now)
  }

export const current: Handler<typeof getCurrentSession> = async (_input, { db, principal, now }) => {
  const row = await findRow(db, sessionOf(principal).id)
  return await describe(db, row, await findAccount(db, row.accountId), now)
}

export const confirm =
  ({ passwordSignIn, ...checks }: Parts): Handler<typeof confirmSession> =>
  async ({ password }, call) => {
    const { db, principal, now, browser, setBrowser } = call
    assertPasswordSignIn(passwordSignIn)
    const { id } = sessionOf(principal)
    const account = await findAccount(db, principal.id)
    await checkPassword({ email: account.email, password, account }, call, checks, confirmSession)
    await db.session.updateMany({ where: { id }, data: { confirmedAt: now } })
    setBrowser(checks.knownBrowsers.marked(browser, account))
    return await describe(db, await findRow(db, id), account, now)
  }

export const end =
  ({ peopleLog }: Log): Handler<typeof endCurrentSession> =>
  async (_input, { db, principal, now, setSession }) => {
    const session = sessionOf(principal)
    await db.session.deleteMany({ where: { id: session.id } })
    setSession(null)
    peopleLog.record(sessionEntry(endCurrentSession, principal, session, principal, now))
    return null
  }

export async function describe(db: Db, row: Session, account: Account, now: Date): Promise<CurrentSession> {
  return {
    ...toSession(row, row.id),
    account: toAccount(account, await findEmailChange(db, account.id, now)),
    workspaces: await membershipsOf(db, account.id),
    confirmedUntil: confirmedUntil(row, now)?.toISOString() ?? null,
  }
}

/** It may have been ended since the call was let in. */
async function findRow(db: Db, id: string): Promise<Session> {
  const row = await db.session.findUnique({ where: { id } })
  if (row === null) throw notSignedIn()
  return row
}
