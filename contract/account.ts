// People who sign in to the workspace settings, and their sessions. An account is one person's, whatever workspaces
// they are members of.
import { Type, type Static } from 'typebox'
import { Role } from './roles.ts'
import { Id, IdentityName, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'

export const emailText = (description: string) => Type.String({ format: 'email', maxLength: 254, description })
export const AccountEmail = emailText('Stored in lower case.')

const passwordLengthMin = 12
/** For a new one. What is guessed first, such as `password1234`, is refused as well. */
export const NewPassword = Type.String({
  minLength: passwordLengthMin,
  maxLength: 200,
  description: 'At least 12 characters, and not a common password.',
})
/** To compare with the one that there is. */
export const Password = Type.String({ minLength: 1, maxLength: 200 })

/** Of a link: the part behind `#`, which browsers send nowhere by themselves. */
export const LinkToken = Type.String({ minLength: 16, maxLength: 100 })

export const Account = closed({
  id: Id,
  object: Type.Literal('account'),
  name: IdentityName,
  email: AccountEmail,
  hasPassword: Type.Boolean({
    description: 'Whether a password signs in. An account that is joined to the sign-in provider has none.',
  }),
  pendingEmail: nullable(
    closed({
      email: emailText('Requested and not yet confirmed. Until then the account keeps its current email.'),
      requestedAt: Timestamp,
      expiresAt: Timestamp,
    }),
  ),
})
export type Account = Static<typeof Account>

/** How a session began. `link`: of a setup, an invitation, or a reset of access. */
export const signInMethods = [
  'password',
  'password_and_authenticator',
  'password_and_recovery_code',
  'passkey',
  'provider',
  'link',
] as const
export type SignInMethod = (typeof signInMethods)[number]

/** What proves a person besides the password. */
export const SecondFactor = Type.Enum(['authenticator', 'passkey', 'recovery_code'])
export type SecondFactor = Static<typeof SecondFactor>

export const Session = closed({
  id: Id,
  object: Type.Literal('session'),
  signInMethod: nullable(
    Type.Enum([...signInMethods], { description: 'How it began. Null: before that was recorded.' }),
  ),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
  ip: nullable(Type.String({ maxLength: 64 })),
  userAgent: nullable(Type.String({ maxLength: 200 })),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
})
export type Session = Static<typeof Session>

/** A workspace that the account is an active member of. */
export const Membership = closed({
  workspaceId: Id,
  memberId: Id,
  name: IdentityName,
  role: Role,
  scopes: Type.Array(Type.String(), { description: 'What the role may do there.' }),
  sandbox: Type.Boolean({ description: 'Whether it is filled with sample data, to try things in.' }),
  suspended: Type.Boolean({ description: 'No requests are accepted there until it is active again.' }),
  secondFactor: nullable(
    closed({
      requiredFrom: Timestamp,
      isMissing: Type.Boolean({
        description:
          'Whether requests there are denied from that time on, as long as the account has no second factor.',
      }),
    }),
  ),
})
export type Membership = Static<typeof Membership>

export const CurrentSession = closed({
  ...Session.properties,
  account: Account,
  workspaces: Type.Array(Membership, { description: 'By name.' }),
  secondFactors: Type.Array(SecondFactor, {
    description: 'What a sign-in or a confirmation with the password also requires: any one of them.',
  }),
  confirmedUntil: nullable(Timestamp),
})
export type CurrentSession = Static<typeof CurrentSession>

/** For a new email of an account to be confirmed. */
export const emailChangeDays = 7

export const accountTag = tag('account', 'The account of the signed-in person.')

const ofAccount = { audiences: ['settings'], tenancy: 'none', admits: 'account', scope: null } as const

export const updateAccount = operation({
  ...ofAccount,
  name: 'account.update',
  http: 'PATCH /account',
  summary: 'Change your account',
  description: `Changes the name of the account and the email that signs in. The names of its members in workspaces stay. A new email is first stored as \`pendingEmail\`. It becomes the account’s when the link that is sent to it is used, or another owner of one of its workspaces or the operator confirms it, within ${emailChangeDays} days, or when a sign-in provider names the same person with it and says that it has verified it. Sending the current email withdraws the change.`,
  input: closed({ name: Type.Optional(IdentityName), email: Type.Optional(AccountEmail) }),
  output: Account,
  success: 200,
  errors: ['duplicate'],
  confirmed: true,
  audited: true,
  ownTransactions: true,
})

export const changePassword = operation({
  ...ofAccount,
  name: 'account.change-password',
  http: 'POST /account/password',
  summary: 'Change your password',
  description: 'Ends all other sessions of the account.',
  input: closed({ currentPassword: Password, newPassword: NewPassword }),
  output: Type.Null(),
  success: 204,
  errors: ['wrong_password', 'rate_limited'],
  audited: true,
  ownTransactions: true,
})
