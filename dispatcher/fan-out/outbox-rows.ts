// Takes rows from the outbox. Each stands for an event that has no deliveries yet. Taking it and inserting the deliveries
// is one transaction, so whatever goes wrong in between leaves the row where it was. Locked rows are skipped: another
// dispatcher is at work on them.
import type { Prisma } from '#prisma/generated/client.ts'

export type OutboxRow = { readonly eventId: string; readonly workspaceId: string }
export type TakeOutboxRows = (tx: Prisma.TransactionClient) => Promise<OutboxRow[]>

export const takeByEventIds =
  (eventIds: readonly string[]): TakeOutboxRows =>
  (tx) =>
    tx.$queryRaw`
      DELETE FROM outbox WHERE event_id IN (
        SELECT event_id FROM outbox WHERE event_id = ANY (${eventIds}::uuid[]) FOR UPDATE SKIP LOCKED
      ) RETURNING event_id AS "eventId", workspace_id AS "workspaceId"`

export const takeOlderThan =
  (olderThanMs: number, max: number): TakeOutboxRows =>
  (tx) =>
    tx.$queryRaw`
      DELETE FROM outbox WHERE event_id IN (
        SELECT event_id FROM outbox WHERE created_at < now() - ${olderThanMs}::int * interval '1 millisecond'
        ORDER BY created_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED
      ) RETURNING event_id AS "eventId", workspace_id AS "workspaceId"`
