// The open sessions of an account, and the end of one of them.
import { revokeSession, type listSessions } from '#contract/sessions.ts'
import { sessionEntry } from '../audit/person-entry.ts'
import type { Handler } from '../execution/handler.ts'
import { notFoundById } from '../faults/not-found.ts'
import type { SessionDeps } from './current.ts'
import { openRows, toSession } from './rows.ts'
import { sessionOf } from './signed-in.ts'

export const list: Handler<typeof listSessions> = async (_input, { db, principal, now }) => {
  const { id } = sessionOf(principal)
  const rows = await openRows(db, principal.id, now)
  return { data: rows.map((row) => toSession(row, id)) }
}

export const revoke =
  ({ peopleLog }: Pick<SessionDeps, 'peopleLog'>): Handler<typeof revokeSession> =>
  async ({ id: named }, { db, principal, now, setSession }) => {
    const id = named.toLowerCase()
    const { count } = await db.session.deleteMany({ where: { id, accountId: principal.id } })
    if (count === 0) throw notFoundById('session')
    if (id === sessionOf(principal).id) setSession(null)
    peopleLog.record(sessionEntry(revokeSession, principal, { id }, principal, now))
    return null
  }
