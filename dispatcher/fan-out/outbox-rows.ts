// Which rows of the outbox. Each stands for an event that has no deliveries yet.
import { Prisma } from '#prisma/generated/client.ts'

/** A query for event ids. */
export type WaitingEvents = Prisma.Sql

export const waitingByIds = (eventIds: readonly string[]): WaitingEvents =>
  Prisma.sql`SELECT event_id FROM outbox WHERE event_id = ANY (${eventIds}::uuid[])`

/** How many times as many events are looked at as are chosen. */
const choice = 4

/** Some of the oldest: two dispatchers that look at the same time hardly choose the same ones. */
export const waitingOlderThan = (olderThanMs: number, max: number): WaitingEvents =>
  Prisma.sql`
    SELECT event_id FROM (
      SELECT event_id FROM outbox WHERE created_at < now() - ${olderThanMs}::int * interval '1 millisecond'
      ORDER BY created_at LIMIT ${max * choice}::int
    ) oldest
    ORDER BY random() LIMIT ${max}::int`
