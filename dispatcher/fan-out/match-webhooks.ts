// Who gets which event. Pure: the rows come from the caller, and the answer is a plan that the caller carries out.
import { patternTakes } from '#contract/api.ts'
import { isGranted } from '#contract/webhook-grants.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'
import { webhookTest } from '#contract/webhook-actions.ts'
import { deliveryId } from './delivery-id.ts'

export type Happened = {
  readonly workspaceId: string
  readonly id: string
  readonly type: string
  readonly resourceId: string
  readonly resourceKind: string | null
  readonly projectId: string | null
  readonly changedFields: readonly string[]
}
export type Subscriber = {
  readonly workspaceId: string
  readonly id: string
  readonly eventTypes: readonly string[]
  readonly filter: WebhookFilter | null
  /** Read scopes. What they do not cover was never granted, or is no longer. */
  readonly granted: readonly string[]
  readonly status: 'active' | 'paused' | 'disabled'
}
export type Planned = {
  readonly workspaceId: string
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly webhookId: string
  readonly origin: 'live' | 'test'
  /** Its webhook is paused or disabled: it waits until that is enabled. */
  readonly waits: boolean
}

export const deliveriesOf = (events: readonly Happened[], webhooks: readonly Subscriber[]): Planned[] =>
  events.flatMap((event) =>
    webhooks
      .filter((webhook) => webhook.workspaceId === event.workspaceId && wants(webhook, event))
      .map((webhook) => planned(event, webhook)),
  )

/** A test event is for the webhook that it is about, whatever its patterns, and for no other. */
export function wants(webhook: Subscriber, event: Happened): boolean {
  if (isTest(event)) return webhook.id === event.resourceId
  const asked = webhook.eventTypes.some((pattern) => patternTakes(pattern, event.type))
  return asked && isGranted(webhook.granted, event.type) && passes(webhook.filter, event)
}

/** What an event is not about at all is none of those asked for: no project, no kind, no changed field. */
function passes(filter: WebhookFilter | null, { resourceKind, projectId, changedFields }: Happened): boolean {
  const { kinds, projectIds, changedFields: wanted } = filter ?? {}
  if (kinds !== undefined && !kinds.some((kind) => kind === resourceKind)) return false
  if (projectIds !== undefined && !(projectId !== null && projectIds.includes(projectId))) return false
  return wanted === undefined || changedFields.some((field) => wanted.includes(field))
}

const isTest = ({ type }: Happened): boolean => type === webhookTest.type

const planned = (event: Happened, webhook: Subscriber): Planned => ({
  workspaceId: event.workspaceId,
  id: deliveryId(event.id, webhook.id),
  eventId: event.id,
  eventType: event.type,
  webhookId: webhook.id,
  origin: isTest(event) ? 'test' : 'live',
  waits: webhook.status !== 'active',
})
