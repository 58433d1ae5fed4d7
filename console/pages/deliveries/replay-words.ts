// A replay in words, and what is typed in its dialog. Pure.
import type { CancelReason, LeftOut, ReplayJob } from '#contract/replay-jobs.ts'

export const countText = (total: number): string =>
  total === 0
    ? 'There is none to send again.'
    : `${total === 1 ? 'One delivery' : `${total} deliveries`} would be sent again.`

const reasons: Readonly<Record<keyof LeftOut, string>> = {
  paused: 'of paused webhooks: enable them first',
  disabled: 'of disabled webhooks: enable them first',
  deleted: 'of deleted webhooks',
  ungranted: 'of kinds that their webhooks are no longer granted',
}

/** Null where none is. */
export function leftOutText(leftOut: LeftOut): string | null {
  const parts = (['paused', 'disabled', 'deleted', 'ungranted'] as const).flatMap((why) =>
    leftOut[why] === 0 ? [] : [`${leftOut[why]} ${reasons[why]}`],
  )
  return parts.length === 0 ? null : `Left out: ${parts.join('; ')}.`
}

const whyStopped: Readonly<Record<CancelReason, string>> = {
  requested: 'Stopped',
  webhook_deleted: 'Stopped, since a webhook was deleted',
  webhook_disabled: 'Stopped, since a webhook was disabled',
  webhook_paused: 'Stopped, since a webhook was paused',
  grant_revoked: 'Stopped, since a webhook lost its grant',
}

/** What follows after how many are on their way. */
export function endOf({ status, cancelReason }: Pick<ReplayJob, 'status' | 'cancelReason'>): string {
  if (status === 'running') return '…'
  if (status === 'completed') return '. Done.'
  return `. ${whyStopped[cancelReason ?? 'requested']}; what was started stays so.`
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
    : { kind: 'wrong', problem: `A whole number from 1 to ${perMinuteMax}.` }
}
