// The operations by which people come back to their accounts bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { recover, type AccessResetDeps } from './recover.ts'
import { reset } from './reset.ts'

export const accessResetHandlers = (deps: AccessResetDeps) =>
  ({
    'accounts.reset-access': reset(deps),
    'accounts.recover': recover(deps),
  }) satisfies Partial<Handlers>
