// The filters of deliveries as they stand in the address, and as the list takes them.
import type { OperationNamed } from '#contract/api.ts'
import type { DeliveryStatus } from '#contract/deliveries.ts'
import type { Input } from '#contract/operation.ts'
import { spanMs, type Span } from '../../app/delivery-words.ts'

export type ListInput = Input<OperationNamed<'deliveries.list'>>

export type DeliverySearch = {
  readonly status?: DeliveryStatus | undefined
  readonly webhook?: string | undefined
  /** A kind, or a pattern of kinds. */
  readonly kind?: string | undefined
  /** The id of an event. */
  readonly event?: string | undefined
  /** The id of the call that made the events. */
  readonly request?: string | undefined
  readonly since?: Span | undefined
}

export const inputOf = (
  { status, webhook, kind, event, request, since }: DeliverySearch,
  nowMs: number,
): ListInput => ({
  ...(status && { status: [status] }),
  ...(webhook && { webhookId: webhook }),
  ...(kind && { eventTypes: [kind] }),
  ...(event && { eventId: event }),
  ...(request && { requestId: request }),
  ...(since && { createdAfter: new Date(nowMs - spanMs[since]).toISOString() }),
})
