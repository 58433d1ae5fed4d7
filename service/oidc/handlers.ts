// The operations of signing in at a provider bound to their functions.
import { Fault } from '#contract/faults/fault.ts'
import type { beginAtProvider, getSignInMethods } from '#contract/sessions.ts'
import { countTry, flowTries, forgiveTries } from '../accounts/sign-in-attempts.ts'
import type { Handler, Handlers } from '../execution/handler.ts'
import { complete, type SignInParts } from './complete.ts'
import { putFlow } from './flows.ts'

/** `oidc`: null where there is no provider. */
export const oidcHandlers = ({ oidc }: { readonly oidc: SignInParts | null }) =>
  ({
    'sessions.methods': methods(oidc),
    'sessions.begin-at-provider': oidc === null ? noProvider : begin(oidc),
    'sessions.complete-at-provider': oidc === null ? noProvider : completing(oidc),
  }) satisfies Partial<Handlers>

const methods =
  (oidc: SignInParts | null): Handler<typeof getSignInMethods> =>
  async () => ({
    object: 'sign_in_methods',
    password: oidc?.config.isOnly !== true,
    provider: oidc === null ? null : { name: oidc.config.name },
  })

async function noProvider(): Promise<never> {
  throw new Fault('not_found', 'Nobody signs in at a provider here.')
}

const begin =
  ({ provider, sealingKey, knownBrowsers }: SignInParts): Handler<typeof beginAtProvider> =>
  async ({ invitation = null, fresh = false }, { db, now, principal, browser, withoutSlot }) => {
    await countTry(db, flowTries(principal.clientAddress, knownBrowsers.idOf(browser)), now)
    const { url, checks } = await withoutSlot(() => provider.begin(fresh))
    const { token, expiresAt } = await putFlow(db, sealingKey, { checks, invitation }, now)
    return { object: 'sign_in_flow', url, flow: token, expiresAt: expiresAt.toISOString() }
  }

/** Who is let in has the try back that the way there has cost. */
const completing = (oidc: SignInParts): ReturnType<typeof complete> => {
  const act = complete(oidc)
  return async (input, call) => {
    const session = await act(input, call)
    await forgiveTries(call.db, flowTries(call.principal.clientAddress, oidc.knownBrowsers.idOf(call.browser)))
    return session
  }
}
