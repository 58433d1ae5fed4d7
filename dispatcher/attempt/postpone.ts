// A delivery that we cannot sign waits until we can: no attempt is made, so none is counted, neither against its tries nor
// against its webhook. One that waits too long is dead-lettered with all its tries, for somebody to replay.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Log } from '#runtime/log.ts'
import { rarely } from '#runtime/throttled-log.ts'
import { waitHoursMax } from '../queue/expire-waiting.ts'
import type { LeasedDelivery } from '../queue/leases.ts'
import type { Prepared } from './prepare.ts'

const againMinutes = 5
const sayEveryMs = 60_000

export type PutOff = (item: LeasedDelivery, cause: Extract<Prepared, { kind: 'unsignable' }>) => Promise<void>

export function putOffWith(db: Database, owner: string, log: Log): PutOff {
  const saying = rarely(sayEveryMs)
  return async ({ workspaceId, id, webhookId }, { why, error }) => {
    saying(why, 1, (deliveries) =>
      log.error({ err: error, workspaceId, webhookId, deliveries }, `deliveries are put off: ${why}`),
    )
    await db.$executeRaw`
      UPDATE delivery SET
        status = CASE WHEN ${tooOld} THEN 'dead_letter' ELSE status END,
        dead_lettered_at = CASE WHEN ${tooOld} THEN now() END,
        next_attempt_at = CASE WHEN NOT ${tooOld} THEN now() + ${againMinutes}::int * interval '1 minute' END,
        last_status_code = NULL, last_error_code = 'signing_failed', lease_owner = NULL, lease_until = NULL,
        sending_since = NULL
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND lease_owner = ${owner}
        AND status IN ('pending', 'retrying')`
  }
}

const tooOld = Prisma.sql`(created_at < now() - ${waitHoursMax}::int * interval '1 hour')`
