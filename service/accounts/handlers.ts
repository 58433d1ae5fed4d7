// The operations on one's own account bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { changeOwnPassword, update, type AccountDeps } from './change.ts'

export const accountHandlers = (deps: AccountDeps) =>
  ({
    'account.update': update(deps),
    'account.change-password': changeOwnPassword(deps),
  }) satisfies Partial<Handlers>
