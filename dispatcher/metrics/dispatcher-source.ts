// Reads the dispatcher's figures when they are asked for (dispatcher/metrics/declared.ts).
import { metricSource, type MetricSource } from '#runtime/metrics/metric.ts'
import { dispatcherMetrics } from './declared.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'

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
