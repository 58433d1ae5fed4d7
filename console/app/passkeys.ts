// Passkeys in the browser: what the service asks for is handed to the browser, and what the browser returns back to the
// service.
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { call } from './call.ts'
import { PageError } from './failure.ts'
import { texts } from './texts.tsx'

type Options = Readonly<Record<string, unknown>>

export const hasPasskeys = browserSupportsWebAuthn

/** Asks the device to create a passkey, and adds it to the account. */
export async function addPasskey(name: string) {
  const { setup, options } = await call('passkeys.begin', {})
  const optionsJSON = options as Options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await inWords(() => startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  return call('passkeys.create', { setup, name, credential: { id, clientDataJSON, attestationObject, transports } })
}

/** Asks the device to prove the person. */
async function provePasskey() {
  const { challenge, options } = await call('sessions.begin-with-passkey', {})
  const optionsJSON = options as Options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, response } = await inWords(() => startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response
  return { challenge, credential: { id, clientDataJSON, authenticatorData, signature, userHandle } }
}

export const signInWithPasskey = async () => call('sessions.complete-with-passkey', await provePasskey())

export const confirmWithPasskey = async () => call('sessions.confirm', { passkey: await provePasskey() })

/** Browsers say little, so that no page learns which passkeys there are. */
async function inWords<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new PageError('The passkey was not used', messageFor(error), error)
  }
}

function messageFor(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : null
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return texts.thisDeviceAlreadyHasA
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID') return texts.passkeysDoNotWorkAt
  return texts.theRequestWasCancelledOr
}
