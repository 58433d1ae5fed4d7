// Which webhooks get which event. Pure: the caller brings the rows and inserts the deliveries that are planned.
import { patternMatches } from '#contract/event-patterns.ts'
import { isGranted } from '#contract/webhook-grants.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'
import { webhookTest } from '#contract/webhook-actions.ts'
import { deliveryId } from './delivery-id.ts'

export type MatchableEvent = {
  readonly workspaceId: string
  readonly id: string
  readonly type: string
  readonly resourceId: string
  readonly resourceKind: string | null
  readonly projectId: string | null
  readonly changedFields: readonly string[]
}
export type MatchableWebhook = {
  readonly workspaceId: string
  readonly id: string
  readonly eventTypes: readonly string[]
  readonly filter: WebhookFilter | null
  /** The read scopes that were granted to the webhook and still are. */
  readonly granted: readonly string[]
  readonly status: 'active' | 'paused' | 'disabled'
  /** Its circuit is open. */
  readonly rests: boolean
}
export type PlannedDelivery = {
  readonly workspaceId: string
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly webhookId: string
  readonly origin: 'live' | 'test'
  /** The webhook is paused or disabled: the delivery waits until it is enabled. */
  readonly waits: boolean
  /** The receiver gets a rest: the delivery is due, and left to whoever claims when that is over. */
  readonly rests: boolean
}

export const planDeliveries = (
  events: readonly MatchableEvent[],
  webhooks: readonly MatchableWebhook[],
): PlannedDelivery[] =>
  events.flatMap((event) =>
    webhooks
      .filter((webhook) => webhook.workspaceId === event.workspaceId && matches(webhook, event))
      .map((webhook) => planned(event, webhook)),
  )

/** A test event goes to the webhook that it is about, whatever its patterns, and to no other. */
export function matches(webhook: MatchableWebhook, event: MatchableEvent): boolean {
  if (isTest(event)) return webhook.id === event.resourceId
  const isSubscribed = webhook.eventTypes.some((pattern) => patternMatches(pattern, event.type))
  return isSubscribed && isGranted(webhook.granted, event.type) && passes(webhook.filter, event)
}

/** An event without a project, a kind or changed fields passes no filter that asks for one. */
function passes(filter: WebhookFilter | null, { resourceKind, projectId, changedFields }: MatchableEvent): boolean {
  const { kinds, projectIds, changedFields: wanted } = filter ?? {}
  if (kinds !== undefined && !kinds.some((kind) => kind === resourceKind)) return false
  if (projectIds !== undefined && !(projectId !== null && projectIds.includes(projectId))) return false
  return wanted === undefined || changedFields.some((field) => wanted.includes(field))
}

const isTest = ({ type }: MatchableEvent): boolean => type === webhookTest.type

const planned = (event: MatchableEvent, webhook: MatchableWebhook): PlannedDelivery => ({
  workspaceId: event.workspaceId,
  id: deliveryId(event.id, webhook.id),
  eventId: event.id,
  eventType: event.type,
  webhookId: webhook.id,
  origin: isTest(event) ? 'test' : 'live',
  waits: webhook.status !== 'active',
  rests: webhook.rests && !isTest(event),
})
