// Reads the gateway's figures when they are asked for (gateway/metrics/declared.ts). The parts count for themselves.
import { metricSource, type MetricSource, type MetricType, type Sample } from '#runtime/metrics/metric.ts'
import type { RequestLog } from '../request/request-log.ts'
import { gatewayMetrics } from './declared.ts'
import type { CountedRoute, Outcome, RequestMetrics } from './request-metrics.ts'

type Counts = Readonly<Record<string, number>>
export type GatewayFigures = {
  readonly requests: RequestMetrics
  readonly requestLog: Pick<RequestLog, 'inFlight'>
  readonly pool: { states(): Counts }
}

export const gatewaySource = ({ requests, requestLog, pool }: GatewayFigures): MetricSource =>
  metricSource(
    gatewayMetrics,
    {
      requests: () =>
        byOutcome(requests, ({ byCode }, labels) =>
          [...byCode].map(([code, value]) => ({ labels: { ...labels, code }, value })),
        ),
      duration: () => byOutcome(requests, ({ total }, labels) => [{ labels, value: total.read() }]),
      ownDuration: () => byOutcome(requests, ({ own }, labels) => [{ labels, value: own.read() }]),
      upstreamDuration: () => byOutcome(requests, ({ upstream }, labels) => [{ labels, value: upstream.read() }]),
      receivedBytes: () => byRoute(requests, ({ received }) => received),
      sentBytes: () => byRoute(requests, ({ sent }) => sent),
      activeRequests: requestLog.inFlight,
      addresses: () => Object.entries(pool.states()).map(([state, value]) => ({ labels: { state }, value })),
    },
    { tier: 'gateway' },
  )

type OutcomeLabels = Readonly<Record<'operation' | 'surface' | 'status', string>>

/** Of the outcomes that there have been. */
const byOutcome = <T extends MetricType, L extends string>(
  requests: RequestMetrics,
  read: (outcome: Outcome, labels: OutcomeLabels) => Sample<T, L>[],
): Sample<T, L>[] =>
  requests
    .routes()
    .flatMap(({ operation, surface, outcomes }) =>
      outcomes.flatMap((outcome, at) =>
        outcome === undefined ? [] : read(outcome, { operation, surface, status: `${at}xx` }),
      ),
    )

const byRoute = (requests: RequestMetrics, read: (bytes: CountedRoute['bytes']) => number) =>
  requests
    .routes()
    .filter(({ bytes }) => bytes.received > 0)
    .map(({ operation, surface, bytes }) => ({ labels: { operation, surface }, value: read(bytes) }))
