// The account of whoever is signed in.
import { Type } from 'typebox'
import { Account, AccountEmail, NewPassword, Password } from './account-schema.ts'
import { operation } from './operation.ts'
import { IdentityName, closed } from './shared-fields.ts'
import { tag } from './tag.ts'

export const accountTag = tag('account', 'The account of whoever is signed in.')

const ofAccount = { audiences: ['settings'], tenancy: 'none', admits: 'account', scope: null } as const

export const updateAccount = operation({
  ...ofAccount,
  name: 'account.update',
  http: 'PATCH /account',
  summary: 'Change your account',
  description: 'What it is called, and the e-mail that signs in. What workspaces call their members stays.',
  input: closed({ name: Type.Optional(IdentityName), email: Type.Optional(AccountEmail) }),
  output: Account,
  success: 200,
  errors: ['duplicate'],
  confirmed: true,
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
  ownTransactions: true,
})
