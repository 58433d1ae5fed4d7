// A collector of traces, as far as a test needs one: it takes what is sent by OTLP over HTTP, and reads it with the
// definitions that OpenTelemetry publishes of the protocol, in a package of another release than the exporter's.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { foreign, lacksForeign } from '../foreign.ts'

type Value = { readonly stringValue?: string; readonly intValue?: unknown; readonly boolValue?: boolean }
type DecodedSpan = {
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly parentSpanId?: Uint8Array
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: unknown
  readonly endTimeUnixNano: unknown
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly status?: { readonly code?: number } | null
}
type Request = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: DecodedSpan['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly DecodedSpan[] }[]
  }[]
}
type Definitions = {
  readonly opentelemetry: {
    proto: { collector: { trace: { v1: { ExportTraceServiceRequest: { decode(bytes: Uint8Array): Request } } } } }
  }
}

// It has no types.
const root: string = '@opentelemetry/otlp-proto-exporter-base/build/src/generated/root.js'
const { default: definitions } = (await foreign<object>(() => import(root))) as { default: Definitions }

export type CollectedSpan = {
  readonly traceId: string
  readonly id: string
  readonly parentId: string
  readonly tracestate: string
  readonly name: string
  readonly kind: string
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, unknown>>
  /** Of the process that has sent it. */
  readonly resource: Readonly<Record<string, unknown>>
  /** In nanoseconds since 1970. */
  readonly startedAt: bigint
  readonly endedAt: bigint
}
export type Collector = AsyncDisposable & {
  readonly url: string
  readonly spans: CollectedSpan[]
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[]
}

/** `answer`: the status of each request; null: it is not answered. */
export async function startCollector(answer: () => number | null = () => 200): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const requests: { headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push({ headers: request.headers, body })
      const status = request.url === '/v1/traces' ? answer() : 404
      if (status === 200 && !lacksForeign) spans.push(...spansIn(body))
      if (status !== null) response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const errorCode = 2

function spansIn(body: Buffer): CollectedSpan[] {
  const { resourceSpans } = definitions.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest.decode(body)
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(span, valuesIn(resource.attributes)))),
  )
}

const collected = (span: DecodedSpan, resource: CollectedSpan['resource']): CollectedSpan => ({
  traceId: hex(span.traceId),
  id: hex(span.spanId),
  parentId: hex(span.parentSpanId ?? new Uint8Array()),
  tracestate: span.traceState ?? '',
  name: span.name,
  kind: kinds[span.kind] ?? '',
  isError: span.status?.code === errorCode,
  attributes: valuesIn(span.attributes),
  resource,
  startedAt: BigInt(String(span.startTimeUnixNano)),
  endedAt: BigInt(String(span.endTimeUnixNano)),
})

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const valuesIn = (attributes: DecodedSpan['attributes']): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue || (boolValue ?? (intValue === undefined || intValue === null ? '' : Number(intValue))),
    ]),
  )
