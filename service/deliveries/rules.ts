// Which deliveries a caller may replay: those of active webhooks that he has access to, of event types that he may read
// and that the webhook is granted. Decided for each pair of webhook and event type, so that the queries hold no rules. Pure.
import type { CancelReason, LeftOut } from '#contract/replay-jobs.ts'
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import { readableTypes } from '../events/readable-types.ts'
import { hasAccess } from '../webhooks/rules.ts'

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

// How fast a replay job with a rate of its own goes. Pure. Tokens come in evenly, one for each delivery; those that nobody
// takes are kept for two seconds at most, so that a job that was held up goes on and does not catch up. What may be taken
// at once and what comes in within a minute are no more than the rate together: so no minute has more, whichever it is.
// All in whole milliseconds, rounded to the later one.

/** `resumeAt`: when the job goes on; null before its first delivery. */
export type Pace = { readonly perMinute: number; readonly resumeAt: Date | null }

const minuteMs = 60_000
const keptSeconds = 2

/** How many may be taken at once. */
const keptMax = (perMinute: number): number => Math.max(1, Math.floor((perMinute * keptSeconds) / 60))

/** How many come in within a minute. */
const incoming = (perMinute: number): number => perMinute - keptMax(perMinute) + 1

const untilComeInMs = (tokens: number, perMinute: number): number => (tokens * minuteMs) / incoming(perMinute)

const keptMs = (perMinute: number): number => Math.floor(untilComeInMs(keptMax(perMinute) - 1, perMinute))

/** Where several are kept, a job waits for half of them: one statement a second does for any rate. */
const gatheredMs = (perMinute: number): number => Math.floor(keptMs(perMinute) / 2)

/** When the oldest token came in that is not taken; one comes in with the job itself. */
function oldestMs({ perMinute, resumeAt }: Pace, now: Date): number {
  if (resumeAt === null) return now.getTime()
  return Math.max(resumeAt.getTime() - gatheredMs(perMinute), now.getTime() - keptMs(perMinute))
}

/** How many deliveries may be started anew now. */
export function tokensAt(pace: Pace, now: Date): number {
  if (pace.resumeAt !== null && pace.resumeAt > now) return 0
  return 1 + Math.floor(((now.getTime() - oldestMs(pace, now)) * incoming(pace.perMinute)) / minuteMs)
}

/** `resumeAt` once `taken` of these tokens are taken. */
export const resumeAfter = (pace: Pace, taken: number, now: Date): Date =>
  new Date(oldestMs(pace, now) + Math.ceil(untilComeInMs(taken, pace.perMinute)) + gatheredMs(pace.perMinute))
