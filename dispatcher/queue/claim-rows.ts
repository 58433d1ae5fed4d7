// Leases deliveries that have come due. One statement goes from webhook to webhook by the index and takes of each no
// more rows than there is capacity for: however many wait for a webhook that hangs, they are not read on the way to the
// others. It decides which webhooks are sent to, which of their rows are free, leases them, and records each attempt
// whose dispatcher was lost in the middle of a send.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import { leaseEndFromNow, type LeasedDelivery, leaseSeconds } from './leases.ts'
import { insertInterrupted } from './rows.ts'
import type { Capacity } from './scheduler.ts'
import { takeProbes } from './circuit-rows.ts'
import { silentAfterSeconds } from './heartbeat.ts'
import { freeTokens, spendTokens } from './rate-rows.ts'

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
  claim(db, claimant, capacity, headsOfSpan(after))

export const spanStatement = (claimant: Claimant, capacity: Capacity, after: string): Prisma.Sql =>
  claimStatement(claimant, capacity, headsOfSpan(after))

/** Claims for these webhooks only. */
export const claimForWebhooks = (
  db: Database,
  claimant: Claimant,
  capacity: Capacity,
  webhookIds: readonly string[],
): Promise<Claim> => claim(db, claimant, capacity, headsOfWebhooks(webhookIds))

async function claim(db: Database, claimant: Claimant, capacity: Capacity, heads: Prisma.Sql): Promise<Claim> {
  const leaseEndsAt = leaseEndFromNow()
  const [row] = await claimDue(db, claimant, capacity, heads)
  if (row === undefined) throw new Error('A claim returned no row')
  return { ...row, claimed: row.claimed.map((one) => ({ ...one, leaseEndsAt })) }
}

export type Claimant = {
  readonly owner: string
  /** Whether the leases of dispatchers without a heartbeat are free. */
  readonly takesOver: boolean
}
/** How many webhooks one claim looks at. It bounds the cost of a claim. */
export const spanMax = 500

// Selects the first waiting row of each webhook that is looked at, numbered by `n`.
const headsOfSpan = (after: string): Prisma.Sql =>
  Prisma.sql`
    (SELECT webhook_id, workspace_id, next_attempt_at, 1 AS n FROM delivery
     WHERE webhook_id > ${after}::uuid AND next_attempt_at IS NOT NULL
     ORDER BY webhook_id, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.*, h.n + 1 FROM head h CROSS JOIN LATERAL (
      SELECT webhook_id, workspace_id, next_attempt_at FROM delivery
      WHERE webhook_id > h.webhook_id AND next_attempt_at IS NOT NULL
      ORDER BY webhook_id, next_attempt_at LIMIT 1
    ) next WHERE h.n < ${spanMax}::int`

const headsOfWebhooks = (webhookIds: readonly string[]): Prisma.Sql =>
  Prisma.sql`
    SELECT first.*, 0 AS n FROM unnest(${webhookIds}::uuid[]) AS w(id) CROSS JOIN LATERAL (
      SELECT webhook_id, workspace_id, next_attempt_at FROM delivery
      WHERE webhook_id = w.id AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1
    ) first`

const claimStatement = (claimant: Claimant, capacity: Capacity, head: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`
    WITH RECURSIVE head AS (${head}),
    served AS (${served(capacity)}),
    tokens AS MATERIALIZED (${freeTokens}),
    due AS (${due(claimant, capacity)}),
    spent AS (${spendTokens}),
    probed AS (${takeProbes}),
    claimed AS (${lease(claimant)}),
    interrupted AS (${insertInterrupted})
    SELECT
      (SELECT coalesce(jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'webhookId', webhook_id)), '[]')
       FROM claimed) AS claimed,
      (SELECT webhook_id FROM head WHERE n = ${spanMax}::int) AS "upTo",
      (SELECT share FROM served LIMIT 1) AS share,
      (${nextDueMs}) AS "nextDueMs"`

// What may be claimed is shared out: the first that are looked at leave some for the last.
// OFFSET 0 keeps the look-ups of the webhook out of the join.
const served = ({ free, perWebhook, known }: Capacity) =>
  Prisma.sql`
    SELECT h.workspace_id, h.webhook_id, g.circuit_open_until IS NOT NULL AS probes, r.free_at IS NOT NULL AS limited,
           CASE WHEN g.circuit_open_until IS NULL THEN coalesce(p.max, ${perWebhook}::int) ELSE 1 END AS max,
           greatest(1, ${free}::int / (count(*) OVER ())::int) AS share
    FROM head h LEFT JOIN jsonb_to_recordset(${JSON.stringify([...known].map(([id, max]) => ({ id, max })))}::jsonb)
      AS p(id uuid, max int) ON p.id = h.webhook_id
    LEFT JOIN LATERAL (
      SELECT gone_at, circuit_open_until FROM webhook_health
      WHERE workspace_id = h.workspace_id AND webhook_id = h.webhook_id OFFSET 0
    ) g ON true
    LEFT JOIN LATERAL (
      SELECT free_at FROM webhook_rate WHERE workspace_id = h.workspace_id AND webhook_id = h.webhook_id OFFSET 0
    ) r ON true
    WHERE h.next_attempt_at <= now() AND coalesce(p.max, ${perWebhook}::int) > 0
      AND EXISTS (
        SELECT FROM webhook w
        WHERE w.workspace_id = h.workspace_id AND w.id = h.webhook_id AND w.status = 'active' AND w.deleted_at IS NULL
        OFFSET 0
      )
      AND g.gone_at IS NULL AND (g.circuit_open_until IS NULL OR g.circuit_open_until <= now())
      AND (r.free_at IS NULL OR r.free_at <= now())
    ORDER BY h.next_attempt_at`

// Locked rows are skipped. A delivery that a silent dispatcher loaded a moment ago may still be sent by it.
const due = ({ owner, takesOver }: Claimant, { free }: Capacity) =>
  Prisma.sql`
    SELECT row.*, s.probes FROM served s LEFT JOIN tokens t ON t.webhook_id = s.webhook_id CROSS JOIN LATERAL (
      SELECT d.workspace_id, d.id, d.webhook_id, d.sending_since,
             d.sending_since IS NOT NULL AND d.lease_owner IS DISTINCT FROM ${owner} AS lost
      FROM delivery d
      WHERE d.webhook_id = s.webhook_id AND d.next_attempt_at <= now()
        AND (d.lease_until IS NULL OR d.lease_until <= now() OR (
          ${takesOver} AND d.lease_owner <> ${owner}
          AND EXISTS (SELECT FROM dispatcher_process p WHERE p.owner = d.lease_owner AND p.seen_at <= ${silent})
          AND (d.sending_since IS NULL OR d.sending_since <= ${silent})
        ))
      ORDER BY d.next_attempt_at LIMIT least(s.max, s.share, CASE WHEN s.limited THEN coalesce(t.count, 0) END) FOR NO KEY UPDATE SKIP LOCKED
    ) row LIMIT ${free}::int`

const silent = Prisma.sql`now() - ${silentAfterSeconds}::int * interval '1 second'`

const lease = ({ owner }: Claimant) =>
  Prisma.sql`
    UPDATE delivery d SET
      lease_owner = ${owner},
      lease_until = now() + ${leaseSeconds}::int * interval '1 second',
      sending_since = CASE WHEN NOT due.lost THEN d.sending_since END,
      attempt_count = d.attempt_count + due.lost::int,
      last_status_code = CASE WHEN NOT due.lost THEN d.last_status_code END,
      last_error_code = CASE WHEN due.lost THEN 'interrupted' ELSE d.last_error_code END
    FROM due WHERE d.workspace_id = due.workspace_id AND d.id = due.id
      AND (NOT due.probes OR due.webhook_id IN (SELECT webhook_id FROM probed))
    RETURNING d.workspace_id, d.id, d.webhook_id, d.origin, d.tries, d.attempt_count,
              CASE WHEN due.lost THEN due.sending_since END AS interrupted_since`

const nextDueMs = Prisma.sql`
  SELECT extract(epoch FROM min(next.at) - now())::float8 * 1000 FROM head h CROSS JOIN LATERAL (
    SELECT CASE WHEN h.next_attempt_at > now() THEN h.next_attempt_at ELSE least((
      SELECT d.next_attempt_at FROM delivery d WHERE d.webhook_id = h.webhook_id AND d.next_attempt_at > now()
      ORDER BY d.next_attempt_at LIMIT 1
    ), (
      SELECT free_at FROM webhook_rate
      WHERE workspace_id = h.workspace_id AND webhook_id = h.webhook_id AND free_at > now() OFFSET 0
    )) END AS at
  ) next`

const anyClaim = [
  { owner: '', takesOver: false },
  { free: 1, perWebhook: 1, known: new Map() },
] as const
const claimDue = query(
  {
    claimed: column.json.of<readonly Omit<LeasedDelivery, 'leaseEndsAt'>[]>(),
    upTo: column.uuid.orNull,
    share: column.int.orNull,
    nextDueMs: column.float.orNull,
  },
  claimStatement,
  [
    [...anyClaim, headsOfSpan(beforeAllWebhooks)],
    [...anyClaim, headsOfWebhooks([])],
  ],
)

/** Of more webhooks, the first are looked at. */
const dueWebhooksMax = 5_000

const oldestDue = query(
  { seconds: column.float },
  () => Prisma.sql`
    WITH RECURSIVE head AS (
      (SELECT workspace_id, webhook_id, next_attempt_at FROM delivery WHERE next_attempt_at IS NOT NULL
       ORDER BY webhook_id, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT next.* FROM head CROSS JOIN LATERAL (
        SELECT workspace_id, webhook_id, next_attempt_at FROM delivery
        WHERE webhook_id > head.webhook_id AND next_attempt_at IS NOT NULL
        ORDER BY webhook_id, next_attempt_at LIMIT 1
      ) next
    )
    SELECT coalesce(greatest(extract(epoch FROM now() - min(next_attempt_at)), 0), 0)::float8 AS seconds
    FROM (SELECT * FROM head LIMIT ${dueWebhooksMax}::int) first
    WHERE NOT EXISTS (
      SELECT FROM webhook_health h
      WHERE h.workspace_id = first.workspace_id AND h.webhook_id = first.webhook_id AND h.circuit_open_until IS NOT NULL
      OFFSET 0
    )`,
)

/**
 * For how long the oldest delivery has been due, of receivers whose circuit is closed. Like a claim it goes from
 * webhook to webhook by the index, so that its cost is bounded by their number and not by that of the deliveries that
 * wait.
 */
export async function oldestDueSeconds(db: Database): Promise<number> {
  const [found] = await oldestDue(db)
  return found?.seconds ?? 0
}
