// Deliveries that are not sent. One that we cannot sign, that our proxy does not take, or whose host has enough for
// now, is postponed: no attempt is made, so none is counted, neither against the retry schedule nor against the
// webhook's health. One that waits too long, for such a reason or for a paused webhook, is dead-lettered with all its
// attempts left; so is one whose time is over when its next try would begin.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { type Log, throttledLog } from '#runtime/log.ts'
import type { LeasedDelivery } from './leases.ts'
import { loop, type Loop } from '#runtime/loop.ts'

/** How long a delivery may wait for a reason that its receiver cannot mend. */
const waitHoursMax = 72
/** Keys and headers are mended by people, a proxy most often recovers by itself. */
const retrySeconds = { signing_failed: 300, proxy_error: 30, host_busy: 1, host_unproven: 60 }
/** The workspace's own doing, and nothing that the operator has to mend. */
const ofWorkspace = new Set<keyof typeof retrySeconds>(['host_busy', 'host_unproven'])
const logEveryMs = 60_000

type Postponement = {
  readonly code: keyof typeof retrySeconds
  /** For the log. */
  readonly reason: string
  readonly error?: unknown
}
export type Postpone = (item: LeasedDelivery, cause: Postponement) => Promise<void>

export function postponer(db: Database, owner: string, log: Log): Postpone {
  const throttled = throttledLog(logEveryMs)
  return async ({ workspaceId, id, webhookId }, { code, reason, error }) => {
    throttled(reason, 1, (deliveries) =>
      log[ofWorkspace.has(code) ? 'info' : 'error'](
        { err: error, workspaceId, webhookId, deliveries },
        `deliveries are postponed: ${reason}`,
      ),
    )
    await db.$executeRaw`
      UPDATE delivery SET
        status = CASE WHEN ${tooOld} THEN 'dead_letter' ELSE status END,
        dead_lettered_at = CASE WHEN ${tooOld} THEN now() END,
        next_attempt_at = CASE WHEN NOT ${tooOld} THEN now() + ${retrySeconds[code]}::int * interval '1 second' END,
        last_status_code = NULL, last_error_code = ${code}, lease_owner = NULL, lease_until = NULL,
        sending_since = NULL
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND lease_owner = ${owner}
        AND status IN ('pending', 'retrying')`
  }
}

const tooOld = Prisma.sql`(created_at < now() - ${waitHoursMax}::int * interval '1 hour')`

/**
 * Dead-letters a delivery whose time is over when its next try would begin: its webhook had too many waiting, or no
 * dispatcher was there to send it.
 */
export type Expire = (item: LeasedDelivery) => Promise<void>

export const expirer =
  (db: Database, owner: string): Expire =>
  async ({ workspaceId, id }) => {
    await db.$executeRaw`
      UPDATE delivery SET
        status = 'dead_letter', dead_lettered_at = now(), next_attempt_at = NULL, last_error_code = 'expired',
        lease_owner = NULL, lease_until = NULL, sending_since = NULL
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND lease_owner = ${owner}
        AND status IN ('pending', 'retrying')`
  }

const expireEveryMs = 5 * 60_000
const batchMax = 500

/** Dead-letters deliveries that have waited too long for a webhook that is paused or disabled. */
export const startExpiry = (db: Database, onError: (error: unknown) => void): Loop =>
  loop(async () => ((await expireWaiting(db)) === batchMax ? 0 : expireEveryMs), onError)

/**
 * Returns the number of deliveries. Counts from the end of the active state, so that a pause does not expire old ones.
 */
export const expireWaiting = (db: Database): Promise<number> =>
  db.$executeRaw`
    WITH expired AS (
      SELECT d.workspace_id, d.id
      FROM webhook w JOIN delivery d ON d.workspace_id = w.workspace_id AND d.webhook_id = w.id
      WHERE w.status <> 'active' AND w.deleted_at IS NULL
        AND w.status_changed_at < now() - ${waitHoursMax}::int * interval '1 hour'
        AND d.created_at < now() - ${waitHoursMax}::int * interval '1 hour'
        AND d.status IN ('pending', 'retrying')
      LIMIT ${batchMax}::int
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE delivery d
    SET status = 'dead_letter', dead_lettered_at = now(), last_error_code = 'webhook_paused',
        next_attempt_at = NULL, lease_owner = NULL, lease_until = NULL, sending_since = NULL
    FROM expired WHERE d.workspace_id = expired.workspace_id AND d.id = expired.id`
