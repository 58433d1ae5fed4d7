// The operations on webhooks bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { checkUrl } from './check-url.ts'
import { create } from './create.ts'
import { remove } from './delete.ts'
import { enable } from './enable.ts'
import { getStats } from './get-stats.ts'
import { getUsage } from './get-usage.ts'
import { listRequests } from './list-requests.ts'
import { get, list } from './read.ts'
import { pause } from './pause.ts'
import type { AllowedTargets } from './receiver-url.ts'
import { revokeGrants } from './revoke-grants.ts'
import { rotateSecret } from './rotate-secret.ts'
import type { Sealer } from './signing-secrets.ts'
import { test } from './test.ts'
import { update } from './update.ts'

type WebhookDeps = { readonly pager: Pager; readonly sealer: Sealer; readonly allowed: AllowedTargets }

export const webhookHandlers = ({ pager, sealer, allowed }: WebhookDeps) =>
  ({
    'webhooks.list': list(pager),
    'webhooks.get': get,
    'webhooks.stats': getStats,
    'webhooks.usage': getUsage,
    'webhooks.requests': listRequests,
    'webhooks.create': create(sealer, allowed),
    'webhooks.update': update(sealer, allowed),
    'webhooks.delete': remove,
    'webhooks.rotate-secret': rotateSecret(sealer),
    'webhooks.revoke-grants': revokeGrants,
    'webhooks.pause': pause,
    'webhooks.enable': enable,
    'webhooks.test': test,
    'webhooks.check-url': checkUrl(allowed),
  }) satisfies Partial<Handlers>
