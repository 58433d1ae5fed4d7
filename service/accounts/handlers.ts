// The operations on one's own account bound to their functions.
import type { ChangeParts } from '../execution/change.ts'
import type { Handlers } from '../execution/call.ts'
import { changeOwnPassword, update } from './change.ts'
import type { CheckParts } from './check-password.ts'

type Parts = CheckParts & { readonly changes: ChangeParts }

export const accountHandlers = (parts: Parts) =>
  ({
    'account.update': update(parts),
    'account.change-password': changeOwnPassword(parts),
  }) satisfies Partial<Handlers>
