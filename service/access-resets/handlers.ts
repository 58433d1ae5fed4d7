// The operations by which people come back to their accounts bound to their functions.
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import type { Passwords } from '../accounts/passwords.ts'
import type { ChangeParts } from '../execution/change.ts'
import type { Handlers } from '../execution/call.ts'
import { recover } from './recover.ts'
import { reset } from './reset.ts'

type Parts = { readonly changes: ChangeParts; readonly passwords: Passwords; readonly knownBrowsers: KnownBrowsers }

export const accessResetHandlers = (parts: Parts) =>
  ({
    'accounts.reset-access': reset(parts),
    'accounts.recover': recover(parts),
  }) satisfies Partial<Handlers>
