// Reads the gateway's figures when they are asked for (gateway/metrics/declared.ts). The parts count for themselves.
import {
  metricSource,
  type Distribution,
  type MetricSource,
  type MetricType,
  type Sample,
  type Tally,
} from '#runtime/metrics/metric.ts'
import type { RequestLog } from '../request/request-log.ts'
import { gatewayMetrics } from './declared.ts'
import type { CountedRoute, Outcome, RequestMetrics } from './request-metrics.ts'

type Counts = Readonly<Record<string, number>>
type Usage = { readonly inUse: number; readonly waiting: number }
type KeyStats = {
  readonly size: number
  readonly hits: number
  readonly staleServed: number
  readonly misses: number
  readonly fetches: number
  readonly invalidationLagMs: number
  readonly isUpToDate: boolean
}
type RedisFigures = {
  readonly isLocal: boolean
  readonly localCalls: number
  readonly gateways: number
  readonly redisCalls: number
}
export type GatewayFigures = {
  readonly requests: RequestMetrics
  readonly requestLog: Pick<RequestLog, 'inFlight'>
  readonly pool: { states(): Counts; retriesLeft(): number }
  readonly overload: {
    slotUsage(): { readonly keys: Usage; readonly operator: Usage; readonly waits: Distribution }
    readonly streams: { count(): number }
    bodyBytesHeld(): number
  }
  readonly refusals: { stats(): { readonly held: number; readonly dropped: number } }
  readonly deniedCalls: { dropped(): number }
  readonly keys: { stats(): KeyStats }
  readonly rateLimiter: { redisFigures(): RedisFigures | null }
  readonly refusedConnections: Tally<'code'>
}

export function gatewaySource(figures: GatewayFigures): MetricSource {
  const { requests, requestLog, pool, overload, keys, rateLimiter, refusedConnections, refusals } = figures
  const { slotUsage, streams } = overload
  const ofRedis = (read: (figures: RedisFigures) => number): number | null => {
    const found = rateLimiter.redisFigures()
    return found === null ? null : read(found)
  }
  return metricSource(
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
      refusedConnections: refusedConnections.read,
      slotsInUse: () => byHolder(slotUsage(), ({ inUse }) => inUse),
      slotsWaiting: () => byHolder(slotUsage(), ({ waiting }) => waiting),
      slotWaits: () => slotUsage().waits,
      bodyBytes: overload.bodyBytesHeld,
      streams: streams.count,
      keysCached: () => keys.stats().size,
      keyLookups: () => lookups(keys.stats()),
      keyFetches: () => keys.stats().fetches,
      invalidationLag: () => keys.stats().invalidationLagMs / 1_000,
      upToDate: () => Number(keys.stats().isUpToDate),
      redisCalls: () => ofRedis(({ redisCalls }) => redisCalls),
      countedAlone: () => ofRedis(({ localCalls }) => localCalls),
      limitDegraded: () => ofRedis(({ isLocal }) => Number(isLocal)),
      gateways: () => ofRedis(({ gateways }) => gateways),
      retriesLeft: pool.retriesLeft,
      refusalsKept: () => refusals.stats().held,
      refusalsDropped: () => refusals.stats().dropped,
      deniedCallsDropped: figures.deniedCalls.dropped,
      addresses: () => Object.entries(pool.states()).map(([state, value]) => ({ labels: { state }, value })),
    },
    { tier: 'gateway' },
  )
}

const byHolder = (
  { keys, operator }: { readonly keys: Usage; readonly operator: Usage },
  read: (usage: Usage) => number,
) => [
  { labels: { holder: 'keys' }, value: read(keys) },
  { labels: { holder: 'operator' }, value: read(operator) },
]

const lookups = ({ hits, staleServed, misses }: KeyStats) => [
  { labels: { result: 'hit' }, value: hits },
  { labels: { result: 'stale' }, value: staleServed },
  { labels: { result: 'miss' }, value: misses },
]

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
