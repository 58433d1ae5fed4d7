// The figures of the dispatcher: declared, counted as deliveries go through it, and read when Prometheus asks for them.
// No label holds a workspace, a webhook or an address.
import {
  counter,
  gauge,
  histogram,
  metricSource,
  type MetricSource,
  durationsBy,
  tally,
} from '#runtime/metrics/metric.ts'

export const dispatcherMetrics = {
  attempts: counter(
    'dispatcher_attempts_total',
    'Attempts to deliver. `outcome`: `delivered`, `retry`, `dead`; `error` says why it was not delivered.',
    ['outcome', 'error'],
  ),
  attemptDuration: histogram('dispatcher_attempt_duration_seconds', 'The duration of attempts.', ['outcome']),
  events: counter(
    'dispatcher_events_fanned_out_total',
    'Events that became deliveries. `way`: `notified` by the broker, or `swept` because no notification came.',
    ['way'],
  ),
  claimed: counter('dispatcher_deliveries_claimed_total', 'Deliveries that were claimed because they were due.'),
  leasesLost: counter(
    'dispatcher_leases_lost_total',
    'Results that did not count, because another dispatcher had the delivery by then.',
  ),
  queued: gauge('dispatcher_deliveries_queued', 'Deliveries in memory that wait for a slot of their webhook.'),
  inFlight: gauge('dispatcher_deliveries_in_flight', 'Deliveries that are being sent.'),
  unwritten: gauge('dispatcher_results_unwritten', 'Results that are still to be written to the database.'),
  overdue: gauge(
    'dispatcher_oldest_due_seconds',
    'For how long the oldest delivery has been due, those of receivers whose circuit is open left out; 0 without any. The same at every dispatcher.',
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

type CountedAttempt = {
  readonly outcome: { readonly kind: 'delivered' | 'retry' | 'dead' }
  readonly errorCode: string | null
  readonly durationMs: number
}
export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>

/** Counts deliveries as they go through the dispatcher. */
export function deliveryMetrics() {
  const attempts = tally(['outcome', 'error'])
  const durations = durationsBy(['outcome'])
  const events = tally(['way'])
  const counts = { claimed: 0, leasesLost: 0 }
  return {
    onAttempt: ({ outcome: { kind: outcome }, errorCode, durationMs }: CountedAttempt): void => {
      attempts.add({ outcome, error: errorCode ?? '' })
      durations.observe({ outcome }, durationMs / 1_000)
    },
    onFannedOut: (way: 'notified' | 'swept', count: number): void => events.add({ way }, count),
    onClaimed: (count: number): void => {
      counts.claimed += count
    },
    onLeasesLost: (count: number): void => {
      counts.leasesLost += count
    },
    attempts,
    durations,
    events,
    counts,
  }
}

export type DispatcherFigures = {
  readonly deliveries: DeliveryMetrics
  readonly scheduler: { usage(): { readonly queued: number; readonly inFlight: number } }
  readonly unwritten: () => number
  readonly oldestDueSeconds: () => Promise<number>
  readonly sealedValues: () => Promise<Readonly<Record<'current' | 'older' | 'unknown', number>>>
  readonly isConnected: () => boolean
}

export const dispatcherSource = (figures: DispatcherFigures): MetricSource => {
  const { deliveries, scheduler, unwritten, oldestDueSeconds, sealedValues, isConnected } = figures
  return metricSource(
    dispatcherMetrics,
    {
      attempts: deliveries.attempts.read,
      attemptDuration: deliveries.durations.read,
      events: deliveries.events.read,
      claimed: () => deliveries.counts.claimed,
      leasesLost: () => deliveries.counts.leasesLost,
      queued: () => scheduler.usage().queued,
      inFlight: () => scheduler.usage().inFlight,
      unwritten,
      overdue: oldestDueSeconds,
      sealedValues: async () =>
        Object.entries(await sealedValues()).map(([state, value]) => ({ labels: { state }, value })),
      brokerUp: () => Number(isConnected()),
    },
    { tier: 'dispatcher' },
  )
}
