// The operations on sessions bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { confirm, current, end, signIn, type SessionDeps } from './current.ts'
import { list, revoke } from './list.ts'

export const sessionHandlers = (deps: SessionDeps) =>
  ({
    'sessions.create': signIn(deps),
    'sessions.current': current,
    'sessions.end': end(deps),
    'sessions.confirm': confirm(deps),
    'sessions.list': list,
    'sessions.revoke': revoke(deps),
  }) satisfies Partial<Handlers>
