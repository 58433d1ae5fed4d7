// The figures of the gateway, and how they are read when Prometheus asks for them: the parts count for themselves.
// Operations are those of the contract: no label holds a key, a workspace, an id or a path.
import { httpMetrics } from '#runtime/metrics/common-metrics.ts'
import {
  counter,
  gauge,
  histogram,
  metricSource,
  type Distribution,
  type MetricSource,
  type MetricType,
  type Sample,
  type Tally,
} from '#runtime/metrics/metric.ts'
import type { RequestLog } from '../request/request-log.ts'
import type { CountedRoute, Outcome, RequestMetrics } from './request-metrics.ts'

const outcome = ['operation', 'surface', 'status'] as const

export const gatewayMetrics = {
  ...httpMetrics,
  ownDuration: histogram(
    'gateway_own_duration_seconds',
    'What a request spent in the gateway before it went to the service, or was refused: checks, reading its body, waiting for a slot.',
    outcome,
  ),
  upstreamDuration: histogram(
    'gateway_upstream_duration_seconds',
    'The time from sending a request to the service until the response headers, over all attempts.',
    outcome,
  ),
  receivedBytes: counter('http_server_received_bytes_total', 'Bytes of requests, heads included.', [
    'operation',
    'surface',
  ]),
  sentBytes: counter('http_server_sent_bytes_total', 'Bytes of responses, headers included.', ['operation', 'surface']),
  activeRequests: gauge('http_server_active_requests', 'Requests that are being served.'),
  refusedConnections: counter(
    'gateway_refused_connections_total',
    'Connections refused without a readable request, by code; `rate_limited`: too many from one address.',
    ['code'],
  ),
  slotsInUse: gauge('gateway_slots_in_use', 'Calls that are at the service. `holder`: `keys`, `operator`.', ['holder']),
  slotsWaiting: gauge('gateway_slots_waiting', 'Calls that wait for a slot, with all that they have to send.', [
    'holder',
  ]),
  slotWaits: histogram('gateway_slot_wait_seconds', 'How long calls waited that found no slot free.'),
  bodyBytes: gauge('gateway_body_bytes_held', 'Bodies of calls that are read and held in memory, in bytes.'),
  streams: gauge('gateway_open_streams', 'MCP streams that are open, which hold no slot.'),
  keysCached: gauge('gateway_key_cache_entries', 'Keys that the gateway has looked up and keeps.'),
  keyLookups: counter(
    'gateway_key_cache_lookups_total',
    'Look-ups of keys. `result`: `hit`, `stale` (used while it is refreshed, or while no service can say), `miss` (the call waits for the service).',
    ['result'],
  ),
  keyFetches: counter('gateway_key_fetches_total', 'Questions to the service for a key, those behind a call included.'),
  invalidationLag: gauge(
    'gateway_invalidation_lag_seconds',
    'The maximum age of an unnoticed key change; normally about a second, and +Inf before the first response.',
  ),
  upToDate: gauge(
    'gateway_key_changes_up_to_date',
    '1 while key changes are received. At 0 each key is fetched again every few seconds.',
  ),
  redisCalls: counter(
    'gateway_rate_limit_redis_calls_total',
    'Questions to Redis for tokens. Not shown without Redis.',
  ),
  countedAlone: counter(
    'gateway_rate_limit_counted_alone_total',
    'Calls that this gateway counted locally because Redis was unavailable or late. Not shown without Redis.',
  ),
  limitDegraded: gauge(
    'gateway_rate_limit_degraded',
    '1 while Redis is away and each gateway counts its share alone. Not shown without Redis.',
  ),
  gateways: gauge(
    'gateway_rate_limit_gateways',
    'Gateways that share the limits, as this one has last heard. Not shown without Redis.',
  ),
  retriesLeft: gauge(
    'gateway_retries_left',
    'Calls that may be sent to a second address now; at 0 none is, until others have gone well.',
  ),
  refusalsKept: gauge('gateway_refusals_kept', 'Refusals of the last hour that this gateway can still explain.'),
  refusalsDropped: counter(
    'gateway_refusals_dropped_total',
    'Refusals that found no room, here or in Redis, and cannot be explained later.',
  ),
  deniedCallsDropped: counter(
    'gateway_denied_calls_dropped_total',
    'Kinds of denied calls that found no room on their way to the audit log.',
  ),
  callsNotLogged: counter(
    'gateway_api_log_left_out_total',
    'Calls that the API log does not keep. `reason`: `budget` (one in many stands for them), `dropped` (no room on their way to the service).',
    ['reason'],
  ),
  addresses: gauge(
    'gateway_service_addresses',
    'Addresses of the service. `state`: `usable`, `ejected` for failing calls, or why it is out of rotation.',
    ['state'],
  ),
}

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
  readonly apiLog: { stats(): { readonly leftOut: number; readonly dropped: number } }
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
      callsNotLogged: () => {
        const { leftOut, dropped } = figures.apiLog.stats()
        return [
          { labels: { reason: 'budget' }, value: leftOut },
          { labels: { reason: 'dropped' }, value: dropped },
        ]
      },
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
