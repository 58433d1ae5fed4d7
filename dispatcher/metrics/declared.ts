// The figures of the dispatcher. No label holds a workspace, a webhook or an address.
import { counter, gauge, histogram } from '#runtime/metrics/metric.ts'

export const dispatcherMetrics = {
  attempts: counter(
    'dispatcher_attempts_total',
    'Attempts to deliver. `outcome`: `delivered`, `retry`, `dead`; `error` says why it was not delivered.',
    ['outcome', 'error'],
  ),
  attemptDuration: histogram('dispatcher_attempt_duration_seconds', 'How long receivers take to answer, or not to.', [
    'outcome',
  ]),
  events: counter(
    'dispatcher_events_fanned_out_total',
    'Events that became deliveries. `way`: `notified` by the broker, or `swept` because no notification came.',
    ['way'],
  ),
  claimed: counter('dispatcher_deliveries_claimed_total', 'Deliveries that were taken because they had come due.'),
  leasesLost: counter(
    'dispatcher_leases_lost_total',
    'Results that did not count, because another dispatcher had the delivery by then.',
  ),
  queued: gauge('dispatcher_deliveries_queued', 'Deliveries in memory that wait for a slot of their webhook.'),
  inFlight: gauge('dispatcher_deliveries_in_flight', 'Deliveries that are being sent.'),
  unwritten: gauge('dispatcher_results_unwritten', 'Results that are still to be written to the database.'),
  overdue: gauge(
    'dispatcher_oldest_due_seconds',
    'For how long the oldest delivery has been due, those of receivers that get a rest left out; 0 without any. The same at every dispatcher.',
  ),
  sealedValues: gauge(
    'dispatcher_sealed_values',
    'Stored secrets and headers of webhooks, as `service_sealed_values` for the keys of this dispatcher. What `unknown` ones sign waits.',
    ['state'],
  ),
  brokerUp: gauge(
    'dispatcher_broker_up',
    '1 while notifications can come. Without them events are found a second later.',
  ),
}
