// The figures of the gateway. Operations are those of the contract: no label holds a key, a workspace, an id or a path.
import { httpMetrics } from '#runtime/metrics/http-metrics.ts'
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
  addresses: gauge(
    'gateway_service_addresses',
    'Addresses of the service. `state`: `usable`, `ejected` for failing calls, or why it is out of rotation.',
    ['state'],
  ),
}
