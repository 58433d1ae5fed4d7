// The delivery rows as a queue. A lease says which dispatcher is at work on a row, and until when; nobody needs to give
// it back, it runs out. All times here are the database's, so that dispatchers need not agree on one.
import { Prisma } from '#prisma/generated/client.ts'
import type { Database } from '#prisma/client.ts'

export type Key = { readonly workspaceId: string; readonly id: string }
export type Leased = Key & {
  readonly webhookId: string
  /** By this process's own clock (performance.now), which runs out a little before the row's. */
  readonly runsOutAt: number
}

export const leaseSeconds = 60

export const leaseEnd = (): number => performance.now() + leaseSeconds * 1_000

// OFFSET 0 keeps the question for the webhook out of the join: the rows are found by when they are due, whatever the
// planner knows of the tables.
/** Due rows of webhooks that are sent to and that nobody is at work on, longest due first. */
export async function claimDue(
  db: Database,
  owner: string,
  max: number,
  withoutWebhooks: readonly string[],
): Promise<Leased[]> {
  const runsOutAt = leaseEnd()
  const rows = await db.$queryRaw<Omit<Leased, 'runsOutAt'>[]>`
    WITH due AS (
      SELECT d.workspace_id, d.id
      FROM delivery d
      WHERE d.next_attempt_at <= now() AND d.status IN ('pending', 'retrying')
        AND (d.lease_until IS NULL OR d.lease_until <= now())
        AND d.webhook_id <> ALL (${withoutWebhooks}::uuid[])
        AND EXISTS (
          SELECT FROM webhook w
          WHERE w.workspace_id = d.workspace_id AND w.id = d.webhook_id AND w.status = 'active' AND w.deleted_at IS NULL
          OFFSET 0
        )
        AND NOT EXISTS (
          SELECT FROM webhook_health h
          WHERE h.workspace_id = d.workspace_id AND h.webhook_id = d.webhook_id AND h.gone_at IS NOT NULL
          OFFSET 0
        )
      ORDER BY d.next_attempt_at
      LIMIT ${max}::int
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE delivery d SET lease_owner = ${owner}, lease_until = now() + ${leaseSeconds}::int * interval '1 second'
    FROM due WHERE d.workspace_id = due.workspace_id AND d.id = due.id
    RETURNING d.workspace_id AS "workspaceId", d.id, d.webhook_id AS "webhookId"`
  return rows.map((row) => ({ ...row, runsOutAt }))
}

/** Milliseconds until the next row comes due; null where none is in sight. */
export async function untilNextDue(db: Database): Promise<number | null> {
  const [row] = await db.$queryRaw<{ ms: number | null }[]>`
    SELECT ceil(extract(epoch FROM min(next_attempt_at) - now()) * 1000)::int AS ms
    FROM delivery WHERE next_attempt_at > now() AND next_attempt_at < now() + interval '1 minute'`
  return row?.ms ?? null
}

/** Rows that are ours and that nothing was done to: any dispatcher may take them at once. */
export async function giveBack(db: Database, owner: string, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await db.$executeRaw`
    UPDATE delivery d SET lease_owner = NULL, lease_until = NULL FROM ${keySet(keys)}
    WHERE d.workspace_id = k.workspace_id AND d.id = k.id AND d.lease_owner = ${owner}`
}

export const keySet = (keys: readonly Key[]): Prisma.Sql =>
  Prisma.sql`jsonb_to_recordset(${JSON.stringify(keys.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })))}::jsonb)
    AS k(workspace_id uuid, id uuid)`
