// Nothing is started anew for a webhook that gets nothing: it would only wait there, and be dead-lettered again.
import { Fault } from '#contract/fault.ts'

type State = { readonly status: string; readonly deletedAt: Date | null }

export function assertSendable(webhook: State | null): void {
  const from = webhook === null || webhook.deletedAt !== null ? 'deleted' : webhook.status
  if (from === 'active') return
  const remedy = from === 'deleted' ? '' : ' Enable it first.'
  throw new Fault('invalid_transition', `The webhook is ${from}.${remedy}`, {
    from,
    allowed: from === 'deleted' ? [] : ['active'],
  })
}
