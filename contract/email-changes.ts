// A new email of an account takes effect when the link that is sent to it is used, or an owner of a workspace of this
// person, or the operator, confirms it: an address cannot be taken by typing it in.
import { Type } from 'typebox'
import { Account, AccountEmail, LinkToken, emailText } from './account.ts'
import { operation, tag } from './operation.ts'
import { Id, Name, Timestamp, closed } from './shared-fields.ts'

export const emailChangesTag = tag('email-changes', 'New email addresses of accounts that wait for confirmation.')

const ofWorkspace = { audiences: ['settings'], scope: 'workspaces:write' } as const
const CurrentEmail = emailText('The current password.')
const MemberId = Type.String({ format: 'uuid', description: 'The id of the member who owns the account.' })

export const EmailChange = closed({
  object: Type.Literal('email_change'),
  memberId: Id,
  name: Name,
  email: CurrentEmail,
  newEmail: AccountEmail,
  requestedAt: Timestamp,
  expiresAt: Timestamp,
})

export const listEmailChanges = operation({
  ...ofWorkspace,
  name: 'email-changes.list',
  http: 'GET /email-changes',
  summary: 'List emails that wait for confirmation',
  description: 'Those of the active members of the workspace, oldest first, at most 200.',
  input: closed({}),
  output: closed({ data: Type.Array(EmailChange) }),
  success: 200,
})

export const confirmEmailChange = operation({
  ...ofWorkspace,
  name: 'email-changes.confirm',
  http: 'POST /email-changes/{id}/confirm',
  summary: 'Confirm the new email of a member',
  description:
    'The member then signs in with the new email. Only owners may confirm it, after checking that the address belongs to this person. Owners cannot confirm their own: another owner or the operator does.',
  confirmed: true,
  input: closed({ id: MemberId, newEmail: AccountEmail }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'duplicate'],
  audited: true,
  ownTransactions: true,
})

export const declineEmailChange = operation({
  ...ofWorkspace,
  name: 'email-changes.decline',
  http: 'DELETE /email-changes/{id}',
  summary: 'Decline the new email of a member',
  description: 'The account keeps its current email. Only owners may decline it.',
  input: closed({ id: MemberId }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
  audited: true,
  ownTransactions: true,
})

export const confirmEmailByLink = operation({
  name: 'email-changes.confirm-by-link',
  http: 'POST /email-changes/confirm',
  summary: 'Confirm a new email by a link',
  description:
    'Takes the token of the link `/settings/confirm-email#<token>`, which is sent to the new address if this installation sends email. The account then signs in with the new email. The link works once, and ends with the change that it was sent for.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({ token: LinkToken }),
  output: closed({ object: Type.Literal('confirmed_email'), email: AccountEmail }),
  success: 200,
  errors: ['not_found', 'duplicate', 'rate_limited'],
  audited: true,
  ownTransactions: true,
})

export const confirmEmail = operation({
  name: 'accounts.confirm-email',
  http: 'POST /accounts/confirm-email',
  summary: 'Confirm the new email of an account',
  description: 'Same as `email-changes.confirm`, for any account, whether or not it is a member of a workspace.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'operator',
  scope: null,
  input: closed({
    email: CurrentEmail,
    newEmail: AccountEmail,
  }),
  output: Account,
  success: 200,
  errors: ['not_found', 'duplicate'],
  audited: true,
  ownTransactions: true,
})
