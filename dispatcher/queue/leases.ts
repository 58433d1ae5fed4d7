// Leases on the delivery rows, which are the durable queue: which dispatcher works on a row, and until when. A lease
// need not be released, since it expires. All times in the rows are the database's, so dispatchers need not agree on
// one. A lease ends in one of four ways: with the result, by its release, by its expiry, or as unanswered or
// interrupted.
import { Prisma } from '#prisma/generated/client.ts'
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'

export type DeliveryKey = { readonly workspaceId: string; readonly id: string }
export type LeasedDelivery = DeliveryKey & {
  readonly webhookId: string
  /** In ms of this process's own clock (performance.now), a little before the end that the row has. */
  readonly leaseEndsAt: number
}

export const leaseSeconds = 60

export const leaseEndFromNow = (): number => performance.now() + leaseSeconds * 1_000

/** Releases deliveries of this owner that were not sent: any dispatcher may lease them at once. */
export async function releaseLeases(db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return
  await db.$executeRaw`
    UPDATE delivery d SET lease_owner = NULL, lease_until = NULL, sending_since = NULL FROM ${deliveryKeySet(keys)}
    WHERE d.workspace_id = k.workspace_id AND d.id = k.id AND ${inSpanOf(keys)} AND d.lease_owner = ${owner}`
}

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

/**
 * Ends leases that this dispatcher has without knowing of them: they were committed, and the answer was lost with the
 * connection. Once the database has answered again for a while, they end, so that nothing waits until they would
 * expire.
 */
export type UnansweredLeases = {
  /** A statement that takes leases has failed. */
  noteFailure(): void
  close(): Promise<void>
}
type UnansweredOptions = {
  readonly db: Database
  readonly owner: string
  /** The ids of the deliveries that this dispatcher knows of. */
  readonly acceptedIds: () => readonly string[]
  readonly onError: (error: unknown) => void
  /** How long ago the last failure is, and how old the leases are that end. */
  readonly afterMs?: number
}

/**
 * Longer than any statement or transaction may take (prisma/pool.ts): a younger lease may be one that is being
 * answered.
 */
const unansweredAfterMs = 20_000
const lookEveryMs = 1_000

export function openUnansweredLeases(options: UnansweredOptions): UnansweredLeases {
  const { onError, afterMs = unansweredAfterMs } = options
  let failedAt: number | null = null

  const looks = loop(async () => {
    if (failedAt === null) return lookEveryMs
    const waitMs = failedAt + afterMs - performance.now()
    if (waitMs > 0) return Math.min(waitMs, lookEveryMs)
    failedAt = null
    await endUnanswered(options, afterMs).catch((error: unknown) => {
      failedAt ??= performance.now()
      onError(error)
    })
    return lookEveryMs
  }, onError)
  function noteFailure(): void {
    failedAt = performance.now()
  }
  return { noteFailure, close: looks.close }
}

/** The owner stays: if the same dispatcher claims them again, nothing has been interrupted. */
const endUnanswered = ({ db, owner, acceptedIds }: UnansweredOptions, afterMs: number): Promise<number> =>
  db.$executeRaw`
    UPDATE delivery SET lease_until = now()
    WHERE next_attempt_at IS NOT NULL AND lease_owner = ${owner} AND lease_until > now()
      AND lease_until <= now() + ${leaseSeconds * 1_000 - afterMs}::int * interval '1 millisecond'
      AND id <> ALL (${acceptedIds()}::uuid[])`

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

/** Ends the leases of what this owner was sending when it stopped: any dispatcher may lease it at once. */
export async function recordInterrupted(db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return
  await db.$executeRaw`
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
    ${insertInterrupted}`
}
