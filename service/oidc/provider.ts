// What is said to the provider and what is believed of its answers. Each question has a time, few are under way at once, and
// fewer wait: a provider that is slow or away holds up nobody who signs in with a password. All checks of OpenID Connect
// (issuer, audience, signature, state, nonce, PKCE, RFC 9207) are the library's.
import * as oidc from 'openid-client'
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'
import { withTimeout } from '#runtime/timeouts.ts'
import { faultOfProvider } from './provider-faults.ts'
import { personFrom, type Documents, type Person } from './person.ts'
import type { OidcConfig } from './settings.ts'
import { confirmedMinutes } from '#contract/sessions.ts'
import { overCapacity } from '#contract/faults/fault.ts'

/** What the answer is held against. */
export type Checks = {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The provider was to ask who is there. */
  readonly isFresh: boolean
}
export type Provider = {
  /** The address to send the browser to. Rejects with `provider_unavailable` or `unavailable`. */
  begin(isFresh: boolean): Promise<{ readonly url: string; readonly checks: Checks }>
  /** `search`: the query that the browser came back with. Throws whatever keeps it from being believed. */
  complete(search: string, checks: Checks): Promise<Person>
}

const scope = 'openid profile email'
// Below the visitors' share of the gateway's slots (gateway/overload/concurrent-calls-limit.ts), of which passwords need the rest.
const atOnce = { all: { running: 6, waiting: 4 }, each: [] }
const waitMs = 1_000
const eachQuestionSeconds = 4
const allQuestionsMs = 10_000
/** Then its addresses are asked for again. Its keys have a time of their own. */
const discoveredForMs = 3_600_000

/** `onTrouble` is told why an answer was not believed, or did not come. */
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
          ...{ redirect_uri: config.redirectUri, scope, state, nonce, code_challenge_method: 'S256' },
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          ...(isFresh && { prompt: 'login', max_age: String(freshSeconds) }),
        })
        return { url: url.href, checks: { state, nonce, codeVerifier, isFresh } }
      }),

    complete: (search, { state, nonce, codeVerifier, isFresh }) =>
      ask(async (configuration) => {
        const tokens = await oidc.authorizationCodeGrant(configuration, new URL(search, config.redirectUri), {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
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

/** Many providers tell e-mail and groups here alone. An answer about another subject is refused by the library. */
const userInfoOf = async (
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<Documents['userInfo']> =>
  configuration.serverMetadata().userinfo_endpoint === undefined
    ? {}
    : await oidc.fetchUserInfo(configuration, accessToken, subject)

/** Asked once by all who come at the same time. What has failed is not kept. */
function discovery({ issuer, clientId, clientSecret }: OidcConfig): () => Promise<oidc.Configuration> {
  let known: { readonly configuration: Promise<oidc.Configuration>; readonly until: number } | null = null
  const isPlain = issuer.startsWith('http:')

  async function discover(): Promise<oidc.Configuration> {
    const options = {
      timeout: eachQuestionSeconds,
      // The signature of an ID token is checked although it comes from the provider itself. The settings take http for this
      // machine alone.
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

/** As OpenID Connect has it by default, unless the provider says that it takes the secret in the body alone. */
function authentication(secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (provider, ...call) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = methods.includes('client_secret_basic') || !methods.includes('client_secret_post') ? basic : post
    way(provider, ...call)
  }
}
