// Signing in to the workspace settings, and what is open. The token of a session travels in a cookie and stands in no body.
import { CurrentSession, AccountEmail, Password, Session } from './account-schema.ts'
import { operation } from './operation.ts'
import { Id, closed } from './shared-fields.ts'
import { Type } from 'typebox'
import { tag } from './tag.ts'

export const sessionsTag = tag('sessions', 'Signing in to the workspace settings.')

const ofAccount = { audiences: ['settings'], tenancy: 'none', admits: 'account', scope: null } as const

export const createSession = operation({
  name: 'sessions.create',
  http: 'POST /sessions',
  summary: 'Sign in',
  description:
    'The answer sets the cookie of the session, over https, or over http on this machine alone. A wrong e-mail and a wrong password are answered alike.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({ email: AccountEmail, password: Password }),
  output: CurrentSession,
  success: 201,
  errors: ['wrong_password', 'password_sign_in_off', 'rate_limited', 'https_required'],
  ownTransactions: true,
})

export const getCurrentSession = operation({
  ...ofAccount,
  name: 'sessions.current',
  http: 'GET /sessions/current',
  summary: 'Get the session of the call',
  description: 'Who is signed in, and the workspaces where they are members.',
  input: closed({}),
  output: CurrentSession,
  success: 200,
})

export const endCurrentSession = operation({
  ...ofAccount,
  name: 'sessions.end',
  http: 'DELETE /sessions/current',
  summary: 'Sign out',
  description: 'Ends the session of the call, at once.',
  input: closed({}),
  output: Type.Null(),
  success: 204,
  ownTransactions: true,
})

export const confirmSession = operation({
  ...ofAccount,
  name: 'sessions.confirm',
  http: 'POST /sessions/current/confirm',
  summary: 'Confirm who is there',
  description:
    'By the password, for the next ten minutes. Calls that need it are refused with `confirmation_required`. At a provider: `sessions.begin-at-provider` with `fresh`.',
  input: closed({ password: Password }),
  output: CurrentSession,
  success: 200,
  errors: ['wrong_password', 'password_sign_in_off', 'rate_limited'],
  ownTransactions: true,
})

export const listSessions = operation({
  ...ofAccount,
  name: 'sessions.list',
  http: 'GET /sessions',
  summary: 'List sessions',
  description: 'All that are open for this account, the newest first.',
  input: closed({}),
  output: closed({ data: Type.Array(Session) }),
  success: 200,
})

export const revokeSession = operation({
  ...ofAccount,
  name: 'sessions.revoke',
  http: 'DELETE /sessions/{id}',
  summary: 'End a session',
  description: 'One of this account, at once. One that is over already is not found.',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
  ownTransactions: true,
})
