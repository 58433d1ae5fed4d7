// A delivery that we cannot sign, that our proxy does not take, or whose host has enough for now, waits until we can send it: no attempt is made, so none is
// counted, neither against the retry schedule nor against the webhook's health. One that waits too long is dead-lettered with all its attempts left.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Log } from '#runtime/log.ts'
import { throttledLog } from '#runtime/throttled-log.ts'
import { waitHoursMax } from '../queue/dead-letter-paused.ts'
import type { LeasedDelivery } from '../queue/leases.ts'

/** A key or a header is mended by somebody, a proxy most often by itself. */
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
