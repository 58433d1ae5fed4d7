// Sends spans to a collector by the SDK of OpenTelemetry. Nothing of it is loaded but from here, and this file only
// where a collector is set. Spans wait in a queue with a bound: a collector that is away, slow or refuses them costs
// spans and nothing else.
import { randomUUID } from 'node:crypto'
import {
  createTraceState,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Attributes as OtelAttributes,
  type HrTime,
} from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter as OtelExporter } from '@opentelemetry/sdk-trace'
import type { Attributes, EndedSpan } from './span.ts'
import { spanIdOf, traceIdOf } from './trace-context.ts'
import type { SpanExporter } from './tracing.ts'

type Collector = {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>> | null
  /** Of the process. */
  readonly name: string
  readonly namespace: string
}

const queueMax = 4_096
/** What is written out at a time holds up the calls of the process for a few milliseconds. */
const batchMax = 256
const everyMs = 1_000
const answerWithinMs = 5_000

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<EndedSpan['kind'], SpanKind>

export function openExporter(
  collector: Collector,
  bounds = { queueMax, batchMax, everyMs, answerWithinMs },
): SpanExporter {
  const counted = { waiting: 0, exported: 0, dropped: 0 }
  const processor = new BatchSpanProcessor({
    exporter: counting(otlpExporter(collector, bounds.answerWithinMs), counted),
    maxQueueSize: bounds.queueMax,
    maxExportBatchSize: bounds.batchMax,
    scheduledDelayMillis: bounds.everyMs,
    exportTimeoutMillis: bounds.answerWithinMs,
  })
  const resource = resourceFromAttributes({
    'service.name': collector.name,
    'service.namespace': collector.namespace,
    'service.instance.id': randomUUID(),
  })
  const clock = openClock()
  return {
    export: (span) => {
      // The processor drops them as well, and tells nobody.
      if (counted.waiting >= bounds.queueMax) {
        counted.dropped += 1
        return
      }
      counted.waiting += 1
      processor.onEnd(readableSpan(span, resource, clock))
    },
    counts: () => ({ exported: counted.exported, dropped: counted.dropped }),
    close: () => processor.shutdown(),
  }
}

const otlpExporter = ({ endpoint, headers }: Collector, timeoutMillis: number): OtelExporter =>
  new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis,
    concurrencyLimit: 1,
  })

type Counted = { waiting: number; exported: number; dropped: number }

function counting(exporter: OtelExporter, counted: Counted): OtelExporter {
  return {
    export: (spans, done) => {
      counted.waiting -= spans.length
      exporter.export(spans, (result) => {
        counted[result.code === ExportResultCode.SUCCESS ? 'exported' : 'dropped'] += spans.length
        done(result)
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

type Clock = (performanceMs: number) => HrTime

const driftMsMax = 2

/**
 * Times of this process's own clock, by that of the system. The two drift apart: the system's is corrected, and a
 * process that was frozen misses time.
 */
function openClock(): Clock {
  let originMs = performance.timeOrigin
  return (performanceMs) => {
    const driftMs = Date.now() - (originMs + performance.now())
    if (Math.abs(driftMs) > driftMsMax) originMs += driftMs
    return hrTime(originMs + performanceMs)
  }
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

const scope = { name: 'workspace-integration-api' }

function readableSpan(span: EndedSpan, resource: Resource, clock: Clock): ReadableSpan {
  const { traceparent, parentId, tracestate, name, kind, attributes, error, startedAt, endedAt } = span
  const context = {
    traceId: traceIdOf(traceparent),
    traceFlags: TraceFlags.SAMPLED,
    ...(tracestate !== null && { traceState: createTraceState(tracestate) }),
  }
  const own = { ...context, spanId: spanIdOf(traceparent) }
  return {
    name,
    kind: kinds[kind],
    spanContext: () => own,
    ...(parentId !== null && { parentSpanContext: { ...context, spanId: parentId } }),
    startTime: clock(startedAt),
    endTime: clock(endedAt),
    duration: hrTime(endedAt - startedAt),
    status: { code: error === null ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: presentOf(attributes, error),
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function presentOf(attributes: Attributes, error: string | null): OtelAttributes {
  const present: OtelAttributes = {}
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== null && value !== undefined) present[name] = typeof value === 'object' ? [...value] : value
  }
  if (error !== null) present['error.type'] = error
  return present
}
