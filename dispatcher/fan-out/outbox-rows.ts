// Takes rows from the outbox. Each stands for an event that has no deliveries yet. Taking it and inserting the deliveries
// is one transaction, so whatever goes wrong in between leaves the row where it was. Locked rows are skipped: another
// dispatcher is at work on them.
import { Prisma } from '#prisma/generated/client.ts'
import type { MatchableEvent } from './match-webhooks.ts'

/** Resolves to the events whose rows were taken. */
export type TakeOutboxRows = (tx: Prisma.TransactionClient) => Promise<MatchableEvent[]>

export const takeByEventIds = (eventIds: readonly string[]): TakeOutboxRows =>
  take(Prisma.sql`SELECT event_id FROM outbox WHERE event_id = ANY (${eventIds}::uuid[]) FOR UPDATE SKIP LOCKED`)

export const takeOlderThan = (olderThanMs: number, max: number): TakeOutboxRows =>
  take(Prisma.sql`
    SELECT event_id FROM outbox WHERE created_at < now() - ${olderThanMs}::int * interval '1 millisecond'
    ORDER BY created_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED`)

// An array is found once. A subquery may be run again for each row, and then takes more than its limit.
// OFFSET 0: see load-delivery.ts.
const take =
  (found: Prisma.Sql): TakeOutboxRows =>
  (tx) =>
    tx.$queryRaw`
      WITH taken AS (DELETE FROM outbox WHERE event_id = ANY (ARRAY(${found})) RETURNING event_id, workspace_id)
      SELECT e.workspace_id AS "workspaceId", e.id, e.sequence, e.type, e.resource_id AS "resourceId", e.resource_kind AS "resourceKind",
             e.project_id AS "projectId", e.changed_fields AS "changedFields", e.key_id AS "keyId"
      FROM taken CROSS JOIN LATERAL (
        SELECT * FROM event WHERE workspace_id = taken.workspace_id AND id = taken.event_id OFFSET 0
      ) e`
