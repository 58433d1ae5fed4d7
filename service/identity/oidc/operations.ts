// Signing in at a provider of OpenID Connect: the ways to sign in, the way to the provider, and the way back.
import { Fault } from '#contract/faults/fault.ts'
import type { beginAtProvider, getSignInMethods } from '#contract/sessions.ts'
import type { Handler, Handlers } from '../../execution/call.ts'
import { countTry, flowTries, forgiveTries } from '../accounts/sign-in-attempts.ts'
import type { RelyingParty } from '../second-factors/webauthn.ts'
import { putFlow } from './rows.ts'
import { complete, type SignInDeps } from './sign-in.ts'

/** `oidc` is null when no provider is configured, `outbox` when no email is sent. */
type OidcDeps = {
  readonly oidc: SignInDeps | null
  readonly outbox: object | null
  readonly relyingParty: RelyingParty | null
}

export const oidcHandlers = ({ oidc, outbox, relyingParty }: OidcDeps) =>
  ({
    'sessions.methods': methods({ oidc, outbox, relyingParty }),
    'sessions.begin-at-provider': oidc === null ? noProvider : begin(oidc),
    'sessions.complete-at-provider': oidc === null ? noProvider : completing(oidc),
  }) satisfies Partial<Handlers>

const methods =
  ({ oidc, outbox, relyingParty }: OidcDeps): Handler<typeof getSignInMethods> =>
  async () => ({
    object: 'sign_in_methods',
    password: oidc?.config.isOnly !== true,
    passkey: oidc?.config.isOnly !== true && relyingParty !== null,
    provider: oidc === null ? null : { name: oidc.config.name },
    sendsEmail: outbox !== null,
    resetByEmail: outbox !== null && oidc?.config.isOnly !== true,
  })

async function noProvider(): Promise<never> {
  throw new Fault('not_found', 'This installation has no sign-in provider.')
}

const begin =
  ({ provider, sealingKey, knownBrowsers }: SignInDeps): Handler<typeof beginAtProvider> =>
  async ({ invitation = null, fresh = false }, { db, now, principal, browser, withoutSlot }) => {
    await countTry(db, flowTries(principal.clientAddress, knownBrowsers.idOf(browser)), now)
    const { url, checks } = await withoutSlot(() => provider.begin(fresh))
    const { token, expiresAt } = await putFlow(db, sealingKey, { checks, invitation }, now)
    return { object: 'sign_in_flow', url, flow: token, expiresAt: expiresAt.toISOString() }
  }

/** A sign-in that succeeds gets back the try that its start has cost. */
const completing = (oidc: SignInDeps): ReturnType<typeof complete> => {
  const act = complete(oidc)
  return async (input, call) => {
    const session = await act(input, call)
    await forgiveTries(call.db, flowTries(call.principal.clientAddress, oidc.knownBrowsers.idOf(call.browser)))
    return session
  }
}
