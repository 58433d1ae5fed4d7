// Passkeys (WebAuthn): a key pair on a device, which proves the person by a fingerprint, a face or a PIN. A passkey
// signs in without the password, and is the second factor of an account besides.
import { Type, type Static } from 'typebox'
import { CurrentSession, LinkToken } from './account.ts'
import { operation, tag } from './operation.ts'
import { SecondFactorEnabled, setupMinutes } from './second-factors.ts'
import { Id, IdentityName, Timestamp, closed, nullable } from './shared-fields.ts'

export const passkeysTag = tag('passkeys', 'Passkeys of the signed-in person.')

const bytes = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description: `${description}, in base64url.` })
const CredentialId = bytes(1_400, 'The id of the credential')
const ClientData = bytes(4_096, '`clientDataJSON` of the response')

/** `PublicKeyCredential` of a registration, without what the service has no use for. */
const NewCredential = closed({
  id: CredentialId,
  clientDataJSON: ClientData,
  attestationObject: bytes(16_384, '`attestationObject` of the response'),
  transports: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8, description: 'How the device is reached.' }),
})
export type NewCredential = Static<typeof NewCredential>

/** `PublicKeyCredential` of a sign-in. */
const Assertion = closed({
  id: CredentialId,
  clientDataJSON: ClientData,
  authenticatorData: bytes(4_096, '`authenticatorData` of the response'),
  signature: bytes(4_096, '`signature` of the response'),
  userHandle: nullable(bytes(128, '`userHandle` of the response')),
})
export type Assertion = Static<typeof Assertion>

/** What a page sends to prove the person: of `sessions.begin-with-passkey`, and of the browser. */
export const PasskeyProof = closed({ challenge: LinkToken, credential: Assertion })
export type PasskeyProof = Static<typeof PasskeyProof>

const Options = (method: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description: `For \`navigator.credentials.${method}\`, as JSON.` })

const ofAccount = { audiences: ['settings'], tenancy: 'none', admits: 'account', scope: null } as const
const ofVisitor = { audiences: ['settings'], tenancy: 'none', admits: 'anyone', scope: null } as const

export const beginPasskey = operation({
  ...ofAccount,
  name: 'passkeys.begin',
  http: 'POST /passkeys/registration',
  summary: 'Start adding a passkey',
  description: `Returns what the browser needs to create a passkey, within ${setupMinutes} minutes. The passkey works for the host of \`PUBLIC_URL\` only; without this setting, for \`localhost\`.`,
  input: closed({}),
  output: closed({
    object: Type.Literal('passkey_setup'),
    setup: LinkToken,
    options: Options('create'),
    expiresAt: Timestamp,
  }),
  success: 200,
  errors: ['invalid_transition', 'limit_reached'],
  confirmed: true,
  ownTransactions: true,
})

export const createPasskey = operation({
  ...ofAccount,
  name: 'passkeys.create',
  http: 'POST /passkeys',
  summary: 'Add a passkey',
  description:
    'Takes what the browser has created. The first second factor of an account signs it out everywhere else, and the response holds its recovery codes; otherwise `recoveryCodes` is null.',
  input: closed({ setup: LinkToken, name: IdentityName, credential: NewCredential }),
  output: SecondFactorEnabled,
  success: 200,
  errors: ['challenge_expired', 'wrong_second_factor', 'limit_reached', 'duplicate'],
  confirmed: true,
  audited: true,
  ownTransactions: true,
})

export const deletePasskey = operation({
  ...ofAccount,
  name: 'passkeys.delete',
  http: 'DELETE /passkeys/{id}',
  summary: 'Remove a passkey',
  description:
    'It no longer signs in. Without another second factor the password alone signs in again, and the recovery codes end. Fails if a workspace of the account requires one.',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'last_second_factor'],
  confirmed: true,
  audited: true,
  ownTransactions: true,
})

export const beginWithPasskey = operation({
  ...ofVisitor,
  name: 'sessions.begin-with-passkey',
  http: 'POST /sessions/passkey',
  summary: 'Start signing in with a passkey',
  description:
    'Returns a challenge for the browser. For a visitor, any passkey of this installation signs in (`sessions.complete-with-passkey`); for a signed-in person, one of their own confirms (`sessions.confirm`).',
  input: closed({}),
  output: closed({
    object: Type.Literal('passkey_challenge'),
    challenge: LinkToken,
    options: Options('get'),
    expiresAt: Timestamp,
  }),
  success: 200,
  errors: ['password_sign_in_off', 'invalid_transition', 'rate_limited', 'https_required'],
  ownTransactions: true,
})

export const completeWithPasskey = operation({
  ...ofVisitor,
  name: 'sessions.complete-with-passkey',
  http: 'POST /sessions/passkey/complete',
  summary: 'Complete signing in with a passkey',
  description:
    'Takes what the browser has signed. The device must have verified the person. No password and no other factor is needed.',
  input: PasskeyProof,
  output: CurrentSession,
  success: 201,
  errors: ['password_sign_in_off', 'sign_in_expired', 'wrong_second_factor', 'https_required'],
  ownTransactions: true,
})
