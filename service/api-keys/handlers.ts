// The operations on API keys bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { create } from './create.ts'
import { get, list } from './read.ts'
import { revoke } from './revoke.ts'
import { rotate } from './rotate.ts'
import { update } from './update.ts'

type Parts = { readonly pager: Pager }

export const apiKeyHandlers = ({ pager }: Parts) =>
  ({
    'api-keys.create': create,
    'api-keys.list': list(pager),
    'api-keys.get': get,
    'api-keys.update': update,
    'api-keys.rotate': rotate,
    'api-keys.revoke': revoke,
  }) satisfies Partial<Handlers>
