// A span: one step of a call, with its times, as the exporter gets it once it is over. There are none but of traces
// that are sampled, so nothing of this is made for other calls. Names and attributes follow the semantic conventions of
// OpenTelemetry. They never hold what a caller has sent: no body, no query, no header, no value of a statement.
import { AsyncLocalStorage } from 'node:async_hooks'
import { childOf, spanIdOf } from './trace-context.ts'

type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | null>>

type About = {
  readonly name: string
  readonly kind: SpanKind
  /** Those that are null are left out. */
  readonly attributes: Attributes
  /** The kind of failure, from a list that the code knows; left out, or null, where there was none. */
  readonly error?: string | null
  /** Where it began before the span was made, by `performance.now()`. */
  readonly startedAt?: number
}
export type EndedSpan = Required<About> & {
  readonly traceparent: string
  /** The id of the span that it is a part of; null for the first of its trace. */
  readonly parentId: string | null
  readonly tracestate: string | null
  readonly endedAt: number
}
/** Must not throw. */
export type RecordSpan = (span: EndedSpan) => void

export class Span {
  /** Its own: what is done within it, here or elsewhere, hands this on. */
  readonly traceparent: string
  readonly tracestate: string | null
  readonly #parentId: string | null
  readonly #record: RecordSpan
  readonly #startedAt = performance.now()
  isOver = false

  constructor(record: RecordSpan, traceparent: string, parentId: string | null, tracestate: string | null) {
    this.#record = record
    this.traceparent = traceparent
    this.#parentId = parentId
    this.tracestate = tracestate
  }

  child(): Span {
    const { traceparent, tracestate } = this
    return new Span(this.#record, childOf(traceparent), spanIdOf(traceparent), tracestate)
  }

  /** Only the first call counts. */
  end({ name, kind, attributes, error = null, startedAt = this.#startedAt }: About): void {
    if (this.isOver) return
    this.isOver = true
    const { traceparent, tracestate } = this
    const times = { startedAt, endedAt: performance.now() }
    this.#record({ traceparent, parentId: this.#parentId, tracestate, name, kind, attributes, error, ...times })
  }
}

const active = new AsyncLocalStorage<Span>()
let isUsed = false

/** What `work` does is done within the span. */
export function runInSpan<T>(span: Span | null, work: () => T): T {
  if (span === null) return work()
  isUsed = true
  return active.run(span, work)
}

/**
 * Null outside of spans, and where the span is over: what goes on behind it, such as a queue that it was the first to
 * fill, is not done for it alone. Without a sampled trace so far it costs nothing.
 */
export function activeSpan(): Span | null {
  const span = isUsed ? active.getStore() : undefined
  return span === undefined || span.isOver ? null : span
}
