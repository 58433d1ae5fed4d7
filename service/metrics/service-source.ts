// Reads the service's figures when they are asked for (service/metrics/declared.ts).
import { metricSource, type MetricSource, sharedReading } from '#runtime/metrics/metric.ts'
import type { callMetrics } from './call-metrics.ts'
import { serviceMetrics } from './declared.ts'

/** Of audit entries that are written later. */
type Kind = { readonly queue: { size(): number }; readonly lost: () => number }
export type ServiceFigures = {
  readonly calls: ReturnType<typeof callMetrics>
  readonly slots: {
    usage(): {
      readonly slots: number
      readonly inUse: number
      readonly waiting: number
      readonly changesWaiting: number
    }
  }
  /** Null without a pool. */
  readonly poolUsage: () => {
    readonly inUse: number
    readonly idle: number
    readonly waiting: number
    readonly cancelled: number
  } | null
  readonly reached: Readonly<Record<'database' | 'redis' | 'broker' | 'storage', () => boolean>>
  readonly outboxBacklog: () => Promise<{ readonly rows: number; readonly oldestSeconds: number }>
  readonly ledgerAhead: () => Promise<number>
  readonly quotaUse: () => Promise<Readonly<Record<string, number>>>
  readonly sealedValues: () => Promise<Readonly<Record<'current' | 'older' | 'unknown', number>>>
  readonly unpublished: () => { readonly waiting: number; readonly lost: number }
  readonly audit: Readonly<Record<'denied' | 'tool' | 'person', Kind>>
}

export function serviceSource(figures: ServiceFigures): MetricSource {
  const { calls, slots, poolUsage, reached, unpublished, audit } = figures
  const backlog = sharedReading(figures.outboxBacklog)
  // All rows are counted, and they change seldom.
  const sealedValues = sharedReading(figures.sealedValues, 60_000)
  const ledgerAhead = sharedReading(figures.ledgerAhead, 60_000)
  // Every workspace is looked at.
  const quotaUse = sharedReading(figures.quotaUse, 300_000)
  return metricSource(
    serviceMetrics,
    {
      requests: calls.requests.read,
      duration: calls.durations.read,
      toolCalls: calls.toolCalls.read,
      toolDuration: calls.toolDurations.read,
      slots: () => slots.usage().slots,
      slotsInUse: () => slots.usage().inUse,
      slotsWaiting: () => slots.usage().waiting,
      changesWaiting: () => slots.usage().changesWaiting,
      connections: () => {
        const usage = poolUsage()
        if (usage === null) return null
        return [
          { labels: { state: 'in_use' }, value: usage.inUse },
          { labels: { state: 'idle' }, value: usage.idle },
        ]
      },
      connectionsWaiting: () => poolUsage()?.waiting ?? null,
      cancelled: () => poolUsage()?.cancelled ?? null,
      reached: () =>
        (['database', 'redis', 'broker', 'storage'] as const).map((dependency) => ({
          labels: { dependency },
          value: Number(reached[dependency]()),
        })),
      outboxRows: async () => (await backlog()).rows,
      outboxAge: async () => (await backlog()).oldestSeconds,
      ledgerAhead,
      quotaUse: async () => Object.entries(await quotaUse()).map(([quota, value]) => ({ labels: { quota }, value })),
      notificationsWaiting: () => unpublished().waiting,
      notificationsLost: () => unpublished().lost,
      sealedValues: async () =>
        Object.entries(await sealedValues()).map(([state, value]) => ({ labels: { state }, value })),
      auditWaiting: () => byKind(audit, ({ queue }) => queue.size()),
      auditLost: () => byKind(audit, ({ lost }) => lost()),
    },
    { tier: 'service' },
  )
}

const byKind = (audit: Readonly<Record<string, Kind>>, valueOf: (kind: Kind) => number) =>
  Object.entries(audit).map(([kind, its]) => ({ labels: { kind }, value: valueOf(its) }))
