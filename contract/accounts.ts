// Access resets: a person who cannot sign in any more gets a link, by email, or from the operator, who makes it and
// hands it on.
import { Type } from 'typebox'
import { AccountEmail, CurrentSession, LinkToken, NewPassword } from './account.ts'
import { PendingSignIn } from './second-factors.ts'
import { operation, tag } from './operation.ts'
import { Timestamp, closed } from './shared-fields.ts'

/** For the link that sets a new password. */
export const resetLinkMinutes = 60

export const accountsTag = tag('accounts', 'Accounts of people: access that is lost, and what the operator confirms.')

export const resetAccess = operation({
  name: 'accounts.reset-access',
  http: 'POST /accounts/reset-access',
  summary: 'Create a link to set a new password',
  description: `The response holds the token of the link \`/settings/reset-access#<token>\`, which is shown only here, works once and is valid for ${resetLinkMinutes} minutes. An earlier link ends. The account does not change until the link is used. Two-factor authentication stays, and the link requires it, unless \`removeSecondFactors\` is set. The audit log of each workspace where the account is a member records the link.`,
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'operator',
  scope: null,
  input: closed({
    email: AccountEmail,
    removeSecondFactors: Type.Optional(
      Type.Boolean({ description: 'Whether the link also turns off two-factor authentication, for a lost device.' }),
    ),
  }),
  output: closed({
    object: Type.Literal('access_reset'),
    email: AccountEmail,
    token: LinkToken,
    path: Type.String({ description: 'The address of the page, with the token.' }),
    expiresAt: Timestamp,
  }),
  success: 200,
  errors: ['not_found'],
  audited: true,
  ownTransactions: true,
})

export const requestReset = operation({
  name: 'accounts.request-reset',
  http: 'POST /accounts/request-reset',
  summary: 'Request an email to set a new password',
  description: `Sends the person who has an account with this email a link to set a new password, which works once and is valid for ${resetLinkMinutes} minutes. The response is the same whether or not there is an account; the audit log of each workspace where the account is a member records the request. Not found if this installation sends no email: the operator then creates the link with \`accounts.reset-access\`.`,
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({ email: AccountEmail }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'password_sign_in_off', 'rate_limited'],
  ownTransactions: true,
})

export const recoverAccount = operation({
  name: 'accounts.recover',
  http: 'POST /accounts/recover',
  summary: 'Set a new password by a link',
  description:
    'Takes the token of a link from `accounts.reset-access` or `accounts.request-reset`. All other access to the account ends: its sessions, its link to a sign-in provider and a new email that waits for confirmation. The response signs the account in, or requires its second factor: a `pending_sign_in`.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({ token: LinkToken, newPassword: NewPassword }),
  output: Type.Union([CurrentSession, PendingSignIn]),
  success: 200,
  errors: ['not_found', 'rate_limited', 'https_required'],
  audited: true,
  ownTransactions: true,
})

export const removeSecondFactors = operation({
  name: 'accounts.remove-second-factors',
  http: 'POST /accounts/remove-second-factors',
  summary: 'Turn off two-factor authentication of an account',
  description:
    'For a person who has lost their device and their recovery codes. Ends all sessions of the account; its password alone signs in again. Check the identity of the person first. The audit log of each workspace where the account is a member records it.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'operator',
  scope: null,
  input: closed({ email: AccountEmail }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'invalid_transition'],
  audited: true,
  ownTransactions: true,
})
