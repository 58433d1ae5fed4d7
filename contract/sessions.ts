// Signing in to the workspace settings, and what is open. The token of a session travels in a cookie and stands in no
// body.
import { CurrentSession, AccountEmail, Password, Session, LinkToken } from './account.ts'
import { operation, tag } from './operation.ts'
import { PasskeyProof } from './passkeys.ts'
import { PendingSignIn, SecondFactorCode, secondStepMinutes, secondStepTriesMax } from './second-factors.ts'
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
    'The response sets the session cookie, over https, or over http only to a browser on the server itself. A wrong email and a wrong password give the same error. An account with two-factor authentication gets no session yet, but a `pending_sign_in`.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({ email: AccountEmail, password: Password }),
  output: Type.Union([CurrentSession, PendingSignIn]),
  success: 201,
  errors: ['wrong_password', 'password_sign_in_off', 'rate_limited', 'https_required'],
  ownTransactions: true,
})

export const completeWithCode = operation({
  name: 'sessions.complete-with-code',
  http: 'POST /sessions/second-factor',
  summary: 'Complete signing in with a code',
  description: `Takes \`signIn\` of a \`pending_sign_in\` within ${secondStepMinutes} minutes, in the same browser, and a code of the authenticator app or a recovery code. Each code works once. After ${secondStepTriesMax} wrong codes the sign-in starts again with the password.`,
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({ signIn: LinkToken, code: SecondFactorCode }),
  output: CurrentSession,
  success: 201,
  errors: ['sign_in_expired', 'wrong_second_factor', 'rate_limited', 'https_required'],
  ownTransactions: true,
})

export const getCurrentSession = operation({
  ...ofAccount,
  name: 'sessions.current',
  http: 'GET /sessions/current',
  summary: 'Get the current session',
  description: 'The signed-in person and the workspaces where they are a member.',
  input: closed({}),
  output: CurrentSession,
  success: 200,
})

export const endCurrentSession = operation({
  ...ofAccount,
  name: 'sessions.end',
  http: 'DELETE /sessions/current',
  summary: 'Sign out',
  description: 'Ends the current session at once.',
  input: closed({}),
  output: Type.Null(),
  success: 204,
  ownTransactions: true,
})

export const confirmSession = operation({
  ...ofAccount,
  name: 'sessions.confirm',
  http: 'POST /sessions/current/confirm',
  summary: 'Confirm your identity',
  description:
    'Confirms with the password, for the next ten minutes. An account with two-factor authentication also sends a code, or a passkey instead of both. Without it, requests that need confirmation return `confirmation_required`. At a provider, use `sessions.begin-at-provider` with `fresh`.',
  input: closed({
    password: Type.Optional(Password),
    code: Type.Optional(SecondFactorCode),
    passkey: Type.Optional(PasskeyProof),
  }),
  output: CurrentSession,
  success: 200,
  errors: ['wrong_password', 'wrong_second_factor', 'challenge_expired', 'password_sign_in_off', 'rate_limited'],
  ownTransactions: true,
})

export const listSessions = operation({
  ...ofAccount,
  name: 'sessions.list',
  http: 'GET /sessions',
  summary: 'List sessions',
  description: 'All open sessions of this account, newest first.',
  input: closed({}),
  output: closed({ data: Type.Array(Session) }),
  success: 200,
})

export const revokeSession = operation({
  ...ofAccount,
  name: 'sessions.revoke',
  http: 'DELETE /sessions/{id}',
  summary: 'End a session',
  description: 'Ends a session of this account at once. A session that has already ended is not found.',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
  ownTransactions: true,
})

// Signing in at a provider of OpenID Connect, where the installation has one. A page asks for the address of the
// provider, sends the browser there, and hands over what the provider has sent back with it.

const ofVisitor = { audiences: ['settings'], tenancy: 'none', admits: 'anyone', scope: null } as const

export const getSignInMethods = operation({
  ...ofVisitor,
  name: 'sessions.methods',
  http: 'GET /sessions/methods',
  summary: 'List the ways to sign in',
  description: 'With a password, at a provider, or both.',
  input: closed({}),
  output: closed({
    object: Type.Literal('sign_in_methods'),
    password: Type.Boolean({ description: 'False if the provider is the only way to sign in.' }),
    passkey: Type.Boolean({
      description: 'Whether a passkey can sign in: over https under a host name, or on `localhost`.',
    }),
    provider: nullable(closed({ name: Name })),
    sendsEmail: Type.Boolean({
      description:
        'Whether this installation sends email: invitations, links to set a password or to confirm an address, and alarms.',
    }),
    resetByEmail: Type.Boolean({
      description:
        'Whether `accounts.request-reset` sends a link to set a new password. Otherwise the operator creates it.',
    }),
  }),
  success: 200,
})

export const beginAtProvider = operation({
  ...ofVisitor,
  name: 'sessions.begin-at-provider',
  http: 'POST /sessions/provider',
  summary: 'Start signing in at the provider',
  description:
    'The browser goes to `url` and returns to `/settings/sign-in/callback`. The page keeps `flow` meanwhile, which proves that the same browser returns. Not found if no provider is configured.',
  input: closed({
    invitation: Type.Optional(LinkToken),
    fresh: Type.Optional(
      Type.Boolean({
        description: 'Whether the provider requires the credentials again, which confirms like a password.',
      }),
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
  summary: 'Complete signing in at the provider',
  description:
    'Works once for each `flow`. The person whom the provider names is signed in with the linked account. A new person needs an email that the provider has verified, and an invitation for it or one of the allowed domains. The invitation or the groups then decide the memberships.',
  input: closed({
    flow: LinkToken,
    search: Type.String({
      minLength: 1,
      maxLength: 8_192,
      description: 'The query of the address that the browser returned to, with its `?`.',
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
