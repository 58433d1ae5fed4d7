// Whether a webhook can be sent anything now. Nothing is started for one that cannot: it would only be dead-lettered.
import { Fault } from '#contract/faults/fault.ts'
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import { readScopeOf } from '#contract/scopes.ts'

type State = { readonly status: string; readonly deletedAt: Date | string | null }
type Granted = { readonly eventTypes: readonly string[]; readonly grants: unknown }

/** Throws `invalid_transition` when the webhook is paused, disabled or deleted. */
export function assertActive({ status, deletedAt }: State): void {
  const from = deletedAt === null ? status : 'deleted'
  if (from === 'active') return
  const remedy = from === 'deleted' ? '' : ' Enable it first.'
  throw new Fault('invalid_transition', `The webhook is ${from}.${remedy}`, {
    from,
    allowed: from === 'deleted' ? [] : ['active'],
  })
}

/**
 * Throws `invalid_transition` when the webhook is not granted this event type: its `eventTypes` have changed, or the
 * grant was revoked, since the delivery was made.
 */
export function assertGranted(webhook: Granted, eventType: string): void {
  if (isGranted(grantedScopes(webhook), eventType)) return
  const detail = `The webhook is no longer granted ${readScopeOf(eventType)}.`
  throw new Fault('invalid_transition', detail, { hint: 'Give the webhook `eventTypes` that need it.', allowed: [] })
}
