// Leases deliveries that have come due. It goes from webhook to webhook by the index and takes of each no more rows than
// there is capacity for: however many wait for a webhook that hangs, they are not read on the way to the others.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { leaseEndFromNow, type LeasedDelivery } from './leases.ts'
import type { Capacity } from './capacity.ts'
import { claimStatement, spanMax, type Claimant } from './claim-statement.ts'

export type Claim = {
  readonly claimed: readonly LeasedDelivery[]
  /** The id of the last webhook that was looked at; null when there are none after it. */
  readonly upTo: string | null
  /** How many rows were taken of each webhook at most, beside its capacity; null when none was served. */
  readonly share: number | null
  /** The time until the next row of these webhooks comes due; null when there is none. */
  readonly nextDueMs: number | null
}

/** Sorts before the ids of all webhooks. */
export const beforeAllWebhooks = '00000000-0000-0000-0000-000000000000'

/** Claims for a span of webhooks: those with the next ids after this one. */
export const claimSpan = (db: Database, claimant: Claimant, capacity: Capacity, after: string): Promise<Claim> =>
  claim(db, spanStatement(claimant, capacity, after))

export const spanStatement = (claimant: Claimant, capacity: Capacity, after: string): Prisma.Sql =>
  claimStatement(
    claimant,
    capacity,
    Prisma.sql`
      (SELECT webhook_id, workspace_id, next_attempt_at, 1 AS n FROM delivery
       WHERE webhook_id > ${after}::uuid AND next_attempt_at IS NOT NULL
       ORDER BY webhook_id, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT next.*, h.n + 1 FROM head h CROSS JOIN LATERAL (
        SELECT webhook_id, workspace_id, next_attempt_at FROM delivery
        WHERE webhook_id > h.webhook_id AND next_attempt_at IS NOT NULL
        ORDER BY webhook_id, next_attempt_at LIMIT 1
      ) next WHERE h.n < ${spanMax}::int`,
  )

/** Claims for these webhooks only. */
export const claimForWebhooks = (
  db: Database,
  claimant: Claimant,
  capacity: Capacity,
  webhookIds: readonly string[],
): Promise<Claim> =>
  claim(
    db,
    claimStatement(
      claimant,
      capacity,
      Prisma.sql`
      SELECT first.*, 0 AS n FROM unnest(${webhookIds}::uuid[]) AS w(id) CROSS JOIN LATERAL (
        SELECT webhook_id, workspace_id, next_attempt_at FROM delivery
        WHERE webhook_id = w.id AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1
      ) first`,
    ),
  )

type Row = {
  readonly claimed: readonly Omit<LeasedDelivery, 'leaseEndsAt'>[]
  readonly upTo: string | null
  readonly share: number | null
  readonly nextDueMs: number | null
}

async function claim(db: Database, statement: Prisma.Sql): Promise<Claim> {
  const leaseEndsAt = leaseEndFromNow()
  const [row] = await db.$queryRaw<Row[]>(statement)
  if (row === undefined) throw new Error('A claim returned no row')
  return { ...row, claimed: row.claimed.map((one) => ({ ...one, leaseEndsAt })) }
}
