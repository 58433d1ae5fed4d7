// Two-factor authentication of an account: an authenticator app (TOTP, RFC 6238), passkeys, and recovery codes for when
// these are lost. Only accounts with a password have it: a sign-in provider is responsible for its own second factor.
import { Type, type Static } from 'typebox'
import { LinkToken, SecondFactor } from './account.ts'
import { operation, tag } from './operation.ts'
import { Id, IdentityName, Timestamp, closed, nullable } from './shared-fields.ts'

/** How long a secret, or the challenge of a passkey, waits for its first use. */
export const setupMinutes = 10

/** After the password, for the second factor. */
export const secondStepMinutes = 10

/** Wrong second factors of one sign-in: more need the password again. */
export const secondStepTriesMax = 5

export const recoveryCodesCount = 10

export const secondFactorsTag = tag('second-factors', 'Two-factor authentication of the signed-in person.')

const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Of the authenticator app, or a recovery code. Spaces and hyphens make no difference.',
})
/** Of the authenticator app, or a recovery code. */
export const SecondFactorCode = Code

const RecoveryCodes = Type.Array(Type.String({ maxLength: 40 }), {
  maxItems: recoveryCodesCount,
  description: 'Shown only here. Each works once.',
})

const time = (description: string) => Type.String({ format: 'date-time', description })

export const passkeysPerAccountMax = 20

export const Passkey = closed({
  id: Id,
  object: Type.Literal('passkey'),
  name: IdentityName,
  createdAt: Timestamp,
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'When it signed in or confirmed last.' })),
})
export type Passkey = Static<typeof Passkey>

export const SecondFactors = closed({
  object: Type.Literal('second_factors'),
  authenticator: nullable(
    closed({
      createdAt: Timestamp,
      lastUsedAt: nullable(time('When a code of it was accepted last.')),
    }),
  ),
  passkeys: Type.Array(Passkey, { maxItems: passkeysPerAccountMax, description: 'Oldest first.' }),
  recoveryCodes: Type.Integer({
    minimum: 0,
    maximum: recoveryCodesCount,
    description: 'How many of them are not used yet.',
  }),
})
export type SecondFactors = Static<typeof SecondFactors>

/** The answer to a right password where a second factor is needed: no session yet. */
export const PendingSignIn = closed({
  object: Type.Literal('pending_sign_in'),
  signIn: LinkToken,
  secondFactors: Type.Array(SecondFactor, { description: 'Any one of them completes the sign-in.' }),
  expiresAt: Timestamp,
})
export type PendingSignIn = Static<typeof PendingSignIn>

export const SecondFactorEnabled = closed({
  object: Type.Literal('second_factor_enabled'),
  recoveryCodes: nullable(RecoveryCodes),
})

const ofAccount = { audiences: ['settings'], tenancy: 'none', admits: 'account', scope: null } as const

export const getSecondFactors = operation({
  ...ofAccount,
  name: 'second-factors.get',
  http: 'GET /second-factors',
  summary: 'Get your two-factor authentication',
  description: 'What signs in to this account besides its password. No secret is shown.',
  input: closed({}),
  output: SecondFactors,
  success: 200,
})

export const beginAuthenticator = operation({
  ...ofAccount,
  name: 'second-factors.begin-authenticator',
  http: 'POST /second-factors/authenticator',
  summary: 'Set up an authenticator app',
  description: `Returns a new secret for the app, as text and as the address of a QR code. It is not in use before \`second-factors.enable-authenticator\` has a code of it, within ${setupMinutes} minutes. Until then an app that is set up already keeps working.`,
  input: closed({}),
  output: closed({
    object: Type.Literal('authenticator_setup'),
    setup: LinkToken,
    secret: Type.String({ description: 'In base32, for apps that read no QR code.' }),
    url: Type.String({ description: 'What the QR code holds: `otpauth://totp/…`.' }),
    expiresAt: Timestamp,
  }),
  success: 200,
  errors: ['invalid_transition'],
  confirmed: true,
  ownTransactions: true,
})

export const enableAuthenticator = operation({
  ...ofAccount,
  name: 'second-factors.enable-authenticator',
  http: 'POST /second-factors/authenticator/enable',
  summary: 'Turn on the authenticator app',
  description:
    'Takes a code of the app and replaces the app that was there. The first second factor of an account signs it out everywhere else, and the response holds its recovery codes; otherwise `recoveryCodes` is null.',
  input: closed({ setup: LinkToken, code: Code }),
  output: SecondFactorEnabled,
  success: 200,
  errors: ['challenge_expired', 'wrong_second_factor', 'rate_limited'],
  confirmed: true,
  audited: true,
  ownTransactions: true,
})

export const removeAuthenticator = operation({
  ...ofAccount,
  name: 'second-factors.remove-authenticator',
  http: 'DELETE /second-factors/authenticator',
  summary: 'Remove the authenticator app',
  description:
    'Without another second factor the password alone signs in again, and the recovery codes end. Fails if a workspace of the account requires one.',
  input: closed({}),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'last_second_factor'],
  confirmed: true,
  audited: true,
  ownTransactions: true,
})

export const regenerateRecoveryCodes = operation({
  ...ofAccount,
  name: 'second-factors.regenerate-recovery-codes',
  http: 'POST /second-factors/recovery-codes',
  summary: 'Generate new recovery codes',
  description: `Returns ${recoveryCodesCount} new codes. All earlier ones end.`,
  input: closed({}),
  output: closed({ object: Type.Literal('recovery_codes'), recoveryCodes: RecoveryCodes }),
  success: 200,
  errors: ['invalid_transition'],
  confirmed: true,
  audited: true,
  ownTransactions: true,
})
