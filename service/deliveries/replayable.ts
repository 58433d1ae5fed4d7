// Which deliveries a caller may replay: those of active webhooks that he has access to, of event types that he may read
// and that the webhook is granted. Decided for each pair of webhook and event type, so that the query holds no rules.
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import type { Db } from '../execution/handler.ts'
import { readableTypes } from '../events/readable-types.ts'
import { hasAccess } from '../webhooks/access.ts'

/** Pairs: the event type at each index of `types` may be replayed for the webhook at the same index of `webhookIds`. */
export type Replayable = { readonly webhookIds: readonly string[]; readonly types: readonly string[] }

type Webhook = { readonly id: string; readonly eventTypes: readonly string[]; readonly grants: unknown }

export async function findReplayable(db: Db, workspaceId: string, heldScopes: readonly string[]): Promise<Replayable> {
  const where = { workspaceId, status: 'active', deletedAt: null }
  return replayableAmong(
    await db.webhook.findMany({ where, select: { id: true, eventTypes: true, grants: true } }),
    heldScopes,
  )
}

export function replayableAmong(webhooks: readonly Webhook[], heldScopes: readonly string[]): Replayable {
  const readable = readableTypes(heldScopes)
  const pairs = webhooks
    .filter((webhook) => hasAccess(webhook, heldScopes))
    .flatMap((webhook) => {
      const granted = grantedScopes(webhook)
      return readable.filter((type) => isGranted(granted, type)).map((type) => ({ id: webhook.id, type }))
    })
  return { webhookIds: pairs.map(({ id }) => id), types: pairs.map(({ type }) => type) }
}
