// What the audit needs of a database, in one statement and so as of one moment. Each row comes by itself: all in one
// value are too much for Postgres after an hour.
import type { Ledger } from './ledger-audit.ts'

type Row = { readonly part: string; readonly item: unknown }
type Ask = (sql: string) => Promise<readonly Row[]>

const statement = `
  SELECT 'outbox' AS part, to_jsonb(count(*)) AS item FROM outbox
  UNION ALL
  SELECT 'event', jsonb_build_object(
    'id', id, 'workspaceId', workspace_id, 'type', type, 'resourceKind', resource_kind, 'projectId', project_id,
    'changedFields', changed_fields, 'body', body) FROM event
  UNION ALL
  SELECT 'webhook', jsonb_build_object(
    'id', id, 'workspaceId', workspace_id, 'eventTypes', events, 'filter', filter, 'grants', grants,
    'payload', payload, 'status', status) FROM webhook WHERE deleted_at IS NULL
  UNION ALL
  SELECT 'delivery', jsonb_build_object(
    'id', d.id, 'eventId', d.event_id, 'webhookId', d.webhook_id, 'status', d.status,
    'isScheduled', d.next_attempt_at IS NOT NULL, 'attemptCount', d.attempt_count, 'attempts', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'number', a.number, 'outcome', a.outcome, 'status', a.response_status) ORDER BY a.number), '[]')
      FROM attempt a WHERE a.workspace_id = d.workspace_id AND a.delivery_id = d.id)) FROM delivery d`

export async function readLedger(ask: Ask): Promise<Ledger> {
  const parts = Map.groupBy(await ask(statement), ({ part }) => part)
  const items = (part: string) => (parts.get(part) ?? []).map(({ item }) => item)
  return {
    outbox: items('outbox')[0] as number,
    events: items('event') as Ledger['events'],
    webhooks: items('webhook') as Ledger['webhooks'],
    deliveries: items('delivery') as Ledger['deliveries'],
  }
}
