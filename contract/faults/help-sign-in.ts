// Faults of people who sign in to the workspace settings.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const sessions = '/settings/api/sessions'
const back = `${sessions}/provider/complete`

export const signInFaults = {
  not_signed_in: help(
    'The call needs a session. The session has ended, was not used for twelve hours, or is two weeks old.',
    'Sign in again.',
    'Sign in to call this.',
    {},
    `${sessions}/current`,
  ),
  wrong_password: help(
    'No account has this e-mail and password. The response does not say which of the two is wrong.',
    'Check both. If you have forgotten the password, follow *Forgot your password?* on the sign-in page.',
    'The e-mail or the password is wrong.',
    {},
    sessions,
  ),
  confirmation_required: help(
    'The call creates or shows a secret, or changes permissions. These calls need the password to have been entered within the last ten minutes.',
    'Enter the password again (`sessions.confirm`), then send the same call.',
    'Confirm with your password, then try again.',
    {},
    `/settings/api/workspaces/${exampleId('workspaceId')}/api-keys`,
  ),
  https_required: help(
    'The password and the session would be sent unencrypted. Signing in works over https, and over http only on the machine itself.',
    'Open the address with https. The operator of this installation places a TLS proxy in front of it and names it in `TRUSTED_PROXIES`, or sets the address in `PUBLIC_URL`.',
    'Signing in needs https, except on this machine itself.',
    {},
    sessions,
  ),
  password_sign_in_off: help(
    'This installation allows signing in only at a provider (`OIDC_ONLY`).',
    'Sign in at the provider. If that is not possible, the operator of this installation creates a link with `cli access reset`.',
    'People sign in at single sign-on here.',
    {},
    sessions,
  ),
  sign_in_expired: help(
    'The sign-in at the provider was completed before, was started more than ten minutes ago, or was started in another browser.',
    'Sign in again, and complete it in the same tab.',
    'This way back from the provider was used, or is too old. Sign in again.',
    {},
    back,
  ),
  provider_refused: help(
    'The provider returned an error instead of a sign-in; `providerError` is its code. Common reasons are that the person cancelled or may not use this application.',
    'Try again, or ask the administrator of the provider whether you may use this application.',
    'The provider has not let you in: access_denied.',
    { providerError: 'access_denied' },
    back,
  ),
  provider_answer_invalid: help(
    'The response of the provider is not for this sign-in, not for this installation, or not signed by this provider.',
    'Sign in again. If the error persists, the operator of this installation checks `OIDC_ISSUER`, `OIDC_CLIENT_ID` and the clocks; the log of the service names the mismatch.',
    'What the provider has sent does not belong to this sign-in.',
    {},
    back,
  ),
  provider_unavailable: help(
    'The provider does not respond in time, or its response is invalid.',
    'Try again later, or sign in with a password if that is possible. The log of the service shows the response.',
    'The provider does not respond as expected.',
    { retryAfterSeconds: 5 },
    `${sessions}/provider`,
  ),
  email_not_verified: help(
    'The provider returned no e-mail for the person, or none that it has verified (`email`, `email_verified`).',
    'Confirm your e-mail at the provider, then sign in again.',
    'The provider does not say that it has verified your e-mail.',
    {},
    back,
  ),
  email_domain_not_allowed: help(
    'The first sign-in needs an e-mail of an allowed domain (`OIDC_ALLOWED_DOMAINS`), or an invitation for exactly this e-mail.',
    'Ask a person who manages the members of the workspace for an invitation, and open its link.',
    'Who has an e-mail of this domain needs an invitation for that e-mail.',
    {},
    back,
  ),
  no_membership: help(
    'You are signed in at the provider, but you are not an active member of any workspace here, and none of your groups makes you one (`OIDC_GROUP_ROLES`). Before the first account is created, there are no members.',
    'Ask a person who manages the members of the workspace for an invitation.',
    'You are no member of any workspace here, and no group of yours makes you one.',
    {},
    back,
  ),
} satisfies Partial<Record<FaultCode, Help>>
