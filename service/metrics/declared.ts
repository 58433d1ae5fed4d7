// The figures of the service. Operations and tools are those of the contract: no label holds a key, a workspace or an id.
import { httpMetrics } from '#runtime/metrics/common-metrics.ts'
import { counter, gauge, histogram } from '#runtime/metrics/metric.ts'

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
  reached: gauge(
    'service_dependency_up',
    '1 while it is reached. `dependency`: `database`, `redis`, `broker`; `storage`: 0 while the disk of the database is full.',
    ['dependency'],
  ),
  outboxRows: gauge(
    'service_outbox_rows',
    'Events that no dispatcher has taken yet; at most 10,000 are counted. The same at every service.',
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
  notificationsWaiting: gauge(
    'service_event_notifications_waiting',
    'Notifications of events that wait for the broker.',
  ),
  notificationsLost: counter(
    'service_event_notifications_lost_total',
    'Notifications that the broker did not take. Their events are found a second later.',
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
