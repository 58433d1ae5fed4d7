// The outbox as the dispatcher sees it: a marker stands for an event without deliveries. Taking it and inserting them is
// one transaction, so whatever goes wrong in between leaves the marker where it was. One that somebody else is at work on
// is passed over.
import type { Prisma } from '#prisma/generated/client.ts'

export type Marker = { readonly eventId: string; readonly workspaceId: string }
export type Take = (tx: Prisma.TransactionClient) => Promise<Marker[]>

export const takeNamed =
  (eventIds: readonly string[]): Take =>
  (tx) =>
    tx.$queryRaw`
      DELETE FROM outbox WHERE event_id IN (
        SELECT event_id FROM outbox WHERE event_id = ANY (${eventIds}::uuid[]) FOR UPDATE SKIP LOCKED
      ) RETURNING event_id AS "eventId", workspace_id AS "workspaceId"`

export const takeStale =
  (olderThanMs: number, max: number): Take =>
  (tx) =>
    tx.$queryRaw`
      DELETE FROM outbox WHERE event_id IN (
        SELECT event_id FROM outbox WHERE created_at < now() - ${olderThanMs}::int * interval '1 millisecond'
        ORDER BY created_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED
      ) RETURNING event_id AS "eventId", workspace_id AS "workspaceId"`
