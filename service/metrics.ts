// The figures of the service, read when they are asked for. Operations and tools are those of the contract: no label
// holds a key, a workspace or an id.
import type { Replica } from '#prisma/replica.ts'
import { httpMetrics } from '#runtime/metrics/common-metrics.ts'
import {
  metricSource,
  counter,
  gauge,
  histogram,
  type MetricSource,
  durationsBy,
  sharedReading,
  tally,
} from '#runtime/metrics/metric.ts'
import type { Mail } from './open-mail.ts'

/** Of audit entries that are written later. */
type AuditQueue = { readonly queue: { size(): number }; readonly lost: () => number }
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
  /** Null where none is given. */
  readonly replica: Pick<Replica, 'state' | 'behindSeconds' | 'reads'> | null
  readonly dependencies: Readonly<Record<'database' | 'redis' | 'broker' | 'storage', () => boolean>>
  readonly outboxBacklog: () => Promise<{ readonly rows: number; readonly oldestSeconds: number }>
  readonly ledgerAhead: () => Promise<number>
  readonly isRewound: () => boolean
  readonly held: () => Promise<Readonly<Record<'deliveries' | 'events', number>>>
  readonly workspaceDeletions: () => Promise<DeletionFigures>
  readonly quotaUse: () => Promise<Readonly<Record<string, number>>>
  readonly sealedValues: () => Promise<Readonly<Record<'current' | 'older' | 'unknown', number>>>
  /** Null where no email is sent. */
  readonly mail: Pick<Mail, 'sent' | 'figures'> | null
  readonly unpublished: () => { readonly waiting: number; readonly lost: number }
  readonly audit: Readonly<Record<'denied' | 'tool' | 'person', AuditQueue>>
}

export function serviceSource(figures: ServiceFigures): MetricSource {
  const { calls, slots, poolUsage, replica, dependencies, unpublished, audit, mail } = figures
  const backlog = sharedReading(figures.outboxBacklog)
  // All rows are counted, and they change seldom.
  const sealedValues = sharedReading(figures.sealedValues, 60_000)
  const ledgerAhead = sharedReading(figures.ledgerAhead, 60_000)
  // Everything that waits is looked at, if anything is held.
  const held = sharedReading(figures.held, 60_000)
  const deletions = sharedReading(figures.workspaceDeletions, 60_000)
  const waitingMails = sharedReading(async () => mail && (await mail.figures()))
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
      connections: () => byUse(poolUsage()),
      connectionsWaiting: () => poolUsage()?.waiting ?? null,
      cancelled: () => poolUsage()?.cancelled ?? null,
      replicaUsable: () => replica && Number(replica.state() === 'usable'),
      replicaBehind: () => replica && replica.behindSeconds(),
      replicaReads: () => replica && replica.reads.read(),
      reached: () =>
        (['database', 'redis', 'broker', 'storage'] as const).map((dependency) => ({
          labels: { dependency },
          value: Number(dependencies[dependency]()),
        })),
      outboxRows: async () => (await backlog()).rows,
      outboxAge: async () => (await backlog()).oldestSeconds,
      ledgerAhead,
      quotaUse: async () => Object.entries(await quotaUse()).map(([quota, value]) => ({ labels: { quota }, value })),
      rewound: () => (figures.isRewound() ? 1 : 0),
      held: async () => Object.entries(await held()).map(([kind, value]) => ({ labels: { kind }, value })),
      deletions: async () => byStatus(await deletions()),
      deletionOverdue: async () => (await deletions()).overdueSeconds,
      notificationsWaiting: () => unpublished().waiting,
      notificationsLost: () => unpublished().lost,
      mails: () => mail && mail.sent.read(),
      mailsWaiting: async () => (await waitingMails())?.waiting ?? null,
      mailsAge: async () => (await waitingMails())?.oldestSeconds ?? null,
      sealedValues: async () =>
        Object.entries(await sealedValues()).map(([state, value]) => ({ labels: { state }, value })),
      auditWaiting: () => byKind(audit, ({ queue }) => queue.size()),
      auditLost: () => byKind(audit, ({ lost }) => lost()),
    },
    { tier: 'service' },
  )
}

const byUse = (usage: ReturnType<ServiceFigures['poolUsage']>) =>
  usage && [
    { labels: { state: 'in_use' }, value: usage.inUse },
    { labels: { state: 'idle' }, value: usage.idle },
  ]

type DeletionFigures = Readonly<Record<'scheduled' | 'onHold' | 'removing' | 'overdueSeconds', number>>
const byStatus = ({ scheduled, onHold, removing }: DeletionFigures) =>
  Object.entries({ scheduled, on_hold: onHold, removing }).map(([status, value]) => ({ labels: { status }, value }))

const byKind = (audit: Readonly<Record<string, AuditQueue>>, valueOf: (kind: AuditQueue) => number) =>
  Object.entries(audit).map(([kind, its]) => ({ labels: { kind }, value: valueOf(its) }))

export const serviceMetrics = {
  ...httpMetrics,
  toolCalls: counter(
    'mcp_tool_calls_total',
    'Calls of MCP tools. `outcome`: `success`, `denied` to the key, `failed`; `code` says why.',
    ['tool', 'outcome', 'code'],
  ),
  toolDuration: histogram('mcp_tool_call_duration_seconds', 'How long calls of MCP tools take.', ['tool']),
  slots: gauge('service_database_slots', 'How many calls may use the database at once.'),
  slotsInUse: gauge('service_database_slots_in_use', 'How many do.'),
  slotsWaiting: gauge('service_database_slots_waiting', 'Calls that wait for a slot.'),
  changesWaiting: gauge('service_changes_waiting', 'Changes that wait for earlier ones of their workspace.'),
  connections: gauge('service_database_connections', 'Connections of the pool. `state`: `in_use`, `idle`.', ['state']),
  connectionsWaiting: gauge('service_database_connections_waiting', 'Work that waits for a connection of the pool.'),
  cancelled: counter(
    'service_statements_cancelled_total',
    'Statements that were cancelled in the database because their caller had gone.',
  ),
  replicaUsable: gauge(
    'service_replica_usable',
    '1 while reads may go to the replica of DATABASE_READ_URL. Only where that is set.',
  ),
  replicaBehind: gauge('service_replica_behind_seconds', 'How long the replica has lacked something of the database.'),
  replicaReads: counter(
    'service_replica_reads_total',
    'Reads that the replica could serve. `outcome`: `replica`; all others are served by the database: `behind`, the replica lacks what the workspace must find; `waits`, for what is new; `failed`, cancelled or lost there; `unusable`.',
    ['outcome'],
  ),
  reached: gauge(
    'service_dependency_up',
    '1 while it is reached. `dependency`: `database`, `redis`, `broker`; `storage`: 0 while the disk of the database is full.',
    ['dependency'],
  ),
  outboxRows: gauge(
    'service_outbox_rows',
    'Events that no dispatcher has processed yet; at most 10,000 are counted. The same at every service.',
  ),
  outboxAge: gauge('service_outbox_oldest_seconds', 'The age of the oldest of them, 0 without any.'),
  ledgerAhead: gauge(
    'service_ledger_ahead_seconds',
    'For how long from now on events have a partition to go to. The same at every service.',
  ),
  quotaUse: gauge(
    'service_workspace_quota_use_ratio',
    'How much of it the workspace that uses most of it uses: 1 where it is used up. `quota`: its name in the API. The same at every service.',
    ['quota'],
  ),
  rewound: gauge(
    'service_database_rewound',
    '1 when the database has gone back to an earlier state without a start with RESTORED=true.',
  ),
  held: gauge(
    'service_held_after_restore',
    'What is held since a restore from a backup. `kind`: `deliveries`, and `events` without deliveries. The same at every service.',
    ['kind'],
  ),
  deletions: gauge(
    'service_workspace_deletions',
    'Workspaces that are deleted for good and not gone yet. `status`: `scheduled`, `on_hold`, `removing`. The same at every service.',
    ['status'],
  ),
  deletionOverdue: gauge(
    'service_workspace_deletion_overdue_seconds',
    'For how long the oldest of them should have been gone, 0 without any. The same at every service.',
  ),
  notificationsWaiting: gauge(
    'service_event_notifications_waiting',
    'Notifications of events that wait for the broker.',
  ),
  notificationsLost: counter(
    'service_event_notifications_lost_total',
    'Notifications that the broker did not take. Their events are found a second later.',
  ),
  mails: counter(
    'service_mails_total',
    'Attempts to send an email, where SMTP_URL is set. `outcome`: `sent`, `retried`, `given_up`, or `dropped` where there was nothing to send any more.',
    ['kind', 'outcome'],
  ),
  mailsWaiting: gauge('service_mails_waiting', 'Emails that wait to be sent. The same at every service.'),
  mailsAge: gauge(
    'service_mails_oldest_seconds',
    'The age of the oldest of them, 0 without any. The same at every service.',
  ),
  sealedValues: gauge(
    'service_sealed_values',
    'Stored secrets and headers of webhooks. `state`: `current`, sealed with the first key; `older`, with another that is given; `unknown`, with one that is not. The same at every service with the same keys.',
    ['state'],
  ),
  auditWaiting: gauge(
    'service_audit_entries_waiting',
    'Entries that wait to be written. `kind`: `denied`, `tool`, `person`.',
    ['kind'],
  ),
  auditLost: counter(
    'service_audit_entries_lost_total',
    'Entries that could not be written. `kind`: `denied`, `tool`, `person`.',
    ['kind'],
  ),
}

/** Counts each request and each call of a tool when it is over. */
type FinishedRequestFigures = {
  readonly operation: string
  readonly surface: string | null
  readonly status: number
  readonly code: string | null
  readonly ms: number
}
type ToolCall = { readonly tool: string; readonly outcome: string; readonly code: string | null; readonly at: Date }

export function callMetrics() {
  const requests = tally(['operation', 'surface', 'status', 'code'])
  const durations = durationsBy(['operation', 'surface', 'status'])
  const toolCalls = tally(['tool', 'outcome', 'code'])
  const toolDurations = durationsBy(['tool'])
  return {
    onRequest: ({ operation, surface, status, code, ms }: FinishedRequestFigures): void => {
      const labels = { operation, surface: surface ?? 'none', status: `${Math.floor(status / 100)}xx` }
      requests.add({ ...labels, code: code ?? '' })
      durations.observe(labels, ms / 1_000)
    },
    onToolCall: ({ tool, outcome, code, at }: ToolCall): void => {
      toolCalls.add({ tool, outcome, code: code ?? '' })
      toolDurations.observe({ tool }, (Date.now() - at.getTime()) / 1_000)
    },
    requests,
    durations,
    toolCalls,
    toolDurations,
  }
}
