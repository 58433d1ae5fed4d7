// The figures that every tier with an HTTP server has alike, named as OpenTelemetry names them.
import { counter, histogram } from './metric.ts'

const outcome = ['operation', 'surface', 'status'] as const

export const httpMetrics = {
  requests: counter(
    'http_server_requests_total',
    'Requests that are over. `surface`: `http`, `settings`, `mcp`, `public` (pages and files without a key), `none` (no such address, or no known caller). `status`: its class. `code`: with which this tier refused, empty where it did not; `client_closed_request` where the caller left first.',
    [...outcome, 'code'],
  ),
  duration: histogram(
    'http_server_request_duration_seconds',
    'From the head of a request until the end of its answer.',
    outcome,
  ),
}
