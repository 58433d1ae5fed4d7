// How a member comes to an account: by a link that is used once. It is sent to the member by email, or a manager of
// members hands it on.
import { Type } from 'typebox'
import { AccountEmail, CurrentSession, LinkToken, NewPassword, emailText } from './account.ts'
import { operation, tag } from './operation.ts'
import { Role } from './roles.ts'
import { Id, IdentityName, Timestamp, closed } from './shared-fields.ts'

export const invitationDays = 7

export const invitationsTag = tag('invitations', 'Links with which members create or connect an account.')

const ofLink = { audiences: ['settings'], tenancy: 'none', admits: 'anyone', scope: null } as const

export const createInvitation = operation({
  name: 'invitations.create',
  http: 'POST /invitations',
  summary: 'Invite a member',
  description: `The response holds the token of the link \`/settings/invitation#<token>\`, which is shown only here and valid for ${invitationDays} days. The link of an earlier invitation of the member ends. If this installation sends email, the link is also sent to the member. A member who has an account needs none.`,
  audiences: ['settings'],
  scope: 'workspaces:write',
  confirmed: true,
  input: closed({ memberId: Id }),
  output: closed({
    id: Id,
    object: Type.Literal('invitation'),
    memberId: Id,
    token: LinkToken,
    path: Type.String({ description: 'The address of the page, with the token.' }),
    expiresAt: Timestamp,
    emailed: Type.Boolean({ description: 'Whether the link is also sent to the member by email.' }),
  }),
  success: 200,
  errors: ['not_found', 'invalid_transition', 'quota_reached'],
  audited: true,
})

export const getInvitation = operation({
  ...ofLink,
  name: 'invitations.get',
  http: 'POST /invitations/get',
  summary: 'Get an invitation',
  description:
    'Finds the invitation by the token of the link. It is not found after it was used, replaced or has expired, or after the member was removed.',
  input: closed({ token: LinkToken }),
  output: closed({
    object: Type.Literal('invitation'),
    workspaceName: IdentityName,
    role: Role,
    name: IdentityName,
    email: AccountEmail,
    expiresAt: Timestamp,
  }),
  success: 200,
  errors: ['not_found', 'rate_limited'],
  ownTransactions: true,
})

export const acceptInvitation = operation({
  ...ofLink,
  name: 'invitations.accept',
  http: 'POST /invitations/accept',
  summary: 'Accept an invitation',
  description:
    'A signed-in person accepts it with that account. Otherwise the request creates an account with the given name and password and the email of the invitation, and the response signs it in. If an account with the email exists, sign in first.',
  input: closed({
    token: LinkToken,
    name: Type.Optional(IdentityName),
    email: Type.Optional(emailText('The email of the invitation. No other is accepted.')),
    password: Type.Optional(NewPassword),
  }),
  output: CurrentSession,
  success: 200,
  errors: ['not_found', 'duplicate', 'invalid_transition', 'password_sign_in_off', 'rate_limited'],
  ownTransactions: true,
})
