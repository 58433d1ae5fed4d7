// The operations of the first run bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { complete, get, type SetupDeps } from './complete.ts'

export const setupHandlers = (deps: SetupDeps) =>
  ({
    'setup.get': get,
    'setup.complete': complete(deps),
  }) satisfies Partial<Handlers>
