// The deliveries that a caller may replay, and the pace of a replay job. Pure. A caller may replay deliveries of active
// webhooks that the caller has access to, of event types that the caller may read and the webhook is granted. This is
// decided for each pair of webhook and event type, so that the queries hold no rules.
import type { CancelReason, LeftOut } from '#contract/replay-jobs.ts'
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import { readableTypes } from '../ledger/feed.ts'
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

/** Neither number counts deliveries that the caller may not read. */
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
 * The reason why a job ends before it has replayed everything. `left` are deliveries that it could have replayed when
 * it was made. Returns null when none are left, except for those that were reported in `leftOut`.
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

/** The time of the last change: of the deletion, the status, or else the grants. */
const changedAt = ({ status, statusChangedAt, deletedAt, updatedAt }: ChangedWebhook): Date =>
  deletedAt ?? (status === 'active' ? updatedAt : statusChangedAt)

/** Returns null for a pair that is replayed. */
function whyLeftOut(webhook: ReplayedWebhook, eventType: string): keyof LeftOut | null {
  if (webhook.deletedAt !== null) return 'deleted'
  if (webhook.status === 'paused' || webhook.status === 'disabled') return webhook.status
  return isGranted(grantedScopes(webhook), eventType) ? null : 'ungranted'
}

/**
 * The pace of a replay job with a rate of its own. Tokens come in evenly, one for each delivery. Unused ones are kept
 * for two seconds at most, so that a job that was held up does not catch up. The tokens that are kept and those that
 * come in within a minute add up to the rate, so that no minute exceeds it. Times are whole milliseconds, rounded up.
 *
 * `resumeAt` is the time at which the job goes on; null before its first delivery.
 */
export type Pace = { readonly perMinute: number; readonly resumeAt: Date | null }

const minuteMs = 60_000
const keptSeconds = 2

/** The number of tokens that may be taken at once. */
const keptMax = (perMinute: number): number => Math.max(1, Math.floor((perMinute * keptSeconds) / 60))

/** The number of tokens that come in within a minute. */
const incoming = (perMinute: number): number => perMinute - keptMax(perMinute) + 1

const untilComeInMs = (tokens: number, perMinute: number): number => (tokens * minuteMs) / incoming(perMinute)

const keptMs = (perMinute: number): number => Math.floor(untilComeInMs(keptMax(perMinute) - 1, perMinute))

/** When several are kept, a job waits for half of them, so that one statement a second is enough for any rate. */
const gatheredMs = (perMinute: number): number => Math.floor(keptMs(perMinute) / 2)

/** The time at which the oldest unused token came in; one comes in with the job itself. */
function oldestMs({ perMinute, resumeAt }: Pace, now: Date): number {
  if (resumeAt === null) return now.getTime()
  return Math.max(resumeAt.getTime() - gatheredMs(perMinute), now.getTime() - keptMs(perMinute))
}

/** The number of deliveries that may be started anew now. */
export function tokensAt(pace: Pace, now: Date): number {
  if (pace.resumeAt !== null && pace.resumeAt > now) return 0
  return 1 + Math.floor(((now.getTime() - oldestMs(pace, now)) * incoming(pace.perMinute)) / minuteMs)
}

/** `resumeAt` once `taken` of these tokens are taken. */
export const resumeAfter = (pace: Pace, taken: number, now: Date): Date =>
  new Date(oldestMs(pace, now) + Math.ceil(untilComeInMs(taken, pace.perMinute)) + gatheredMs(pace.perMinute))
