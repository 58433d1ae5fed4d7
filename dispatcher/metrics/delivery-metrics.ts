// What is counted of deliveries as they go through the dispatcher.
import { durationsBy } from '#runtime/metrics/histogram.ts'
import { tally } from '#runtime/metrics/tally.ts'

type Attempt = {
  readonly outcome: { readonly kind: 'delivered' | 'retry' | 'dead' }
  readonly errorCode: string | null
  readonly durationMs: number
}
export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>

export function deliveryMetrics() {
  const attempts = tally(['outcome', 'error'])
  const durations = durationsBy(['outcome'])
  const events = tally(['way'])
  const counts = { claimed: 0, leasesLost: 0 }
  return {
    onAttempt: ({ outcome: { kind: outcome }, errorCode, durationMs }: Attempt): void => {
      attempts.add({ outcome, error: errorCode ?? '' })
      durations.observe({ outcome }, durationMs / 1_000)
    },
    onFannedOut: (way: 'notified' | 'swept', count: number): void => events.add({ way }, count),
    onClaimed: (count: number): void => void (counts.claimed += count),
    onLeasesLost: (count: number): void => void (counts.leasesLost += count),
    ...{ attempts, durations, events, counts },
  }
}
