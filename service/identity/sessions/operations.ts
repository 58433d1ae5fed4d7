// Sessions of people: they sign in and out, confirm their password, and list or end sessions of their account.
import {
  confirmSession,
  createSession,
  endCurrentSession,
  revokeSession,
  type getCurrentSession,
  type listSessions,
} from '#contract/sessions.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { PasskeyProof } from '#contract/passkeys.ts'
import type { Database } from '#prisma/client.ts'
import type { Account } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import { sessionEntry } from '../../audit/people-log.ts'
import type { Call, Db, Handlers, Handler } from '../../execution/call.ts'
import { invalidField, notFoundById } from '../../faults/shared-faults.ts'
import { commitChange } from '../../execution/change.ts'
import {
  checkPassword,
  assertPasswordSignIn,
  type CheckPasswordDeps,
  type PasswordSignIn,
} from '../accounts/check-password.ts'
import { findAccount, findAccountByEmail } from '../accounts/rows.ts'
import { checkPasskey, type CheckPasskeyDeps } from '../second-factors/check-passkey.ts'
import { withRightCode } from '../second-factors/check-code.ts'
import { askedFactors, findFactors } from '../second-factors/rows.ts'
import { describe, findRow, sessionOf } from './current-session.ts'
import { openSession, openRows, toSession } from './rows.ts'
import { beginSecondStep, complete, takeCode, type SecondStepDeps } from './second-step.ts'

export const sessionHandlers = (deps: SessionDeps) =>
  ({
    'sessions.create': signIn(deps),
    'sessions.complete-with-code': complete(deps),
    'sessions.current': current,
    'sessions.end': end(deps),
    'sessions.confirm': confirm(deps),
    'sessions.list': list,
    'sessions.revoke': revoke(deps),
  }) satisfies Partial<Handlers>

export type SessionDeps = CheckPasswordDeps &
  CheckPasskeyDeps &
  SecondStepDeps & { readonly db: Database; readonly passwordSignIn: PasswordSignIn }

const signIn =
  ({ db: database, passwordSignIn, challengeKey, ...checks }: SessionDeps): Handler<typeof createSession> =>
  async ({ email, password }, call) => {
    const { db, principal, now, browser, setSession, setBrowser } = call
    assertPasswordSignIn(passwordSignIn)
    const claimed = await findAccountByEmail(db, email)
    const account = await checkPassword({ email, password, account: claimed }, call, checks, createSession)
    const asked = askedFactors(await findFactors(db, account.id))
    if (asked.length > 0) return await beginSecondStep(db, challengeKey, account, asked, now)
    const { row, token } = await transact(database, (tx) =>
      openSession(tx, account.id, principal, { now, confirmedAt: now, method: 'password' }),
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
  (deps: Omit<SessionDeps, 'db'>): Handler<typeof confirmSession> =>
  async ({ passkey, ...given }, call) => {
    const { db, principal, now, browser, setBrowser } = call
    assertPasswordSignIn(deps.passwordSignIn)
    const { id } = sessionOf(principal)
    const account = await findAccount(db, principal.id)
    const confirmIn = async (tx: Db): Promise<void> => {
      await tx.session.updateMany({ where: { id }, data: { confirmedAt: now } })
    }
    if (passkey === undefined) await confirmByPassword(deps, { ...given, account }, call, confirmIn)
    else await confirmByPasskey(deps, passkey, call, confirmIn)
    setBrowser(deps.knownBrowsers.marked(browser, account))
    return await describe(db, await findRow(db, id), account, now)
  }

type ConfirmCall = Pick<Call, 'db' | 'now' | 'principal' | 'withoutSlot' | 'browser'>
type ConfirmIn = (tx: Db) => Promise<void>
type GivenPassword = {
  readonly account: Account
  readonly password?: string | undefined
  readonly code?: string | undefined
}

async function confirmByPassword(
  { changes, ...checks }: Omit<SessionDeps, 'db'>,
  { account, password, code }: GivenPassword,
  call: ConfirmCall,
  confirmIn: ConfirmIn,
): Promise<void> {
  const { db, principal } = call
  const isAsked = askedFactors(await findFactors(db, account.id)).length > 0
  if (password === undefined) throw invalidField('password', 'required', 'Is needed, unless a passkey confirms.')
  if (isAsked && code === undefined)
    throw invalidField('code', 'required', 'Is needed: two-factor authentication is on for this account.')
  await checkPassword({ email: account.email, password, account }, call, checks, confirmSession)
  if (!isAsked || code === undefined) return await confirmIn(db)
  await withRightCode({ account, code }, call, checks, confirmSession, (right) =>
    commitChange(changes, { principal }, async (tx) => {
      const recorded = await takeCode(changes, tx, { account, right, action: confirmSession }, call)
      await confirmIn(tx)
      return recorded
    }),
  )
}

async function confirmByPasskey(
  { changes, ...checks }: Omit<SessionDeps, 'db'>,
  proof: PasskeyProof,
  call: ConfirmCall,
  confirmIn: ConfirmIn,
): Promise<void> {
  const right = await checkPasskey({ proof, purpose: 'passkey-confirm' }, call, checks, confirmSession)
  if (right === null)
    throw new Fault('challenge_expired', 'This confirmation was already completed or has expired. Start again.')
  await transact(changes.db, async (tx) => {
    await right.take(tx)
    await confirmIn(tx)
  })
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
