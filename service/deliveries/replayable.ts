// Which deliveries may be sent anew at somebody's request: of active webhooks, all of whose events he could read, and
// of kinds that these webhooks are granted. Decided by webhook and kind, so that the query need know no rules.
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import type { Db } from '../execution/handler.ts'
import { readableTypes } from '../events/readable-types.ts'
import { mayCarry } from '../webhooks/access.ts'

/** Pairs: a kind of event in `types` for the webhook at the same place in `webhookIds`. */
export type Takers = { readonly webhookIds: readonly string[]; readonly types: readonly string[] }

type Webhook = { readonly id: string; readonly eventTypes: readonly string[]; readonly grants: unknown }

export async function findTakers(db: Db, workspaceId: string, heldScopes: readonly string[]): Promise<Takers> {
  const where = { workspaceId, status: 'active', deletedAt: null }
  return takersAmong(
    await db.webhook.findMany({ where, select: { id: true, eventTypes: true, grants: true } }),
    heldScopes,
  )
}

export function takersAmong(webhooks: readonly Webhook[], heldScopes: readonly string[]): Takers {
  const readable = readableTypes(heldScopes)
  const pairs = webhooks
    .filter((webhook) => mayCarry(webhook, heldScopes))
    .flatMap((webhook) => {
      const granted = grantedScopes(webhook)
      return readable.filter((type) => isGranted(granted, type)).map((type) => ({ id: webhook.id, type }))
    })
  return { webhookIds: pairs.map(({ id }) => id), types: pairs.map(({ type }) => type) }
}
