// Sessions of people: they sign in and out, confirm their password, and list or end sessions of their account.
import type { CurrentSession } from '#contract/account.ts'
import { notSignedIn } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import {
  confirmSession,
  createSession,
  endCurrentSession,
  revokeSession,
  type getCurrentSession,
  type listSessions,
} from '#contract/sessions.ts'
import type { Database } from '#prisma/client.ts'
import type { Account, Session } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import { sessionEntry } from '../../audit/people-log.ts'
import type { Handlers, Db, Handler } from '../../execution/call.ts'
import { notFoundById } from '../../faults/shared-faults.ts'
import {
  checkPassword,
  assertPasswordSignIn,
  type CheckPasswordDeps,
  type PasswordSignIn,
} from '../accounts/check-password.ts'
import { findEmailChange, findAccount, findAccountByEmail, toAccount, membershipsOf } from '../accounts/rows.ts'
import { confirmedUntil, openSession, toSession, openRows } from './rows.ts'

export const sessionHandlers = (deps: SessionDeps) =>
  ({
    'sessions.create': signIn(deps),
    'sessions.current': current,
    'sessions.end': end(deps),
    'sessions.confirm': confirm(deps),
    'sessions.list': list,
    'sessions.revoke': revoke(deps),
  }) satisfies Partial<Handlers>

export type SessionDeps = CheckPasswordDeps & { readonly db: Database; readonly passwordSignIn: PasswordSignIn }

const signIn =
  ({ db: database, passwordSignIn, ...checks }: SessionDeps): Handler<typeof createSession> =>
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

const current: Handler<typeof getCurrentSession> = async (_input, { db, principal, now }) => {
  const row = await findRow(db, sessionOf(principal).id)
  return await describe(db, row, await findAccount(db, row.accountId), now)
}

const confirm =
  ({ passwordSignIn, ...checks }: Omit<SessionDeps, 'db'>): Handler<typeof confirmSession> =>
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

const end =
  ({ peopleLog }: Pick<SessionDeps, 'peopleLog'>): Handler<typeof endCurrentSession> =>
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

/** The session may have ended since the gateway admitted the call. */
async function findRow(db: Db, id: string): Promise<Session> {
  const row = await db.session.findUnique({ where: { id } })
  if (row === null) throw notSignedIn()
  return row
}

const list: Handler<typeof listSessions> = async (_input, { db, principal, now }) => {
  const { id } = sessionOf(principal)
  const rows = await openRows(db, principal.id, now)
  return { data: rows.map((row) => toSession(row, id)) }
}

const revoke =
  ({ peopleLog }: Pick<SessionDeps, 'peopleLog'>): Handler<typeof revokeSession> =>
  async ({ id: named }, { db, principal, now, setSession }) => {
    const id = named.toLowerCase()
    const { count } = await db.session.deleteMany({ where: { id, accountId: principal.id } })
    if (count === 0) throw notFoundById('session')
    if (id === sessionOf(principal).id) setSession(null)
    peopleLog.record(sessionEntry(revokeSession, principal, { id }, principal, now))
    return null
  }

/** The session of the call. Throws `not_signed_in`. */
function sessionOf({ session }: Principal): NonNullable<Principal['session']> {
  if (session === undefined) throw notSignedIn()
  return session
}
