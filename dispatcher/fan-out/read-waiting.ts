// Reads events that wait in the outbox, and the webhooks of their workspaces: one statement, so that each event finds the
// webhooks that there were when it was written.
import { grantedScopes } from '#contract/webhook-grants.ts'
import type { Database } from '#prisma/client.ts'
import type { MatchableEvent, MatchableWebhook } from './match-webhooks.ts'
import type { WaitingEvents } from './outbox-rows.ts'

export type ReadEvent = MatchableEvent
/** `version`: another one once the row was changed in any way. */
export type ReadWebhook = MatchableWebhook & { readonly version: string }
export type ReadWaiting = { readonly events: readonly ReadEvent[]; readonly webhooks: readonly ReadWebhook[] }

/** As JSON: two sets of rows in one answer. */
type Answer = {
  readonly events: readonly (Omit<ReadEvent, 'sequence'> & { readonly sequence: string })[]
  readonly webhooks: readonly (Omit<ReadWebhook, 'granted'> & { readonly grants: unknown })[]
}

// OFFSET 0: see load-delivery.ts.
export async function readWaiting(db: Pick<Database, '$queryRaw'>, waiting: WaitingEvents): Promise<ReadWaiting> {
  const [answer] = await db.$queryRaw<Answer[]>`
    WITH waiting AS MATERIALIZED (
      SELECT event_id, workspace_id FROM outbox WHERE event_id = ANY (ARRAY(${waiting}))
    ), events AS (
      SELECT e.* FROM waiting CROSS JOIN LATERAL (
        SELECT workspace_id AS "workspaceId", id, sequence::text, type, resource_id AS "resourceId",
               resource_kind AS "resourceKind", project_id AS "projectId", changed_fields AS "changedFields", key_id AS "keyId"
        FROM event WHERE workspace_id = waiting.workspace_id AND id = waiting.event_id OFFSET 0
      ) e
    ), webhooks AS (
      SELECT w.* FROM (SELECT DISTINCT workspace_id FROM waiting) theirs CROSS JOIN LATERAL (
        SELECT workspace_id AS "workspaceId", id, xmin::text AS version, events AS "eventTypes", filter,
               ignored_key_ids AS "ignoredKeyIds", grants, status, delivery_order AS "order", EXISTS (
          SELECT FROM webhook_health h
          WHERE h.workspace_id = webhook.workspace_id AND h.webhook_id = webhook.id AND h.circuit_open_until IS NOT NULL
          OFFSET 0
        ) AS rests, (
          SELECT free_at <= now() FROM webhook_rate r
          WHERE r.workspace_id = webhook.workspace_id AND r.webhook_id = webhook.id OFFSET 0
        ) AS "hasTokens"
        FROM webhook WHERE workspace_id = theirs.workspace_id AND deleted_at IS NULL OFFSET 0
      ) w
    )
    SELECT (SELECT coalesce(jsonb_agg(to_jsonb(events) ORDER BY id), '[]') FROM events) AS events,
           (SELECT coalesce(jsonb_agg(to_jsonb(webhooks)), '[]') FROM webhooks) AS webhooks`
  const { events, webhooks } = answer ?? { events: [], webhooks: [] }
  return {
    events: events.map((event) => ({ ...event, sequence: BigInt(event.sequence) })),
    webhooks: webhooks.map(({ grants, ...webhook }) => ({
      ...webhook,
      granted: grantedScopes({ eventTypes: webhook.eventTypes, grants }),
    })),
  }
}
