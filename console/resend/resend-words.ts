// A replay in words, and what is typed in its dialog. Pure.
import type { CancelReason, LeftOut, ReplayJob } from '#contract/replay-jobs.ts'

export const countText = (total: number): string =>
  total === 0
    ? 'There are no deliveries to replay.'
    : `${total === 1 ? '1 delivery' : `${total} deliveries`} will be replayed.`

const reasons: Readonly<Record<keyof LeftOut, string>> = {
  paused: 'of paused webhooks (enable the webhooks first)',
  disabled: 'of disabled webhooks (enable the webhooks first)',
  deleted: 'of deleted webhooks',
  ungranted: 'of event types that the webhook no longer has access to',
}

/** Null where none is. */
export function leftOutText(leftOut: LeftOut): string | null {
  const parts = (['paused', 'disabled', 'deleted', 'ungranted'] as const).flatMap((why) =>
    leftOut[why] === 0 ? [] : [`${leftOut[why]} ${reasons[why]}`],
  )
  return parts.length === 0 ? null : `Not included: ${parts.join('; ')}.`
}

const whyStopped: Readonly<Record<CancelReason, string>> = {
  requested: 'Stopped',
  webhook_deleted: 'Stopped because a webhook was deleted',
  webhook_disabled: 'Stopped because a webhook was disabled',
  webhook_paused: 'Stopped because a webhook was paused',
  grant_revoked: 'Stopped because a webhook lost access to an event type',
  restored: 'Stopped because the installation was restored from a backup',
}

/** The end of the sentence on the progress of a replay. */
export function endOf({ status, cancelReason }: Pick<ReplayJob, 'status' | 'cancelReason'>): string {
  if (status === 'running') return '…'
  if (status === 'completed') return '. Done.'
  return `. ${whyStopped[cancelReason ?? 'requested']}. Deliveries that were already replayed are still sent.`
}

const perMinuteMax = 6_000

export type Rate =
  | { readonly kind: 'none' }
  | { readonly kind: 'given'; readonly perMinute: number }
  | { readonly kind: 'wrong'; readonly problem: string }

export function rateOf(text: string): Rate {
  if (text.trim() === '') return { kind: 'none' }
  const perMinute = Number(text)
  return Number.isInteger(perMinute) && perMinute >= 1 && perMinute <= perMinuteMax
    ? { kind: 'given', perMinute }
    : { kind: 'wrong', problem: `Enter a whole number from 1 to ${perMinuteMax}.` }
}
