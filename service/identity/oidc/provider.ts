// Requests to the provider, and the checks of its answers. Requests have a timeout and a bound on how many run and
// wait, so that a slow provider holds up no one who signs in with a password. All checks of OpenID Connect (issuer,
// audience, signature, state, nonce, PKCE, RFC 9207) are the library's.
import * as oidc from 'openid-client'
import { overCapacity, Fault } from '#contract/faults/fault.ts'
import { confirmedMinutes } from '#contract/sessions.ts'
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'
import { withTimeout } from '#runtime/timeouts.ts'
import { personFrom, type Documents, type Person } from './rules.ts'
import type { OidcConfig } from './settings.ts'

/** The answer is checked against these. */
export type Checks = {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The provider was asked to authenticate the person anew. */
  readonly isFresh: boolean
}
export type Provider = {
  /** Returns the address for the browser. Rejects with `provider_unavailable` or `unavailable`. */
  begin(isFresh: boolean): Promise<{ readonly url: string; readonly checks: Checks }>
  /** `search` is the query of the way back. Throws a fault when an answer cannot be trusted. */
  complete(search: string, checks: Checks): Promise<Person>
}

const scope = 'openid profile email'
// Below the visitors' share of the gateway's slots (gateway/overload/concurrent-calls-limit.ts): passwords need the
// rest.
const atOnce = { all: { running: 6, waiting: 4 }, each: [] }
const waitMs = 1_000
const eachQuestionSeconds = 4
const allQuestionsMs = 10_000
/** Then the provider's metadata is fetched again. Its keys expire on their own. */
const discoveredForMs = 3_600_000

/** `onTrouble` receives the reason when an answer is not trusted or does not arrive. */
export function openProvider(config: OidcConfig, onTrouble: (reason: string) => void): Provider {
  const slots = openConcurrencyLimit(atOnce, waitMs)
  const discovered = discovery(config)

  async function ask<T>(work: (configuration: oidc.Configuration) => Promise<T>): Promise<T> {
    const slot = await slots.acquire([])
    if (slot.kind === 'refused')
      throw overCapacity('sign-in-provider', 'Too many people are signing in at the provider. Try again.')
    try {
      const answered = discovered().then(work)
      return await withTimeout(allQuestionsMs, answered, `No answer within ${allQuestionsMs} ms`)
    } catch (thrown) {
      throw faultOfProvider(thrown, onTrouble)
    } finally {
      slot.release()
    }
  }

  return {
    begin: (isFresh) =>
      ask(async (configuration) => {
        const [state, nonce, codeVerifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
        const url = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: config.redirectUri,
          scope,
          state,
          nonce,
          code_challenge_method: 'S256',
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          ...(isFresh && { prompt: 'login', max_age: String(freshSeconds) }),
        })
        return { url: url.href, checks: { state, nonce, codeVerifier, isFresh } }
      }),

    complete: (search, { state, nonce, codeVerifier, isFresh }) =>
      ask(async (configuration) => {
        const tokens = await oidc.authorizationCodeGrant(configuration, new URL(search, config.redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
          ...(isFresh && { maxAge: freshSeconds }),
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new Error('The provider has sent no ID token')
        const userInfo = await userInfoOf(configuration, tokens.access_token, claims.sub)
        return personFrom({ idToken: claims, userInfo }, config.groupsClaim)
      }),
  }
}

const freshSeconds = confirmedMinutes * 60

/** Many providers give email and groups only here. The library refuses an answer about another subject. */
const userInfoOf = async (
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<Documents['userInfo']> =>
  configuration.serverMetadata().userinfo_endpoint === undefined
    ? {}
    : await oidc.fetchUserInfo(configuration, accessToken, subject)

/** Callers at the same time share one request. A failure is not kept. */
function discovery({ issuer, clientId, clientSecret }: OidcConfig): () => Promise<oidc.Configuration> {
  let known: { readonly configuration: Promise<oidc.Configuration>; readonly until: number } | null = null
  const isPlain = issuer.startsWith('http:')

  async function discover(): Promise<oidc.Configuration> {
    const options = {
      timeout: eachQuestionSeconds,
      // The signature of an ID token is checked although it comes from the provider itself. The settings take http for
      // this machine alone.
      // oxlint-disable-next-line typescript/no-deprecated
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    }
    return await oidc.discovery(new URL(issuer), clientId, {}, authentication(clientSecret), options)
  }
  return () => {
    if (known !== null && known.until > Date.now()) return known.configuration
    const asked = { configuration: discover(), until: Date.now() + discoveredForMs }
    known = asked
    asked.configuration.catch(() => {
      if (known === asked) known = null
    })
    return asked.configuration
  }
}

/** The default of OpenID Connect, unless the provider takes the secret in the body only. */
function authentication(secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (provider, ...call) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = methods.includes('client_secret_basic') || !methods.includes('client_secret_post') ? basic : post
    way(provider, ...call)
  }
}

/**
 * Returns a Fault unchanged. Neither the answer nor the log holds a code or a token, which the library's errors carry
 * along.
 */
function faultOfProvider(thrown: unknown, onTrouble: (reason: string) => void): Fault {
  if (thrown instanceof Fault) return thrown
  if (thrown instanceof oidc.AuthorizationResponseError) return refused(thrown.error)
  if (thrown instanceof oidc.ResponseBodyError && thrown.error === 'invalid_grant') return signInExpired()
  const reason = reasonOf(thrown)
  onTrouble(reason)
  if (isUnbelieved(thrown))
    return new Fault('provider_answer_invalid', 'The response of the provider does not belong to this sign-in.')
  const retryAfterSeconds = 5
  return new Fault(
    'provider_unavailable',
    'The provider does not respond as expected.',
    { retryAfterSeconds },
    new Error(reason),
  )
}

/** For a flow that was used, has expired, or never existed. */
export const signInExpired = (): Fault =>
  new Fault('sign_in_expired', 'This sign-in was already used or has expired. Sign in again.')

function refused(error: string): Fault {
  const known = /^[a-z_]{1,60}$/.test(error) ? error : 'an error'
  return new Fault('provider_refused', `The provider denied the sign-in: ${known}.`, { providerError: known })
}

/** The library's codes for an answer that cannot be trusted. */
const unbelieved = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
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
