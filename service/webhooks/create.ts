import { grantsBy, scopesOf } from '#contract/webhook-grants.ts'
import type { createWebhook } from '#contract/webhooks.ts'
import { newId } from '#runtime/new-id.ts'
import type { Handler } from '../execution/handler.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { assertFilter } from './assert-filter.ts'
import { assertKeys } from './ignored-keys.ts'
import { receiverUrl, type AllowedTargets } from './receiver-url.ts'
import { filterColumn, findWebhook, setRate } from './rows.ts'
import { assertReadable } from '../events/readable-types.ts'
import { insertSecret, type Sealer } from './signing-secrets.ts'

export const create =
  (sealer: Sealer, allowed: AllowedTargets): Handler<typeof createWebhook> =>
  async ({ headers: given, filter = null, payload = 'full', order = 'none', maxPerMinute = null, ...input }, call) => {
    const { db, workspaceId, principal, actor, now, audit } = call
    const headers = given ?? {}
    assertReadable(input.eventTypes, principal.scopes)
    assertFilter({ eventTypes: input.eventTypes, filter })
    const url = receiverUrl(input.url, allowed)
    await assertKeys(call, input.ignoredKeyIds ?? [])
    await assertRoomFor(db, workspaceId, 'webhooks')
    const id = newId(now)
    await db.webhook.create({
      data: {
        ...input,
        url,
        workspaceId,
        id,
        payload,
        order,
        filter: filterColumn(filter),
        status: 'active',
        version: 1,
        headerNames: Object.keys(headers),
        sealedHeaders: sealer.sealHeaders(id, headers),
        createdAt: now,
        updatedAt: now,
        createdBy: actor,
        updatedBy: actor,
        grants: grantsBy(actor, now, scopesOf(input.eventTypes)),
      },
    })
    if (maxPerMinute !== null) await setRate(db, workspaceId, id, maxPerMinute)
    const secret = await insertSecret(db, sealer, workspaceId, id, now)
    const webhook = await findWebhook(call, id)
    audit(webhook)
    return { ...webhook, secret }
  }
