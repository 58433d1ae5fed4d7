// What the audit needs of a database, in one statement and so as of one moment.
import type { Ledger } from './ledger-audit.ts'

/** Rows of one column. */
type Ask = (sql: string) => Promise<readonly { readonly ledger: unknown }[]>

const statement = `
  SELECT jsonb_build_object(
    'outbox', (SELECT count(*) FROM outbox),
    'events', (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'workspaceId', workspace_id, 'type', type, 'resourceKind', resource_kind, 'projectId', project_id,
      'changedFields', changed_fields, 'body', body)), '[]') FROM event),
    'webhooks', (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'workspaceId', workspace_id, 'eventTypes', events, 'filter', filter, 'grants', grants,
      'payload', payload, 'status', status)), '[]') FROM webhook WHERE deleted_at IS NULL),
    'deliveries', (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', d.id, 'eventId', d.event_id, 'webhookId', d.webhook_id, 'status', d.status,
      'isScheduled', d.next_attempt_at IS NOT NULL, 'attemptCount', d.attempt_count, 'attempts', (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'number', a.number, 'outcome', a.outcome, 'status', a.response_status) ORDER BY a.number), '[]')
        FROM attempt a WHERE a.workspace_id = d.workspace_id AND a.delivery_id = d.id))), '[]') FROM delivery d)
  ) AS ledger`

export async function readLedger(ask: Ask): Promise<Ledger> {
  const [row] = await ask(statement)
  return row?.ledger as Ledger
}
