// Decides which webhooks get which event. Pure: the caller brings the rows and inserts the deliveries that are planned.
import { deliveriesDeadLettered } from '#contract/deliveries.ts'
import { isUpdate, patternMatches, type EventOrigin } from '#contract/event.ts'
import { isGranted } from '#contract/webhook-grants.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'
import { webhookTest, webhookFailing } from '#contract/webhooks.ts'
import { deliveryId } from '#contract/internal/webhook-request.ts'
import { valuesHold, type EventValues } from './filter-values.ts'

export type MatchableEvent = {
  readonly workspaceId: string
  readonly id: string
  readonly sequence: bigint
  readonly type: string
  readonly resourceId: string
  readonly resourceKind: string | null
  readonly projectId: string | null
  readonly changedFields: readonly string[]
  /** The key that it was done with; null where a person did it, or the service by itself. */
  readonly keyId: string | null
  readonly origin: EventOrigin | null
  /** The only webhook that it goes to; null where it goes to all that subscribe. */
  readonly onlyWebhookId: string | null
  /** The trace of the call that caused it, in hexadecimal digits as it is stored; null where it has none. */
  readonly trace: string | null
  /** The values of its object. Null where no webhook of the workspace asks for them, or none can ask this type. */
  readonly values: EventValues | null
}
export type MatchableWebhook = {
  readonly workspaceId: string
  readonly id: string
  readonly eventTypes: readonly string[]
  readonly filter: WebhookFilter | null
  readonly ignoredKeyIds: readonly string[]
  readonly includeImports: boolean
  /** The read scopes that were granted to the webhook and still are. */
  readonly granted: readonly string[]
  readonly status: 'active' | 'paused' | 'disabled'
  readonly order: 'none' | 'webhook' | 'object'
  /** Its circuit is open. */
  readonly isCircuitOpen: boolean
  /** Whether one may be sent now by its rate; null without one. */
  readonly hasTokens: boolean | null
}
export type PlannedDelivery = {
  readonly workspaceId: string
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly webhookId: string
  readonly origin: 'live' | 'test'
  /** The ordering key and the position within it; null for a webhook that is not ordered. */
  readonly orderingKey: string | null
  readonly position: string | null
  /** The webhook is paused or disabled, or the delivery is not the head of its ordering key yet. */
  readonly waits: boolean
  /** The circuit is open, or the webhook has a rate: the delivery is due, and left to the claims. */
  readonly isLeft: boolean
  /** It can be claimed at once. */
  readonly isClaimable: boolean
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

/**
 * A test event goes to the webhook that it is about, whatever its patterns, and to no other. That one is failing, or
 * that its deliveries were given up, is told to others: its own receiver does not take it.
 */
export function matches(webhook: MatchableWebhook, event: MatchableEvent): boolean {
  if (isTest(event)) return webhook.id === event.resourceId
  if (event.onlyWebhookId !== null && webhook.id !== event.onlyWebhookId) return false
  if (isTold(event) && ofItself.has(event.type) && webhook.id === event.resourceId) return false
  if (event.keyId !== null && webhook.ignoredKeyIds.includes(event.keyId)) return false
  if (event.origin === 'import' && !webhook.includeImports) return false
  const isSubscribed = webhook.eventTypes.some((pattern) => patternMatches(pattern, event.type))
  return isSubscribed && isGranted(webhook.granted, event.type) && passes(webhook.filter, event)
}

/**
 * An event without a project or a kind passes no filter that asks for one; changed fields are asked for of updates
 * alone.
 */
function passes(filter: WebhookFilter | null, event: MatchableEvent): boolean {
  const { type, resourceKind, projectId, changedFields } = event
  const { kinds, projectIds, changedFields: wanted, values } = filter ?? {}
  if (kinds !== undefined && !kinds.some((kind) => kind === resourceKind)) return false
  if (projectIds !== undefined && !(projectId !== null && projectIds.includes(projectId))) return false
  if (wanted !== undefined && isUpdate(type) && !changedFields.some((field) => wanted.includes(field))) return false
  return values === undefined || event.values === null || valuesHold(values, type, event.values)
}

const ofItself: ReadonlySet<string> = new Set([webhookFailing.type, deliveriesDeadLettered.type])

const isTest = (event: MatchableEvent): boolean => isTold(event) && event.type === webhookTest.type

/** One that was triggered is not meant: it goes to whatever subscribes. */
const isTold = ({ origin }: MatchableEvent): boolean => origin !== 'trigger'

function planned(event: MatchableEvent, webhook: MatchableWebhook): PlannedDelivery {
  const orderingKey = orderingKeyOf(event, webhook)
  return {
    workspaceId: event.workspaceId,
    id: deliveryId(event.id, webhook.id),
    eventId: event.id,
    eventType: event.type,
    webhookId: webhook.id,
    origin: isTest(event) ? 'test' : 'live',
    orderingKey,
    position: orderingKey === null ? null : String(event.sequence),
    waits: webhook.status !== 'active' || orderingKey !== null,
    isLeft: webhook.hasTokens !== null || (webhook.isCircuitOpen && !isTest(event)),
    isClaimable:
      webhook.hasTokens === true && orderingKey === null && webhook.status === 'active' && !webhook.isCircuitOpen,
  }
}

/** A test is sent whatever waits. */
function orderingKeyOf(event: MatchableEvent, { id, order }: MatchableWebhook): string | null {
  if (order === 'none' || isTest(event)) return null
  return order === 'webhook' ? id : event.resourceId
}
