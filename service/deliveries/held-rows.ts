// Statements about what is held since the installation was restored (prisma/restore.ts). Held deliveries are found by
// the index of those that wait, held events by their time.
import { Prisma } from '#prisma/generated/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { column, command, query } from '#prisma/statements.ts'

/** Null: in all. */
const within = (workspaceId: string | null): Prisma.Sql =>
  workspaceId === null ? Prisma.empty : Prisma.sql`AND workspace_id = ${workspaceId}::uuid`

const heldDeliveries = (workspaceId: string | null): Prisma.Sql =>
  Prisma.sql`SELECT workspace_id, id FROM delivery WHERE next_attempt_at = ${heldUntil} ${within(workspaceId)}`

const heldEvents = (workspaceId: string | null): Prisma.Sql =>
  Prisma.sql`SELECT workspace_id, event_id AS id FROM outbox WHERE created_at = ${heldUntil} ${within(workspaceId)}`

/** The workspaces with the most first. */
export const heldByWorkspace = query(
  { workspaceId: column.uuid, deliveries: column.int, events: column.int },
  (workspaceId: string | null) => Prisma.sql`
    SELECT workspace_id AS "workspaceId", (count(*) FILTER (WHERE is_delivery))::int AS deliveries,
           (count(*) FILTER (WHERE NOT is_delivery))::int AS events
    FROM (
      SELECT held.*, true AS is_delivery FROM (${heldDeliveries(workspaceId)}) held
      UNION ALL SELECT held.*, false FROM (${heldEvents(workspaceId)}) held
    ) held
    GROUP BY 1 ORDER BY count(*) DESC, 1`,
  [[null]],
)

/** Deliveries in order, and those of webhooks that are not active, wait without a time. Their age counts anew. */
export const sendHeld = command(
  (workspaceId: string | null, max: number) => Prisma.sql`
    UPDATE delivery d SET
      next_attempt_at = CASE WHEN d.order_key IS NULL AND EXISTS (
        SELECT FROM webhook w WHERE w.workspace_id = d.workspace_id AND w.id = d.webhook_id AND w.status = 'active'
      ) THEN now() END,
      last_error_code = NULL, restarted_at = now()
    FROM (${heldDeliveries(workspaceId)} LIMIT ${max}::int FOR UPDATE SKIP LOCKED) held
    WHERE d.workspace_id = held.workspace_id AND d.id = held.id`,
  [[null, 1]],
)

export const giveUpHeld = command(
  (workspaceId: string | null, max: number) => Prisma.sql`
    UPDATE delivery d SET status = 'dead_letter', dead_lettered_at = now(), next_attempt_at = NULL
    FROM (${heldDeliveries(workspaceId)} LIMIT ${max}::int FOR UPDATE SKIP LOCKED) held
    WHERE d.workspace_id = held.workspace_id AND d.id = held.id`,
  [[null, 1]],
)

export const fanOutHeld = command(
  (workspaceId: string | null, max: number) => Prisma.sql`
    UPDATE outbox o SET created_at = now() FROM (${heldEvents(workspaceId)} LIMIT ${max}::int FOR UPDATE SKIP LOCKED) held
    WHERE o.event_id = held.id`,
  [[null, 1]],
)

export const dropHeld = command(
  (workspaceId: string | null, max: number) => Prisma.sql`
    DELETE FROM outbox o USING (${heldEvents(workspaceId)} LIMIT ${max}::int FOR UPDATE SKIP LOCKED) held
    WHERE o.event_id = held.id`,
  [[null, 1]],
)

/** Does nothing while anything is held. */
export const endHold = command(
  () => Prisma.sql`
    UPDATE installation SET held_since = NULL
    WHERE held_since IS NOT NULL AND NOT EXISTS (${heldDeliveries(null)}) AND NOT EXISTS (${heldEvents(null)})`,
)
