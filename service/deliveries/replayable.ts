// Which deliveries a caller may replay: those of active webhooks that he has access to, of event types that he may read
// and that the webhook is granted. Decided for each pair of webhook and event type, so that the queries hold no rules. Pure.
import type { CancelReason, LeftOut } from '#contract/replay-jobs.ts'
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import { hasAccess } from '../webhooks/access.ts'
import { readableTypes } from '../ledger/feed.ts'

/** Pairs: the event type at each index of `types` may be replayed for the webhook at the same index of `webhookIds`. */
export type Replayable = { readonly webhookIds: readonly string[]; readonly types: readonly string[] }

export type ReplayedWebhook = {
  readonly id: string
  readonly eventTypes: readonly string[]
  readonly grants: unknown
  readonly status: string
  readonly deletedAt: Date | null
}
export type ChangedWebhook = ReplayedWebhook & { readonly statusChangedAt: Date; readonly updatedAt: Date }
/** How many deliveries there are of one event type to one webhook. */
export type PairCount = { readonly webhookId: string; readonly eventType: string; readonly count: number }

export function replayableAmong(webhooks: readonly ReplayedWebhook[], heldScopes: readonly string[]): Replayable {
  const readable = readableTypes(heldScopes)
  const pairs = webhooks
    .filter((webhook) => hasAccess(webhook, heldScopes))
    .flatMap((webhook) =>
      readable.filter((type) => whyLeftOut(webhook, type) === null).map((type) => [webhook.id, type]),
    )
  return { webhookIds: pairs.map(([id = '']) => id), types: pairs.map(([, type = '']) => type) }
}

/** What the caller may not read is in neither number. */
export function tallied(
  counts: readonly PairCount[],
  webhooks: readonly ReplayedWebhook[],
  heldScopes: readonly string[],
): { readonly total: number; readonly leftOut: LeftOut } {
  const readable = new Set(readableTypes(heldScopes))
  const tally = { total: 0, ...noneLeftOut }
  for (const { webhookId, eventType, count } of counts) {
    const webhook = webhooks.find(({ id }) => id === webhookId)
    if (webhook === undefined || !readable.has(eventType) || !hasAccess(webhook, heldScopes)) continue
    tally[whyLeftOut(webhook, eventType) ?? 'total'] += count
  }
  const { total, ...leftOut } = tally
  return { total, leftOut }
}

export const noneLeftOut: LeftOut = { paused: 0, disabled: 0, deleted: 0, ungranted: 0 }

const cancelReasons = {
  deleted: 'webhook_deleted',
  disabled: 'webhook_disabled',
  paused: 'webhook_paused',
  ungranted: 'grant_revoked',
} as const satisfies Record<keyof LeftOut, CancelReason>

/**
 * Why a job ends before it has sent all: `left` are the deliveries that it had not come to, and could have sent when it was
 * made. Null: there are none, but for those that its maker was told of in `leftOut`.
 */
export function cancelReasonOf(
  left: readonly PairCount[],
  webhooks: readonly ChangedWebhook[],
  { scopes, createdAt }: { readonly scopes: readonly string[]; readonly createdAt: Date },
): CancelReason | null {
  const changed = webhooks.filter((webhook) => changedAt(webhook) >= createdAt)
  const { leftOut } = tallied(left, changed, scopes)
  const why = (['deleted', 'disabled', 'paused', 'ungranted'] as const).find((each) => leftOut[each] > 0)
  return why === undefined ? null : cancelReasons[why]
}

/** Since when it is as it is: deleted, not active, or else granted what it is. */
const changedAt = ({ status, statusChangedAt, deletedAt, updatedAt }: ChangedWebhook): Date =>
  deletedAt ?? (status === 'active' ? updatedAt : statusChangedAt)

/** Null for what is sent again. */
function whyLeftOut(webhook: ReplayedWebhook, eventType: string): keyof LeftOut | null {
  if (webhook.deletedAt !== null) return 'deleted'
  if (webhook.status === 'paused' || webhook.status === 'disabled') return webhook.status
  return isGranted(grantedScopes(webhook), eventType) ? null : 'ungranted'
}
