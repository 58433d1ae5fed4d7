// The open sessions of an account, and the end of one of them.
import type { listSessions, revokeSession } from '#contract/sessions.ts'
import type { Handler } from '../execution/handler.ts'
import { notFoundById } from '../faults/not-found.ts'
import { openRows, toSession } from './rows.ts'
import { sessionOf } from './signed-in.ts'

export const list: Handler<typeof listSessions> = async (_input, { db, principal, now }) => {
  const { id } = sessionOf(principal)
  const rows = await openRows(db, principal.id, now)
  return { data: rows.map((row) => toSession(row, id)) }
}

export const revoke: Handler<typeof revokeSession> = async ({ id }, { db, principal, setSession }) => {
  const { count } = await db.session.deleteMany({ where: { id, accountId: principal.id } })
  if (count === 0) throw notFoundById('session')
  if (id.toLowerCase() === sessionOf(principal).id) setSession(null)
  return null
}
