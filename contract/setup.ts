// The first run: whoever holds the link that the first start prints makes the first account. Afterwards there is no setup.
import { Type } from 'typebox'
import { AccountEmail, CurrentSession, LinkToken, NewPassword } from './account.ts'
import { operation, tag } from './operation.ts'
import { IdentityName, closed } from './shared-fields.ts'

/** For the link of the first start. */
export const setupLinkHours = 24

export const setupTag = tag('setup', 'The first account, made once.')

export const getSetup = operation({
  name: 'setup.get',
  http: 'GET /setup',
  summary: 'Is there an account yet?',
  description: 'Not found once there is one, for ever.',
  audiences: ['settings'],
  tenancy: 'none',
  admits: 'anyone',
  scope: null,
  input: closed({}),
  output: closed({
    object: Type.Literal('setup'),
    hasWorkspace: Type.Boolean({
      description: 'There is one workspace already, such as that of the sample data: the owner joins it.',
    }),
  }),
  success: 200,
  errors: ['not_found'],
})

export const completeSetup = operation({
  name: 'setup.complete',
  http: 'POST /setup',
  summary: 'Make the first account',
  description:
    'With the token of the link that the start has printed. The account owns the workspace that there is already, or a new one where `workspaceName` is given or there is none. The answer signs it in.',
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
