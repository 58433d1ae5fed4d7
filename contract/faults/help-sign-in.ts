// Faults of people who sign in to the workspace settings.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const sessions = '/settings/api/sessions'
const back = `${sessions}/provider/complete`

export const signInFaults = {
  not_signed_in: help(
    'The request needs a session. The session has ended, was not used for twelve hours, or is two weeks old.',
    'Sign in again.',
    'Sign in to send this request.',
    {},
    `${sessions}/current`,
  ),
  wrong_password: help(
    'No account has this email address and password. The response does not say which of the two is wrong.',
    'Check both. If you have forgotten the password, follow *Forgot your password?* on the sign-in page.',
    'The email address or the password is wrong.',
    {},
    sessions,
  ),
  confirmation_required: help(
    'The request creates or shows a secret, or changes permissions. Such requests need a confirmation within the last ten minutes: the password, and a second factor if the account has one.',
    'Confirm again (`sessions.confirm`), then send the same request again.',
    'Confirm with your password, then try again.',
    {},
    `/settings/api/workspaces/${exampleId('workspaceId')}/api-keys`,
  ),
  wrong_second_factor: help(
    'The code is wrong, was used before, or is too old: a code is accepted until 30 seconds after it expires, and a recovery code works only once. A passkey is rejected if it belongs to another account, was created for another host, or was copied.',
    'Wait for the next code of the authenticator app and check the clock of the device. Without the app, use a recovery code. Without both, ask the operator of this installation to turn off two-factor authentication for the account.',
    'The code is wrong or was used before.',
    {},
    `${sessions}/second-factor`,
  ),
  second_factor_required: help(
    'The policy of the workspace requires two-factor authentication, and the account has none. Other workspaces are not affected.',
    'Set up an authenticator app or a passkey on the page *Account*. You then have access to the workspace again immediately.',
    'This workspace requires two-factor authentication. Set it up for your account.',
    {},
    `/settings/api/workspaces/${exampleId('workspaceId')}/members`,
  ),
  last_second_factor: help(
    'The request would remove the only second factor of the account, and the policy of at least one of its workspaces requires one.',
    'Add a passkey or an authenticator app first. To switch to another authenticator app, you do not need to remove the current one: setting up the new app replaces it.',
    'Acme requires two-factor authentication. Add another second factor first.',
    {},
    '/settings/api/second-factors/authenticator',
  ),
  challenge_expired: help(
    'The setup of the second factor, or the confirmation with a passkey, has already been completed, has been replaced by a newer one, or was started more than ten minutes ago.',
    'Start the setup or the confirmation again.',
    'The setup of this second factor was already completed or has expired. Start again.',
    {},
    '/settings/api/second-factors/authenticator/enable',
  ),
  https_required: help(
    'The password and the session would be sent unencrypted. Signing in works over HTTPS, and over HTTP only from a browser on the server itself.',
    'Open the URL with https:// at the start. If that fails, ask the operator to put a TLS proxy in front of this installation and list it in `TRUSTED_PROXIES`, or to set `PUBLIC_URL`.',
    'Signing in needs HTTPS, except from a browser on the server itself.',
    {},
    sessions,
  ),
  password_sign_in_off: help(
    'This installation allows signing in only at the sign-in provider (`OIDC_ONLY`).',
    'Sign in at the provider. If that is not possible, ask the operator of this installation to create a link with `cli access reset`.',
    'Sign in with single sign-on. Passwords are disabled on this installation.',
    {},
    sessions,
  ),
  sign_in_expired: help(
    'The sign-in was completed before, was started more than ten minutes ago or in another browser, or had too many wrong codes.',
    'Sign in again, and complete it in the same tab.',
    'This sign-in was already used or has expired. Sign in again.',
    {},
    back,
  ),
  provider_refused: help(
    'The provider returned an error instead of a sign-in; `providerError` is its code. Usually the person cancelled, or is not allowed to use this application.',
    'Try again, or ask the administrator of the provider whether you may use this application.',
    'The provider denied the sign-in: access_denied.',
    { providerError: 'access_denied' },
    back,
  ),
  provider_answer_invalid: help(
    'The response of the provider is not for this sign-in, not for this installation, or not signed by this provider.',
    'Sign in again. If the error persists, ask the operator of this installation to check `OIDC_ISSUER`, `OIDC_CLIENT_ID` and the system clock. The log of the service contains the reason.',
    'The response of the provider does not belong to this sign-in.',
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
    'The provider returned no email address, or one that is not verified (`email`, `email_verified`).',
    'Confirm your email address at the provider, then sign in again.',
    'The provider does not say that it has verified your email address.',
    {},
    back,
  ),
  email_domain_not_allowed: help(
    'The first sign-in requires an email address of an allowed domain (`OIDC_ALLOWED_DOMAINS`), or an invitation for your email address.',
    'Ask an owner or admin of the workspace for an invitation, then open the link.',
    'With an email address of this domain, you need an invitation.',
    {},
    back,
  ),
  no_membership: help(
    'You are signed in at the provider, but you are not an active member of any workspace here, and none of your groups gives you access (`OIDC_GROUP_ROLES`). On a new installation, the first account must be created with the setup link first.',
    'Ask an owner or admin of the workspace for an invitation.',
    'You are not a member of any workspace, and none of your groups gives you access.',
    {},
    back,
  ),
} satisfies Partial<Record<FaultCode, Help>>
