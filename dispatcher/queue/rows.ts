// Statements of the queue: heartbeats of dispatchers, the leases on deliveries, and the end of those that are not sent.
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'

export type DeliveryKey = { readonly workspaceId: string; readonly id: string }

/** Need not be flushed to disk: without the whole database no heartbeat is missed. */
export const writeHeartbeat = command(
  (owner: string, forgottenAfterMinutes: number) => Prisma.sql`
    WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS value),
    forgotten AS (
      DELETE FROM dispatcher_process WHERE seen_at < now() - ${forgottenAfterMinutes}::int * interval '1 minute'
    )
    INSERT INTO dispatcher_process (owner, seen_at) SELECT ${owner}, now() FROM settings
    ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at`,
)

/**
 * A condition on the deliveries `d` of a set: leads the planner to their partitions, which are few, as they are of
 * about one time.
 */
export function inSpanOf(keys: readonly Pick<DeliveryKey, 'id'>[]): Prisma.Sql {
  const ids = keys.map(({ id }) => id).toSorted()
  return Prisma.sql`d.id BETWEEN ${ids.at(0)}::uuid AND ${ids.at(-1)}::uuid`
}

/** The keys as rows `k`. */
export function deliveryKeySet(keys: readonly DeliveryKey[]): Prisma.Sql {
  const rows = JSON.stringify(keys.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })))
  return Prisma.sql`(
    SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS r(workspace_id uuid, id uuid) WHERE ${oneByOne}
  ) k`
}

/**
 * True of all rows `r` of a set that deliveries are looked up by. The planner, which knows nothing of it, takes them
 * for one row and looks up each by its key. A hundred it would join with the whole index of a partition that was empty
 * when it planned, and a plan is kept while the partition grows.
 */
export const oneByOne: Prisma.Sql = Prisma.sql`pg_typeof(r.id) = 'uuid'::regtype`

export const clearLeases = command(
  (owner: string, keys: readonly DeliveryKey[]) => Prisma.sql`
    UPDATE delivery d SET lease_owner = NULL, lease_until = NULL, sending_since = NULL FROM ${deliveryKeySet(keys)}
    WHERE d.workspace_id = k.workspace_id AND d.id = k.id AND ${inSpanOf(keys)} AND d.lease_owner = ${owner}`,
)

/** Ends leases of the owner that have at most so long to go, but for those of these deliveries. The owner stays. */
export const endLeases = command(
  (owner: string, leftMs: number, keptIds: readonly string[]) => Prisma.sql`
    UPDATE delivery SET lease_until = now()
    WHERE next_attempt_at IS NOT NULL AND lease_owner = ${owner} AND lease_until > now()
      AND lease_until <= now() + ${leftMs}::int * interval '1 millisecond'
      AND id <> ALL (${keptIds}::uuid[])`,
)

/**
 * Records the attempt of a dispatcher that was lost while it sent: that it was started, and that its end is not known.
 * It counts neither as an attempt of the retry schedule nor against the webhook's health, since the fault was ours. One
 * is inserted for each row of `claimed` that has `interrupted_since`; its duration ends now.
 */
export const insertInterrupted: Prisma.Sql = Prisma.sql`
  INSERT INTO attempt (workspace_id, delivery_id, number, trigger, started_at, duration_ms, url, payload,
                       request_headers, truncated, outcome, error_code)
  SELECT c.workspace_id, c.id, c.attempt_count, CASE WHEN c.origin = 'replay' AND c.tries = 0 THEN 'manual' ELSE 'automatic' END,
         c.interrupted_since, extract(epoch FROM now() - c.interrupted_since) * 1000, w.url, w.payload,
         '{}', false, 'interrupted', 'interrupted'
  FROM claimed c JOIN webhook w ON w.workspace_id = c.workspace_id AND w.id = c.webhook_id
  WHERE c.interrupted_since IS NOT NULL`

/** Ends the leases of what the owner was sending, and records its attempts as interrupted. */
export const interruptSending = command(
  (owner: string, keys: readonly DeliveryKey[]) => Prisma.sql`
    WITH sent AS (
      SELECT d.workspace_id, d.id, d.sending_since FROM delivery d JOIN ${deliveryKeySet(keys)}
        ON d.workspace_id = k.workspace_id AND d.id = k.id AND ${inSpanOf(keys)}
      WHERE d.lease_owner = ${owner} AND d.sending_since IS NOT NULL
      ORDER BY d.id FOR NO KEY UPDATE OF d
    ), claimed AS (
      UPDATE delivery d SET
        lease_owner = NULL, lease_until = NULL, sending_since = NULL,
        attempt_count = d.attempt_count + 1, last_status_code = NULL, last_error_code = 'interrupted'
      FROM sent WHERE d.workspace_id = sent.workspace_id AND d.id = sent.id AND ${inSpanOf(keys)}
      RETURNING d.workspace_id, d.id, d.webhook_id, d.origin, d.tries, d.attempt_count,
                sent.sending_since AS interrupted_since
    )
    ${insertInterrupted}`,
)

type LeasedKey = DeliveryKey & { readonly owner: string }

/** Puts a delivery off, or dead-letters one that was made more than `waitHoursMax` ago. */
export const postponeDelivery = command(
  ({ workspaceId, id, owner }: LeasedKey, code: string, retrySeconds: number, waitHoursMax: number) => {
    const tooOld = Prisma.sql`(created_at < now() - ${waitHoursMax}::int * interval '1 hour')`
    return Prisma.sql`
      UPDATE delivery SET
        status = CASE WHEN ${tooOld} THEN 'dead_letter' ELSE status END,
        dead_lettered_at = CASE WHEN ${tooOld} THEN now() END,
        next_attempt_at = CASE WHEN NOT ${tooOld} THEN now() + ${retrySeconds}::int * interval '1 second' END,
        last_status_code = NULL, last_error_code = ${code}, lease_owner = NULL, lease_until = NULL,
        sending_since = NULL
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND lease_owner = ${owner}
        AND status IN ('pending', 'retrying')`
  },
)

export const expireDelivery = command(
  ({ workspaceId, id, owner }: LeasedKey) => Prisma.sql`
    UPDATE delivery SET
      status = 'dead_letter', dead_lettered_at = now(), next_attempt_at = NULL, last_error_code = 'expired',
      lease_owner = NULL, lease_until = NULL, sending_since = NULL
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND lease_owner = ${owner}
      AND status IN ('pending', 'retrying')`,
)

/** Dead-letters deliveries of webhooks that are paused or disabled for longer than `waitHoursMax`. */
export const expireOfInactive = command(
  (waitHoursMax: number, max: number) => Prisma.sql`
    WITH expired AS (
      SELECT d.workspace_id, d.id
      FROM webhook w JOIN delivery d ON d.workspace_id = w.workspace_id AND d.webhook_id = w.id
      WHERE w.status <> 'active' AND w.deleted_at IS NULL
        AND w.status_changed_at < now() - ${waitHoursMax}::int * interval '1 hour'
        AND d.created_at < now() - ${waitHoursMax}::int * interval '1 hour'
        AND d.status IN ('pending', 'retrying')
      LIMIT ${max}::int
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE delivery d
    SET status = 'dead_letter', dead_lettered_at = now(), last_error_code = 'webhook_paused',
        next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL, sending_since = NULL
    FROM expired WHERE d.workspace_id = expired.workspace_id AND d.id = expired.id`,
)
