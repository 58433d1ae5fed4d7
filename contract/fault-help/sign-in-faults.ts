// Faults of people who sign in to the workspace settings.
import type { FaultCode } from '../fault-codes.ts'
import { help, type Help } from './entry.ts'

const sessions = '/settings/api/sessions'

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
    '/settings/api/workspaces/019b8f3e-6a00-7000-8000-000000000001/api-keys',
  ),
  https_required: help(
    'A password and a session would travel in the clear. Signing in works over https, and over http on the machine itself alone.',
    'Open the address with https. Whoever runs this installation puts a proxy with TLS before it and names that in `TRUSTED_PROXIES`, or says the address in `PUBLIC_URL`.',
    'Signing in needs https, except on this machine itself.',
    {},
    sessions,
  ),
} satisfies Partial<Record<FaultCode, Help>>
