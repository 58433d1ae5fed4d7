// The operations on one's own account bound to their functions.
import type { Database } from '#prisma/client.ts'
import type { Handlers } from '../execution/handler.ts'
import { changeOwnPassword, update } from './change.ts'
import type { CheckParts } from './check-password.ts'

type Parts = CheckParts & { readonly db: Database }

export const accountHandlers = (parts: Parts) =>
  ({
    'account.update': update,
    'account.change-password': changeOwnPassword(parts),
  }) satisfies Partial<Handlers>
