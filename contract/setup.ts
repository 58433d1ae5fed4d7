// The first run: the holder of the link that the first start prints makes the first account. Afterwards there is no
// setup.
import { Type } from 'typebox'
import { AccountEmail, CurrentSession, LinkToken, NewPassword } from './account.ts'
import { operation, tag } from './operation.ts'
import { IdentityName, closed } from './shared-fields.ts'

/** For the link of the first start. */
export const setupLinkHours = 24

export const setupTag = tag('setup', 'The first account, created once.')

export const getSetup = operation({
  name: 'setup.get',
  http: 'GET /setup',
  summary: 'Check whether the first account is missing',
  description: 'Not found once the first account exists.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({}),
  output: closed({
    object: Type.Literal('setup'),
    hasWorkspace: Type.Boolean({
      description: 'Whether a workspace exists already, such as that of the sample data: the owner joins it.',
    }),
  }),
  success: 200,
  errors: ['not_found'],
})

export const completeSetup = operation({
  name: 'setup.complete',
  http: 'POST /setup',
  summary: 'Create the first account',
  description:
    'Takes the token of the link that the first start printed. The account owns the existing workspace, or a new one if `workspaceName` is given or there is none. The response signs it in.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({
    token: LinkToken,
    name: IdentityName,
    email: AccountEmail,
    password: NewPassword,
    workspaceName: Type.Optional(IdentityName),
  }),
  output: CurrentSession,
  success: 200,
  errors: ['not_found', 'rate_limited', 'https_required'],
  ownTransactions: true,
})
