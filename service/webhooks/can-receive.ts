// Nothing is started anew for a webhook that gets nothing: it would only wait there, and be dead-lettered again.
import { Fault } from '#contract/fault.ts'
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import { readScopeOf } from '#contract/scope.ts'

type State = { readonly status: string; readonly deletedAt: Date | null }
type Granted = { readonly eventTypes: readonly string[]; readonly grants: unknown }

export function assertSendable(webhook: State | null): void {
  const from = webhook === null || webhook.deletedAt !== null ? 'deleted' : webhook.status
  if (from === 'active') return
  const remedy = from === 'deleted' ? '' : ' Enable it first.'
  throw new Fault('invalid_transition', `The webhook is ${from}.${remedy}`, {
    from,
    allowed: from === 'deleted' ? [] : ['active'],
  })
}

/** It was, when the delivery was made: its events have been changed since, or grants revoked. */
export function assertGranted(webhook: Granted, eventType: string): void {
  if (isGranted(grantedScopes(webhook), eventType)) return
  const detail = `The webhook is no longer granted ${readScopeOf(eventType)}.`
  throw new Fault('invalid_transition', detail, { hint: 'Give the webhook `eventTypes` that need it.', allowed: [] })
}
