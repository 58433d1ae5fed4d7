// WebAuthn as this installation uses it: for which host passkeys work, what browsers are asked for, and whether what
// they send is right. The library checks signatures; a fault for the person is made of whatever it has against them.
import { Fault } from '#contract/faults/fault.ts'
import type { Assertion, NewCredential } from '#contract/passkeys.ts'
import { setupMinutes } from '#contract/second-factors.ts'
import type { Account, Passkey } from '#prisma/generated/client.ts'
import { parseAddress } from '#runtime/ip-address.ts'

/** Loaded when a passkey is first asked for: starts need not wait for it. */
const library = () => import('@simplewebauthn/server')

/** The host that passkeys are for. Null where browsers allow none: over open http, and under an IP address. */
export type RelyingParty = {
  readonly id: string
  readonly name: string
  /** Null: any port of this machine, where the address is not set. */
  readonly origin: string | null
}

const localhost = 'localhost'

export function relyingPartyOf(publicUrl: string | null, name: string): RelyingParty | null {
  if (publicUrl === null) return { id: localhost, name, origin: null }
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:' || hostname === localhost
  if (!isSecure || parseAddress(hostname.replace(/^\[|\]$/g, '')) !== null) return null
  return { id: hostname, name, origin }
}

/** Throws `invalid_transition`. */
export function assertPossible(party: RelyingParty | null): RelyingParty {
  if (party !== null) return party
  throw new Fault(
    'invalid_transition',
    'Passkeys need https and a host name: the operator sets both with `PUBLIC_URL`.',
  )
}

export type ChallengeState = { readonly challenge: string }
type Known = Pick<Passkey, 'credentialId' | 'transports'>
/** Of COSE: EdDSA, ES256 and RS256, which every device knows one of. */
const algorithms = [-8, -7, -257] as const
const timeout = setupMinutes * 60_000

/** `known`: those of the account, of which none is made twice on one device. */
export const creationOptions = async (party: RelyingParty, { id, name, email }: Account, known: readonly Known[]) =>
  (await library()).generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    // Says nothing of the person, and leads back to the account.
    userID: new Uint8Array(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs: [...algorithms],
    excludeCredentials: known.map(descriptorOf),
    // It signs in alone: so the device has to know the account, and to make sure of the person.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** `known`: those that can answer; null for any. */
export const requestOptions = async (party: RelyingParty, known: readonly Known[] | null) =>
  (await library()).generateAuthenticationOptions({
    rpID: party.id,
    timeout,
    userVerification: 'required',
    ...(known !== null && { allowCredentials: known.map(descriptorOf) }),
  })

const descriptorOf = ({ credentialId, transports }: Known) => ({ id: credentialId, transports })

export type Registered = { readonly credentialId: string; readonly publicKey: Uint8Array; readonly counter: number }

/** Throws `wrong_second_factor`. */
export async function verifyRegistration(
  party: RelyingParty,
  { challenge }: ChallengeState,
  { id, clientDataJSON, attestationObject }: NewCredential,
): Promise<Registered> {
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await orFault(() =>
    verifyRegistrationResponse({
      ...expected(party, challenge, clientDataJSON),
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
      response: { ...standard(id), response: { clientDataJSON, attestationObject } },
    }),
  )
  if (registrationInfo === undefined) throw wrongPasskey()
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  return { credentialId, publicKey, counter }
}

/**
 * Returns how often the device has signed. Throws `wrong_second_factor`, also for a device that has signed less often.
 */
export async function verifyAssertion(
  party: RelyingParty,
  { challenge }: ChallengeState,
  { id, userHandle, ...response }: Assertion,
  passkey: Passkey,
): Promise<number> {
  if (userHandle !== null && Buffer.from(userHandle, 'base64url').toString() !== passkey.accountId) throw wrongPasskey()
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await orFault(() =>
    verifyAuthenticationResponse({
      ...expected(party, challenge, response.clientDataJSON),
      requireUserVerification: true,
      response: { ...standard(id), response },
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
      },
    }),
  )
  if (!verified) throw wrongPasskey()
  return authenticationInfo.newCounter
}

const expected = ({ id, origin }: RelyingParty, challenge: string, clientDataJSON: string) => ({
  expectedChallenge: challenge,
  expectedRPID: id,
  expectedOrigin: origin ?? localOriginIn(clientDataJSON),
})

/** Where the address of the installation is not set, a page of any port of `localhost` may ask, and no other. */
function localOriginIn(clientDataJSON: string): string {
  try {
    const { origin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { readonly origin: string }
    return new URL(origin).hostname === localhost ? origin : ''
  } catch {
    throw wrongPasskey()
  }
}

const standard = (id: string) => ({ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} })

async function orFault<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (thrown) {
    throw wrongPasskey(thrown)
  }
}

export const wrongPasskey = (cause?: unknown): Fault =>
  new Fault('wrong_second_factor', 'The passkey was not accepted.', {}, cause)
