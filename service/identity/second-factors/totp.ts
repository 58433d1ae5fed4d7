// Time-based codes of an authenticator app (RFC 6238), in the form that every app reads: SHA-1, six digits, 30 seconds.
// Pure.
import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
const digits = 6
/** RFC 4226 asks for 160 bits. */
const secretBytes = 20
/** Codes of the step before and the step after are taken: clocks differ. */
const stepsApart = 1

export type NewSecret = {
  /** In base32. */
  readonly secret: string
  /** What a QR code holds. */
  readonly url: string
}
type Labels = { readonly issuer: string; readonly email: string }

export function newSecret({ issuer, email }: Labels): NewSecret {
  const secret = new Secret({ size: secretBytes })
  // A colon stands between the issuer and the account.
  const label = email.replaceAll(':', '')
  const totp = new TOTP({ issuer, label, secret, digits, period: periodSeconds, algorithm: 'SHA1' })
  return { secret: secret.base32, url: totp.toString() }
}

const codeForm = new RegExp(String.raw`^\d{${digits}}$`)

/** Whether the text can be a code of an app. Everything else can only be a recovery code. */
export const isAuthenticatorCode = (code: string): boolean => codeForm.test(code)

/** Returns the step that the code belongs to, or null for a code of no step around now. Compares in constant time. */
export function stepOf(code: string, secret: string, now: Date): number | null {
  if (!isAuthenticatorCode(code)) return null
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits, period: periodSeconds, algorithm: 'SHA1' })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: stepsApart })
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / periodSeconds) + delta
}
