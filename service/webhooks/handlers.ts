// The operations on webhooks bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/pagination.ts'
import { create } from './create.ts'
import { remove } from './delete.ts'
import { enable } from './enable.ts'
import { getStats } from './get-stats.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { pause } from './pause.ts'
import type { AllowedTargets } from './receiver-url.ts'
import { revokeGrants } from './revoke-grants.ts'
import { rotateSecret } from './rotate-secret.ts'
import type { Vault } from './signing-secrets.ts'
import { test } from './test.ts'
import { update } from './update.ts'

type Parts = { readonly pager: Pager; readonly vault: Vault; readonly allowed: AllowedTargets }

export const webhookHandlers = ({ pager, vault, allowed }: Parts) =>
  ({
    'webhooks.list': list(pager),
    'webhooks.get': get,
    'webhooks.stats': getStats,
    'webhooks.create': create(vault, allowed),
    'webhooks.update': update(vault, allowed),
    'webhooks.delete': remove,
    'webhooks.rotate-secret': rotateSecret(vault),
    'webhooks.revoke-grants': revokeGrants,
    'webhooks.pause': pause,
    'webhooks.enable': enable,
    'webhooks.test': test,
  }) satisfies Partial<Handlers>
