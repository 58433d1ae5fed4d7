// A new e-mail of an account takes effect when an owner of a workspace of this person, or the operator, confirms it: nobody
// can take an address by typing it in. The product sends no e-mail, so there is no link to click.
import { Type } from 'typebox'
import { Account, AccountEmail, emailText } from './account.ts'
import { operation, tag } from './operation.ts'
import { Id, Name, Timestamp, closed } from './shared-fields.ts'

export const emailChangesTag = tag('email-changes', 'New e-mails of accounts that wait for somebody to confirm them.')

const ofWorkspace = { audiences: ['settings'], scope: 'workspaces:write' } as const
const CurrentEmail = emailText('The one that signs in today.')
const MemberId = Type.String({ format: 'uuid', description: 'Of the member whose account it is.' })

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
  summary: 'List e-mails that wait to be confirmed',
  description: 'Of the active members of the workspace, the oldest first, 200 at most.',
  input: closed({}),
  output: closed({ data: Type.Array(EmailChange) }),
  success: 200,
})

export const confirmEmailChange = operation({
  ...ofWorkspace,
  name: 'email-changes.confirm',
  http: 'POST /email-changes/{id}/confirm',
  summary: 'Confirm the new e-mail of a member',
  description:
    'The member signs in with it from now on. For owners, who have made sure that the address is this person’s, and never for their own account: another owner or the operator confirms that.',
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
  summary: 'Decline the new e-mail of a member',
  description: 'The account keeps the one that it has. For owners.',
  input: closed({ id: MemberId }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
  audited: true,
  ownTransactions: true,
})

export const confirmEmail = operation({
  name: 'accounts.confirm-email',
  http: 'POST /accounts/confirm-email',
  summary: 'Confirm the new e-mail of an account',
  description: 'As `email-changes.confirm`, for any account, a member of a workspace or not.',
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
