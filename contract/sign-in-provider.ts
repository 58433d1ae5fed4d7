// Signing in at a provider of OpenID Connect, where the installation has one. A page asks for the address of the provider,
// sends the browser there, and hands over what the provider has sent back with it.
import { Type } from 'typebox'
import { CurrentSession, LinkToken } from './account-schema.ts'
import { operation } from './operation.ts'
import { Name, Timestamp, closed, nullable } from './shared-fields.ts'

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
