// How somebody who cannot sign in any more comes back: by a link that whoever runs the installation makes and hands on.
import { Type } from 'typebox'
import { AccountEmail, CurrentSession, LinkToken, NewPassword } from './account.ts'
import { operation, tag } from './operation.ts'
import { Timestamp, closed } from './shared-fields.ts'

/** For the link with which somebody sets a new password. */
export const resetLinkMinutes = 60

export const accountsTag = tag('accounts', 'Accounts of people, for whoever runs the installation.')

export const resetAccess = operation({
  name: 'accounts.reset-access',
  http: 'POST /accounts/reset-access',
  summary: 'Let somebody set a new password',
  description: `The answer holds the token of the link \`/settings/reset-access#<token>\`, which is shown nowhere else, works once and for ${resetLinkMinutes} minutes. The link before it ends. Until it is used nothing changes for the account. It stands in the audit log of each workspace where the account is a member.`,
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'operator',
  scope: null,
  input: closed({ email: AccountEmail }),
  output: closed({
    object: Type.Literal('access_reset'),
    email: AccountEmail,
    token: LinkToken,
    path: Type.String({ description: 'Of the page that the link leads to, with the token.' }),
    expiresAt: Timestamp,
  }),
  success: 200,
  errors: ['not_found'],
  audited: true,
  ownTransactions: true,
})

export const recoverAccount = operation({
  name: 'accounts.recover',
  http: 'POST /accounts/recover',
  summary: 'Set a new password by a link',
  description:
    'With the token of a link by `accounts.reset-access`. Every other way in to the account ends: its sessions, its link to a sign-in provider and a new e-mail that waits to be confirmed. The answer signs it in.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({ token: LinkToken, newPassword: NewPassword }),
  output: CurrentSession,
  success: 200,
  errors: ['not_found', 'rate_limited', 'https_required'],
  audited: true,
  ownTransactions: true,
})
