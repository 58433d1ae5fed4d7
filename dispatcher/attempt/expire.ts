// A delivery whose time is over when its next try would begin (its webhook had too many waiting, or nobody was there to send
// it) becomes a dead letter without that try.
import type { Database } from '#prisma/client.ts'
import type { LeasedDelivery } from '../queue/leases.ts'

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
