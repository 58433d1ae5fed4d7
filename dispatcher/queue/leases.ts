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

/** Rows that are ours and that were not sent: any dispatcher may take them at once. */
export async function giveBack(db: Database, owner: string, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await db.$executeRaw`
    UPDATE delivery d SET lease_owner = NULL, lease_until = NULL, sending_since = NULL FROM ${keySet(keys)}
    WHERE d.workspace_id = k.workspace_id AND d.id = k.id AND d.lease_owner = ${owner}`
}

export const keySet = (keys: readonly Key[]): Prisma.Sql =>
  Prisma.sql`jsonb_to_recordset(${JSON.stringify(keys.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })))}::jsonb)
    AS k(workspace_id uuid, id uuid)`
