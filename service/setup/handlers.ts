// The operations of the first run bound to their functions.
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import type { Passwords } from '../accounts/passwords.ts'
import type { ChangeParts } from '../execution/change.ts'
import type { Handlers } from '../execution/call.ts'
import { complete, get } from './complete.ts'

type Parts = {
  readonly changes: ChangeParts
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  readonly rates: DefaultRates
}

export const setupHandlers = (parts: Parts) =>
  ({
    'setup.get': get,
    'setup.complete': complete(parts),
  }) satisfies Partial<Handlers>
