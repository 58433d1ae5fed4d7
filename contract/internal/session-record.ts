// What the gateway has to know of a session to judge a call, and how the service has it give the caller a session.
import { Type, type Static } from 'typebox'
import { Role } from '../roles.ts'
import { Id, Name, Timestamp, closed, nullable } from '../shared-fields.ts'

/** Asked for anew with every call, so that a session that was ended is refused at once. */
export const SessionRecord = closed({
  id: Id,
  account: closed({ id: Id, name: Name }),
  confirmedUntil: nullable(Timestamp),
  /** In the workspace that was asked for. Null where the account is no active member of it, and where none was. */
  member: nullable(closed({ id: Id, name: Name, role: Role, suspended: Type.Boolean() })),
})
export type SessionRecord = Static<typeof SessionRecord>

/** Header of the service's answer: the token that the caller's cookie is to hold, or `sessionEnded`. */
export const sessionHeader = 'x-internal-session'
export const sessionEnded = 'ended'

/** Both ways: the cookie by which a service knows a browser again (service/identity/accounts/known-browsers.ts). */
export const browserHeader = 'x-internal-browser'
