// Leases on the delivery rows, which are the durable queue: which dispatcher works on a row, and until when. A lease need
// not be released, since it expires. All times in the rows are the database's, so dispatchers need not agree on one.
import { Prisma } from '#prisma/generated/client.ts'
import type { Database } from '#prisma/client.ts'

export type DeliveryKey = { readonly workspaceId: string; readonly id: string }
export type LeasedDelivery = DeliveryKey & {
  readonly webhookId: string
  /** In ms of this process's own clock (performance.now), a little before the end that the row has. */
  readonly leaseEndsAt: number
}

export const leaseSeconds = 60

export const leaseEndFromNow = (): number => performance.now() + leaseSeconds * 1_000

/** For deliveries of this owner that were not sent: any dispatcher may lease them at once. */
export async function releaseLeases(db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return
  await db.$executeRaw`
    UPDATE delivery d SET lease_owner = NULL, lease_until = NULL, sending_since = NULL FROM ${deliveryKeySet(keys)}
    WHERE d.workspace_id = k.workspace_id AND d.id = k.id AND ${inSpanOf(keys)} AND d.lease_owner = ${owner}`
}

/** For the deliveries `d` of a set: leads the planner to their partitions, which are few, as they are of about one time. */
export function inSpanOf(keys: readonly Pick<DeliveryKey, 'id'>[]): Prisma.Sql {
  const ids = keys.map(({ id }) => id).toSorted()
  return Prisma.sql`d.id BETWEEN ${ids.at(0)}::uuid AND ${ids.at(-1)}::uuid`
}

export const deliveryKeySet = (keys: readonly DeliveryKey[]): Prisma.Sql =>
  Prisma.sql`(SELECT * FROM jsonb_to_recordset(${JSON.stringify(keys.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })))}::jsonb)
    AS r(workspace_id uuid, id uuid) WHERE ${oneByOne}) k`

/**
 * True of all rows `r` of a set that deliveries are looked up by. The planner, who knows nothing of it, takes them for one
 * row and looks up each by its key. A hundred it would join with the whole index of a partition that was empty when it
 * planned, and a plan is kept while the partition grows.
 */
export const oneByOne: Prisma.Sql = Prisma.sql`pg_typeof(r.id) = 'uuid'::regtype`
