// The account of whoever is signed in.
import { Type } from 'typebox'
import { Account, AccountEmail, NewPassword, Password } from './account-schema.ts'
import { operation } from './operation.ts'
import { emailChangeDays } from './session-times.ts'
import { IdentityName, closed } from './shared-fields.ts'
import { tag } from './tag.ts'

export const accountTag = tag('account', 'The account of whoever is signed in.')

const ofAccount = { audiences: ['settings'], tenancy: 'none', admits: 'account', scope: null } as const

export const updateAccount = operation({
  ...ofAccount,
  name: 'account.update',
  http: 'PATCH /account',
  summary: 'Change your account',
  description: `What it is called, and the e-mail that signs in. What workspaces call their members stays. A new e-mail is \`pendingEmail\` at first. It becomes the account’s when another owner of one of its workspaces or the operator confirms it within ${emailChangeDays} days, or when a sign-in provider names the same person with it and says that it has verified it. Giving the e-mail that the account has withdraws the change.`,
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
