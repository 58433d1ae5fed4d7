// Faults of people who sign in to the workspace settings.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const sessions = '/settings/api/sessions'
const back = `${sessions}/provider/complete`

export const signInFaults = {
  not_signed_in: help(
    'The call is for somebody who is signed in, and has no session. It was ended, was not used for twelve hours, or is two weeks old.',
    'Sign in again.',
    'Sign in to call this.',
    {},
    `${sessions}/current`,
  ),
  wrong_password: help(
    'There is no account with this e-mail and password. Which of the two is wrong is not said.',
    'Check both. Who has forgotten the password asks whoever runs this installation for a new link.',
    'The e-mail or the password is wrong.',
    {},
    sessions,
  ),
  confirmation_required: help(
    'The call makes or shows a secret, or changes who may do what. For these the password must have been given within the last ten minutes.',
    'Give it again (`sessions.confirm`), then send the same call.',
    'Confirm with your password, then try again.',
    {},
    `/settings/api/workspaces/${exampleId('workspaceId')}/api-keys`,
  ),
  https_required: help(
    'A password and a session would travel in the clear. Signing in works over https, and over http on the machine itself alone.',
    'Open the address with https. Whoever runs this installation puts a proxy with TLS before it and names that in `TRUSTED_PROXIES`, or says the address in `PUBLIC_URL`.',
    'Signing in needs https, except on this machine itself.',
    {},
    sessions,
  ),
  password_sign_in_off: help(
    'Whoever runs this installation has decided that people sign in at a provider alone (`OIDC_ONLY`).',
    'Sign in at the provider. Where that is not possible, whoever runs this installation makes a link with `cli access reset`.',
    'People sign in at single sign-on here.',
    {},
    sessions,
  ),
  sign_in_expired: help(
    'Somebody has come back from the provider with a sign-in that was completed before, was begun more than ten minutes ago, or was begun elsewhere.',
    'Sign in again, and complete it in the same tab.',
    'This way back from the provider was used, or is too old. Sign in again.',
    {},
    back,
  ),
  provider_refused: help(
    'The provider has sent an error in place of somebody who is signed in; `providerError` is its code. Often somebody has cancelled, or may not use this application.',
    'Try again, or ask whoever runs the provider whether you may use this application.',
    'The provider has not let you in: access_denied.',
    { providerError: 'access_denied' },
    back,
  ),
  provider_answer_invalid: help(
    'What has come from the provider is not for this sign-in, not for this installation, or was not signed by this provider.',
    'Sign in again. If it stays, whoever runs this installation compares `OIDC_ISSUER`, `OIDC_CLIENT_ID` and the clocks; the log of the service says what did not fit.',
    'What the provider has sent does not belong to this sign-in.',
    {},
    back,
  ),
  provider_unavailable: help(
    'The provider gives no answer in time, or one that is none.',
    'Try again a little later, or sign in with a password where that is possible. The log of the service says what has come.',
    'The provider does not answer as it should.',
    { retryAfterSeconds: 5 },
    `${sessions}/provider`,
  ),
  email_not_verified: help(
    'The provider says of whom it has signed in no e-mail, or none that it has verified (`email`, `email_verified`).',
    'Confirm your e-mail at the provider, then sign in again.',
    'The provider does not say that it has verified your e-mail.',
    {},
    back,
  ),
  email_domain_not_allowed: help(
    'Who signs in for the first time needs an e-mail of one of the allowed domains (`OIDC_ALLOWED_DOMAINS`), or an invitation for just this e-mail.',
    'Ask somebody who manages the workspace’s members for an invitation, and open its link.',
    'Who has an e-mail of this domain needs an invitation for that e-mail.',
    {},
    back,
  ),
  no_membership: help(
    'The provider knows you, and here you are an active member of no workspace; nor does a group of yours make you one (`OIDC_GROUP_ROLES`). Before the first account is made, nobody is.',
    'Ask somebody who manages the members of the workspace for an invitation.',
    'You are no member of any workspace here, and no group of yours makes you one.',
    {},
    back,
  ),
} satisfies Partial<Record<FaultCode, Help>>
