// Why somebody could not sign in at the provider. What is told to callers, and to the log, holds neither code nor token: the
// library's errors carry those along.
import * as oidc from 'openid-client'
import { Fault } from '#contract/faults/fault.ts'

/** Returns a Fault as it is. */
export function faultOfProvider(thrown: unknown, onTrouble: (reason: string) => void): Fault {
  if (thrown instanceof Fault) return thrown
  if (thrown instanceof oidc.AuthorizationResponseError) return refused(thrown.error)
  if (thrown instanceof oidc.ResponseBodyError && thrown.error === 'invalid_grant') return signInExpired()
  const reason = reasonOf(thrown)
  onTrouble(reason)
  if (isUnbelieved(thrown))
    return new Fault('provider_answer_invalid', 'What the provider has sent does not belong to this sign-in.')
  const retryAfterSeconds = 5
  return new Fault(
    'provider_unavailable',
    'The provider does not respond as expected.',
    { retryAfterSeconds },
    new Error(reason),
  )
}

/** For what was used, is too old, or never was. */
export const signInExpired = (): Fault =>
  new Fault('sign_in_expired', 'This way back from the provider was used, or is too old. Sign in again.')

function refused(error: string): Fault {
  const known = /^[a-z_]{1,60}$/.test(error) ? error : 'an error'
  return new Fault('provider_refused', `The provider has not let you in: ${known}.`, { providerError: known })
}

/** Codes of the library for an answer that came, and is not to be believed. */
const unbelieved = new Set([
  ...['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
  ...['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'OAUTH_KEY_SELECTION_FAILED', 'OAUTH_MISSING_SERVER_METADATA'],
])

const isUnbelieved = (thrown: unknown): boolean => unbelieved.has(codeOf(thrown))

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''

function reasonOf(thrown: unknown): string {
  if (thrown instanceof oidc.ResponseBodyError) return `The provider answered ${thrown.status} (${thrown.error})`
  if (!(thrown instanceof Error)) return 'unknown'
  const cause = thrown.cause instanceof Error ? `: ${codeOf(thrown.cause) || thrown.cause.message}` : ''
  return `${codeOf(thrown) || thrown.name}: ${thrown.message}${cause}`
}
