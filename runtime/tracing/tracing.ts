// Traces of OpenTelemetry: which of them this process records, and where their spans go. Without
// OTEL_EXPORTER_OTLP_ENDPOINT there is no `Tracing`, and nothing of OpenTelemetry is loaded; a call then costs one
// comparison with null, beside the id of its trace, which it has all the same.
import type { Part } from '../process.ts'
import { waitAtMost } from '../timeouts.ts'
import { samplerOf, type Sampler } from './sampler.ts'
import type { TracingSettings } from './settings.ts'
import { Span, type EndedSpan } from './span.ts'
import {
  childOf,
  newTraceparent,
  readTraceparent,
  readTracestate,
  sampled,
  spanIdOf,
  unsampled,
} from './trace-context.ts'

/** Spans since the start: those that the collector has taken, and those that were lost. */
export type SpanCounts = { readonly exported: number; readonly dropped: number }

/** Takes spans that are over. Never waits and never throws; what finds no room is dropped and counted. */
export type SpanExporter = {
  readonly export: (span: EndedSpan) => void
  counts(): SpanCounts
  /** Sends what is left. May take as long as a collector likes that does not answer. */
  close(): Promise<void>
}

export type Tracing = {
  /**
   * The span of what comes in with this `traceparent`, or begins with it (`isNew`). Null where its trace is not
   * sampled.
   */
  enter(traceparent: string, isNew: boolean, tracestate: string | null): Span | null
}

/** What a call carries of its trace. */
export type Traced = {
  /** What it hands on. Its trace id is in the log. */
  traceparent: string
  /** As the caller has sent it. */
  tracestate: string | null
  /** Null where none is recorded. */
  span: Span | null
}

/** Has the call take part in the trace of these two headers, or in a new one where they name none. */
export function joinTrace(call: Traced, tracing: Tracing | null, traceparent: unknown, tracestate: unknown): void {
  const incoming = readTraceparent(traceparent)
  const given = incoming ?? newTraceparent()
  call.tracestate = incoming === null || tracestate === undefined ? null : readTracestate(tracestate)
  call.span = tracing === null ? null : tracing.enter(given, incoming === null, call.tracestate)
  call.traceparent = call.span === null ? (tracing === null ? given : unsampled(given)) : call.span.traceparent
}

/** The same for what makes no object of its own. */
export function tracedBy(tracing: Tracing | null, traceparent: unknown, tracestate?: unknown): Traced {
  const traced: Traced = { traceparent: '', tracestate: null, span: null }
  joinTrace(traced, tracing, traceparent, tracestate)
  return traced
}

/** At the end of the process: longer than a collector takes that is well. */
const flushWithinMs = 2_000

let counts: (() => SpanCounts) | null = null
/** Null in a process that exports none. */
export const spanCounts = (): SpanCounts | null => counts?.() ?? null

/** `tracing` is null where no collector is set. Closed after all that records spans. */
export type OpenedTracing = Part & { readonly tracing: Tracing | null }

/** Of a process, which has one. */
export async function openTracing(settings: TracingSettings & { readonly brand: string }): Promise<OpenedTracing> {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, otelServiceName: name, brand } = settings
  if (endpoint === null) return { tracing: null, close: async () => {} }
  const { openExporter } = await import('./otlp-exporter.ts')
  const exporter = openExporter({ endpoint, headers, name, namespace: brand })
  counts = exporter.counts
  const tracing = tracingWith(exporter, samplerOf(settings.tracesSampler, settings.tracesSamplerArg))
  return { tracing, close: () => waitAtMost(flushWithinMs, exporter.close()) }
}

export function tracingWith(exporter: Pick<SpanExporter, 'export'>, sampler: Sampler): Tracing {
  return {
    enter: (traceparent, isNew, tracestate) => {
      if (!sampler(traceparent, isNew)) return null
      return isNew
        ? new Span(exporter.export, sampled(traceparent), null, tracestate)
        : new Span(exporter.export, childOf(traceparent), spanIdOf(traceparent), tracestate)
    },
  }
}
