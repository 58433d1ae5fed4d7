// A resend of many in words, and what is chosen and typed in its dialog. Pure.
import type { DeliveryStatus } from '#contract/deliveries.ts'
import { undeliveredStatuses, type CancelReason, type LeftOut, type ReplayJob } from '#contract/replay-jobs.ts'

export const countText = (total: number): string =>
  total === 0
    ? 'There are no deliveries to resend.'
    : `${total === 1 ? '1 delivery' : `${total} deliveries`} will be resent.`

export const deliveredText = (count: number): string =>
  `${count} of the selected deliveries ${count === 1 ? 'was' : 'were'} already delivered.`

/** Which deliveries are sent again: what was not delivered, whether it was given up or waits, unless said. */
export const chosenStatuses = {
  undelivered: { label: 'Failed, retrying or not sent yet', statuses: undeliveredStatuses },
  failed: { label: 'Failed', statuses: ['dead_letter'] },
  waiting: { label: 'Retrying or not sent yet', statuses: ['pending', 'retrying'] },
  delivered: { label: 'Delivered', statuses: ['delivered'] },
} as const satisfies Record<string, { readonly label: string; readonly statuses: readonly DeliveryStatus[] }>
export type ChosenStatuses = keyof typeof chosenStatuses

const reasons: Readonly<Record<keyof LeftOut, string>> = {
  paused: 'from paused webhooks (enable the webhooks first)',
  disabled: 'from disabled webhooks (enable the webhooks first)',
  deleted: 'from deleted webhooks',
  ungranted: 'with event types that the webhook no longer has access to',
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

/** The end of the sentence on the progress of a resend. */
export function endOf({ status, cancelReason }: Pick<ReplayJob, 'status' | 'cancelReason'>): string {
  if (status === 'running') return '…'
  if (status === 'completed') return '. Done.'
  return `. ${whyStopped[cancelReason ?? 'requested']}. Deliveries that were already started are still sent.`
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
