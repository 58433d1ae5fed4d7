// The figures of the gateway. Operations are those of the contract: no label holds a key, a workspace, an id or a path.
import { httpMetrics } from '#runtime/metrics/common-metrics.ts'
import { counter, gauge, histogram } from '#runtime/metrics/metric.ts'

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
    'From the moment at which a request goes to the service until the head of the answer, over all attempts.',
    outcome,
  ),
  receivedBytes: counter('http_server_received_bytes_total', 'Bytes of requests, heads included.', [
    'operation',
    'surface',
  ]),
  sentBytes: counter('http_server_sent_bytes_total', 'Bytes of answers, heads included.', ['operation', 'surface']),
  activeRequests: gauge('http_server_active_requests', 'Requests that are being served.'),
  refusedConnections: counter(
    'gateway_refused_connections_total',
    'Connections that were answered without a request that could be read, by code; `rate_limited`: one too many of an address.',
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
    'Look-ups of keys. `result`: `hit`, `stale` (used while it is refreshed, or while nobody can say), `miss` (the call waits for the service).',
    ['result'],
  ),
  keyFetches: counter('gateway_key_fetches_total', 'Questions to the service for a key, those behind a call included.'),
  invalidationLag: gauge(
    'gateway_invalidation_lag_seconds',
    'For how long a change of a key may have gone unnoticed; about a second when all is well, +Inf before the first answer.',
  ),
  upToDate: gauge(
    'gateway_key_changes_up_to_date',
    '1 while changes of keys are heard of. At 0 each key is fetched anew every few seconds.',
  ),
  redisCalls: counter(
    'gateway_rate_limit_redis_calls_total',
    'Questions to Redis for tokens. Not shown without Redis.',
  ),
  countedAlone: counter(
    'gateway_rate_limit_counted_alone_total',
    'Calls that this gateway has counted by itself because Redis was away or answered late. Not shown without Redis.',
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
  addresses: gauge(
    'gateway_service_addresses',
    'Addresses of the service. `state`: `usable`, `ejected` for failing calls, or why it is out of rotation.',
    ['state'],
  ),
}
