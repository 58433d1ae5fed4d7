// The operations on invitations bound to their functions.
import type { PasswordSignIn } from '../accounts/password-sign-in.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import type { Passwords } from '../accounts/passwords.ts'
import type { ChangeParts } from '../execution/change.ts'
import type { Handlers } from '../execution/call.ts'
import { accept } from './accept.ts'
import { create, get } from './invite.ts'

type Parts = {
  readonly changes: ChangeParts
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  readonly passwordSignIn: PasswordSignIn
}

export const invitationHandlers = (parts: Parts) =>
  ({
    'invitations.create': create,
    'invitations.get': get,
    'invitations.accept': accept(parts),
  }) satisfies Partial<Handlers>
