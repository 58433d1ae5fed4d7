// The spans of the fan-out of events. Each is a part of the trace of the call that caused its event: of the span that
// the notification was sent within or, where the sweeper has found the event, of the one that the event is stored with.
import { notificationsDestination } from '#contract/internal/deliveries.ts'
import type { Span } from '#runtime/tracing/span.ts'
import { fromStoredTrace, storedTrace } from '#runtime/tracing/trace-context.ts'
import type { Tracing } from '#runtime/tracing/tracing.ts'
import type { SentWithin } from './consumer.ts'
import type { ReadEvent } from './rows.ts'

export type ProcessSpans = {
  /** What deliveries of this event are a part of, as it would be stored; null where the event has no trace. */
  traceOf(event: ReadEvent): string | null
  /** `error`: the kind of failure. */
  end(error: string | null): void
}
export type FanOutTracing = { readonly tracing: Tracing; readonly sentWithin: SentWithin }

/** Null: none are recorded. */
export function openProcessSpans(events: readonly ReadEvent[], given: FanOutTracing | null): ProcessSpans {
  if (given === null) return { traceOf: ({ trace }) => trace, end: () => {} }
  const spans = new Map(events.flatMap((event) => spanOf(event, given)))
  return {
    traceOf: ({ id, trace }) => {
      const found = spans.get(id)
      return found === undefined ? trace : storedTrace(found.span.traceparent)
    },
    end: (error) => {
      for (const { event, span } of spans.values()) endSpan(span, event, error)
    },
  }
}

type EventSpan = { readonly event: ReadEvent; readonly span: Span }

function spanOf(event: ReadEvent, { tracing, sentWithin }: FanOutTracing): [string, EventSpan][] {
  const parent = sentWithin.get(event.id) ?? (event.trace === null ? null : fromStoredTrace(event.trace))
  const span = parent === null ? null : tracing.enter(parent, false, null)
  return span === null ? [] : [[event.id, { event, span }]]
}

const endSpan = (span: Span, { id, type, workspaceId }: ReadEvent, error: string | null): void =>
  span.end({
    name: `process ${notificationsDestination}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'rabbitmq',
      'messaging.destination.name': notificationsDestination,
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'event.id': id,
      'event.type': type,
      'workspace.id': workspaceId,
    },
    error,
  })
