// The operations on API keys bound to their functions.
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { create } from './create.ts'
import { getUsage } from './get-usage.ts'
import { listRequests } from './list-requests.ts'
import { get, list } from './read.ts'
import { revoke } from './revoke.ts'
import { rotate } from './rotate.ts'
import { update } from './update.ts'

type ApiKeyDeps = { readonly pager: Pager; readonly rates: DefaultRates }

export const apiKeyHandlers = ({ pager, rates }: ApiKeyDeps) =>
  ({
    'api-keys.create': create(rates),
    'api-keys.list': list(pager),
    'api-keys.get': get,
    'api-keys.update': update(rates),
    'api-keys.rotate': rotate,
    'api-keys.revoke': revoke,
    'api-keys.usage': getUsage,
    'api-keys.requests': listRequests,
  }) satisfies Partial<Handlers>
