// Signing in to the workspace settings, and what is open. The token of a session travels in a cookie and stands in no body.
import { CurrentSession, AccountEmail, Password, Session, LinkToken } from './account.ts'
import { operation, tag } from './operation.ts'
import { Id, closed, Name, Timestamp, nullable } from './shared-fields.ts'
import { Type } from 'typebox'

// How long a session is good for, and a confirmation of it.

/** Without a call. */
export const sessionIdleHours = 12

/** In all. */
export const sessionDays = 14

/** A password that was just given need not be given again so soon. */
export const confirmedMinutes = 10

/** After a sign-in in it. */
export const knownBrowserDays = 365

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

// Signing in at a provider of OpenID Connect, where the installation has one. A page asks for the address of the provider,
// sends the browser there, and hands over what the provider has sent back with it.

const ofVisitor = { audiences: ['settings'], tenancy: 'none', admits: 'anyone', scope: null } as const

export const getSignInMethods = operation({
  ...ofVisitor,
  name: 'sessions.methods',
  http: 'GET /sessions/methods',
  summary: 'How can one sign in here?',
  description: 'By a password, at a provider, or either.',
  input: closed({}),
  output: closed({
    object: Type.Literal('sign_in_methods'),
    password: Type.Boolean({ description: 'False where the provider is the only way.' }),
    provider: nullable(closed({ name: Name })),
  }),
  success: 200,
})

export const beginAtProvider = operation({
  ...ofVisitor,
  name: 'sessions.begin-at-provider',
  http: 'POST /sessions/provider',
  summary: 'Begin to sign in at the provider',
  description:
    'The browser is sent to `url`, and comes back to `/settings/sign-in/callback`. `flow` is kept by the page meanwhile, and proves that the browser that comes back is the one that has gone. Not found where there is no provider.',
  input: closed({
    invitation: Type.Optional(LinkToken),
    fresh: Type.Optional(
      Type.Boolean({ description: 'The provider is to ask who is there anew: this confirms, as a password would.' }),
    ),
  }),
  output: closed({
    object: Type.Literal('sign_in_flow'),
    url: Type.String({ description: 'Of the provider.' }),
    flow: LinkToken,
    expiresAt: Timestamp,
  }),
  success: 200,
  errors: ['not_found', 'rate_limited', 'https_required', 'provider_answer_invalid', 'provider_unavailable'],
  ownTransactions: true,
})

export const completeAtProvider = operation({
  ...ofVisitor,
  name: 'sessions.complete-at-provider',
  http: 'POST /sessions/provider/complete',
  summary: 'Sign in with what the provider has sent back',
  description:
    'Works once for each `flow`. Whoever the provider names is signed in with the account that is linked to them. Whoever is new needs an e-mail that the provider has verified, and an invitation for it or one of the allowed domains; and is then a member where the invitation or the groups say so.',
  input: closed({
    flow: LinkToken,
    search: Type.String({
      minLength: 1,
      maxLength: 8_192,
      description: 'The query of the address that the browser came back to, with its `?`.',
    }),
  }),
  output: CurrentSession,
  success: 200,
  errors: [
    ...([
      'not_found',
      'sign_in_expired',
      'provider_refused',
      'provider_answer_invalid',
      'provider_unavailable',
    ] as const),
    ...(['email_not_verified', 'email_domain_not_allowed', 'no_membership', 'duplicate'] as const),
  ],
  ownTransactions: true,
})
